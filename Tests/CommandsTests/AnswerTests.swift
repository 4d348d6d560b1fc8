import Foundation
import StrataBase
import StrataCommands
import StrataRendering
import TestSupport
import Testing

/// What a program can tell from an answer: its exit status, and the outcome in its JSON.
@Suite("Outcomes and exit statuses")
struct AnswerTests {
  /// V1 becomes V2 by inference, and V3 not at all.
  private static func session(in folder: TemporaryFolder) throws -> TestSession {
    for (version, type) in [("V1", "String"), ("V2", "String\" optional=\"YES"), ("V3", "Binary")] {
      try folder.write(
        "<model><entity name=\"A\"><attribute name=\"a\" attributeType=\"\(type)\"/></entity></model>",
        to: "X.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    session("load X.xcdatamodeld")
    session("create s.sqlite --model V1 --rows 1")
    return session
  }

  private static func json(_ answer: Evaluation) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any], "\(answer)")
  }

  @Test("plan distinguishes a path, nothing to do and no path, with the reason")
  func plans() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder)
    for (options, outcome, status, reason) in [
      ("--to V1", "nothingToDo", ExitStatus.done, "the models are compatible"),
      ("--to V2", "path", .done, nil),
      ("--to V3", "noPath", .no, "no mapping model can be inferred from V1 to V3"),
      (
        "--to V2 --no-infer", "noPath", .no,
        "there is no mapping model from V1 to V2, and inference is turned off"
      ),
    ] {
      for source in ["V1", "s.sqlite"] {
        let answer = session("plan \(source) \(options) --json")
        let json = try Self.json(answer)
        #expect(json["outcome"] as? String == outcome && answer.status == status, "\(answer)")
        #expect(json["reason"] as? String == reason, "\(answer)")
        #expect(json["code"] as? Int == (outcome == "noPath" ? 134_140 : nil), "\(answer)")
        let text = session("plan \(source) \(options)").output
        #expect(reason.map { text.contains($0) } != false, "\(text)")
      }
    }
  }

  @Test(
    "plan counts the objects that stop the migration, and then says no",
    arguments: [
      ("", "n=1|n=2", 2, ["p1", "p2"]), ("", "", 0, []),
      (
        "<attribute name='id' optional='YES' attributeType='String'/>", "id=a|n=2|n=3", 2,
        ["p2", "p3"]
      ),
      ("<attribute name='id' optional='YES' attributeType='String'/>", "id=a", 0, []),
    ])
  func missingValues(attribute: String, objects: String, count: Int, keys: [String]) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let number = "<attribute name='n' optional='YES' attributeType='Integer 64'/>"
    for (version, second) in [
      ("1", attribute), ("2", "<attribute name='id' attributeType='String'/>"),
    ] {
      try folder.write(
        "<model><entity name='Base'>\(number)\(second)</entity><entity name='Item' parentEntity='Base'/></model>",
        to: "A.xcdatamodeld/V\(version).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    #expect(session("create s.sqlite --model A.xcdatamodeld/V1").status == .done)
    for values in objects.split(separator: "|") {
      #expect(session("insert s.sqlite Item \(values)").status == .done)
    }
    let answer = session("plan s.sqlite --to A.xcdatamodeld/V2")
    #expect(answer.status == (count == 0 ? .done : .no), "\(answer)")
    let evidence = "(134110): \(count) objects (\(keys.joined(separator: ", ")))"
    #expect(answer.output.contains(evidence) == (count > 0), "\(answer)")
    // The rehearsal agrees; the path exists all the same.
    let rehearsal = session("migrate s.sqlite --to A.xcdatamodeld/V2 --dry-run")
    #expect(rehearsal.status == answer.status, "\(rehearsal)")
    #expect(count == 0 || rehearsal.output.contains("in \(count) objects: p"), "\(rehearsal)")
    #expect(session("expect reaches s.sqlite A.xcdatamodeld/V2").status == .done)
    #expect(session("expect migrates s.sqlite A.xcdatamodeld/V2").status == answer.status)
  }

  @Test("plan says that objects which stop a later hop are not counted")
  func laterHops() throws {
    let folder = try TemporaryFolder()
    for (version, optional) in [("1", "YES"), ("2", "YES"), ("3", "NO")] {
      let second =
        version == "1"
        ? "" : "<attribute name='id' optional='\(optional)' attributeType='String'/>"
      try folder.write(
        "<model><entity name='Item'><attribute name='n' optional='YES' attributeType='String'/>\(second)</entity></model>",
        to: "A.xcdatamodeld/V\(version).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    #expect(session("create s.sqlite --model A.xcdatamodeld/V1").status == .done)
    #expect(session("insert s.sqlite Item n=1").status == .done)
    for (source, target, isCounted) in [
      ("s.sqlite", "V3", false), ("s.sqlite", "V2", true), ("A.xcdatamodeld/V1", "V3", true),
    ] {
      let line = "\(source) --to A.xcdatamodeld/\(target) --strategy progressive"
      let answer = session("plan \(line)")
      #expect(answer.status == .done, "\(answer)")
      #expect(answer.diagnostics.contains("[migration.notCounted]") != isCounted, "\(answer)")
      guard !isCounted else { continue }
      #expect(session("migrate \(line) --dry-run").output.contains("in 1 object: p1"))
    }
  }

  @Test("an XML store is planned like a SQLite store, and a saved rehearsal replays")
  func otherStores() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(
      Session(
        folder: folder.url.path, renderer: Renderer(style: .plain, isLive: true), clock: { 1 }))
    session("create t.xml --model sample:Topics/Model4 --rows 3")
    session("create t.sqlite --model sample:Topics/Model4 --rows 3")
    let plans = ["t.xml", "t.sqlite"].map {
      session("plan \($0) --to sample:Topics/Model5 --strategy lightweight").output
        .replacing(#/ \(p[0-9, p…]*\)/#, with: "")
    }
    #expect(plans[0] == plans[1] && plans[0].contains("[loss.removed]"), "\(plans)")
    #expect(
      session("migrate t.sqlite --to sample:Topics/Model5 --strategy lightweight --dry-run")
        .output.contains("rehearsal: "))
    session("save s.strata")
    try FileManager.default.removeItem(atPath: folder.path("t.sqlite"))
    try FileManager.default.removeItem(atPath: folder.path("t.xml"))
    let replay = TestSession(in: folder)("replay s.strata")
    #expect(replay.status == .done, "\(replay)")
  }

  @Test("a question has status 1 if the corresponding change has status 2")
  func questions() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder)
    for options in ["--to V3", "--to V2 --no-infer"] {
      let line = "migrate s.sqlite \(options)"
      let rehearsed = session("\(line) --dry-run")
      #expect(rehearsed.status == .no && session(line).status == .failed, "\(rehearsed)")
      #expect(rehearsed.diagnostics == session(line).diagnostics)
      let json = try Self.json(session("\(line) --dry-run --json"))
      #expect(json["outcome"] as? String == "noPath")
      #expect((json["reason"] as? String).map { rehearsed.diagnostics.contains($0) } == true)
      let failure = try Self.json(session("\(line) --json"))["error"] as? [String: Any]
      #expect(json["code"] as? Int == 134_140 && failure?["code"] as? Int == 134_140)
    }
    // An object that the model does not allow.
    #expect(session("insert s.sqlite A").status == .failed)
    // What cannot be read is answered by nobody.
    #expect(session("migrate gone.sqlite --to V2 --dry-run").status == .failed)
    #expect(session("plan gone.sqlite --to V2").status == .failed)
  }

  @Test("the JSON of try shows whether an incompatible change can be inferred, like its text")
  func trials() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder)
    for (edit, inferable) in [
      ("optional YES", true), ("attributeType Binary", false), ("userInfo.note x", nil),
    ] {
      session("try --reset")
      let json = try Self.json(session("try V1.A.a \(edit) --json"))
      #expect(json["inferable"] as? Bool == inferable, "\(edit): \(json)")
      #expect((json["inference"] == nil) == (inferable == nil))
      session("try --reset")
      let text = session("try V1.A.a \(edit)").output
      #expect((json["inference"] as? String).map { text.contains("\n\($0);") } != false, "\(text)")
    }
  }

  @Test("`help status` and the guide describe the same statuses")
  func statuses() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let json = try #require(try Self.json(session("help status --json")) as? [String: String])
    #expect(Set(json.keys) == ["0", "1", "2", "64"])
    let guide = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Docs/GUIDE.md"), encoding: .utf8)
    for (status, meaning) in json {
      #expect(guide.contains("| \(status) | \(meaning) |"), "\(status)")
    }
    let rules = session("help status").output.split(separator: "\n").dropFirst(5)
    for rule in rules { #expect(guide.contains(rule), "\(rule)") }
  }

  @Test("`help rules RULE` is `help RULE`")
  func rules() throws {
    let session = TestSession(in: try TemporaryFolder())
    let list = session("help rules")
    #expect(list.output.contains("`help <rule>` explains a rule"), "\(list)")
    let json = try #require(try Self.json(session("help rules --json")) as? [String: String])
    for rule in json.keys {
      let page = session("help \(rule)")
      #expect(page.status == .done && session("help rules \(rule)").output == page.output)
    }
    #expect(session("help rules loss.remved").diagnostics.contains("did you mean loss.removed?"))
    #expect(session("help insert x").status == .usage)
  }
}
