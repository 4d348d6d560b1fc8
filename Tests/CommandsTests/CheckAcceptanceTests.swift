import Foundation
import StrataBase
import StrataNotebook
import TestSupport
import Testing

@testable import StrataCommands

@Suite("Accepted findings of check")
struct CheckAcceptanceTests {
  private static func accept(_ finding: String = ProjectFixture.loss, until: String? = nil)
    -> String
  {
    "[[accept]]\nfinding = \"\(finding)\"\nreason = \"moved at launch\"\n"
      + (until.map { "until = \($0)\n" } ?? "")
  }

  private struct Report: Decodable {
    struct Entry: Decodable {
      struct Accepted: Decodable {
        var reason: String
        var until: String?
      }
      var finding: String
      var accepted: Accepted?
    }
    var findings: [Entry]
  }

  private func entries(of project: ProjectFixture) throws -> [Report.Entry] {
    let output = try project.check(options: "--no-stores --json").output
    return try JSONDecoder().decode(Report.self, from: Data(output.utf8)).findings
  }

  @Test("an accepted finding is shown and does not fail")
  func accepted() throws {
    let project = try ProjectFixture()
    let answer = try project.check(Self.accept())
    #expect(answer.status == .done, "\(answer)")
    let line = answer.output.split(separator: "\n").first { $0.contains("[loss/values]") }
    #expect(line?.hasSuffix("accepted: moved at launch") == true, "\(answer)")
    #expect(answer.output.contains("1 finding accepted"))
    #expect(!answer.answer.dependsOnTime)
    let entry = try entries(of: project).first { $0.finding == ProjectFixture.loss }
    #expect(entry?.accepted?.reason == "moved at launch" && entry?.accepted?.until == nil)
    let reported = try project.check(options: "--no-stores --annotate --junit r.xml")
    #expect(reported.status == .done && !reported.output.contains("::error"), "\(reported)")
  }

  @Test(
    "an acceptance ends after its month or day, and then says so",
    arguments: [
      ("2026-11", "2026-11-30", true), ("2026-11", "2026-12-01", false),
      ("2026-11-24", "2026-11-24", true), ("2026-11-24", "2026-11-25", false),
      ("2026-11-24", "2027-01-01", false), ("2030-01", "2026-11-25", true),
    ])
  func until(until: String, today: String, holds: Bool) throws {
    let project = try ProjectFixture()
    project.session.session.today = { today }
    // A date of TOML needs no quotes.
    for written in ["\"\(until)\""] + (until.count > 7 ? [until] : []) {
      let answer = try project.check(Self.accept(until: written))
      #expect(answer.status == (holds ? .done : .no), "\(answer)")
      let text =
        holds
        ? "accepted: moved at launch, until \(until)"
        : "it was accepted until \(until) (moved at launch)"
      #expect(answer.output.contains(text), "\(answer)")
      #expect(answer.answer.dependsOnTime)
    }
    let entry = try entries(of: project).first { $0.finding == ProjectFixture.loss }
    #expect(entry?.accepted?.until == (holds ? until : nil))
  }

  @Test("the date of the system has ten characters")
  func systemDate() {
    #expect(Session.systemDate().wholeMatch(of: /20[0-9]{2}-[0-9]{2}-[0-9]{2}/) != nil)
  }

  @Test("an acceptance without a finding is a warning with its line")
  func unused() throws {
    let project = try ProjectFixture()
    let text = Self.accept() + "\n" + Self.accept("loss/values App: App 1 -> App 2: Card.size")
    // Without the stores, it is not known.
    #expect(try !project.check(text).output.contains("accept/unused"))
    let answer = try project.check(options: "")
    #expect(answer.status == .done && answer.output.contains("[accept/unused]"), "\(answer)")
    #expect(answer.output.contains("strata.toml:5"), "\(answer)")
    #expect(try project.check(options: "--fail-on warning").status == .no)
    #expect(project.session("help accept/unused").status == .done)
  }

  // MARK: What an acceptance covers

