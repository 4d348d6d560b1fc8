import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Reports of check")
struct CheckReportTests {
  private struct Answer: Decodable {
    struct Finding: Decodable {
      var rule: String
      var severity: String
    }
    struct Migration: Decodable { var problem: String? }
    var findings: [Finding]
    var migrations: [Migration]
  }

  private static let secret = "Zanzibar"
  private static let names = ["r.xml", "r.md", "r.sarif", "r.html"]
  private static let options =
    "--junit r.xml --markdown r.md --sarif r.sarif --html r.html --annotate"

  private let folder: TemporaryFolder
  private let session: TestSession

  /// A repository whose folder `ios` contains the sample Topics, two releases, and a store.
  init() throws {
    let repository = try GitFixture(name: "")
    folder = repository.folder
    session = TestSession(in: folder)
    session("samples --write samples")
    let bundle = "ios/Topics.xcdatamodeld"
    try FileManager.default.createDirectory(
      atPath: folder.path("ios"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: folder.path("samples/Topics.xcdatamodeld"), toPath: folder.path(bundle))
    try FileManager.default.removeItem(atPath: folder.path("samples"))
    session("create ios/t.sqlite --model \(bundle)/Model4 --rows 3")
    try StoreFixture.run(
      ["UPDATE ZTOPIC SET ZTITLE = '\(Self.secret)'"], on: folder.path("ios/t.sqlite"))
    for (version, tag) in [("Model1", "v1.0"), ("Model4", "v2.0"), ("Model5", nil)] {
      try folder.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>",
        to: "\(bundle)/.xccurrentversion")
      try repository.commit()
      if let tag { try repository.git("tag", tag) }
    }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  @Test("every report contains every finding, with paths from the repository and no stored value")
  func reports() throws {
    let json = session("check ios --json")
    let found = try JSONDecoder().decode(Answer.self, from: Data(json.output.utf8))
    let errors = found.findings.count { $0.severity == "error" }
    let migrated = found.migrations.count { $0.problem == nil }
    #expect(errors > 0 && migrated > 1, "\(json)")
    session.session.summaryFile = folder.path("summary.md")
    try folder.write("before", to: "summary.md")
    let answer = session("check ios \(Self.options)")
    #expect(answer.status == .no, "\(answer)")
    let annotations = answer.output.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(annotations.count == min(found.findings.count, 10), "\(answer)")
    #expect(annotations[0].contains("file=ios/Topics.xcdatamodeld/Model5"), "\(annotations)")
    let (junit, markdown, sarif) = (try text("r.xml"), try text("r.md"), try text("r.sarif"))
    #expect(junit.components(separatedBy: "<failure").count - 1 == errors)
    #expect(junit.contains("version Model1\"") || junit.contains("version Model2\""), "\(junit)")
    #expect(junit.components(separatedBy: "generated store\"").count > 1, "\(junit)")
    #expect(junit.contains("file=\"ios/t.sqlite\""), "\(junit)")
    // Each message names the bundle, and both versions of a migration.
    let messages = junit.matches(of: /<(?:failure|skipped) message="(.*?)"/).map(\.1)
    #expect(messages.count == found.findings.count)
    for message in messages + annotations.map({ $0.replacing("%3A", with: ":") }) {
      #expect(message.contains("Topics: Model"), "\(message)")
    }
    for message in messages where message.contains("lost") || message.contains("migrated") {
      let versions = /Topics: Model[14] -(?:>|&gt;) Model5:/
      #expect(message.contains(versions), "\(message)")
    }
    #expect(
      markdown.components(separatedBy: "<code>ios/Topics.xcdatamodeld/").count - 1
        >= found.findings.count)
    #expect(markdown.contains("| from | to | store | by | objects | losses | result |"))
    #expect(sarif.components(separatedBy: "\"ruleId\"").count - 1 == found.findings.count)
    #expect(sarif.contains("\"uri\" : \"ios/Topics.xcdatamodeld/"), "\(sarif)")
    #expect(sarif.contains("\"executionSuccessful\" : true"))
    #expect(try text("summary.md") == "before\n\n" + markdown)
    let html = try text("r.html")
    #expect(html.components(separatedBy: "[loss/").count > errors / 2)
    #expect(html.components(separatedBy: "<details>").count - 1 == migrated)
    #expect(html.contains(">entity mapping</th>") && html.contains("Model4 → Model5, t.sqlite"))
    for report in [junit, markdown, sarif, html, answer.output] {
      #expect(!report.contains(Self.secret) && !report.contains(folder.url.path))
    }
    #expect(session("check ios \(Self.options) --force").status == .no)
    #expect(
      try [junit, markdown, sarif, html] == Self.names.map(text), "equal results, equal bytes")
  }

  @Test("all of several reports are written or none, and the findings are shown")
  func allOrNone() throws {
    try folder.write("{}", to: "r.sarif")
    for force in ["", " --force"] {
      let answer = session("check ios --no-stores \(Self.options)\(force)")
      #expect(answer.status == .failed && answer.output.contains("[loss/"), "\(answer)")
      #expect(
        answer.diagnostics.contains(force.isEmpty ? "[file.exists]" : "[file.otherKind]"),
        "\(answer)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("r.xml")))
      #expect(try text("r.sarif") == "{}")
    }
    let answer = session("check ios --no-stores --junit a.xml --sarif ./a.xml")
    #expect(answer.diagnostics.contains("[file.twice]"), "\(answer)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.xml")))
  }

  @Test("what could not be checked is an error of the reports")
  func unchecked() throws {
    try folder.write("<x", to: "ios/bad.xcmappingmodel/xcmapping.xml")
    let answer = session("check ios --no-stores --released none-* \(Self.options)")
    #expect(answer.status == .failed, "\(answer)")
    #expect(try text("r.xml").contains("<error message=\"no tag matches none-*\""))
    #expect(try text("r.xml").contains("file=\"ios/bad.xcmappingmodel/xcmapping.xml\""))
    #expect(try text("r.md").contains("not everything could be checked"))
    #expect(try text("r.sarif").contains("\"executionSuccessful\" : false"))
    #expect(answer.output.contains("::error file=ios,line=1,title=no tag matches"), "\(answer)")
  }

  @Test("the summary of a workflow is for the user's own session")
  func summary() throws {
    let replaying = try Session(replayingIn: folder.url.path, below: [folder.url.path])
    replaying.summaryFile = folder.path("summary.md")
    let replayed = TestSession(replaying)("check ios --no-stores --annotate")
    #expect(replayed.output.contains("::error file="), "\(replayed)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("summary.md")))
    session.session.summaryFile = folder.path("summary.md")
    session("check ios --no-stores")
    #expect(!FileManager.default.fileExists(atPath: folder.path("summary.md")))
    let own = session("check ios --no-stores --annotate")
    #expect(try text("summary.md").hasPrefix("<!-- strata report -->"), "\(own)")
    session.session.summaryFile = folder.path("ios")
    let folderNamed = session("check ios --no-stores --annotate")
    #expect(folderNamed.status == own.status && folderNamed.diagnostics.contains("regular file"))
  }

  @Test("what stops a migration has the line of its property, whether stores are migrated or not")
  func lines() throws {
    let project = try CheckedRepository()
    let name = #"name="name" optional="YES" attributeType="String""#
    try project.version("App", [name])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [name, #"name="size" attributeType="Double""#])
    for options in ["--no-stores", ""] {
      let annotations = project.session("check --annotate \(options)").output
      let text = try String(
        contentsOfFile: project.folder.path(
          "\(CheckedRepository.bundle)/App 2.xcdatamodel/contents"), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line = try #require(lines.firstIndex { $0.contains("name=\"size\"") })
      #expect(annotations.contains("line=\(line + 1),"), "\(options): \(annotations)")
    }
  }
}
