import Foundation
import StrataArchives
import StrataGit
import TestSupport
import Testing

@Suite("Writing the files of a git revision")
struct GitFilesTests {
  @Test("files are written for the user alone; links and submodules are returned")
  func files() throws {
    let fixture = try GitFixture()
    let script = try fixture.write("#!/bin/sh", to: "a/b/script")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: script)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path + "/a/link", withDestinationPath: "/etc")
    let commit = try fixture.commit(["a/contents": "x", "empty": ""])
    let repository = try fixture.repository()
    let entries = try repository.tree(of: commit, where: all).entries
    let target = fixture.folder.path("target")
    let skipped = try repository.materialize(entries, into: target)
    #expect(skipped.map(\.path) == ["a/link"])
    let written = try FileManager.default.subpathsOfDirectory(atPath: target).sorted()
    #expect(written == ["a", "a/b", "a/b/script", "a/contents", "empty"])
    #expect(try FileBytes.read(target + "/a/contents") == [UInt8(ascii: "x")])
    #expect(FileStatus(target)?.permissions == 0o700)
    for name in written {
      let status = try #require(FileStatus("\(target)/\(name)"))
      #expect(status.permissions == (status.kind == .folder ? 0o700 : 0o600), "\(name)")
    }
  }

  @Test("a folder that is not empty, not private, or a link is refused")
  func refused() throws {
    let fixture = try GitFixture()
    let commit = try fixture.commit(["contents": "x"])
    let repository = try fixture.repository()
    let entries = try repository.tree(of: commit, where: all).entries
    func error(_ name: String, permissions: Int) throws -> GitError? {
      let path = fixture.folder.path(name)
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
      return gitError { try repository.materialize(entries, into: path) }
    }
    #expect(try error("private", permissions: 0o700) == nil)
    let isOpen = fixture.folder.path("open")
    #expect(try error("open", permissions: 0o755) == .folderNotPrivate(path: isOpen))
    try fixture.folder.write("x", to: "full/file")
    let full = fixture.folder.path("full")
    #expect(try error("full", permissions: 0o700) == .folderNotPrivate(path: full))
    let link = fixture.folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
    #expect(
      gitError { try repository.materialize(entries, into: link) } == .folderNotPrivate(path: link))
  }

  @Test("entries with hostile names write nothing, and no file is overwritten")
  func hostile() throws {
    let fixture = try GitFixture()
    let id = try fixture.object("blob", [1])
    let repository = try fixture.repository()
    let target = fixture.folder.path("target")
    for names in [["..", "x"], ["a", ".git", "config"], ["a/b"], [""], [], ["a\0b"]] {
      let entry = GitEntry(names: names, kind: .file, id: id)
      #expect(
        gitError { try repository.materialize([entry], into: target) }
          == .hostilePath(names.joined(separator: "/")))
    }
    #expect(FileStatus(target) == nil)
    let twice = ["a", "a"].map { GitEntry(names: [$0], kind: .file, id: id) }
    #expect(throws: FileError.unwritable("\(target)/a", reason: FileCause.alreadyExists.message)) {
      try repository.materialize(twice, into: target)
    }
  }

  @Test("files that are too large together are refused")
  func total() throws {
    let fixture = try GitFixture()
    let id = try fixture.object("blob", [UInt8](repeating: 1, count: 60))
    var limits = GitLimits()
    limits.totalSize = 100
    let entries = ["a", "b"].map { GitEntry(names: [$0], kind: .file, id: id) }
    #expect(
      gitError {
        try fixture.repository(limits: limits)
          .materialize(entries, into: fixture.folder.path("target"))
      } == .tooLarge(what: "the size of all objects", limit: 100))
  }
}
