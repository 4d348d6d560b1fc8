import Foundation
import StrataBase
import TestSupport
import Testing

@testable import StrataGit

@Suite("Objects of a git repository")
struct GitObjectTests {
  @Test("the bytes of a blob are those that were committed")
  func bytes() throws {
    let fixture = try GitFixture()
    let contents: [[UInt8]] = [
      [], [10], [0, 13, 10, 255], Array("\(String(repeating: "x", count: 99))\n".utf8),
      (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) },
    ]
    let repository = try fixture.repository()
    for bytes in contents {
      let id = try fixture.object("blob", bytes)
      #expect(try repository.blob(id) == bytes)
    }
    #expect(repository.readObjectCount == contents.count)
  }

  @Test(
    "only 40 or 64 hexadecimal digits name an object",
    arguments: [
      (40, "", true), (64, "", true), (38, "", false), (42, "", false), (40, "a", false),
      (64, "b", false), (39, "g", false),
    ])
  func names(count: Int, more: String, isName: Bool) {
    let text = String(repeating: "4B825DC6", count: 8).prefix(count) + more
    #expect(GitObjectID(hex: text)?.description == (isName ? text.lowercased() : nil))
  }

  @Test("line ends and filters of .gitattributes are not applied")
  func filters() throws {
    let fixture = try GitFixture()
    try fixture.commit([".gitattributes": "* text eol=crlf ident\n", "contents": "a\n$Id$\n"])
    let repository = try fixture.repository()
    let tree = try repository.tree(of: repository.commit("HEAD"), where: modelFilter)
    #expect(try repository.text(tree.entries.first?.id) == "a\n$Id$\n")
  }

  @Test("an error leaves the repository usable")
  func errors() throws {
    let fixture = try GitFixture()
    let small = try fixture.object("blob", [1, 2, 3])
    let large = try fixture.object("blob", [UInt8](repeating: 7, count: 1_000_000))
    let missing = try #require(GitObjectID(bytes: [UInt8](repeating: 9, count: 20)))
    var limits = GitLimits()
    limits.totalSize = 20
    let repository = try fixture.repository(limits: limits)
    #expect(
      gitError { _ = try repository.blob(large, limit: 999_999) }
        == .tooLarge(what: "the size of the blob \(large.short)", limit: 999_999))
    #expect(try repository.blob(small, limit: 3) == [1, 2, 3])
    let clone = GitClone(isShallow: false, isPartial: false)
    #expect(gitError { _ = try repository.blob(missing) } == .missingObject(missing, clone: clone))
    #expect(try repository.blob(small) == [1, 2, 3])
    #expect(
      gitError { _ = try repository.tree(of: small, where: all) }
        == .wrongType(small, wanted: "commit", found: "blob"))
    #expect(try repository.blob(small) == [1, 2, 3])
    #expect(
      gitError { _ = try repository.blob(large) }
        == .tooLarge(what: "the size of all objects", limit: 20))
  }

  @Test("a process that was killed is an error without SIGPIPE, and is started again")
  func killed() throws {
    let fixture = try GitFixture()
    let id = try fixture.object("blob", [1, 2, 3])
    let repository = try fixture.repository()
    _ = try repository.blob(id)
    let process = try #require(repository.objects.processIdentifier)
    #expect(kill(process, SIGKILL) == 0)
    var info = siginfo_t()
    #expect(waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == 0)
    guard case .commandFailed("cat-file", _)? = gitError({ _ = try repository.blob(id) }) else {
      Issue.record("the end of the process is not reported")
      return
    }
    #expect(try repository.blob(id) == [1, 2, 3])
  }

  @Test("the process ends with the repository value, and one process serves all requests")
  func lifetime() throws {
    let fixture = try GitFixture()
    let ids = try (0..<3).map { try fixture.object("blob", [$0]) }
    var repository: GitRepository? = try fixture.repository()
    #expect(repository?.objects.processIdentifier == nil)
    let processes = try ids.map { id in
      _ = try repository?.blob(id)
      return repository?.objects.processIdentifier
    }
    #expect(Set(processes).count == 1)
    let process = try #require(processes.first ?? nil)
    #expect(kill(process, 0) == 0)
    repository = nil
    #expect(kill(process, 0) != 0)
  }

  @Test("a damaged object is an error")
  func damaged() throws {
    let fixture = try GitFixture()
    let id = try fixture.object("blob", [UInt8](repeating: 7, count: 100))
    let hex = id.description
    let path = "\(fixture.path)/.git/objects/\(hex.prefix(2))/\(hex.dropFirst(2))"
    try FileManager.default.removeItem(atPath: path)
    try Data("garbage".utf8).write(to: URL(fileURLWithPath: path))
    let error = gitError { _ = try fixture.repository().blob(id) }
    switch error {
    case .commandFailed?, .missingObject?: break
    default: Issue.record("the error is \(String(describing: error))")
    }
  }

  @Test("any bytes are a tree or an error, whatever is changed or cut off")
  func anyBytes() throws {
    let id = try #require(GitObjectID(bytes: [UInt8](repeating: 9, count: 20)))
    let valid = [("100644", "a"), ("040000", "b"), ("120000", "c"), ("160000", "d")].flatMap {
      Array("\($0) \($1)\0".utf8) + id.bytes
    }
    #expect(try GitTreeObject(reading: valid, id: id).entries.map(\.name) == ["a", "b", "c", "d"])
    for index in valid.indices {
      let cut = Array(valid[..<index])
      let count = (try? GitTreeObject(reading: cut, id: id))?.entries.count
      #expect(count == (index % 29 == 0 ? index / 29 : nil), "\(index)")
      for byte in UInt8.min...UInt8.max {
        var changed = valid
        changed[index] = byte
        let names = (try? GitTreeObject(reading: changed, id: id))?.entries.map(\.name) ?? []
        if names.contains(where: GitName.isHostile) { Issue.record("\(names)") }
      }
    }
  }

  @Test("an id is read from hexadecimal digits of both lengths only")
  func ids() {
    for count in [40, 64] {
      let hex = String(repeating: "0aF", count: count).prefix(count)
      #expect(GitObjectID(hex: hex)?.description == hex.lowercased())
      #expect(GitObjectID(hex: hex.dropLast()) == nil)
      #expect(GitObjectID(hex: hex.dropLast() + "g") == nil)
      #expect(GitObjectID(hex: hex.dropLast() + "０") == nil)
    }
    #expect(GitObjectID(hex: "") == nil)
    #expect(GitObjectID(bytes: [1, 2]) == nil)
  }

  @Test("every error has a message and a fix")
  func diagnostics() throws {
    let id = try #require(GitObjectID(bytes: [UInt8](repeating: 9, count: 20)))
    let clones = [(true, false), (false, true), (false, false)].map {
      GitClone(isShallow: $0.0, isPartial: $0.1)
    }
    let errors: [GitError] =
      [
        .notARepository(folder: "/a"), .brokenGitFile(path: "/a/.git"), .gitNotFound,
        .gitTooOld(version: "1", minimum: "2"), .gitNotStarted(reason: "permission denied"),
        .commandFailed(command: "ls-files", message: "x"),
        .notResponding(command: "cat-file", seconds: 60), .unexpectedOutput(command: "version"),
        .foreignOwner(root: "/it's"), .wrongType(id, wanted: "blob", found: "tree"),
        .malformedObject(id, reason: "x"), .tooLarge(what: "it", limit: 5), .hostilePath(".."),
        .unreadablePath("?"), .unmerged(path: "a"), .folderNotPrivate(path: "/a"),
      ]
      + clones.flatMap { [.unknownRevision("v1", clone: $0), .missingObject(id, clone: $0)] }
    let diagnostics = errors.map(\.diagnostic)
    #expect(Set(diagnostics.map(\.what)).count == errors.count)
    #expect(Set(diagnostics.map(\.id)).count == errors.count - 4)
    #expect(diagnostics.allSatisfy { $0.id.hasPrefix("git.") && $0.fix?.isEmpty == false })
    #expect(GitError.foreignOwner(root: "/it's").diagnostic.fix?.hasSuffix("'/it'\\''s'`") == true)
    // Commands are in backticks, so that a narrow terminal does not wrap them.
    for fix in diagnostics.compactMap(\.fix) {
      let parts = fix.split(separator: "`", omittingEmptySubsequences: false)
      #expect(parts.count % 2 == 1, "\(fix)")
      for part in stride(from: 0, to: parts.count, by: 2).map({ parts[$0] }) {
        #expect(!part.contains(/git -?[a-z]/), "\(fix)")
      }
    }
  }
}
