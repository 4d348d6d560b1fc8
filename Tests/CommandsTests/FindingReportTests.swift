import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Findings in every rendering: text, JSON, JUnit's XML and annotations.
@Suite("Reports of findings")
struct FindingReportTests {
  private struct Answer: Decodable {
    struct Finding: Decodable {
      struct Place: Decodable {
        var entity: String?
        var property: String?
        var object: Int64?
        var file: String?
      }

      struct Fix: Decodable {
        var text: String
        var commands: [String]
        var verified: Bool
      }

      var rule: String
      var severity: String
      var code: Int?
      var place: Place
      var message: String
      var fixes: [Fix]
    }

    var problems: [Finding]?
    var findings: [Finding]?
    var breaches: [Finding]?

    var all: [Finding] { (problems ?? []) + (findings ?? []) + (breaches ?? []) }
  }

  @Test(
    "each rendering contains each finding once",
    arguments: ["validate t.sqlite", "doctor t.sqlite", "cloudkit sample:Topics/Model5"])
  func renderings(_ command: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 3")
    try StoreFixture.run(
      [
        "UPDATE ZTOPIC SET ZTOPICLIST = 99 WHERE Z_PK = 1",
        "UPDATE ZTOPIC SET Z_ENT = 77 WHERE Z_PK = 2",
        "UPDATE ZTOPIC SET ZPRESENTERNAME = NULL WHERE Z_PK = 3",
      ], on: folder.path("t.sqlite"))
    let json = session("\(command) --json")
    let found = try JSONDecoder().decode(Answer.self, from: Data(json.output.utf8)).all
    #expect(json.status == .no && !found.isEmpty, "\(json)")
    let answer = session("\(command) --junit report.xml --annotate")
    let report = try String(contentsOfFile: folder.path("report.xml"), encoding: .utf8)
    let errors = found.filter { $0.severity == "error" }
    #expect(report.components(separatedBy: "<testcase").count - 1 == found.count)
    #expect(report.components(separatedBy: "<failure").count - 1 == errors.count)
    #expect(answer.output.components(separatedBy: "::error file=").count - 1 == errors.count)
    #expect(answer.output.components(separatedBy: "\n::").count - 1 == found.count)
    for finding in found {
      #expect(answer.output.contains("[\(finding.rule)]"), "\(finding)")
      #expect(report.contains(finding.rule), "\(finding)")
      #expect(session("help \(finding.rule)").status == .done)
      #expect(finding.place.file?.hasPrefix("/") != true, "\(finding)")
      // The text tells each message once, with all places it stands for.
      let findings = answer.output.components(separatedBy: "\n").filter { $0.hasPrefix("  ") }
        .filter { $0.contains(finding.message) && $0.contains("[\(finding.rule)]") }
      #expect(findings.count == 1, "\(finding) \(findings)")
    }
    let again = session("\(command) --junit report.xml")
    #expect(again.status == .failed, "a report is replaced with --force only: \(again)")
    #expect(session("\(command) --junit report.xml --force").status == .no)
  }

  @Test(
    "an annotation about a model names its file and the line of the property",
    arguments: ["X.xcdatamodeld/V1", "X.xcdatamodeld", "X", "V1", "X/V1"])
  func modelFile(reference: String) throws {
    let folder = try TemporaryFolder()
    let file = "X.xcdatamodeld/V1.xcdatamodel/contents"
    let lines = [
      "<model>", "<entity name=\"A\">", "<attribute name=\"x\" attributeType=\"String\"/>",
      "<attribute name=\"y\" attributeType=\"String\"/>", "</entity>", "</model>",
    ]
    try folder.write(lines.joined(separator: "\n"), to: file)
    let session = TestSession(in: folder)
    if !reference.contains("xcdatamodeld") { session("load X.xcdatamodeld") }
    let answer = session("cloudkit \(reference) --annotate --junit report.xml")
    let report = try String(contentsOfFile: folder.path("report.xml"), encoding: .utf8)
    for name in ["x", "y"] {
      let line = try #require(lines.firstIndex { $0.contains("name=\"\(name)\"") }) + 1
      #expect(answer.output.contains("::error file=\(file),line=\(line),"), "\(answer)")
      #expect(report.contains("file=\"\(file)\" line=\"\(line)\""), "\(report)")
    }
  }

