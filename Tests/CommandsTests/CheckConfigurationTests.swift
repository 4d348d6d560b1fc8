import Foundation
import StrataBase
import StrataMigration
import TestSupport
import Testing

@testable import StrataCommands

@Suite("The configuration of check")
struct CheckConfigurationTests {
  private static let bundle = "[[bundle]]\npath = \"App.xcdatamodeld\"\n"

  private struct Report: Decodable {
    struct Checked: Decodable {
      var releases: [String]
      var stores: Int
    }
    struct Entry: Decodable {
      var rule: String
      var severity: String
      var finding: String
      var message: String
    }
    struct Row: Decodable {
      var from: String
      var store: String?
      var means: String
      var objects: Int
    }
    var checked: Checked
    var findings: [Entry]
    var migrations: [Row]
  }

  private func report(
    _ project: ProjectFixture, _ configuration: String, options: String = "--no-stores"
  ) throws -> Report {
    let answer = try project.check(configuration, options: "\(options) --json")
    try #require(answer.status != .usage && !answer.output.isEmpty, "\(answer)")
    return try JSONDecoder().decode(Report.self, from: Data(answer.output.utf8))
  }

  // MARK: Keys

  @Test("an empty configuration changes nothing")
  func empty() throws {
    let project = try ProjectFixture()
    let before = try project.check()
    #expect(before.status == .no && before.output.contains("loss/values"), "\(before)")
    #expect(try project.check("# nothing\n").output == before.output)
  }