  /// A released version `App` with these attributes, and a current version `App 2` with others, whose findings are
  /// accepted.
  private static func accepting(
    _ old: [String], _ new: [String], options: String = "--no-stores"
  ) throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("App", old)
    try project.commit(tag: "v1.0")
    try project.version("App 2", new)
    #expect(project.session("check \(options)").status == .no)
    #expect(project.session("check --write-accepts \(options)").status == .done)
    #expect(project.session("check \(options)").status == .done)
    return project
  }

  private static func attribute(_ name: String, _ type: String = "String") -> String {
    CheckedRepository.attribute(name, type)
  }

  @Test(
    "accepting a loss or an obstacle accepts no greater one",
    arguments: [
      ([attribute("n", "Integer 16")], []),
      ([attribute("n", "Date")], [attribute("n", "Date"), attribute("name", "Binary")]),
    ])
  func greaterLoss(accepted: [String], later: [String]) throws {
    let name = Self.attribute("name")
    let project = try Self.accepting([name, Self.attribute("n", "Integer 64")], [name] + accepted)
    try project.version("App 2", later.isEmpty ? [name] : later)
    let answer = project.session("check --no-stores")
    #expect(answer.status == .no, "\(answer)")
  }

  @Test("accepting that generated objects lack a value accepts no store that cannot be migrated")
  func store() throws {
    let required = #"name="name" attributeType="String""#
    let project = try Self.accepting([Self.attribute("name")], [required], options: "")
    let model = "\(CheckedRepository.bundle)/App"
    #expect(project.session("create real.sqlite --model \(model)").status == .done)
    #expect(project.session("insert real.sqlite Card").status == .done)
    let answer = project.session("check")
    #expect(answer.status == .no && answer.output.contains("in real.sqlite"), "\(answer)")
    #expect(project.session("check --write-accepts").status == .done)
    #expect(project.session("check").status == .done)
  }

  @Test(
    "of two released versions of one name, each that is gone is accepted for itself, and restored beside"
  )
  func goneNamesakes() throws {
    let project = try CheckedRepository()
    try project.version("App", [Self.attribute("name")])
    try project.commit(tag: "v1.0")
    try project.version("App", [Self.attribute("name"), Self.attribute("size")])
    try project.commit(tag: "v1.1")
    try project.version("App 2", [Self.attribute("name"), Self.attribute("size")])
    let bundle = project.folder.path(CheckedRepository.bundle)
    func move(_ version: String, _ other: String) throws {
      try FileManager.default.moveItem(
        atPath: "\(bundle)/\(version).xcdatamodel", toPath: "\(bundle)/\(other).xcdatamodel")
    }
    try project.version(
      "App 3", [Self.attribute("name"), Self.attribute("size"), Self.attribute("x")])
    try FileManager.default.removeItem(atPath: "\(bundle)/App 2.xcdatamodel")
    try move("App", "App b")
    #expect(project.session("check --no-stores --write-accepts").status == .done)
    try FileManager.default.removeItem(atPath: "\(bundle)/App b.xcdatamodel")
    let answer = project.session("check --no-stores")
    #expect(answer.status == .no && answer.output.contains("v1.1"), "\(answer)")
    // Both fixes, run as they are printed, bring both back.
    try FileManager.default.removeItem(atPath: project.folder.path("strata.toml"))
    for command in try project.check("--no-stores").answer.findings.flatMap(\.commands) {
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", command]
      shell.currentDirectoryURL = project.folder.url
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0, "\(command)")
    }
    let rules = try project.check("--no-stores").answer.rules
    #expect(!rules.contains("version/gone") && !rules.contains("version/edited"), "\(rules)")
  }

  @Test("what is accepted for the newest version is accepted for the older ones, in every shard")
  func olderVersions() throws {
    let project = try CheckedRepository()
    let names = ["a", "b", "c", "d"].map { Self.attribute($0) }
    try project.version("App", Array(names[..<2]))
    try project.commit(tag: "v1.0")
    try project.version("App 2", Array(names[..<3]))
    try project.commit(tag: "v1.1")
    try project.version("App 3", names)
    try project.map(from: "App", to: "App 3", "where a BEGINSWITH 'zzz'", as: "M1")
    try project.map(from: "App 2", to: "App 3", "where a BEGINSWITH 'zzz'", as: "M2")
    let found = project.session("check")
    #expect(found.status == .no, "\(found)")
    #expect(project.session("check --write-accepts").status == .done)
    for options in ["", "--shard 1/2", "--shard 2/2"] {
      let answer = project.session("check \(options)")
      #expect(answer.status == .done, "\(answer)")
    }
    let text = try String(contentsOfFile: project.folder.path("strata.toml"), encoding: .utf8)
    #expect(text.contains("App 2 -> App 3") && !text.contains("App -> App 3"), "\(text)")
  }

  // MARK: --write-accepts

  @Test("--write-accepts keeps the text, adds the findings that fail, and then check succeeds")
  func writing() throws {
    let project = try ProjectFixture()
    #expect(try project.check(options: "").status == .no)
    let before = "# ours\r\nreleased = \"v*\"  # no line end"
    let answer = try project.check(before, options: "--write-accepts")
    #expect(answer.status == .done, "\(answer)")
    #expect(answer.output.contains("accepted 1 finding in strata.toml"), "\(answer)")
    let path = project.folder.path("strata.toml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      text == before + "\r\n\r\n[[accept]]\r\nfinding = \"\(ProjectFixture.loss)\"\r\n"
        + "reason = \"found on the first day: say why\"\r\n")
    #expect(try project.check(options: "").status == .done)
    let again = try project.check(options: "--write-accepts")
    #expect(again.output.contains("no findings to accept"), "\(again)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: project.folder.url.path)
        .allSatisfy { !$0.hasSuffix("unfinished") })
  }

  @Test("--write-accepts creates the file, with the findings of --fail-on in byte order")
  func creating() throws {
    let project = try ProjectFixture()
    try project.write(["title"], "App 2")
    let path = project.folder.path("strata.toml")
    // Only the missing reasons fail.
    let first = try project.check(options: "--write-accepts --fail-on note")
    #expect(first.status == .no && first.output.contains("warnings"), "\(first)")
    #expect(first.output.contains("[accept/reason]"), "\(first)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let names = text.split(separator: "\n").filter { $0.hasPrefix("finding") }
    #expect(names.count > 1 && names == names.sorted { String($0).precedesInBytes(String($1)) })
    try FileManager.default.removeItem(atPath: path)
    _ = try project.check(options: "--write-accepts --fail-on note")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test("a text in place of a reason is a warning, and a reason is not")
  func reason() throws {
    let project = try ProjectFixture()
    #expect(try project.check(options: "--write-accepts").output.contains("[accept/reason]"))
    let path = project.folder.path("strata.toml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let reasoned = text.replacing("found on the first day: say why", with: "shown nowhere")
    let answer = try project.check(reasoned, options: "--fail-on warning")
    #expect(answer.status == .done, "\(answer)")
  }

  @Test("an acceptance of a finding that a new version has names that finding as its fix")
  func successor() throws {
    let project = try ProjectFixture()
    let text = "[[accept]]\nfinding = \"\(ProjectFixture.loss)\"\nreason = \"unused\"\n"
    #expect(try project.check(text).status == .done)
    try project.write(["name", "size", "weight"], "App 3")
    let answer = try project.check(options: "")
    #expect(answer.status == .no && answer.output.contains("[accept/unused]"), "\(answer)")
    #expect(
      answer.output.contains("is now: loss/values App: App 1 -> App 3: Card.color"), "\(answer)")
  }

  @Test("--write-accepts does not renew an acceptance that ended, nor write what is not valid")
  func notRenewed() throws {
    let project = try ProjectFixture()
    let text = Self.accept(until: "\"2020-01\"")
    let answer = try project.check(text, options: "--write-accepts")
    #expect(answer.status == .no && answer.output.contains("no findings to accept"), "\(answer)")
    let inline = try project.check("accept = []\n", options: "--write-accepts")
    #expect(inline.status == .failed && inline.diagnostics.contains("cannot be added"), "\(inline)")
    #expect(
      try String(contentsOfFile: project.folder.path("strata.toml"), encoding: .utf8)
        == "accept = []\n")
  }

  @Test("any text of a finding is written so that it is read back")
  func quoting() throws {
    let texts = ["a \"b\" \\ c", "tab\tbell\u{7}\u{7F}", "e\u{301} 🎉"]
    let bytes = try AcceptWriter.appending(texts, to: [], named: "strata.toml")
    let read = try ConfigurationReader.read(bytes, named: "strata.toml").accepted.map(\.finding)
    #expect(read == texts.sorted { $0.precedesInBytes($1) })
  }

  @Test("a replayed document changes no configuration")
  func replayed() throws {
    let project = try ProjectFixture()
    let replay = TestSession(
      try Session(replayingIn: project.folder.url.path, below: [project.folder.url.path]))
    let state = try project.folder.state()
    let answer = replay("check --write-accepts")
    #expect(try project.folder.state() == state, "\(answer)")
  }
}
