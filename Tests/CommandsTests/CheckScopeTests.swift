import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What `check` looks at: the working tree or the index, all or the changes since a revision, all migrations or a part.
@Suite("scope of check")
struct CheckScopeTests {
  private static func attribute(_ name: String) -> String {
    #"name="\#(name)" optional="YES" attributeType="String""#
  }

  /// `App` and `App 2` were released; `main` has a fixture of `App`.
  private func released() throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("App", [Self.attribute("name")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [Self.attribute("name"), Self.attribute("color")])
    #expect(
      project.session("create old.sqlite --model App.xcdatamodeld/App --rows 3").status == .done)
    try project.commit(tag: "v1.1")
    try project.folder.write("# unrelated\n", to: "README.md")
    try project.commit()
    return project
  }

  private func edit(_ project: CheckedRepository, _ name: String = "App") throws {
    try project.version(
      name, [Self.attribute("name"), Self.attribute("added")], makesCurrent: false)
  }

  // MARK: Nothing changed

  @Test("without a change of models, migrations and stores since a revision nothing is checked")
  func unchanged() throws {
    let project = try released()
    let (status, answer, _) = try project.check("--since v1.1")
    // Two models, the current version and the store.
    #expect(status == .done && answer.checked.unchanged == 4)
    #expect(answer.migrations.isEmpty && answer.findings.isEmpty)
    #expect(
      project.session("check --since v1.1").output.hasPrefix(
        "nothing changed since v1.1: 4 files of models, migrations and stores are equal"))
    // Without a revision everything is checked.
    let whole = try project.check().answer
    #expect(whole.checked.unchanged == nil && whole.migrations.count == 2)
    let report = project.session("check --since v1.1 --junit r.xml --sarif r.sarif")
    #expect(report.status == .done)
    #expect(
      String(decoding: try FileBytes.read(project.folder.path("r.xml")), as: UTF8.self)
        .contains("nothing changed since v1.1"))
  }

  @Test("a single unchanged file is equal, several are")
  func oneFile() throws {
    let project = try CheckedRepository()
    try project.version("App", [Self.attribute("name")], makesCurrent: false)
    try project.commit(tag: "v1.0")
    #expect(
      project.session("check --since v1.0").output
        == "nothing changed since v1.0: 1 file of models, migrations and stores is equal\n")
  }

  /// Each makes a file differ from those at v1.1.
  static let changes: [(name: String, change: @Sendable (CheckedRepository) throws -> Void)] = [
    (
      "a byte of a model",
      { project in
        let file = "\(CheckedRepository.bundle)/App 2.xcdatamodel/contents"
        let text = String(decoding: try FileBytes.read(project.folder.path(file)), as: UTF8.self)
        try project.folder.write(text + "\n", to: file)
      }
    ),
    ("the current version", { try $0.current("App") }),
    (
      "a new version",
      { try $0.version("App 3", [#"name="name" optional="YES" attributeType="String""#]) }
    ),
    (
      "a version that is gone",
      {
        try FileManager.default.removeItem(
          at: $0.folder.url.appending(path: "\(CheckedRepository.bundle)/App.xcdatamodel"))
      }
    ),
    ("a stages file", { try $0.folder.write("stage lightweight App, App 2\n", to: "a.stages") }),
    ("a configuration", { try $0.folder.write("released = \"v*\"\n", to: "strata.toml") }),
    (
      "a store with an unusual name",
      {
        let made = $0.session("create odd.sqlite --model App.xcdatamodeld/App --rows 1")
        #expect(made.status == .done)
        try FileManager.default.moveItem(
          atPath: $0.folder.path("odd.sqlite"), toPath: $0.folder.path("odd.fixture"))
      }
    ),
    (
      "a value in a store",
      { #expect($0.session("insert old.sqlite Card name=x").status == .done) }
    ),
    (
      "a link in place of a model",
      {
        let file = $0.folder.path("\(CheckedRepository.bundle)/App.xcdatamodel/contents")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(
          atPath: file, withDestinationPath: "../App 2.xcdatamodel/contents")
      }
    ),
  ]

  @Test("each change of a file is a change", arguments: changes.indices)
  func changed(index: Int) throws {
    let project = try released()
    let before = try project.check("--since v1.1 --no-stores").answer.checked.unchanged
    #expect(before == 4)
    try Self.changes[index].change(project)
    let evaluation = project.session("check --since v1.1 --no-stores")
    #expect(!evaluation.output.contains("nothing changed"), "\(Self.changes[index].name)")
  }

  @Test("a folder without models is never unchanged, and an unknown revision is status 2")
  func neverPasses() throws {
    let project = try released()
    try project.folder.write("x", to: "Empty/x.txt")
    try project.commit()
    #expect(project.session("check Empty --since HEAD").status == .failed)
    #expect(project.session("check --since nowhere --no-stores").status == .failed)
  }

  @Test("a store without a usual ending that was emptied, or is no store any more, is a change")
  func emptiedStore() throws {
    let project = try released()
    try FileManager.default.moveItem(
      atPath: project.folder.path("old.sqlite"), toPath: project.folder.path("odd.fixture"))
    try project.folder.write("no store\n", to: "notes.fixture")
    try project.commit()
    // Files that never were stores do not matter.
    try project.folder.write("still none\n", to: "notes.fixture")
    #expect(try project.check("--since HEAD").answer.checked.unchanged == 4)
    for text in ["", "no store"] {
      try project.folder.write(text, to: "odd.fixture")
      #expect(try project.check("--since HEAD").answer.checked.unchanged == nil, "\(text)")
    }
  }

  // MARK: Scripts of stages

  /// `App` was released, and a stage to `App 2` runs a script, which runs another one.
  private func scripted() throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("App", [Self.attribute("name")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [Self.attribute("name"), Self.attribute("color")])
    try project.folder.write(
      "[[bundle]]\npath = \"\(CheckedRepository.bundle)\"\nstrategy = \"staged\"\n",
      to: "strata.toml")
    try project.folder.write(
      "stage custom App -> App 2\n  will: run steps/first.strata\n", to: "App.stages")
    try project.folder.write(
      "run second.strata\nexpect count store Card 10\n", to: "steps/first.strata")
    try project.folder.write("count store Card\n", to: "steps/second.strata")
    try project.folder.write("# unrelated\n", to: "steps/README.txt")
    try project.commit()
    return project
  }

  @Test(
    "a script that a stage runs, and one that it runs, are files of the project",
    arguments: ["first", "second"])
  func scripts(name: String) throws {
    let project = try scripted()
    // Two models, the current version, the configuration, the stages and two scripts.
    #expect(try project.check("--since HEAD").answer.checked.unchanged == 7)
    #expect(try project.check("--staged").answer.checked.unchanged == 7)
    try project.folder.write("# more\n", to: "steps/README.txt")
    #expect(try project.check("--since HEAD").answer.checked.unchanged == 7)
    try project.folder.write("frobnicate\n", to: "steps/\(name).strata")
    #expect(try project.check("--since HEAD").status == .no)
    #expect(try project.check("--staged").answer.checked.unchanged == 7)
    try project.repository.git("add", "--all")
    #expect(try project.check("--staged").status == .no)
    try project.commit()
    #expect(try project.check("--since HEAD~1").status == .no)
  }

  @Test("a script that was deleted cannot be checked, in the working tree and in the index")
  func deletedScript() throws {
    let project = try scripted()
    try project.repository.git("rm", "--quiet", "--cached", "steps/first.strata")
    // The working tree still has it.
    let staged = try project.check("--staged")
    #expect(staged.status == .failed, "\(staged.answer)")
    #expect(staged.said.contains("there is no script steps/first.strata"), "\(staged.said)")
    try FileManager.default.removeItem(atPath: project.folder.path("steps/first.strata"))
    let (status, answer, said) = try project.check("--since HEAD")
    #expect(status == .failed && answer.rules == [], "\(answer.findings)")
    #expect(said.contains("there is no script steps/first.strata"), "\(said)")
    #expect(said.contains("App.stages") && !said.contains("/files/"), "\(said)")
  }

  @Test("--staged has the scripts of the index, also of a project in a folder of the repository")
  func stagedScripts() throws {
    let project = try scripted()
    try project.folder.write(
      "stage custom App -> App 2\n  will: run steps/first.strata\n# more\n", to: "App.stages")
    try project.repository.git("add", "--all")
    try project.folder.write("frobnicate\n", to: "steps/first.strata")
    let (status, answer, said) = try project.check("--staged")
    #expect(status == .done && answer.rules == [], "\(answer.findings) \(said)")
    #expect(answer.migrations.map(\.problem) == [nil])

    // A script beside the project's folder.
    let inner = try CheckedRepository()
    let files = [
      CheckedRepository.bundle, "App.stages", "strata.toml",
    ].map { (project.folder.path($0), inner.folder.path("app/\($0)")) }
    try FileManager.default.createDirectory(
      atPath: inner.folder.path("app"), withIntermediateDirectories: true)
    for (old, new) in files { try FileManager.default.copyItem(atPath: old, toPath: new) }
    try inner.folder.write(
      "stage custom App -> App 2\n  will: run ../shared/a.strata\n", to: "app/App.stages")
    try inner.folder.write("count store Card\n", to: "shared/a.strata")
    try inner.commit(tag: "v1.0")
    #expect(inner.session("check app --staged").output.hasPrefix("nothing changed"))
    #expect(inner.session("check app --since HEAD").output.hasPrefix("nothing changed"))
    try inner.folder.write("expect count store Card 10\n", to: "shared/a.strata")
    #expect(!inner.session("check app --since HEAD").output.hasPrefix("nothing changed"))
    try inner.repository.git("add", "--all")
    let answered = inner.session("check app --staged")
    #expect(answered.status == .done, "\(answered)")
    #expect(answered.output.hasPrefix("checked App.xcdatamodeld"), "\(answered)")
  }

  // MARK: The index

  @Test("a store that was emptied is in the next commit, and a file to add later is not")
  func stagedEmptiedStore() throws {
    let project = try released()
    try project.folder.write("", to: "old.sqlite")
    try project.folder.write("", to: "new.sqlite")
    try project.repository.git("add", "--all")
    #expect(try project.check().answer.rules == ["store/unreadable", "store/unreadable"])
    #expect(try project.check("--staged").answer.rules == ["store/unreadable", "store/unreadable"])
    try project.commit()
    #expect(try project.check("--staged").answer.checked.unchanged == 5)
    #expect(
      project.session("create later.sqlite --model App.xcdatamodeld/App --rows 1").status == .done)
    try project.repository.git("add", "--intent-to-add", "later.sqlite")
    #expect(try project.check("--staged").answer.checked.unchanged == 5)
  }

  @Test("--staged checks the files of the index, and not those of the working tree")
  func staged() throws {
    let project = try released()
    #expect(try project.check("--staged").answer.checked.unchanged == 4)
    try edit(project)
    // The edit of a shipped version is not staged.
    #expect(try project.check("--staged").status == .done)
    #expect(try project.check().answer.rules.contains("version/edited"))
    try project.repository.git("add", "--all")
    let (status, answer, _) = try project.check("--staged")
    #expect(status == .no)
    #expect(answer.checked.base == "HEAD")
    let edited = try #require(answer.findings.first { $0.rule == "version/edited" })
    #expect(edited.file == "\(CheckedRepository.bundle)/App.xcdatamodel/contents")
    // Repaired in the working tree alone, it is still in the next commit.
    try project.version("App", [Self.attribute("name")], makesCurrent: false)
    #expect(try project.check().status == .done)
    #expect(try project.check("--staged").status == .no)
    try project.repository.git("add", "--all")
    #expect(try project.check("--staged").status == .done)
  }

  @Test("--staged migrates the stores of the index, and reads its configuration")
  func stagedStores() throws {
    let project = try released()
    try project.folder.write("[severity]\n\"version/edited\" = \"note\"\n", to: "strata.toml")
    try edit(project, "App 2")
    #expect(try project.check("--staged").answer.checked.unchanged == 4)
    try project.repository.git("add", "strata.toml")
    let (status, answer, said) = try project.check("--staged")
    #expect(status == .done && answer.rules.isEmpty, "\(said)")
    #expect(answer.migrations.map(\.store) == [nil, "old.sqlite"])
    try project.repository.git("add", "--all")
    let all = try project.check("--staged").answer
    #expect(all.findings.map(\.rule).contains("version/edited"))
    #expect(all.findings.allSatisfy { $0.severity != "error" }, "\(all.findings)")
  }

  @Test("a problem of a staged file names the file of the project")
  func stagedProblem() throws {
    let project = try released()
    try project.folder.write("<model", to: "\(CheckedRepository.bundle)/App.xcdatamodel/contents")
    try project.repository.git("add", "--all")
    let evaluation = project.session("check --staged --no-stores")
    #expect(evaluation.status == .failed)
    #expect(evaluation.diagnostics.contains("App.xcdatamodeld/App.xcdatamodel/contents"))
    #expect(!evaluation.diagnostics.contains("/files/"), "\(evaluation.diagnostics)")
  }

  @Test("the first commit is checked with nothing before it")
  func firstCommit() throws {
    let project = try CheckedRepository()
    try project.version("App", [Self.attribute("name")])
    try project.repository.git("add", "--all")
    let evaluation = project.session("check --staged")
    // Only the releases are unknown.
    #expect(evaluation.status == .failed)
    #expect(!evaluation.diagnostics.contains("HEAD"), "\(evaluation.diagnostics)")
  }

  @Test("--staged needs a repository without merge conflicts")
  func unmerged() throws {
    let project = try released()
    try project.repository.git("checkout", "--quiet", "-b", "other", "HEAD~1")
    try project.version("App 3", [Self.attribute("name"), Self.attribute("one")])
    try project.commit()
    try project.repository.git("checkout", "--quiet", "main")
    try project.version("App 3", [Self.attribute("name"), Self.attribute("two")])
    try project.commit()
    #expect(throws: (any Error).self) { try project.repository.git("merge", "--quiet", "other") }
    let evaluation = project.session("check --staged")
    #expect(evaluation.status == .failed && evaluation.diagnostics.contains("App 3"))
  }

  // MARK: Parts

  @Test("the shards perform each migration once, whatever their number", arguments: 1...5)
  func shards(count: Int) throws {
    let project = try released()
    for number in 3...5 {
      try project.version(
        "App \(number)", [Self.attribute("name"), Self.attribute("a\(number)")])
      try project.commit(tag: "v1.\(number)")
    }
    let all = try project.check().answer.migrations.map { "\($0.from) \($0.store ?? "")" }
    #expect(all.count == 5)
    var parts: [String] = []
    for number in 1...count {
      let answer = try project.check("--shard \(number)/\(count)").answer
      #expect(answer.checked.shard == (count == 1 ? nil : "\(number)/\(count)"))
      parts += answer.migrations.map { "\($0.from) \($0.store ?? "")" }
    }
    #expect(parts.sorted() == all.sorted())
  }

  @Test(
    "a shard that is none is refused",
    arguments: ["0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "-1/2", "1/1001", "/", ""])
  func badShard(text: String) throws {
    let session = TestSession(in: try TemporaryFolder())
    #expect(session("check --shard '\(text)'").status == .usage)
  }

  @Test("findings are accepted only by a check of the whole project")
  func partialAcceptance() throws {
    let session = TestSession(in: try TemporaryFolder())
    #expect(session("check --write-accepts --staged").status == .usage)
    #expect(session("check --write-accepts --shard 1/2").status == .usage)
  }

  @Test("findings name files relative to the checked folder")
  func files() throws {
    let project = try CheckedRepository()
    let (folder, session) = (project.folder, project.session)
    session("samples --write App")
    try project.commit(tag: "v1.0")
    try folder.write("[[accept]]\nfinding = \"x\"\nreason = \"y\"\n", to: "App/strata.toml")
    let files = session("check App --json").output.matches(of: /"file" : "([^"]+)"/).map(\.1)
    #expect(files.contains("strata.toml") && files.contains { $0.hasSuffix(".xcmappingmodel") })
    for file in files {
      #expect(FileManager.default.fileExists(atPath: folder.path("App/\(file)")), "\(file)")
    }
    // The summary of a workflow names files from the root of the repository.
    let annotated = session("check App --annotate").output.matches(of: /file=([^,]+)/).map(\.1)
    #expect(!annotated.isEmpty && !annotated.contains { $0.hasPrefix("App/App/") })
  }
}
