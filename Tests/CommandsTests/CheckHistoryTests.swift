import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What `check` compares with which release and revision, and what it cannot compare.
@Suite("History of check")
struct CheckHistoryTests {
  private static let bundle = CheckedRepository.bundle
  private static let options = "--no-stores"

  private static func attribute(_ name: String, _ type: String = "String") -> String {
    CheckedRepository.attribute(name, type)
  }

  /// Versions A, and B with another attribute; both were released.
  private static func released() throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("A", [attribute("x")])
    try project.commit(tag: "v1.0")
    try project.version("B", [attribute("x"), attribute("y")])
    try project.commit(tag: "v2.0")
    return project
  }

  private static func rename(_ project: CheckedRepository, to path: String) throws {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    try project.repository.shell("mkdir -p '\(folder)' && git mv \(bundle) '\(path)'")
  }

  /// Writes a bundle with one version A.
  private static func write(
    _ project: CheckedRepository, _ path: String, _ attributes: String...
  ) throws {
    let elements = attributes.map { "<attribute \(attribute($0))/>" }.joined()
    try project.folder.write(
      "<model><entity name=\"Card\">\(elements)</entity></model>",
      to: "\(path)/A.xcdatamodel/contents")
  }

  private static func edit(_ project: CheckedRepository, _ file: String) throws {
    let path = project.folder.path(file)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try project.folder.write(text.replacing(#" optional="YES""#, with: ""), to: file)
  }

  // MARK: The current version

  @Test(
    "without a current version nothing is compared with one, and the status is 2",
    arguments: [nil, "C"])
  func noCurrentVersion(name: String?) throws {
    let project = try Self.released()
    if let name {
      try project.current(name)
    } else {
      try FileManager.default.removeItem(
        atPath: project.folder.path("\(Self.bundle)/.xccurrentversion"))
    }
    let (status, answer, said) = try project.check()
    #expect(status == .failed && answer.rules == ["version/current"], "\(answer)")
    #expect(answer.migrations.isEmpty && said.contains("[check.noCurrentVersion]"), "\(said)")
  }

  @Test("a loss is not known from a base without a current version")
  func baseWithoutCurrentVersion() throws {
    let project = try CheckedRepository()
    try project.version("A", [Self.attribute("title")])
    try project.commit(tag: "v1.0")
    try project.version("B", [Self.attribute("k", "Date")], makesCurrent: false)
    try project.current("C")
    try project.commit()
    try project.current("B")
    for options in [Self.options, "--no-stores --since main"] {
      let (status, answer, _) = try project.check(options)
      let loss = answer.findings.first { $0.rule == "loss/values" }
      #expect(status == .no && loss?.severity == "error", "\(answer.findings)")
    }
    let fixes = try project.check("--since main").answer.findings.flatMap(\.fixes)
    #expect(fixes.contains { $0.contains("main has no plan") }, "\(fixes)")
  }

  @Test("a version that the last release went back to can be released again")
  func rollback() throws {
    let project = try Self.released()
    try project.current("A")
    #expect(try project.check(Self.options).answer.rules.contains("version/current"))
    try project.commit(tag: "v3.0")
    let (status, answer, _) = try project.check(Self.options)
    #expect(status == .done && !answer.rules.contains("version/current"), "\(answer.findings)")
    try project.current("B")
    try project.commit(tag: "v4.0")
    try project.current("A")
    let finding = try project.check(Self.options).answer.findings.first {
      $0.rule == "version/current"
    }
    #expect(finding?.message.contains("B shipped after it, in v4.0") == true, "\(finding as Any)")
  }

  @Test("a version in the bundle of a release and older than its current one cannot be released")
  func setBack() throws {
    let project = try Self.released()
    try project.version("C", [Self.attribute("x"), Self.attribute("y"), Self.attribute("z")])
    try project.version(
      "E", [Self.attribute("x"), Self.attribute("y"), Self.attribute("later")], makesCurrent: false)
    try project.version("D", [Self.attribute("x"), Self.attribute("y"), Self.attribute("w")])
    try project.commit(tag: "v3.0")
    // C was current at no release, E is one in preparation.
    for (name, isOlder) in [("C", true), ("D", false), ("E", false)] {
      try project.current(name)
      let finding = try project.check(Self.options).answer.findings.first {
        $0.rule == "version/current"
      }
      #expect((finding != nil) == isOlder, "\(name)")
      #expect(finding?.message.contains("older than D, which shipped in v3.0") != false)
    }
  }

  // MARK: Releases

  @Test("a release that descends from another one is the later one, whatever their numbers")
  func descent() throws {
    let project = try CheckedRepository()
    try project.version("A", [Self.attribute("x")])
    try project.commit(tag: "2024.01")
    try project.version("B", [Self.attribute("x"), Self.attribute("y")])
    try project.commit(tag: "v3.0")
    let (status, answer, _) = try project.check(Self.options)
    #expect(status == .done && answer.rules == [], "\(answer.findings)")
    #expect(answer.checked.releases == ["2024.01", "v3.0"] && answer.checked.base == "v3.0")
  }

  @Test("* in a pattern of tags matches any text, also with a slash", arguments: [false, true])
  func anyTag(isConfigured: Bool) throws {
    let project = try Self.released()
    try project.version("C", [Self.attribute("x"), Self.attribute("y"), Self.attribute("z")])
    try project.commit(tag: "ios/3.0")
    try Self.edit(project, "\(Self.bundle)/C.xcdatamodel/contents")
    if isConfigured { try project.folder.write("released = \"*\"\n", to: "strata.toml") }
    let (status, answer, _) = try project.check(
      Self.options + (isConfigured ? "" : " --released '*'"))
    #expect(answer.checked.releases == ["v1.0", "v2.0", "ios/3.0"])
    #expect(status == .no && answer.rules.contains("version/edited"), "\(answer.findings)")
  }

  // MARK: Bundles

  @Test("a broken version does not hide that another one is gone")
  func brokenNeighbour() throws {
    let project = try Self.released()
    try FileManager.default.removeItem(
      atPath: project.folder.path("\(Self.bundle)/A.xcdatamodel"))
    try project.folder.write("<model", to: "\(Self.bundle)/A 2.xcdatamodel/contents")
    let (status, answer, _) = try project.check(Self.options)
    #expect(status == .failed && answer.findings.map(\.finding) == ["version/gone App: A"])
  }

  @Test("of two bundles of one name that a release contained, neither continues the other")
  func twoOfOneName() throws {
    let project = try CheckedRepository()
    try Self.write(project, "ios/M.xcdatamodeld", "x")
    try Self.write(project, "mac/M.xcdatamodeld", "x", "m")
    try project.commit(tag: "v1.0")
    try project.repository.git("rm", "-r", "--quiet", "mac")
    var (status, answer, _) = try project.check(Self.options)
    #expect(
      status == .no && answer.findings.map(\.finding) == ["version/gone mac/M.xcdatamodeld: A"])
    #expect(answer.checked.shipped == 2)
    #expect(
      answer.findings.flatMap(\.commands) == [
        "git checkout v1.0 -- mac/M.xcdatamodeld/A.xcdatamodel"
      ])
    // A copy has its version.
    try project.repository.shell(
      "git checkout --quiet HEAD -- mac && cp -r mac/M.xcdatamodeld ios/C.xcdatamodeld && git add . && git rm -r --quiet mac"
    )
    #expect(try project.check(Self.options).answer.rules == [])
    try project.repository.git("reset", "--hard", "--quiet")
    // Both gone: one acceptance is not for the other.
    try project.repository.shell("git rm -r --quiet ios mac && mkdir web")
    try Self.write(project, "web/N.xcdatamodeld", "n")
    (status, answer, _) = try project.check(Self.options)
    #expect(Set(answer.findings.map(\.finding)).count == 2, "\(answer.findings)")
  }

  @Test(
    "a bundle keeps its history when it is moved and a release contains it at both paths in turn")
  func movedTwice() throws {
    let project = try Self.released()
    try project.version("C", [Self.attribute("x"), Self.attribute("z")])
    try project.commit(tag: "v3.0")
    for tag in [nil, "v4.0"] {
      try Self.rename(project, to: "Core/Other.xcdatamodeld")
      if let tag { try project.commit(tag: tag) }
      let (status, answer, _) = try project.check(Self.options)
      // The base has the loss too.
      #expect(status == .done && answer.rules == ["loss/values", "rename/likely"], "\(answer)")
      #expect(answer.checked.shipped == 3)
      if tag == nil { try project.repository.git("reset", "--hard", "--quiet") }
    }
  }

  @Test("a bundle that was moved into the checked folder keeps its history")
  func movedInside() throws {
    let project = try CheckedRepository()
    try project.version("A", [Self.attribute("x"), Self.attribute("gone")])
    try project.commit(tag: "v1.0")
    try project.version("B", [Self.attribute("x")])
    try project.commit(tag: "v2.0")
    try Self.rename(project, to: "ios/App.xcdatamodeld")
    try project.commit()
    var (status, answer, _) = try project.check("\(Self.options) ios")
    #expect(answer.checked.shipped == 2)
    // The base has the loss too.
    #expect(status == .done && answer.findings.map(\.severity) == ["note"], "\(answer.findings)")
    try Self.edit(project, "ios/App.xcdatamodeld/A.xcdatamodel/contents")
    (status, answer, _) = try project.check("\(Self.options) ios")
    #expect(status == .no && answer.rules.contains("version/edited"), "\(answer.findings)")
    // Another bundle of the same name is still there.
    try project.repository.shell("git checkout --quiet . && cp -r ios/App.xcdatamodeld .")
    #expect(try project.check("\(Self.options) ios").answer.checked.shipped == 0)
  }

  @Test("a bundle that was moved into the checked folder and renamed keeps its history")
  func movedInsideAndRenamed() throws {
    let project = try Self.released()
    try Self.rename(project, to: "ios/Wallet.xcdatamodeld")
    try project.commit()
    var (status, answer, _) = try project.check("\(Self.options) ios")
    #expect(status == .done && answer.checked.shipped == 2, "\(answer)")
    #expect(answer.findings.isEmpty, "\(answer.findings)")
    try Self.edit(project, "ios/Wallet.xcdatamodeld/A.xcdatamodel/contents")
    (status, answer, _) = try project.check("\(Self.options) ios")
    #expect(status == .no && answer.rules.contains("version/edited"), "\(answer.findings)")
    // A bundle of the former name elsewhere continues it.
    try project.repository.shell(
      "git checkout --quiet . && mkdir core && cp -r ios/Wallet.xcdatamodeld core/App.xcdatamodeld && git add ."
    )
    #expect(try project.check("\(Self.options) ios").answer.checked.shipped == 0)
  }

  @Test("a bundle outside of the checked folder that is gone is no former one of another bundle")
  func goneOutside() throws {
    let project = try Self.released()
    try project.repository.git("rm", "-r", "--quiet", Self.bundle)
    try Self.write(project, "ios/N.xcdatamodeld", "n")
    try project.commit()
    let (status, answer, said) = try project.check("\(Self.options) ios")
    #expect(status == .done && answer.rules == [] && answer.checked.shipped == 0, "\(said)")
  }

  @Test("a released model outside bundles is found if it is edited or deleted")
  func outerModel() throws {
    let project = try Self.released()
    try project.folder.write(
      "<model><entity name=\"Bare\"><attribute \(Self.attribute("x"))/></entity></model>",
      to: "Bare.xcdatamodel/contents")
    #expect(try project.check(Self.options).answer.checked.shipped == 2)
    try project.commit(tag: "v3.0")
    var (status, answer, _) = try project.check(Self.options)
    #expect(status == .done && answer.rules == [] && answer.checked.shipped == 3)
    try Self.edit(project, "Bare.xcdatamodel/contents")
    (status, answer, _) = try project.check(Self.options)
    #expect(
      answer.findings.map(\.finding) == [
        "version/edited Bare: Bare: Bare.x: attribute x: optional -> required"
      ])
    #expect(answer.findings.first?.file == "Bare.xcdatamodel/contents")
    try project.folder.write("<mo", to: "Bare.xcdatamodel/contents")
    (status, answer, _) = try project.check(Self.options)
    #expect(status == .failed && answer.rules == [], "\(answer.findings)")
    try FileManager.default.removeItem(atPath: project.folder.path("Bare.xcdatamodel"))
    (status, answer, _) = try project.check(Self.options)
    #expect(answer.findings.map(\.finding) == ["version/gone Bare.xcdatamodel: Bare"])
    for command in answer.findings.flatMap(\.commands) { try project.repository.shell(command) }
    #expect(try project.check(Self.options).answer.rules == [])
  }

  @Test("one acceptance of an edit does not cover another edit of the same property")
  func acceptedEdit() throws {
    let project = try Self.released()
    let file = "\(Self.bundle)/A.xcdatamodel/contents"
    try Self.edit(project, file)
    #expect(project.session("check --no-stores --write-accepts").status == .done)
    let accepted = try String(contentsOfFile: project.folder.path("strata.toml"), encoding: .utf8)
    #expect(accepted.contains("version/edited App: A: Card.x: attribute x: optional -> required"))
    try project.version("A", [Self.attribute("x", "Date")], makesCurrent: false)
    let (status, answer, _) = try project.check(Self.options)
    #expect(status == .no && answer.rules.contains("version/edited"), "\(answer.findings)")
  }

  // MARK: What git does not have

  @Test("a bundle that git does not track does not pass as unshipped", arguments: [false, true])
  func untracked(isSubmodule: Bool) throws {
    let project = try Self.released()
    if isSubmodule {
      try Self.write(project, "Core/Z.xcdatamodeld", "z")
      try project.repository.shell("cd Core && git init --quiet && git add . && git commit -qm c")
      try project.repository.git("submodule", "--quiet", "add", "./Core", "Core")
    } else {
      try project.folder.write("Core\n", to: ".gitignore")
      try Self.write(project, "Core/Z.xcdatamodeld", "z")
    }
    try project.commit(tag: "v3.0")
    let (status, _, said) = try project.check(Self.options)
    #expect(status == .failed && said.contains("[check.untracked]"), "\(said)")
    #expect(
      said.contains(isSubmodule ? "strata check Core" : "git add Core/Z.xcdatamodeld"), "\(said)")
    // The lock file can record them.
    #expect(project.session("lock --release 3.0").status == .done)
    #expect(try project.check(Self.options).status == .done)
  }

  @Test("a shipped bundle that git tracks no more does not pass")
  func noLongerTracked() throws {
    let project = try Self.released()
    try project.repository.shell("git rm -rq --cached \(Self.bundle) && git commit -qm x")
    let (status, _, said) = try project.check(Self.options)
    #expect(status == .failed && said.contains("[check.untracked]"), "\(said)")
  }

  @Test("a tracked bundle in a folder of build products is named", arguments: ["build", ".cache"])
  func leftOut(folder: String) throws {
    let project = try Self.released()
    try Self.write(project, "\(folder)/Z.xcdatamodeld", "z")
    try project.repository.shell("git add -f \(folder)")
    try project.commit(tag: "v3.0")
    let (status, _, said) = try project.check(Self.options)
    #expect(status == .done && said.contains("strata check \(folder)"), "\(said)")
    try project.repository.shell("git rm -rq \(Self.bundle)")
    let alone = project.session("check")
    #expect(alone.diagnostics.contains("[check.leftOut]"), "\(alone)")
  }

  @Test("a model outside bundles is checked without a bundle beside it")
  func onlyOuterModel() throws {
    let project = try CheckedRepository()
    try project.folder.write(
      "<model><entity name=\"Bare\"><attribute \(Self.attribute("x"))/></entity></model>",
      to: "Bare.xcdatamodel/contents")
    try project.commit(tag: "v1.0")
    #expect(try project.check(Self.options).status == .done)
    try Self.edit(project, "Bare.xcdatamodel/contents")
    let (status, answer, _) = try project.check(Self.options)
    #expect(status == .no && answer.rules == ["version/edited"], "\(answer.findings)")
  }

  @Test("two models that were released under one name: the fixes end with both of them")
  func releasedTwice() throws {
    let project = try Self.released()
    try project.version("B", [Self.attribute("x"), Self.attribute("z")])
    try project.commit(tag: "v3.0")
    for _ in 0..<2 {
      let (_, answer, _) = try project.check(Self.options)
      for command in Set(answer.findings.flatMap(\.commands)) where command.contains("git") {
        try project.repository.shell(command)
      }
    }
    // A store of the older one loses an attribute, as it does in the app.
    #expect(try project.check(Self.options).answer.rules == ["loss/values", "rename/likely"])
  }

  @Test("the command of a fix names the repository if the session is elsewhere")
  func fixFromElsewhere() throws {
    let project = try Self.released()
    try Self.edit(project, "\(Self.bundle)/A.xcdatamodel/contents")
    let elsewhere = try TemporaryFolder()
    let answer = TestSession(in: elsewhere)("check \(project.folder.path("")) --no-stores --json")
    let found = try JSONDecoder().decode(
      CheckedRepository.Answer.self, from: Data(answer.output.utf8))
    let command = try #require(found.findings.first?.commands.first, "\(answer)")
    #expect(command.hasPrefix("git -C "), "\(command)")
    try project.repository.shell("cd / && \(command)")
    #expect(try project.check(Self.options).status == .done)
  }

  @Test(
    "a bundle of which a part is a link is not read, as in the index",
    arguments: [
      "B.xcdatamodel", "B.xcdatamodel/contents", ".xccurrentversion",
    ])
  func innerLink(part: String) throws {
    let project = try Self.released()
    let inner = "App.xcdatamodeld/\(part)"
    try project.repository.shell(
      "mv '\(inner)' .git/outside && ln -s \"$PWD/.git/outside\" '\(inner)'")
    try Self.write(project, "Z.xcdatamodeld", "z")
    for options in [Self.options, "--no-stores --staged"] {
      try project.repository.git("add", "--all")
      let (status, answer, said) = try project.check(options)
      #expect(status == .failed && answer.rules == [], "\(answer.findings)")
      #expect(said.contains("[check.link]") && said.contains(" where: App.xcdatamodeld"), "\(said)")
    }
  }

  @Test("a bundle that is a link is not followed, and not gone")
  func link() throws {
    let project = try Self.released()
    try project.repository.shell(
      "mkdir .git/outside && mv App.xcdatamodeld .git/outside/ && ln -s .git/outside/App.xcdatamodeld ."
    )
    try Self.write(project, "Z.xcdatamodeld", "z")
    for options in [Self.options, "--no-stores --staged"] {
      try project.repository.git("add", "--all")
      let (status, answer, said) = try project.check(options)
      #expect(status == .failed && answer.rules == [], "\(answer.findings)")
      #expect(said.contains("[check.link]") && said.contains(" where: App.xcdatamodeld"), "\(said)")
    }
    let lock = project.session("lock --release 1.0")
    #expect(lock.status == .done && lock.diagnostics.contains("[check.link]"), "\(lock)")
    // One to a bundle of the project needs nothing.
    try project.repository.shell(
      "git reset --hard --quiet && ln -s App.xcdatamodeld L.xcdatamodeld")
    // The lock file still lists the bundle that is gone again.
    #expect(try project.check(Self.options).answer.rules == ["version/gone"])
    try project.repository.shell("rm strata.lock")
    #expect(try project.check(Self.options).status == .done)
  }

  @Test("a bundle that a sparse checkout leaves out is not gone")
  func sparse() throws {
    let project = try CheckedRepository()
    try Self.write(project, "m/M.xcdatamodeld", "x")
    try Self.write(project, "o/Z.xcdatamodeld", "z")
    try project.commit(tag: "v1.0")
    try project.repository.git("sparse-checkout", "set", "--cone", "o")
    let (status, answer, said) = try project.check(Self.options)
    #expect(status == .failed && answer.rules == [], "\(answer.findings)")
    #expect(said.contains("git sparse-checkout add m"), "\(said)")
    #expect(try project.check("--no-stores --staged").status == .done)
  }

  @Test("a bundle of which a sparse checkout leaves a version out is not read")
  func partlySparse() throws {
    let project = try Self.released()
    try Self.write(project, "o/Z.xcdatamodeld", "z")
    try project.commit(tag: "v3.0")
    try project.repository.git(
      "sparse-checkout", "set", "--no-cone", "/*", "!App.xcdatamodeld/A.xcdatamodel/")
    let (status, answer, said) = try project.check(Self.options)
    #expect(status == .failed && answer.rules == [], "\(answer.findings)")
    #expect(
      said.contains("warning: App.xcdatamodeld is not checked: the sparse checkout"), "\(said)")
  }

  @Test("a release with a missing object is named, and the others are compared")
  func missingObject() throws {
    let project = try Self.released()
    try Self.edit(project, "\(Self.bundle)/A.xcdatamodel/contents")
    try project.folder.write(
      String(repeating: "deadbeef", count: 5) + "\n", to: ".git/refs/tags/v0.9")
    let (status, answer, said) = try project.check(Self.options)
    #expect(status == .failed && answer.rules.contains("version/edited"), "\(answer)")
    #expect(said.contains("the release v0.9 is not compared"), "\(said)")
  }

  @Test("a file of `git add --intent-to-add` is not staged")
  func intentToAdd() throws {
    let project = try Self.released()
    try project.version("C", [Self.attribute("z")], makesCurrent: false)
    try project.repository.git("add", "-N", "\(Self.bundle)/C.xcdatamodel/contents")
    try project.folder.write("[severity]\n", to: "strata.toml")
    try project.repository.git("add", "strata.toml")
    let (status, answer, said) = try project.check("--no-stores --staged")
    #expect(status == .done && answer.rules == [], "\(answer.findings) \(said)")
  }

  @Test("a branch with the name of a tag is not the base")
  func ambiguousBase() throws {
    let project = try CheckedRepository()
    try project.version("A", [Self.attribute("x"), Self.attribute("t")])
    try project.commit()
    try project.repository.git("tag", "heads/v-9")
    try project.version("B", [Self.attribute("x")])
    try project.commit()
    try project.repository.git("branch", "v-9")
    let (status, answer, _) = try project.check(Self.options)
    #expect(status == .no && answer.rules == ["loss/values"], "\(answer.findings)")
    try FileManager.default.removeItem(
      atPath: project.folder.path("\(Self.bundle)/A.xcdatamodel"))
    for command in try project.check(Self.options).answer.findings.flatMap(\.commands) {
      try project.repository.shell(command)
    }
    #expect(try project.check(Self.options).answer.rules == ["loss/values"])
  }

  // MARK: Paths and losses

  @Test("versions with the same obstacle share a finding that names all of them")
  func sameObstacle() throws {
    let project = try Self.released()
    try project.version("C", [Self.attribute("x", "Date"), Self.attribute("y")])
    let (status, answer, _) = try project.check("--no-stores --junit report.xml")
    let found = answer.findings.map(\.finding)
    #expect(status == .no && found == ["path/none App: A, B -> C: Card.x"], "\(found)")
    // None of its versions is a passed case.
    let report = try String(contentsOfFile: project.folder.path("report.xml"), encoding: .utf8)
    #expect(!report.contains("name=\"version "), "\(report)")
  }

  @Test("an entity that became abstract at the base is known under its other name")
  func renamedAbstract() throws {
    let project = try CheckedRepository()
    func abstract(_ version: String, as name: String) throws {
      try project.version(version, [Self.attribute("x")])
      let file = "\(Self.bundle)/\(version).xcdatamodel/contents"
      let text = try String(contentsOfFile: project.folder.path(file), encoding: .utf8)
      try project.folder.write(
        text.replacing(
          "entity name=\"Card\"",
          with: "entity name=\"\(name)\" elementID=\"Card\" isAbstract=\"YES\""
        ), to: file)
    }
    try project.version("A", [Self.attribute("x")])
    try project.commit(tag: "v1.0")
    try abstract("B", as: "Card2")
    try project.commit(tag: "v2.0")
    try abstract("C", as: "Card3")
    let (status, answer, _) = try project.check()
    #expect(status == .done && answer.findings.map(\.severity) == ["note"], "\(answer.findings)")
    #expect(answer.findings.first?.finding == "loss/objects App: A -> C: Card")
  }

  // MARK: Stores that changed

  @Test(
    "logs and journals of stores, deleted stores and links in their place are changes",
    arguments: [
      "rm g.store-wal", "echo x > g.db-wal", "echo x > g.sqlite3-journal", "rm fix.bin",
      "echo x > fix.bin-wal", "mv fix.bin .git/ && ln -s .git/fix.bin fix.bin",
    ])
  func changedStores(change: String) throws {
    let project = try Self.released()
    for name in ["fix.bin", "g.store", "g.db", "g.sqlite3"] {
      let answer = project.session("create \(name) --model \(Self.bundle)/A --rows 1")
      try #require(answer.status == .done, "\(answer)")
    }
    try project.folder.write("x", to: "g.store-wal")
    try project.folder.write("text", to: "notes.bin")
    try project.commit()
    try FileManager.default.removeItem(atPath: project.folder.path("notes.bin"))
    #expect(try project.check("--since main").answer.checked.unchanged != nil)
    try project.repository.shell(change)
    #expect(try project.check("--since main").answer.checked.unchanged == nil)
    // Only stores with a usual ending are staged ones.
    try project.repository.git("add", "--all")
    let isStaged = try project.check("--staged").answer.checked.unchanged == nil
    #expect(isStaged != change.contains("fix.bin"))
  }
}
