import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Files that are not what they should be: stores that are none, merge conflicts, line ends.
@Suite("Files of check")
struct CheckFileTests {
  private func released() throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("App", [CheckedRepository.attribute("name")])
    try project.commit(tag: "v1.0")
    try project.version(
      "App 2", ["name", "color"].map { CheckedRepository.attribute($0) })
    try project.commit(tag: "v1.1")
    return project
  }

  private static let pointer =
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

  // MARK: Stores

  @Test(
    "a file that is named like a store and is none is a warning",
    arguments: ["", "garbage\n", String(repeating: "\0", count: 5000)])
  func noStore(text: String) throws {
    let project = try released()
    try project.folder.write(text, to: "Fixtures/old.sqlite")
    // Apps have other files of these names.
    try project.folder.write(text, to: "Thumbs.db")
    let (status, answer, _) = try project.check()
    #expect(status == .done)
    #expect(answer.findings.map(\.finding) == ["store/unreadable Fixtures/old.sqlite"])
    #expect(answer.findings.first?.severity == "warning")
    try configure(project, stores: "[\"other/*.sqlite\", \"Fixtures/*.sqlite\"]")
    let listed = try project.check()
    #expect(listed.status == .failed && listed.said.contains("[check.noStore]"), "\(listed.said)")
    #expect(listed.said.contains("where: Fixtures/old.sqlite"))
    try configure(project, stores: "[\"other/*.sqlite\"]")
    #expect(try !project.check().said.contains("[check.noStore]"))
  }

  private func configure(_ project: CheckedRepository, stores: String) throws {
    try project.folder.write(
      "[[bundle]]\npath = \"App.xcdatamodeld\"\nstores = \(stores)\n", to: "strata.toml")
  }

  @Test("a pointer of Git LFS is status 2 with its fix, and no error before a commit")
  func pointer() throws {
    let project = try released()
    try project.folder.write(Self.pointer, to: "Fixtures/old.sqlite")
    let (status, answer, said) = try project.check()
    #expect(status == .failed && answer.rules == [])
    #expect(said.contains("[check.lfsPointer]") && said.contains("git lfs pull"), "\(said)")
    try project.repository.git("add", "--all")
    let staged = try project.check("--staged")
    #expect(staged.status == .done && staged.answer.findings.map(\.severity) == ["note"])
  }

  @Test("a SQLite file without the metadata of Core Data is status 2 only if it is listed")
  func foreign() throws {
    let project = try released()
    try StoreFixture.run(["CREATE TABLE t (a)"], on: project.folder.path("other.sqlite"))
    #expect(try project.check().status == .done)
    try configure(project, stores: "[\"*.sqlite\"]")
    let listed = try project.check()
    #expect(listed.status == .failed && listed.said.contains("[check.noStore]"), "\(listed.said)")
  }

  // MARK: Merge conflicts

  private static let conflict = "<<<<<<< HEAD\n=======\n>>>>>>> b\n"

  @Test("a conflict in the file that names the current version ends nothing else")
  func currentConflict() throws {
    let project = try released()
    let file = "App.xcdatamodeld/.xccurrentversion"
    try project.folder.write(Self.conflict, to: file)
    try FileManager.default.removeItem(
      atPath: project.folder.path("App.xcdatamodeld/App.xcdatamodel"))
    let (status, answer, said) = try project.check("--junit r.xml --markdown r.md --sarif r.sarif")
    #expect(status == .failed && answer.rules == ["version/gone"], "\(answer.findings)")
    #expect(said.contains("where: \(file)") && said.contains("a merge conflict"), "\(said)")
    for name in ["r.xml", "r.md", "r.sarif"] {
      let text = String(decoding: try FileBytes.read(project.folder.path(name)), as: UTF8.self)
      #expect(text.contains("not well-formed") && text.contains("version/gone"), "\(text)")
    }
  }

  @Test("a conflict in the current version is an error that names it, with the rest checked")
  func contentsConflict() throws {
    let project = try released()
    try project.folder.write(Self.conflict, to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
    let (status, answer, _) = try project.check()
    #expect(status == .failed)
    let finding = try #require(answer.findings.first { $0.rule == "version/current" })
    #expect(finding.severity == "error" && finding.finding == "version/current App: App 2")
    #expect(finding.fixes.first?.contains("merge conflict") == true)
  }

  @Test(
    "a version that cannot be read is not gone, and may have written a store",
    arguments: [true, false])
  func unreadableVersion(isLocked: Bool) throws {
    let project = try released()
    #expect(project.session("create a.sqlite --model App.xcdatamodeld/App").status == .done)
    if isLocked {
      try #require(project.session("lock").status == .done)
      try project.repository.git("tag", "-d", "v1.0")
    }
    try project.commit()
    try project.folder.write(Self.conflict, to: "App.xcdatamodeld/App.xcdatamodel/contents")
    let (status, answer, said) = try project.check()
    #expect(status == .failed && answer.rules.isEmpty, "\(answer.findings)")
    #expect(
      said.contains("[check.unknownStore]") && said.contains("App.xcdatamodel/contents:"), "\(said)"
    )
    let overview = project.session("project").output
    #expect(
      overview.contains("cannot be read") && overview.contains("by no version that can be read"))
  }

  @Test(
    "a mapping model of a version that is gone or cannot be read is kept, and no text hides that a bundle is gone"
  )
  func mappingOfLostVersion() throws {
    let project = try CheckedRepository()
    try project.version("App", [CheckedRepository.attribute("a")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [CheckedRepository.attribute("b")])
    try project.map(from: "App", to: "App 2", "b = $source.a", as: "M")
    try project.folder.write(
      "mapping from App.xcdatamodeld/App to 'App.xcdatamodeld/App 2'\n\nCardToCard: Card -> Card\n",
      to: "T.mapping")
    try project.commit(tag: "v2.0")
    let version = "App.xcdatamodeld/App.xcdatamodel"
    try project.folder.write(Self.conflict, to: "\(version)/contents")
    var (status, answer, _) = try project.check("--no-stores")
    #expect(status == .failed && answer.rules.isEmpty, "\(answer.findings)")
    try project.repository.shell("rm -r \(version)")
    (status, answer, _) = try project.check("--no-stores")
    #expect(Set(answer.rules) == ["version/gone", "mapping/stale"], "\(answer.findings)")
    let stale = answer.findings.first { $0.rule == "mapping/stale" }
    #expect(stale?.fixes == ["restore the version App: see version/gone"] && stale?.commands == [])
    try project.repository.shell("rm -r App.xcdatamodeld M.xcmappingmodel")
    (status, answer, _) = try project.check("--no-stores")
    #expect(answer.rules == ["version/gone", "version/gone"], "\(status) \(answer.findings)")
  }

  @Test("an error in strata.toml is in each report that was asked for")
  func configurationError() throws {
    let project = try released()
    try project.folder.write("relased = \"v*\"\n", to: "strata.toml")
    let answer = project.session("check --junit r.xml --markdown r.md --sarif r.sarif --annotate")
    #expect(answer.status == .failed && answer.diagnostics.contains("[configuration.unknownKey]"))
    #expect(answer.output.contains("::error file=strata.toml,line=1"), "\(answer.output)")
    for name in ["r.xml", "r.md", "r.sarif"] {
      let text = String(decoding: try FileBytes.read(project.folder.path(name)), as: UTF8.self)
      #expect(text.contains("unknown key relased"), "\(name): \(text)")
    }
  }

  // MARK: Options and the lock file

  @Test("a lock file with CRLF is read, and keeps its line ends")
  func lineEnds() throws {
    let project = try released()
    try #require(project.session("lock").status == .done)
    let path = project.folder.path("strata.lock")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try project.folder.write(text.replacing("\n", with: "\r\n"), to: "strata.lock")
    #expect(try project.check("--no-stores").status == .done)
    try project.version("App 3", [CheckedRepository.attribute("name")])
    try project.version(
      "App 3", ["name", "color", "size"].map { CheckedRepository.attribute($0) })
    try #require(project.session("lock").status == .done)
    let bytes = try FileBytes.read(path)
    #expect(bytes.count { $0 == 10 } == bytes.count { $0 == 13 })
  }

  @Test("a negative number of rows and --since with --staged are refused")
  func refused() throws {
    let project = try released()
    for (options, message) in [
      ("--rows -1", "--rows is between 1 and 10000"), ("--rows 0", "--rows is between"),
      ("--since main --staged", "omit --since"),
    ] {
      let answer = project.session("check \(options)")
      #expect(answer.status == .usage && answer.diagnostics.contains(message), "\(answer)")
    }
  }
}
