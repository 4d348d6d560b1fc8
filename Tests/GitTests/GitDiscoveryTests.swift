import Foundation
import StrataArchives
import StrataBase
import StrataGit
import TestSupport
import Testing

@Suite("Finding a git repository")
struct GitDiscoveryTests {
  @Test("the root is found from a folder and from a file in it")
  func root() throws {
    let fixture = try GitFixture()
    try fixture.commit(["App/Model/contents": "x"])
    let real = try #require(realpath(fixture.path, nil).map { String(cString: $0) })
    for inner in ["", "/App", "/App/Model", "/App/Model/contents"] {
      #expect(try fixture.repository(in: fixture.path + inner).root == real)
    }
  }

  @Test("a linked worktree has its own HEAD and the tags of its repository")
  func worktree() throws {
    let fixture = try GitFixture()
    let first = try fixture.commit(["contents": "1"])
    try fixture.git("tag", "v1")
    try fixture.git("worktree", "add", "--quiet", "-b", "other", "../second")
    let second = try GitFixture(in: fixture.folder, existing: "second")
    let head = try second.commit(["contents": "2"])
    let repository = try second.repository()
    #expect(repository.root.hasSuffix("/second"))
    #expect(!repository.isShallow && !repository.isPartial)
    #expect(try repository.tags(matching: "*").map(\.commit) == [first])
    #expect(try repository.commit("HEAD") == head)
    #expect(try fixture.repository().commit("HEAD") == first)
    try second.write("3", to: "contents")
    try second.git("add", "--all")
    let staged = try repository.indexEntries(where: all)
    #expect(try repository.text(staged.first?.id) == "3")
  }

  @Test("a submodule is a repository of its own, and an entry of kind submodule in the outer one")
  func submodule() throws {
    let folder = try TemporaryFolder()
    let inner = try GitFixture(in: folder, name: "inner")
    let commit = try inner.commit(["contents": "inner"])
    let outer = try GitFixture(in: folder, name: "outer")
    try outer.git("submodule", "--quiet", "add", "../inner", "Libraries/inner")
    try outer.commit(["contents": "outer"])
    let repository = try outer.repository()
    let tree = try repository.tree(of: repository.commit("HEAD"), where: all)
    #expect(tree.paths == [".gitmodules", "Libraries/inner", "contents"])
    #expect(
      tree.entries[1] == GitEntry(names: ["Libraries", "inner"], kind: .submodule, id: commit))
    let below = try outer.repository(in: outer.path + "/Libraries/inner")
    #expect(below.root == repository.root + "/Libraries/inner")
    #expect(try below.tree(of: below.commit("HEAD"), where: all).paths == ["contents"])
  }

  @Test("a folder outside of a repository, and one that does not exist, are errors")
  func none() throws {
    let fixture = try GitFixture()
    for path in [fixture.folder.url.path, fixture.folder.path("nowhere")] {
      #expect(gitError { _ = try fixture.repository(in: path) } == .notARepository(folder: path))
    }
  }

  @Test("only readable folders are searched")
  func readableFolders() throws {
    let fixture = try GitFixture()
    try fixture.commit(["App/contents": "x"])
    let inner = fixture.path + "/App"
    try ReadableFolders([fixture.path]).only {
      let repository = try fixture.repository(in: inner)
      #expect(try repository.tree(of: repository.commit("HEAD"), where: all).paths.count == 1)
    }
    #expect {
      try ReadableFolders([inner]).only { _ = try fixture.repository(in: inner) }
    } throws: {
      if case FileError.outOfReach? = $0 as? FileError { true } else { false }
    }
  }

  @Test("a .git file that leads nowhere is an error, an empty .git folder is skipped")
  func brokenFiles() throws {
    let fixture = try GitFixture()
    try fixture.write("gitdir: ../nowhere\n", to: "a/.git")
    try fixture.write("", to: "b/.git/empty")
    guard case .brokenGitFile? = gitError({ _ = try fixture.repository(in: fixture.path + "/a") })
    else {
      Issue.record("a broken .git file is not reported")
      return
    }
    #expect(try fixture.repository(in: fixture.path + "/b").root.hasSuffix("/project"))
  }

  @Test("git does not read the outer repository if the inner one is invalid")
  func invalidInner() throws {
    let fixture = try GitFixture()
    try fixture.commit(["contents": "x"])
    try fixture.git("tag", "v1")
    try fixture.write("ref: refs/heads/main\n", to: "inner/.git/HEAD")
    let repository = try fixture.repository(in: fixture.path + "/inner")
    guard
      case .commandFailed(_, let message)? = gitError({ _ = try repository.tags(matching: "*") })
    else {
      Issue.record("git read the outer repository")
      return
    }
    #expect(message.contains("not a git repository"))
  }

  @Test("a repository of another user is an error with the path", .enabled(if: geteuid() == 0))
  func foreignOwner() throws {
    let fixture = try GitFixture(name: "it's")
    try fixture.commit(["contents": "x"])
    for path in [fixture.path, fixture.path + "/.git"] { #expect(chown(path, 65534, 65534) == 0) }
    let repository = try fixture.repository(adding: ["SUDO_UID": "0"])
    let error = gitError { _ = try repository.tags(matching: "*") }
    #expect(error == .foreignOwner(root: repository.root))
    #expect(gitError { _ = try repository.blob(try fixture.idOfNothing) } == error)
    let folder = repository.root.dropLast(5)
    #expect(repository.root.hasSuffix("/it's"))
    #expect(error?.diagnostic.fix?.hasSuffix("safe.directory '\(folder)/it'\\''s'`") == true)
  }
}

