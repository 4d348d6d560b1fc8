import Foundation
import StrataBase
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@testable import StrataCommands

/// The pictures of `export`, read as XML by Python.
@Suite("Exported pictures")
struct ExportedPictureTests {
  /// The names of boxes and lanes, the number of boxes, and the titles of lines and arcs, each on a line.
  private static let reader = """
    import sys, xml.etree.ElementTree as tree
    root = tree.fromstring(sys.stdin.read())
    space = "{http://www.w3.org/2000/svg}"
    print(" ".join(sorted(t.text for t in root.iter(space + "text") if t.get("font-weight"))))
    print(len(list(root.iter(space + "rect"))))
    print(*sorted("".join(t.itertext()) for g in root.iter(space + "g") for t in g.findall(space + "title")), sep="\\n")
    """

  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
  }

  /// - Returns: The picture as Python reads it, as lines, and the same for Mermaid.
  private func picture(_ words: String) throws -> (lines: [String], mermaid: String) {
    let (before, options) = (
      words.split(separator: " ")[0], words.split(separator: " ").dropFirst()
    )
    for file in ["a.svg", "b.svg", "a.mmd"] {
      let answer = session("export \(before) \(file) \(options.joined(separator: " ")) --force")
      #expect(answer.status == .done, "\(answer)")
    }
    #expect(try text("a.svg") == text("b.svg"))
    let shown = try Python.run(Self.reader, input: text("a.svg"))
    return (shown.split(separator: "\n").map(String.init), try text("a.mmd"))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  @Test("a mapping model has its entity mappings between the entities, with filters and policies")
  func mappings() throws {
    for sample in [
      "Topics/Model1ToModel2", "Topics/Model4ToModel5-1", "Recipes/Recipes1ToRecipes2",
    ] {
      let named = try session.session.mapping("sample:\(sample)")
      let mappings = named.mapping.entityMappings
      func entities(_ model: ObjectModel?) -> [String] {
        (model?.entities ?? []).filter { !$0.isAbstract }.map(\.name)
      }
      let sources = Set(mappings.compactMap(\.sourceName) + entities(named.source?.model))
      let destinations = Set(
        mappings.compactMap(\.destinationName) + entities(named.destination?.model))
      let shown = try picture("sample:\(sample)")
      let names = mappings.map(\.name) + sources + destinations
      #expect(shown.lines[0] == names.sorted().joined(separator: " "), "\(sample)")
      #expect(shown.lines[1] == "\(names.count)")
      let lines = mappings.flatMap { mapping in
        [
          mapping.sourceName.map { "\($0) is read by \(mapping.name)" },
          mapping.destinationName.map { "\(mapping.name) creates \($0)" },
        ].compactMap { $0 }
      }
      #expect(Set(shown.lines.dropFirst(2)) == Set(lines), "\(sample)")
      #expect(shown.mermaid.components(separatedBy: " --> ").count == lines.count + 1)
      for policy in mappings.compactMap(\.policyName) {
        #expect(try text("a.svg").contains(">policy \(policy)<"), "\(sample)")
      }
    }
    session("load sample:Topics")
    #expect(try picture("Model1ToModel2").lines[1] == "6", "a loaded mapping model")
  }

  /// What `plan --json` says of a strategy.
  private struct Plan: Decodable {
    struct Hop: Decodable { var from, to, mapping: String }
    var hops: [Hop]
  }

  @Test("a plan and a history have an arc for each hop that `plan` gives")
  func plans() throws {
    for bundle in ["Topics", "Journeys", "Flight", "Recipes"] {
      session("load sample:\(bundle)")
      let versions = try session.session.bundle(bundle).versions.map(\.name)
      let names = versions.sorted { $0.precedesByNumber($1) }
      func arcs(_ from: String, _ to: String, _ strategy: String, named lane: String) throws
        -> [String]
      {
        let answer = session("plan \(from) --to \(to) --strategy \(strategy) --json")
        let hops = try JSONDecoder().decode(Plan.self, from: Data(answer.output.utf8)).hops
        return hops.isEmpty
          ? ["\(lane): none"]
          : hops.map { "\(lane): \($0.from) → \($0.to), \($0.mapping)" }
      }
      // Why there is no path is told in words.
      func shown(_ lines: some Sequence<String>) -> Set<String> {
        Set(
          lines.map { line in
            let text = line.replacing("⚠ ", with: "").split(separator: ";")[0]
            let isNone = ["no path", "fit"].contains { text.contains($0) }
            return isNone ? "\(text.split(separator: ":")[0]): none" : String(text)
          })
      }
      let strategies = ["default", "hybrid", "lightweight", "progressive"]
      let plan = try picture("\(names[0]) --to \(names[names.count - 1])")
      let told = try strategies.flatMap {
        try arcs(names[0], names[names.count - 1], $0, named: $0)
      }
      #expect(shown(plan.lines.dropFirst(2)) == Set(told), "\(bundle)")
      #expect(plan.lines[0] == (names + strategies).sorted().joined(separator: " "))
      #expect(plan.mermaid.components(separatedBy: "->|").count == told.count + 1, "\(bundle)")

      let current = try #require(try session.session.bundle(bundle).currentVersionName)
      let history = try picture(bundle)
      let next = try zip(names, names.dropFirst()).flatMap {
        try arcs($0, $1, "default", named: "to the next version")
      }
      let last = try names.filter { $0 != current }.flatMap {
        try arcs($0, current, "default", named: "to \(current)")
      }
      #expect(shown(history.lines.dropFirst(2)) == Set(next + last), "\(bundle)")
      #expect(history.lines[1] == "\(names.count)")
    }
    #expect(try picture("Model1 --to Model5 --strategy hybrid").lines[0].hasSuffix("hybrid"))
    session("create phone.sqlite --model Model1 --rows 1")
    #expect(try picture("phone.sqlite --to Model3").lines[1] == "3", "of a store, up to the target")
  }

  private func write(_ entity: String, to version: String, of bundle: String) throws {
    try folder.write(
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\(entity)</model>",
      to: "\(bundle).xcdatamodeld/\(version).xcdatamodel/contents")
  }

  @Test("a difference tells what changed in an entity, also what is no property")
  func entityChanges() throws {
    let plain = "<entity name=\"P\"><attribute name=\"a\" attributeType=\"String\"/></entity>"
    let constraint =
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"a\"/></uniquenessConstraint></uniquenessConstraints>"
    for (number, change) in [
      plain.replacing("</entity>", with: constraint + "</entity>"),
      plain.replacing("name=\"P\"", with: "name=\"P\" isAbstract=\"YES\""),
      plain.replacing("name=\"P\"", with: "name=\"P\" versionHashModifier=\"x\""),
      plain + "<entity name=\"Q\" parentEntity=\"P\"/>",
    ].enumerated() {
      try write(plain + (number == 3 ? "<entity name=\"Q\"/>" : ""), to: "V1", of: "B\(number)")
      try write(change, to: "V2", of: "B\(number)")
      let shown = try picture("B\(number).xcdatamodeld/V1..V2")
      #expect(try text("a.svg").contains("font-weight=\"bold\">≠ "), "\(number)")
      let rows = try text("a.svg").matches(of: /fill="currentColor" font-weight="bold">≠ (.*?)</)
      // The name of the box, and what changed.
      #expect(rows.count >= 2, "\(number): \(rows.map(\.1)) \(shown)")
    }
    #expect(try picture("B0.xcdatamodeld/V1..V1").lines.count == 2)
    #expect(session("export B0.xcdatamodeld/V1..V1 n.svg").output.contains("no entity differs"))
    // A removed entity has the inverses that it had.
    let removed = try picture("sample:Topics/Model5..Model4")
    #expect(removed.lines.contains("Member.topics, inverse Topic.presenter"), "\(removed)")
    #expect(try picture("sample:Topics/Model5.Member").lines[0] == "Member Topic")
  }

  @Test("a history has the versions that cannot be read, and does not call another one current")
  func unreadable() throws {
    for version in ["V1", "V2", "V3"] {
      try write("<entity name=\"P\"/>", to: version, of: "U")
    }
    try folder.write("<model", to: "U.xcdatamodeld/V3.xcdatamodel/contents")
    try folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>V3.xcdatamodel</string></dict></plist>",
      to: "U.xcdatamodeld/.xccurrentversion")
    let shown = try picture("U.xcdatamodeld")
    #expect(shown.lines[1] == "3")
    let told = ["to V3: V1 → V3, V3 cannot be read", "to V3: V2 → V3, V3 cannot be read"]
    #expect(told.allSatisfy(shown.lines.contains), "\(shown)")
    #expect(try text("a.svg").contains(">cannot be read<"))
    for version in ["V1", "V2"] {
      try folder.write("<model", to: "U.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    #expect(session("export U.xcdatamodeld u.svg").status == .failed)
  }

  @Test("of many versions, equal hops are one arc")
  func folded() throws {
    for number in 1...30 {
      let type = number < 25 ? "String" : "Date"
      let attributes = (1...number).map {
        "<attribute name=\"a\($0)\" attributeType=\"\($0 == 1 ? type : "String")\" optional=\"YES\"/>"
      }
      try write("<entity name=\"P\">\(attributes.joined())</entity>", to: "V\(number)", of: "Many")
    }
    try folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>V30.xcdatamodel</string></dict></plist>",
      to: "Many.xcdatamodeld/.xccurrentversion")
    let shown = try picture("Many.xcdatamodeld")
    #expect(shown.lines[1] == "4", "\(shown)")
    let arcs = [
      "to the next version: V1 → V24, inferred ×23", "to the next version: V24 → V25, no path",
      "to the next version: V25 → V30, inferred ×5", "to V30: V1 → V30, no path ×24",
      "to V30: V25 → V30, inferred ×5",
    ]
    for arc in arcs { #expect(shown.lines.contains { $0.hasPrefix(arc) }, "\(arc): \(shown)") }
    #expect(shown.lines.count == 2 + arcs.count)
  }

  @Test("hostile names are text in pictures")
  func hostile() throws {
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="A&lt;script&gt;&quot;&amp;]]&gt;"><attribute name="b&#x202E;'`;#" attributeType="String" optional="YES"/></entity>
      </model>
      """, to: "M.xcdatamodel/contents")
    let shown = try picture("M.xcdatamodel")
    #expect(shown.lines[0] == "A<script>\"&]]>")
    #expect(try !text("a.svg").contains("<script"))
    #expect(shown.mermaid.split(separator: "\n").count == 5, "\(shown.mermaid)")
    for file in ["a.svg", "a.mmd"] {
      try folder.write(file.hasSuffix("svg") ? "<svg/>" : "flowchart LR\n", to: file)
      let answer = session("export M.xcdatamodel \(file) --force")
      #expect(answer.diagnostics.contains("file.otherKind"), "\(file)")
    }
  }

  @Test(
    "a picture of each sample has its entities and relationships, and is XML, the same each time")
  func pictures() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for name in ["Topics/Model1", "Topics/Model5", "Recipes/Recipes1", "Flight/B"] {
      session("export sample:\(name) a.svg --force")
      session("export sample:\(name) b.svg --force")
      session("export sample:\(name) a.mmd --force")
      let picture = try String(contentsOfFile: folder.path("a.svg"), encoding: .utf8)
      #expect(try picture == String(contentsOfFile: folder.path("b.svg"), encoding: .utf8))
      let mermaid = try String(contentsOfFile: folder.path("a.mmd"), encoding: .utf8)
      let model = try session.session.model("sample:\(name)").model
      let shown = try Python.run(
        """
        import sys, xml.etree.ElementTree as tree
        root = tree.fromstring(sys.stdin.read())
        space = "{http://www.w3.org/2000/svg}"
        print(sorted(t.text for t in root.iter(space + "text") if t.get("font-weight")))
        print(len(list(root.iter(space + "rect"))), sum(len(list(g.iter(space + "title"))) for g in root.findall(space + "g")))
        """, input: picture)
      let names = model.entities.map(\.name).sorted()
      // A relationship and its inverse are one line.
      let pairs = Set(
        model.entities.flatMap { entity in
          entity.relationships.map { relationship -> Set<String> in
            [
              "\(entity.name).\(relationship.name)",
              "\(relationship.destinationName).\(relationship.inverseName ?? "")",
            ]
          }
        })
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      #expect(shown == "[\(list)]\n\(names.count) \(pairs.count)\n", "\(name)")
      #expect(mermaid.components(separatedBy: "--").count == pairs.count + 1, "\(name)")
    }
    session("export sample:Recipes/Recipes1..sample:Recipes/Recipes2 d.svg")
    let difference = try String(contentsOfFile: folder.path("d.svg"), encoding: .utf8)
    for text in [
      ">+ Cuisine<", ">≠ Chef<", ">+ firstName String?<", ">− name String?<",
      " to sample:Recipes/Recipes2<", ">≠ chefs → Chef<", ">  renamed from chef<",
      ">… 2 unchanged<",
    ] {
      #expect(difference.contains(text), "\(text)")
    }
    #expect(session("export sample:Topics d.svg --questions").diagnostics.contains("command.usage"))
    try folder.write("<svg xmlns='http://www.w3.org/2000/svg'/>", to: "mine.svg")
    #expect(session("export sample:Topics mine.svg --force").diagnostics.contains("file.otherKind"))
  }
}
