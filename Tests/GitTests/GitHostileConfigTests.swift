import Foundation
import StrataGit
import TestSupport
import Testing

@Suite("A repository whose config names programs")
struct GitHostileConfigTests {
  /// Settings whose value is a program, or `!` and a shell command.
  private static let settings = [
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.gitProxy",
    "core.askPass", "core.alternateRefsCommand", "diff.external", "diff.x.textconv",
    "diff.x.command", "filter.x.clean", "filter.x.smudge", "filter.x.process", "merge.x.driver",
    "gpg.program", "gpg.ssh.program", "credential.helper", "pager.ls-files", "pager.cat-file",
    "pager.for-each-ref", "pager.rev-parse", "pager.rev-list", "pager.merge-base", "pager.version",
    "uploadpack.packObjectsHook", "sequence.editor", "trace2.eventTarget",
  ]
  private static let commands = [
    "cat-file", "for-each-ref", "ls-files", "merge-base", "rev-list", "rev-parse", "version",
  ]
  private static let hooks = [
    "pre-commit", "post-checkout", "post-index-change", "reference-transaction",
    "fsmonitor-watchman", "pre-auto-gc",
  ]

  private func fixture(program: String) throws -> GitFixture {
    let fixture = try GitFixture()
    try fixture.commit([".gitattributes": "* filter=x diff=x merge=x\n", "contents": "x"])
    try fixture.git("tag", "-a", "-m", "one", "v1")
    try fixture.commit(["contents": "y"])
    try fixture.git("tag", "v2")
    // The index has the extension that makes reading it ask fsmonitor.
    try fixture.git("-c", "core.fsmonitor=true", "update-index", "--fsmonitor")
    for name in Self.settings { try fixture.git("config", name, program) }
    for name in Self.commands { try fixture.git("config", "alias.\(name)", "!\(program)") }
    try fixture.git("config", "core.hooksPath", fixture.folder.path("hooks"))
    for name in Self.hooks {
      for folder in ["hooks", "project/.git/hooks"] {
        let path = try fixture.folder.write("#!/bin/sh\n\(program)\n", to: "\(folder)/\(name)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      }
    }
    return fixture
  }

  private func readAll(_ repository: GitRepository) throws {
    let tags = try repository.tags(matching: "*")
    let first = try #require(tags.first)
    #expect(first.name == "v1")
    let head = try repository.commit("HEAD")
    #expect(tags.last?.commit == head)
    #expect(try repository.mergeBase(of: first.commit, head) == first.commit)
    let tree = try repository.tree(of: head, where: all)
    #expect(try repository.indexEntries(where: all) == tree.entries)
    for entry in tree.entries { _ = try repository.blob(entry.id) }
  }

  @Test("reading everything runs none of them")
  func runsNothing() throws {
    let folder = try TemporaryFolder()
    let marker = folder.path("marker")
    let program = try folder.write("#!/bin/sh\ntouch '\(marker)'\n", to: "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let fixture = try fixture(program: program)
    let environment = [
      "GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS",
      "GIT_PROXY_COMMAND", "GIT_EDITOR",
    ]
    try readAll(
      fixture.repository(
        adding: Dictionary(uniqueKeysWithValues: environment.map { ($0, program) })))
    #expect(!FileManager.default.fileExists(atPath: marker))
    // The same config with an unprotected git: the test would notice a program.
    _ = try? fixture.git("status")
    #expect(FileManager.default.fileExists(atPath: marker))
  }

  @Test("reading changes no file of the repository")
  func changesNothing() throws {
    let fixture = try GitFixture()
    try fixture.commit(["a/contents": "x", "contents": "x"])
    try fixture.git("tag", "v1")
    // A file that is as it was, with another time: `git status` would update the index.
    try fixture.write("x", to: "contents")
    let before = try fixture.folder.state()
    try readAll(fixture.repository())
    #expect(try fixture.folder.state() == before)
  }

  @Test("variables that name another repository or replace its objects are ignored")
  func variables() throws {
    let folder = try TemporaryFolder()
    let fixture = try GitFixture(in: folder, name: "one")
    try fixture.commit(["contents": "one"])
    try fixture.git("tag", "v1")
    let other = try GitFixture(in: folder, name: "two")
    try other.commit(["contents": "two"])
    try readAll(
      fixture.repository(adding: [
        "GIT_DIR": other.path + "/.git", "GIT_WORK_TREE": other.path,
        "GIT_OBJECT_DIRECTORY": other.path + "/.git/objects",
        "GIT_COMMON_DIR": other.path + "/.git", "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": fixture.path,
      ]))
  }

  @Test("an object that refs/replace replaces is read as it was committed")
  func replaced() throws {
    let fixture = try GitFixture()
    let commit = try fixture.commit(["contents": "true"])
    let other = try fixture.object("blob", Array("false".utf8))
    try fixture.git("replace", "HEAD:contents", other.description)
    let repository = try fixture.repository()
    let tree = try repository.tree(of: commit, where: all)
    #expect(try repository.text(tree.entries.first?.id) == "true")
  }
}