extension GitFixture {
  fileprivate var idOfNothing: GitObjectID {
    get throws {
      guard let id = GitObjectID(bytes: [UInt8](repeating: 7, count: 20)) else {
        throw Failure(description: "no id")
      }
      return id
    }
  }
}

@Suite("Finding the program git")
struct GitProgramTests {
  /// A folder with a program `git` that is a shell script.
  private func program(_ script: String, in fixture: GitFixture) throws -> String {
    let folder = fixture.folder.path("bin")
    // The shell writes it: a file that this process has open for writing, or a child that another test
    // has just started, cannot be run.
    try fixture.shell(
      #"mkdir -p "$BIN"; printf '#!/bin/sh\n%s\n' "$SCRIPT" >"$BIN/git"; chmod 755 "$BIN/git""#,
      adding: ["BIN": folder, "SCRIPT": script])
    return folder
  }

  @Test("a missing git is an error")
  func missing() throws {
    let fixture = try GitFixture()
    for path in ["", fixture.folder.url.path] {
      #expect(gitError { _ = try fixture.repository(adding: ["PATH": path]) } == .gitNotFound)
    }
  }

  @Test("a git in a relative folder of PATH is not run")
  func relative() throws {
    let fixture = try GitFixture()
    let marker = fixture.folder.path("marker")
    _ = try program("touch '\(marker)'", in: fixture)
    #expect(
      gitError { _ = try fixture.repository(adding: ["PATH": ".:bin:../bin"]) } == .gitNotFound)
    #expect(!FileManager.default.fileExists(atPath: marker))
  }

  @Test("a git that is too old, and one with an unknown version, are errors")
  func versions() throws {
    let fixture = try GitFixture()
    func error(_ script: String) throws -> GitError? {
      let path = try program(script, in: fixture)
      return gitError { _ = try fixture.repository(adding: ["PATH": path]) }
    }
    #expect(
      try error("echo git version 1.8.3.1") == .gitTooOld(version: "1.8.3.1", minimum: "2.25"))
    #expect(try error("echo git version 2.25.0") == nil)
    #expect(try error("echo git version 3.0") == nil)
    #expect(try error("echo hello") == .unexpectedOutput(command: "version"))
    #expect(
      try error("echo 'fatal: broken' >&2; exit 3")
        == .commandFailed(command: "version", message: "broken"))
  }

  @Test("a git that writes nothing is ended")
  func silent() throws {
    let fixture = try GitFixture()
    let path = try program("exec sleep 100", in: fixture)
    var limits = GitLimits()
    limits.patience = .milliseconds(300)
    let error = gitError {
      _ = try fixture.repository(
        limits: limits, adding: ["PATH": path + ":" + (fixture.environment["PATH"] ?? "")])
    }
    #expect(error == .notResponding(command: "version", seconds: 0))
  }

  @Test("the time limit of a command ends a git that writes nothing")
  func timeLimit() throws {
    let fixture = try GitFixture()
    let path = try program("exec sleep 100", in: fixture)
    var budgets = Budgets()
    budgets[.time] = 1
    #expect(throws: Diagnostic.self) {
      try Work.$current.withValue(Work(budgets)) {
        _ = try fixture.repository(
          adding: ["PATH": path + ":" + (fixture.environment["PATH"] ?? "")])
      }
    }
  }

  @Test("a git that fills standard error does not block")
  func noisy() throws {
    let fixture = try GitFixture()
    let path = try program("head -c 1000000 /dev/zero >&2; echo git version 2.40.0", in: fixture)
    _ = try fixture.repository(
      adding: ["PATH": path + ":" + (fixture.environment["PATH"] ?? "")])
  }
}