  @Test("an annotation about a mapping model in text form names the line of the property")
  func mappingLines() throws {
    let folder = try TemporaryFolder()
    let lines = [
      "# Two errors", "mapping from sample:Topics/Model1 to sample:Topics/Model2", "",
      "TopicToTopic: Topic -> Topic", "  timeBudget = \"a long text\"",
      "  content = $source.contents",
    ]
    try folder.write(lines.joined(separator: "\n"), to: "M.mapping")
    let answer = TestSession(in: folder)("mapping lint M.mapping --annotate --junit report.xml")
    #expect(answer.status == .no, "\(answer)")
    let report = try String(contentsOfFile: folder.path("report.xml"), encoding: .utf8)
    for (name, line) in [("timeBudget", 5), ("content", 6)] {
      #expect(
        answer.output.components(separatedBy: "\n").contains {
          $0.contains("file=M.mapping,line=\(line),") && $0.contains("TopicToTopic.\(name)")
        }, "\(name): \(answer)")
      #expect(report.contains("file=\"M.mapping\" line=\"\(line)\""), "\(report)")
    }
  }

  @Test("fixed findings are reported as fixed in text, JSON and JUnit XML")
  func fixed() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 3")
    try session.putForeignWAL(besideStore: "t.sqlite", in: folder)
    let wal = try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite-wal")))
    let text = session("doctor t.sqlite --fix --junit report.xml").output
    #expect(text.contains("    fixed: renamed it to t.sqlite-wal.orphan\n"), "\(text)")
    let report = try String(contentsOfFile: folder.path("report.xml"), encoding: .utf8)
    #expect(report.contains("fixed: renamed it to t.sqlite-wal.orphan"), "\(report)")
    // The next one needs another name.
    try wal.write(to: URL(fileURLWithPath: folder.path("t.sqlite-wal")))
    let json = session("doctor t.sqlite --fix --json").output
    #expect(json.contains("\"done\" : \"renamed it to t.sqlite-wal.orphan.orphan\""), "\(json)")
  }

  @Test("the note on further problems contains a command that lists them")
  func further() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 9")
    try StoreFixture.run(["UPDATE ZTOPIC SET ZPRESENTERNAME = NULL"], on: folder.path("t.sqlite"))
    let answer = session("expect valid t.sqlite")
    let command = "validate t.sqlite --limit 0"
    #expect(answer.status == .no && answer.output.contains("`\(command)`"), "\(answer)")
    let all = session(command)
    #expect(all.status == .no && !all.output.contains("--limit"), "\(all)")
  }

  @Test("each pair of versions of a bundle is a suite of the report, for any form of the command")
  func bundle() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for (option, suites) in [("", 4), ("--to-current", 4)] {
      let answer = session("infer sample:Topics \(option) --junit r.xml --force --annotate")
      #expect(answer.status == .done, "\(answer)")
      let report = try String(contentsOfFile: folder.path("r.xml"), encoding: .utf8)
      #expect(report.components(separatedBy: "<testsuite ").count - 1 == suites)
      let findings = answer.output.matches(of: #/  \[(inference|loss)\./#).count
      #expect(findings > 0 && report.components(separatedBy: "<testcase").count - 1 >= findings)
      #expect(
        answer.output.components(separatedBy: "\n::").count
          == report.components(separatedBy: "<testcase").count)
      #expect(report.contains("name=\"sample:Topics/Model4 -> Model5\""), "\(report)")
    }
  }

  @Test(
    "commands without findings have no report option",
    arguments: [
      "infer sample:Topics --all", "infer sample:Topics/Model1 sample:Topics/Model2 --split",
      "infer sample:Topics/Model1 sample:Topics/Model2 --write M.mapping",
      "mapping show sample:Topics/Model1ToModel2",
    ])
  func noReport(_ command: String) throws {
    let session = TestSession(in: try TemporaryFolder())
    for option in ["--annotate", "--junit r.xml"] {
      let refused = session("\(command) \(option)")
      #expect(refused.status == .usage && refused.diagnostics.contains("--junit"), "\(refused)")
    }
  }

  @Test("an unused mapping model is reported with the rule")
  func rejected() throws {
    let session = TestSession(in: try TemporaryFolder())
    let answer = session("mapping find sample:Topics/Model1 sample:Topics/Model3 --json").output
    #expect(answer.contains("\"rule\" : \"mapping.staleHash\""), "\(answer)")
    #expect(answer.contains("\"entity\" : \"Topic\""), "\(answer)")
  }
}