  @Test("released names the tags of releases, and --released wins")
  func released() throws {
    let project = try ProjectFixture(tag: "first")
    try project.repository.git("tag", "second")
    #expect(try project.check().diagnostics.contains("no tag has a version number"))
    #expect(try report(project, "released = \"f*\"").checked.releases == ["first"])
    #expect(
      try report(project, "released = \"f*\"", options: "--no-stores --released s*")
        .checked.releases == ["second"])
  }

  @Test("rows and strategy are those of the bundle, and options win")
  func rowsAndStrategy() throws {
    let project = try ProjectFixture()
    let text = Self.bundle + "rows = 3\nstrategy = \"lightweight\"\n"
    #expect(try report(project, text, options: "").migrations.map(\.objects) == [3])
    #expect(try report(project, text, options: "--rows 4").migrations.map(\.objects) == [4])
    #expect(try report(project, "", options: "").migrations.map(\.objects) == [10])
    try project.map(to: "AppToApp2")
    let found = try report(project, Self.bundle, options: "").migrations.map(\.means)
    #expect(found == ["AppToApp2"])
    #expect(try report(project, text, options: "").migrations.map(\.means) != found)
    #expect(
      try report(project, text, options: "--strategy default").migrations.map(\.means) == found)
  }

  @Test("mappings are files or folders; other mapping models are not used or checked")
  func mappings() throws {
    let project = try ProjectFixture()
    for name in ["A", "B"] {
      try FileManager.default.createDirectory(
        atPath: project.folder.path(name), withIntermediateDirectories: true)
      try project.map(to: "\(name)/To2\(name)", adding: name == "A" ? "" : "where 1 == 1")
    }
    #expect(try project.check(Self.bundle).output.contains("mapping/ambiguous"))
    for item in ["A", "./A/", "A/To2A.xcmappingmodel"] {
      let text = Self.bundle + "mappings = [\"\(item)\"]\n"
      let used = try report(project, text, options: "").migrations
      #expect(used.map(\.means) == ["To2A"], "\(item)")
    }
    let none = try project.check(Self.bundle + "mappings = []\n")
    #expect(
      !none.output.contains("mapping/") && none.output.contains(ProjectFixture.loss.dropFirst(12)))
    let wrong = try project.check(Self.bundle + "mappings = [\"C\"]\n")
    #expect(wrong.status == .failed, "\(wrong)")
    #expect(wrong.diagnostics.contains("the project has no mapping model C"))
  }

  @Test("policies are files of the bundle; one that does not exist is status 2")
  func policies() throws {
    let project = try ProjectFixture()
    try project.folder.write("policy Own\n", to: "Own.policy")
    #expect(try project.check(Self.bundle + "policies = [\"Own.policy\"]\n").status == .no)
    let wrong = try project.check(Self.bundle + "policies = [\"Other.policy\"]\n")
    #expect(wrong.status == .failed)
    #expect(wrong.diagnostics.contains("the project has no policy file Other.policy"))
  }

  @Test("versions older than oldest are not checked, by the order of their numbers")
  func oldest() throws {
    let project = try ProjectFixture()
    try project.repository.commit()
    try project.repository.git("tag", "v2.0")
    try project.write(["name", "size"], "App 10")
    #expect(
      try report(project, Self.bundle, options: "").migrations.map(\.from) == ["App 1", "App 2"])
    let text = Self.bundle + "oldest = \"App 2\"\n"
    let found = try report(project, text, options: "")
    #expect(found.migrations.map(\.from) == ["App 2"] && found.findings.isEmpty)
    try FileManager.default.removeItem(
      atPath: project.folder.path("App.xcdatamodeld/App 1.xcdatamodel"))
    #expect(try report(project, Self.bundle).findings.map(\.rule) == ["version/gone"])
    #expect(try report(project, text).findings.isEmpty)
    let wrong = try project.check(Self.bundle + "oldest = \"App 3\"\n")
    #expect(wrong.status == .failed && wrong.diagnostics.contains("App has no version App 3"))
  }

  @Test("stores are patterns; other stores are not checked")
  func stores() throws {
    let project = try ProjectFixture()
    for name in ["Fixtures/one", "two"] {
      try project.folder.write("", to: "Fixtures/.keep")
      let made = project.session(
        "create \(name).sqlite --model 'App.xcdatamodeld/App 1' --rows 2")
      #expect(made.status == .done, "\(made)")
    }
    func stores(_ text: String) throws -> [String] {
      try report(project, text, options: "").migrations.compactMap(\.store)
    }
    #expect(try stores(Self.bundle) == ["Fixtures/one.sqlite", "two.sqlite"])
    #expect(
      try stores(Self.bundle + "stores = [\"Fixtures/*.sqlite\"]\n") == ["Fixtures/one.sqlite"])
    #expect(try stores(Self.bundle + "stores = []\n") == [])
    let wrong = try project.check(Self.bundle + "stores = [\"*.db\"]\n")
    #expect(wrong.status == .failed && wrong.diagnostics.contains("the project has no store *.db"))
  }

  @Test("a severity counts before --fail-on")
  func severity() throws {
    let project = try ProjectFixture()
    let text = "[severity]\n\"loss/values\" = \"warning\"\n"
    let found = try report(project, text)
    #expect(found.findings.first { $0.rule == "loss/values" }?.severity == "warning")
    #expect(try project.check(text).status == .done)
    #expect(try project.check(text, options: "--no-stores --fail-on warning").status == .no)
  }

  @Test("the example of the documentation has every key and no error")
  func documented() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/CI.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let example = try #require(text.firstMatch(of: /```toml\n([^`]+)```/)?.1)
    let read = try ConfigurationReader.read(Array(example.utf8), named: "strata.toml")
    let bundle = try #require(read.bundles.first)
    #expect(read.released == "v*" && bundle.rows == 50 && bundle.strategy == .progressive)
    #expect([bundle.mappings, bundle.policies, bundle.stores].allSatisfy { $0?.count == 1 })
    #expect(bundle.isRetired("Wallet 3") && !bundle.isRetired("Wallet 10"))
    #expect(read.severities == [.renameLikely: .warning])
    #expect(read.accepted.map(\.acceptance.until) == ["2027-01"])
  }

  // MARK: Errors

  private static func keys(_ count: Int, _ start: String, _ end: String) -> String {
    start + Array(repeating: "a", count: count).joined(separator: ".") + end + "\n"
  }

  @Test(
    "an error names the line, the key and the fix, with status 2",
    arguments: [
      ("x =\n", "configuration.syntax", "strata.toml:1", "toml.io"),
      ("a = 1\na = 2\n", "configuration.syntax", "strata.toml:2", "redefine"),
      ("\n\nrelesed = \"v*\"\n", "configuration.unknownKey", "strata.toml:3, relesed", "released?"),
      ("[other]\n", "configuration.unknownKey", "strata.toml:1, other", "released, bundle"),
      ("released = 3\n", "configuration.badValue", "strata.toml:1, released", "found an integer"),
      ("released = \" \"\n", "configuration.badValue", "released", "is empty"),
      ("bundle = 3\n", "configuration.badValue", "strata.toml:1, bundle", "[[bundle]]"),
      ("[bundle]\n", "configuration.badValue", "strata.toml:1, bundle", "found a table"),
      ("severity = []\n", "configuration.badValue", "severity", "found an array"),
      (
        "[[bundle]]\nrows = 1\n", "configuration.badValue", "strata.toml:1, bundle[0].path",
        "add it"
      ),
      (
        "[[bundle]]\npath = \"A\"\n[[bundle]]\npath = \"./A/\"\n", "configuration.badValue",
        "strata.toml:4, bundle[1].path", "configured twice"
      ),
      (
        "[[bundle]]\npath = \"A\"\nmapings = []\n", "configuration.unknownKey",
        "strata.toml:3, bundle[0].mapings", "mappings?"
      ),
      (
        bundle + "rows = 0\n", "configuration.badValue", "strata.toml:3, bundle[0].rows",
        "1 to 10000"
      ),
      (bundle + "rows = \"9\"\n", "configuration.badValue", "rows", "found a string"),
      (
        bundle + "strategy = \"progresive\"\n", "configuration.badValue", "strategy", "progressive?"
      ),
      (bundle + "stores = \"a\"\n", "configuration.badValue", "stores", "a list of texts"),
      (bundle + "stores = [1]\n", "configuration.badValue", "stores", "found an integer"),
      (bundle + "stores = [\"../*\"]\n", "configuration.badValue", "stores", "out of the project"),
      (
        bundle + "mappings = [\"/etc\"]\n", "configuration.badValue", "mappings",
        "out of the project"
      ),
      (
        bundle + "policies = [\"a/../b\"]\n", "configuration.badValue", "policies",
        "out of the project"
      ),
      ("[[bundle]]\npath = \"~/A\"\n", "configuration.badValue", "path", "out of the project"),
      (
        "[severity]\n\"loss/value\" = \"note\"\n", "configuration.unknownKey", "strata.toml:2",
        "loss/values?"
      ),
      (
        "[severity]\n\"loss/values\" = \"off\"\n", "configuration.badValue", "strata.toml:2",
        "cannot be switched off"
      ),
      (
        "[severity]\n\"loss/values\" = false\n", "configuration.badValue", "strata.toml:2",
        "cannot be switched off"
      ),
      (
        "[severity]\n\"loss/values\" = \"fatal\"\n", "configuration.badValue", "strata.toml:2",
        "error, warning or note"
      ),
      (
        "[[accept]]\nreason = \"r\"\n", "configuration.badValue", "accept[0].finding",
        "check --json"
      ),
      ("[[accept]]\nfinding = \"f\"\n", "configuration.badValue", "accept[0].reason", "say why"),
      (
        "[[accept]]\nfinding = \"f\"\nreason = \"\"\n", "configuration.badValue", "strata.toml:3",
        "is empty"
      ),
      (
        "[[accept]]\nfinding = \"f\"\nreason = \"r\"\nuntil = \"2027-13\"\n",
        "configuration.badValue", "strata.toml:4, accept[0].until", "neither a month nor a day"
      ),
      (
        "[[accept]]\nfinding = \"f\"\nreason = \"r\"\n[[accept]]\nfinding = \"f\"\nreason = \"s\"\n",
        "configuration.badValue", "strata.toml:5, accept[1].finding", "accepted twice"
      ),
      ("released = \"v\0\"\n", "configuration.syntax", "strata.toml:1", "UTF-8"),
      (Self.keys(50_000, "[", "]"), "configuration.syntax", "strata.toml:1", "10000 parts"),
      (Self.keys(50_000, "[[", "]]"), "configuration.syntax", "strata.toml:1", "10000 parts"),
      (
        "\n" + Self.keys(50_000, "", " = 1"), "configuration.syntax", "strata.toml:2", "10000 parts"
      ),
      (
        Self.keys(9_000, "[", "]"), "configuration.unknownKey", "strata.toml, a", "released, bundle"
      ),
      (
        "released = \"\(String(repeating: ".", count: 20_000))\"\nx = 1\n",
        "configuration.unknownKey",
        "strata.toml:2", "released, bundle"
      ),
    ])
  func errors(text: String, id: String, place: String, part: String) throws {
    let answer = try ProjectFixture().check(text)
    #expect(answer.status == .failed && answer.output.isEmpty)
    for expected in [id, place, part, "fix:"] {
      #expect(answer.diagnostics.contains(expected), "\(expected): \(answer)")
    }
  }

  @Test("a path of a bundle that does not exist names the nearest, and the rest is checked")
  func unknownBundle() throws {
    let answer = try ProjectFixture().check("[[bundle]]\npath = \"Apps.xcdatamodeld\"\n")
    #expect(answer.status == .failed && answer.output.contains("loss/values"), "\(answer)")
    #expect(answer.diagnostics.contains("did you mean App.xcdatamodeld?"), "\(answer)")
    #expect(answer.diagnostics.contains("strata.toml:1, bundle[0].path"), "\(answer)")
  }

  @Test("a link, a folder, a file that is too large and one that is not UTF-8 are refused")
  func unreadable() throws {
    let project = try ProjectFixture()
    let path = project.folder.path("strata.toml")
    try project.folder.write("", to: "other.toml")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: project.folder.path("other.toml"))
    #expect(try project.check().diagnostics.contains("a symbolic link"))
    try FileManager.default.removeItem(atPath: path)
    try project.folder.write("", to: "strata.toml/file")
    #expect(try project.check().status == .failed)
    try FileManager.default.removeItem(atPath: path)
    try project.folder.write([0x61, 0xFF], to: "strata.toml")
    #expect(try project.check().diagnostics.contains("not UTF-8"))
    let large = try project.check(String(repeating: "#", count: 1 << 20) + "\n")
    #expect(large.status == .failed && large.diagnostics.contains("limit"), "\(large)")
  }

  @Test("deeply nested values and many keys end soon")
  func hostile() throws {
    let project = try ProjectFixture()
    let nested = String(repeating: "[", count: 100_000)
    #expect(try project.check("released = \(nested)\n").status == .failed)
    #expect(try project.check((0..<50_000).map { "k\($0) = 1\n" }.joined()).status == .failed)
  }
}
