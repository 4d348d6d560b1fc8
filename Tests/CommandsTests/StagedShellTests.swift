import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Splits and staged migrations as somebody types them in a shell, where nothing is loaded: each command is a session
/// of its own, and what an answer says to type is typed.
@Suite("Staged migrations in a shell")
struct StagedShellTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func shell(_ line: String) -> Evaluation { TestSession(in: folder)(line) }

  private func write(_ parts: String, to path: String) throws {
    try folder.write(
      "<model><entity name=\"A\">\(parts)</entity></model>",
      to: "App.xcdatamodeld/\(path).xcdatamodel/contents")
  }

  /// The command that an answer says comes next.
  private func next(_ answer: Evaluation, _ store: String) -> String? {
    answer.output.split(separator: "\n").first { $0.hasPrefix("next: ") }.map {
      String($0.dropFirst("next: ".count)).replacing("<store>", with: store)
        .replacing("<bundle>", with: "Own.xcdatamodeld")
    }
  }

  /// The commands between back quotes.
  private static func quoted(_ text: String) -> [String] {
    text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// Types what comes next until a store has been rehearsed, then migrates it.
  private func follow(_ first: String, _ store: String) throws {
    var line = first
    for _ in 0..<5 {
      let answer = shell(line)
      #expect(answer.status == .done, "\(line): \(answer)")
      guard line.hasPrefix("infer") else { break }
      line = try #require(next(answer, store), "\(line): \(answer)")
    }
    #expect(line.hasPrefix("migrate \(store) ") && line.hasSuffix(" --dry-run"))
    let migrated = shell(line.replacing(" --dry-run", with: ""))
    #expect(migrated.status == .done, "\(migrated)")
  }

  @Test("from the samples to the last row")
  func flight() throws {
    #expect(shell("samples --write .").status == .done)
    shell("create f.sqlite --model Flight.xcdatamodeld/A --rows 3")
    try follow("infer Flight.xcdatamodeld/A Flight.xcdatamodeld/B --split", "f.sqlite")
    let rows = shell("rows f.sqlite FlightData --json").output.split(separator: "\n")
    let before = shell("count f.sqlite.before-A Aircraft --where 'FLIGHT_DATA != nil'")
    #expect(before.output == "\(rows.count)\n" && !rows.isEmpty, "\(before)")
  }

  @Test(
    "into the bundle of the model: the fix of the refusal can be typed",
    arguments: [0, 1])
  func ownBundle(choice: Int) throws {
    try write(#"<attribute name="n" optional="YES" attributeType="Double"/>"#, to: "V1")
    try write(#"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#, to: "V2")
    shell("create s.sqlite --model App.xcdatamodeld/V1")
    shell("insert s.sqlite A n=1.5")
    let refused = shell(
      "infer App.xcdatamodeld/V1 App.xcdatamodeld/V2 --split --into App.xcdatamodeld")
    #expect(refused.status == .failed && refused.diagnostics.contains("[mapping.versionExists]"))
    let commands = Self.quoted(refused.diagnostics)
    #expect(commands.count == 2)
    try follow(commands[choice], "s.sqlite")
    #expect(shell("rows s.sqlite A --json").output.contains(#""n":1}"#))
    // The same split again finds its versions, whatever they are called.
    let last = choice == 0 ? "V2" : "V2a"
    let again = shell(
      "infer App.xcdatamodeld/V1 App.xcdatamodeld/\(last) --split --into App.xcdatamodeld")
    #expect(again.output.contains("nothing to write into App.xcdatamodeld"), "\(again)")
  }

  @Test("into a new bundle, which does not have the source")
  func newBundle() throws {
    try write(#"<attribute name="n" optional="YES" attributeType="Double"/>"#, to: "V1")
    try write(#"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#, to: "V2")
    shell("create s.sqlite --model App.xcdatamodeld/V1")
    shell("insert s.sqlite A n=1.5")
    try follow(
      "infer App.xcdatamodeld/V1 App.xcdatamodeld/V2 --split --into New.xcdatamodeld --stages s.stages",
      "s.sqlite")
    #expect(shell("rows s.sqlite A --json").output.contains(#""n":1}"#))
  }

  @Test("the Swift of a split copies objects that move in the hierarchy")
  func objectsInSwift() throws {
    let name = #"<attribute name="n" optional="YES" attributeType="String"/>"#
    func model(_ parent: String) -> String {
      "<model><entity name=\"Item\"/><entity name=\"Book\"\(parent)>\(name)</entity></model>"
    }
    try folder.write(model(""), to: "App.xcdatamodeld/V1.xcdatamodel/contents")
    try folder.write(
      model(" parentEntity=\"Item\""), to: "App.xcdatamodeld/V2.xcdatamodel/contents")
    let answer = shell("infer App.xcdatamodeld/V1 App.xcdatamodeld/V2 --split --swift").output
    #expect(
      answer.contains("try copyObjects(") && answer.contains("func copyObjects("), "\(answer)")
    #expect(answer.contains(#"(from: "Book", to: "#), "\(answer)")
  }

  @Test(
    "in a stage, find connects objects that are there and creates none", arguments: [false, true])
  func finding(creates: Bool) throws {
    func entities(_ more: String) -> String {
      """
      <model><entity name="A"><attribute name="n" optional="YES" attributeType="String"/>
      <attribute name="day" optional="YES" attributeType="Date"/>\(more)
      <relationship name="b" optional="YES" maxCount="1" destinationEntity="B" inverseName="a" inverseEntity="B"/></entity>
      <entity name="B"><attribute name="k" optional="YES" attributeType="String"/>
      <attribute name="day" optional="YES" attributeType="Date"/>
      <relationship name="a" optional="YES" toMany="YES" destinationEntity="A" inverseName="b" inverseEntity="A"/></entity></model>
      """
    }
    let added = #"<attribute name="new" optional="YES" attributeType="String"/>"#
    for (version, text) in [("V1", entities("")), ("V2", entities(added))] {
      try folder.write(text, to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    shell("create s.sqlite --model App.xcdatamodeld/V1")
    for line in ["B k=x day=2001-01-02", "A n=x", "A n=y"] { shell("insert s.sqlite \(line)") }
    let find = creates ? "find or create" : "find"
    // A text that is only compared with a date stands for it.
    let days = creates ? [] : [("day == '2001-01-02'", "1,1"), ("day == '2001-01-03'", "nil,nil")]
    for (search, found) in [("k == n", "1,\(creates ? "2" : "nil")")] + days {
      try folder.write(
        "stage custom V1 -> V2\n  will: A: set b = \(find) B where \(search)\n", to: "s.stages")
      shell("create c.sqlite --copy s.sqlite --force")
      let answer = shell(
        "migrate c.sqlite --to App.xcdatamodeld/V2 --stages s.stages --discard-old")
      #expect(answer.status == .done, "\(search): \(answer)")
      let links = "SELECT group_concat(coalesce(ZB, 'nil')) FROM (SELECT ZB FROM ZA ORDER BY Z_PK)"
      #expect(try Python.value(links, in: folder.path("c.sqlite")) == found, "\(search)")
    }
  }

  @Test("every fix of a plan, a split and a rehearsal can be typed")
  func printedFixes() throws {
    let a = { (name: String, type: String, more: String) in
      #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#
    }
    try write(
      a("n", "Double", "") + a("colour", "String", "") + a("gone", "String", "")
        + a("type", "Integer 32", ""), to: "V1")
    try write(
      a("n", "Integer 16", "") + a("color", "String", "") + a("type", "Integer 32", "")
        + #"<attribute name="need" attributeType="String"/>"#, to: "V2")
    try write(a("n", "Integer 16", "") + a("type", "String", ""), to: "V3")
    try folder.write("stage lightweight V1, V2\n", to: "s.stages")
    shell("create s.sqlite --model App.xcdatamodeld/V1")
    var commands: Set<String> = []
    for line in [
      "plan s.sqlite --to App.xcdatamodeld/V2", "plan App.xcdatamodeld/V1 --to App.xcdatamodeld/V2",
      "plan s.sqlite --to App.xcdatamodeld/V3",
      "plan s.sqlite --to App.xcdatamodeld/V2 --stages s.stages",
      "infer App.xcdatamodeld/V1 App.xcdatamodeld/V2", "infer s.sqlite App.xcdatamodeld/V2 --split",
      "migrate s.sqlite --to App.xcdatamodeld/V2 --dry-run",
      "migrate s.sqlite --to App.xcdatamodeld/V3 --dry-run",
    ] {
      let json = shell(line + (line.contains("--split") ? "" : " --json"))
      let text = shell(line)
      commands.formUnion(Self.commands(in: json.output))
      commands.formUnion(
        Self.quoted(text.output + text.diagnostics).filter { $0.contains(" ") })
      commands.formUnion(
        text.output.split(separator: "\n").filter { $0.hasPrefix("      ") }
          .map { $0.trimmingCharacters(in: .whitespaces) }
          .filter { $0.hasPrefix("try ") || $0.hasPrefix("infer ") })
    }
    #expect(commands.count > 5)
    for command in commands.sorted() {
      let answer = shell(command)
      #expect(answer.status == .done || answer.status == .no, "\(command): \(answer)")
    }
  }

  /// The commands of all fixes in a JSON answer.
  private static func commands(in json: String) -> Set<String> {
    func search(_ value: Any) -> Set<String> {
      if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(search($1)) } }
      guard let object = value as? [String: Any] else { return [] }
      return object.reduce(into: Set(object["commands"] as? [String] ?? [])) {
        $0.formUnion(search($1.value))
      }
    }
    return search((try? JSONSerialization.jsonObject(with: Data(json.utf8))) ?? [])
  }

  // MARK: Statements

  @Test(
    "a stages file is checked before a row is read, by every command",
    arguments: [
      ("  will: B: set x = 1", "V1 has no entity B"),
      ("  will: A: set x = 1", "A of V1 has no stored attribute x"),
      ("  will: A: set n = y", "A of V1 has no property y"),
      ("  will: A: set n = $source.y", "A of V1 has no property y"),
      ("  did: A: set n = 1 when y == 2", "A of V2 has no property y"),
      ("  will: A: set r = create A with n = 1", "A of V1 has no relationship r"),
      ("  did: A: require q != nil, \"no q\"", "A of V2 has no property q"),
      ("  did: A: split n at ' ' into n, z", "A of V2 has no stored attribute z"),
      ("  will: A: set t = 1", "A.t is transient and not stored"),
      ("  did: A: split n at ' ' into n, t", "A.t is transient and not stored"),
    ])
  func statements(statement: String, reason: String) throws {
    let attributes =
      #"<attribute name="n" optional="YES" attributeType="Double"/><attribute name="t" optional="YES" transient="YES" attributeType="Double"/>"#
    try write(attributes, to: "V1")
    try write(
      #"\#(attributes)<attribute name="m" optional="YES" attributeType="Double"/>"#, to: "V2")
    try folder.write("stage custom V1 -> V2\n# a comment\n\(statement)\n", to: "s.stages")
    // There is no row that could show it.
    shell("create s.sqlite --model App.xcdatamodeld/V1")
    let before = try folder.state()
    let rest = "s.sqlite --to App.xcdatamodeld/V2 --stages s.stages"
    for line in ["plan \(rest)", "migrate \(rest)"] {
      let answer = shell(line)
      #expect(answer.status == .failed, "\(line): \(answer)")
      #expect(answer.diagnostics.contains("error: \(reason)"), "\(line): \(answer)")
      #expect(answer.diagnostics.contains("s.stages:3"), "\(line): \(answer)")
    }
    #expect(try folder.state() == before)
  }

  // MARK: Statuses

  @Test("a rehearsal has status 1 if the migration would fail, and 2 if that is unknown")
  func statuses() throws {
    try write(#"<attribute name="n" optional="YES" attributeType="Double"/>"#, to: "V1")
    try write(#"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#, to: "V2")
    try write(#"<attribute name="n" optional="YES" attributeType="String"/>"#, to: "V3")
    try folder.write("expect count store A 7\n", to: "check.strata")
    for (name, text) in [
      ("require", "stage custom V1 -> V2\n  will: A: require n == nil, \"has n\""),
      ("script", "stage custom V1 -> V2\n  will: run check.strata"),
      ("after", "stage custom V1 -> V2\n  did: run check.strata"),
      ("unknown", "stage custom V2 -> V3"), ("backwards", "stage custom V2 -> V1"),
      ("broken", "stage custom V1 -> Nowhere"),
    ] {
      try folder.write(text + "\n", to: "\(name).stages")
    }
    shell("infer App.xcdatamodeld/V1 App.xcdatamodeld/V2 --write Good.mapping")
    let good = try String(contentsOfFile: folder.path("Good.mapping"), encoding: .utf8)
    try folder.write(good.replacing("$source.n", with: "$source.nothing"), to: "Bad.mapping")
    let lines = good.components(separatedBy: "\n")
    let place = try #require(lines.firstIndex { $0.contains("$source.n") })
    try folder.write(
      (lines[..<place] + ["  policy Elsewhere"] + lines[place...]).joined(separator: "\n"),
      to: "Unknown.mapping")
    shell("create s.sqlite --model App.xcdatamodeld/V1")
    shell("insert s.sqlite A n=1")
    for (options, plan, rehearsal) in [
      ("V2 --stages require.stages", 0, 1), ("V2 --stages script.stages", 0, 1),
      ("V2 --stages after.stages", 0, 1), ("V2 --stages unknown.stages", 1, 1),
      ("V1 --stages backwards.stages", 0, 0), ("V2 --stages broken.stages", 2, 2),
      ("V3", 1, 1), ("V2 --no-infer", 1, 1), ("V2 --mapping Bad.mapping", 1, 1),
      ("V2 --mapping Unknown.mapping", 0, 2), ("V3 --mapping Bad.mapping", 2, 2),
      ("V2 --mapping nowhere.mapping", 2, 2),
    ] {
      let rest = "s.sqlite --to App.xcdatamodeld/\(options)"
      let planned = shell("plan \(rest)")
      #expect(Int(planned.status.rawValue) == plan, "plan \(rest): \(planned)")
      let rehearsed = shell("migrate \(rest) --dry-run")
      #expect(Int(rehearsed.status.rawValue) == rehearsal, "\(rest): \(rehearsed)")
      // For real it is 2 wherever the rehearsal says no.
      guard rehearsal > 0, options.contains("stages") else { continue }
      let state = try folder.state()
      let migrated = shell("migrate \(rest)")
      #expect(migrated.status == .failed, "\(rest): \(migrated)")
      guard options.contains("after.stages") else {
        #expect(try folder.state() == state, "\(rest)")
        continue
      }
      try FileManager.default.removeItem(atPath: folder.path("s.sqlite"))
      shell("create s.sqlite --model App.xcdatamodeld/V1")
      shell("insert s.sqlite A n=1")
    }
  }

  // MARK: XML stores

  @Test("stages require a SQLite store: one error, with commands that work")
  func xml() throws {
    try write(#"<attribute name="n" optional="YES" attributeType="Double"/>"#, to: "V1")
    try write(#"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#, to: "V2")
    try folder.write("stage custom V1 -> V2\n  will: A: set n = 7\n", to: "s.stages")
    try folder.write("stage lightweight V1, V2\n", to: "light.stages")
    shell("create x.xml --model App.xcdatamodeld/V1 --type xml")
    shell("insert x.xml A n=1 --model App.xcdatamodeld/V1")
    let before = try folder.state()
    let rest = "x.xml --to App.xcdatamodeld/V2 --stages s.stages"
    var commands: [String] = []
    for line in [
      "migrate \(rest)", "migrate \(rest) --dry-run", "migrate \(rest) --output y.sqlite",
      "debug \(rest)",
    ] {
      let refused = shell(line)
      #expect(refused.status == .failed, "\(line): \(refused)")
      #expect(refused.diagnostics.contains("[migration.stagesNeedSQLite]"), "\(line): \(refused)")
      commands = Self.quoted(refused.diagnostics)
    }
    let planned = shell("plan \(rest)")
    #expect(
      planned.status == .done && planned.diagnostics.contains("stagesNeedSQLite"), "\(planned)")
    #expect(try folder.state() == before)
    #expect(commands.count == 2, "\(commands)")
    for command in commands {
      #expect(shell(command).status == .done, "\(command): \(shell(command))")
    }
    #expect(shell("rows x.sqlite A --json").output.contains(#""n":7"#))
    // Without work of their own, stages are leaps as any other.
    let light = shell("migrate x.xml --to App.xcdatamodeld/V2 --stages light.stages")
    #expect(light.status == .done, "\(light)")
  }

  @Test("a migration into a new store can be rehearsed")
  func rehearsedOutput() throws {
    try write(#"<attribute name="n" optional="YES" attributeType="Double"/>"#, to: "V1")
    try write(#"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#, to: "V2")
    shell("create s.sqlite --model App.xcdatamodeld/V1 --rows 2")
    let before = try folder.state()
    for output in ["n.sqlite", "n.xml"] {
      for version in ["V1", "V2"] {
        let line = "migrate s.sqlite --to App.xcdatamodeld/\(version) --output \(output)"
        let rehearsed = shell("\(line) --dry-run")
        #expect(rehearsed.status == .done, "\(rehearsed)")
        let isOtherKind = version == "V1" && output == "n.xml"
        #expect(
          rehearsed.output.contains("\(output) would \(isOtherKind ? "have" : "be")"),
          "\(rehearsed)")
        #expect(try folder.state() == before)
        let done = shell(line)
        #expect(done.status == .done, "\(done)")
        if version == "V2" {
          // The receipts are the same.
          let summary = { (text: String) in text.split(separator: "\n").prefix(5).joined() }
          #expect(summary(rehearsed.output) == summary(done.output))
        }
        try FileManager.default.removeItem(atPath: folder.path(output))
      }
    }
    let refused = shell("migrate s.sqlite --to App.xcdatamodeld/V2 --output s.sqlite --dry-run")
    #expect(refused.status == .failed, "\(refused)")
  }
}
