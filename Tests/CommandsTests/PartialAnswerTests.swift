import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// One version or store that cannot be read never hides the others: they are answered, with status 2.
@Suite("Answers with unreadable parts")
struct PartialAnswerTests {
  /// A folder with the sample's bundle, of which one version is no model.
  private static func bundle(without version: String) throws -> (TemporaryFolder, TestSession) {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("samples --write .")
    try folder.write("<nothing", to: "Topics.xcdatamodeld/\(version).xcdatamodel/contents")
    return (folder, session)
  }

  @Test(
    "infer answers for the other versions", arguments: ["Model1", "Model2", "Model3", "Model5"])
  func infer(broken: String) throws {
    let (folder, session) = try Self.bundle(without: broken)
    defer { withExtendedLifetime(folder) {} }
    let whole = TestSession(in: folder)
    let all = session("infer Topics.xcdatamodeld --all")
    #expect(all.status == .failed, "\(all)")
    #expect(all.output.contains("12 pairs of 4 versions"), "\(all)")
    #expect(all.diagnostics.components(separatedBy: "error: ").count == 2, "\(all)")
    #expect(all.diagnostics.contains("\(broken).xcdatamodel"), "\(all)")
    #expect(
      session("infer Topics.xcdatamodeld --all --json").output
        .contains("\"unreadable\" : [\n    \"\(broken)\"\n  ]"))
    // Each pair of which both can be read is told as it is of the whole bundle.
    let pairs = session("infer Topics.xcdatamodeld")
    #expect(pairs.status == .failed)
    for line in whole("infer sample:Topics").output.split(separator: "\n")
    where line.contains(" -> ") && !line.hasPrefix(" ") {
      let heading = line.components(separatedBy: "  ")[0]
      let expected =
        heading.contains(broken)
        ? "\(heading)  unknown: \(broken) cannot be read" : String(line)
      #expect(pairs.output.contains(expected.prefix(60)), "\(expected)\n\(pairs.output)")
    }
  }

  @Test("the report of infer has a version that cannot be read once, with line and fix")
  func report() throws {
    for option in ["", "--to-current"] {
      let (folder, session) = try Self.bundle(without: "Model2")
      defer { withExtendedLifetime(folder) {} }
      let answer = session("infer Topics.xcdatamodeld \(option) --junit r.xml")
      #expect(answer.status == .failed, "\(answer)")
      let report = try String(contentsOfFile: folder.path("r.xml"), encoding: .utf8)
      let file = "Topics.xcdatamodeld/Model2.xcdatamodel/contents"
      let errors = report.components(separatedBy: "<error ").dropFirst()
      #expect(errors.count == 1 && report.contains("file=\"\(file)\""), "\(report)")
      let fix = try #require(answer.diagnostics.firstMatch(of: #/fix: .+/#)).output
      #expect(errors.first?.contains(fix) == true, "\(report)\n\(answer)")
    }
  }

  @Test("plan --compare answers for the other versions")
  func plan() throws {
    let (folder, session) = try Self.bundle(without: "Model2")
    defer { withExtendedLifetime(folder) {} }
    let plan = session("plan Topics.xcdatamodeld/Model1 --to Topics.xcdatamodeld/Model5 --compare")
    #expect(plan.status == .failed, "\(plan)")
    #expect(plan.output.contains("paths of stores of Model1, Model3 and Model4"), "\(plan)")
    #expect(plan.diagnostics.contains("Model2.xcdatamodel"), "\(plan)")
    let whole = session("plan sample:Topics/Model1 --to sample:Topics/Model5 --compare")
    #expect(whole.status == .done && whole.diagnostics.isEmpty)
  }

  @Test("show answers with the other versions where the current one cannot be read")
  func show() throws {
    let (folder, session) = try Self.bundle(without: "Model5")
    let answer = session("show Topics.xcdatamodeld")
    #expect(answer.status == .failed, "\(answer)")
    for version in ["Model1", "Model2", "Model3", "Model4"] {
      #expect(answer.output.contains("\(version)  "), "\(answer)")
    }
    #expect(answer.output.contains("cannot be read  current"), "\(answer)")
    #expect(answer.diagnostics.contains("Model5.xcdatamodel"), "\(answer)")
    session("load Topics.xcdatamodeld")
    #expect(session("show Topics").output == answer.output)
    // What is asked for itself is no bundle, and no other version helps.
    #expect(session("show Topics.xcdatamodeld/Model5").output.isEmpty)
    #expect(session("show Topics.xcdatamodeld/Model4").status == .done)
    for version in ["Model1", "Model2", "Model3", "Model4"] {
      try folder.write("<nothing", to: "Topics.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    #expect(session("show Topics.xcdatamodeld").output.isEmpty)
  }

  @Test("doctor checks the other stores of a folder")
  func doctor() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for name in ["a", "b", "c"] {
      session("create \(name).sqlite --model sample:Topics/Model1 --rows 2")
    }
    #expect(session("doctor .").output == "3 stores checked, no problems found\n")
    // Its metadata are no property list: it is no damaged file.
    try StoreFixture.run(
      ["UPDATE Z_METADATA SET Z_PLIST = x'62706c697374303099'"], on: folder.path("b.sqlite"))
    try StoreFixture.run(["DELETE FROM Z_PRIMARYKEY"], on: folder.path("c.sqlite"))
    let answer = session("doctor .")
    #expect(answer.status == .failed, "\(answer)")
    #expect(
      answer.output.contains("error: b.sqlite  the store's metadata cannot be read"), "\(answer)")
    #expect(answer.output.contains("error: c.sqlite  Z_PRIMARYKEY does not match"), "\(answer)")
    #expect(answer.output.contains("3 stores checked, 2 problems found"), "\(answer)")
    try FileManager.default.removeItem(atPath: folder.path("b.sqlite"))
    #expect(session("doctor .").status == .no)
  }
}
