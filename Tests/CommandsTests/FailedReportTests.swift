import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What a build server sees of a command that fails.
@Suite("Reports and JSON of failures")
struct FailedReportTests {
  @Test(
    "a report of findings is written also if the command fails, so that none of an earlier run stays",
    arguments: [
      "doctor nowhere.sqlite", "validate nowhere.sqlite", "mapping lint nowhere.mapping",
      "infer nowhere.xcdatamodeld", "cloudkit nowhere.xcdatamodeld", "lesson test nowhere.md",
      "lesson check nowhere --of nowhere.md",
    ])
  func failures(command: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create s.sqlite --copy sample:Phone")
    session("doctor s.sqlite --junit r.xml")
    let green = try String(contentsOfFile: folder.path("r.xml"), encoding: .utf8)
    #expect(green.contains("errors=\"0\""))
    let kept = session("\(command) --junit r.xml")
    #expect(
      kept.status == .failed && kept.diagnostics.contains("the report is not written"), "\(kept)")
    let answer = session("\(command) --junit r.xml --force")
    #expect(answer.status == .failed && !answer.diagnostics.contains("not written"), "\(answer)")
    let red = try String(contentsOfFile: folder.path("r.xml"), encoding: .utf8)
    #expect(red.contains("errors=\"1\""), "\(red)")
    let fix = try #require(answer.diagnostics.firstMatch(of: #/fix: (.+)/#)).1
    #expect(red.replacing("&lt;", with: "<").replacing("&gt;", with: ">").contains(fix), "\(red)")
  }

  @Test(
    "annotations and JSON are not printed together",
    arguments: [
      "doctor s.sqlite", "validate s.sqlite", "mapping lint m.mapping", "infer A B", "cloudkit A",
      "lesson test", "replay a.md", "check",
    ])
  func annotations(command: String) throws {
    let session = TestSession(in: try TemporaryFolder())
    let answer = session("\(command) --annotate --json")
    #expect(answer.status == .usage, "\(answer)")
    #expect(answer.output.contains("--annotate and --json cannot be used together"))
  }

  @Test("replay and lesson test report a document that cannot be read, beside the others")
  func replay() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    try folder.write("samples\n", to: "a.strata")
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: false)
    for missing in ["empty", "nowhere.md"] {
      let answer = session("replay \(missing) a.strata --junit r.xml --force")
      #expect(answer.status == .failed && answer.output.contains("replayed a.strata"), "\(answer)")
      let report = try String(contentsOfFile: folder.path("r.xml"), encoding: .utf8)
      #expect(report.contains("errors=\"1\"") && report.contains("a.strata"), "\(report)")
    }
    let tested = session("lesson test nowhere.md versions --junit r.xml --force")
    #expect(tested.status == .failed && tested.output.contains("versions: "), "\(tested)")
    let report = try String(contentsOfFile: folder.path("r.xml"), encoding: .utf8)
    #expect(report.contains("nowhere.md") && report.contains("versions"), "\(report)")
  }

  private static func json(_ answer: Evaluation) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any], "\(answer)")
  }

  @Test("each status other than 0 is explained in the JSON itself")
  func explained() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create s.sqlite --copy sample:Phone")
    session("samples --write .")
    try folder.write("nothing", to: "Topics.xcdatamodeld/Model3.xcdatamodel/contents")
    try folder.write("hash nowhere\n", to: "a.strata")
    let missing = try Self.json(session("show s.sqlite.Topic/p77 --json"))
    #expect(missing["found"] as? Bool == false)
    let opened = try Self.json(session("open a.strata --force --json"))
    #expect((opened["problems"] as? [[String: Any]])?.first?["error"] != nil, "\(opened)")
    let expected = try Self.json(session("expect compatible s.sqlite sample:Topics/Model2 --json"))
    #expect(expected["met"] as? Bool == false && expected["details"] != nil, "\(expected)")
    // The version that cannot be read may have written the store.
    let writer = session("identify s.sqlite Topics.xcdatamodeld")
    #expect(writer.status == .done, "\(writer)")
    session("create m.sqlite --model sample:Topics/Model3")
    let unknown = session("identify m.sqlite Topics.xcdatamodeld")
    #expect(unknown.status == .failed && unknown.diagnostics.contains("Model3"), "\(unknown)")
  }
}
