import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StrataArchives

@Suite("What is read where only some folders may be")
struct ReadableFoldersTests {
  private static let secret = "the marker of what lies outside"
  private static let open = "what may be read"

  /// `docs` may be read, and `more`; `docs-secret` and `out` may not.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.open, to: "docs/a/f")
    try folder.write(Self.open, to: "more/f")
    try folder.write(Self.secret, to: "docs-secret/f")
    try folder.write(Self.secret, to: "out/f")
    let files = FileManager.default
    for (link, target) in [
      ("docs/file", "../out/f"), ("docs/folder", "../out"), ("docs/again", "file"),
      ("docs/whole", folder.path("out/f")), ("docs/alike", "../docs-secret/f"),
      ("docs/up", "a/../../out/f"), ("docs/root", "/"), ("docs/loop", "loop"),
      ("docs/in", "a/f"), ("docs/a/back", "../a/f"), ("docs/inFolder", "a"),
      ("docs/inWhole", folder.path("docs/a/f")), ("docs/other", "../more/f"),
      ("docs/otherWhole", folder.path("more")), ("docs/around", "../docs/a/f"),
    ] {
      try files.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
    return folder
  }

  private static let outside = [
    "docs/file", "docs/folder/f", "docs/again", "docs/whole", "docs/alike", "docs/up",
    "docs/../out/f", "docs-secret/f", "docs/../docs-secret/f", "out/f", "docs/folder/nothing",
    "docs/loop", "docs/root/etc/hosts",
  ]
  private static let inside = [
    "docs/a/f", "docs/in", "docs/a/back", "docs/inFolder/f", "docs/inWhole", "docs/other",
    "docs/otherWhole/f", "docs/around", "more/f", "docs/a/../in", "out/../docs/in",
  ]

  @Test("no link leads out of them, whoever looks at the names", arguments: outside, [true, false])
  func refused(name: String, asksSystem: Bool) throws {
    let folder = try folder()
    let folders = ReadableFolders(
      [folder.path("docs"), folder.path("more")], askingSystem: asksSystem)
    let path = folder.url.path + "/" + name
    folders.only {
      #expect(throws: FileError.self) { try FileBytes.read(path) }
      #expect(throws: FileError.self) { try FileBytes.head(path, count: 4) }
      #expect(throws: FileError.self) { try FileCopy.copy(path, to: folder.path("copy")) }
      #expect(throws: FileError.self) {
        try OpenedPath.names(in: RealPath.parent(of: path) + "/../out")
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path("copy")))
    }
    guard name != "docs/loop" else { return }
    #expect(throws: FileError.self) { try folders.check(path) }
  }

  @Test("links between them are followed", arguments: inside, [true, false])
  func followed(name: String, asksSystem: Bool) throws {
    let folder = try folder()
    let folders = ReadableFolders(
      [folder.path("docs"), folder.path("more")], askingSystem: asksSystem)
    let path = folder.url.path + "/" + name
    try folders.only {
      #expect(try FileBytes.read(path) == Array(Self.open.utf8))
      try FileCopy.copy(path, to: folder.path("copy"))
    }
    try folders.check(path)
    #expect(try FileBytes.read(folder.path("copy")) == Array(Self.open.utf8))
  }

  @Test("a folder that is changed for a link meanwhile leads nowhere", arguments: [true, false])
  func race(asksSystem: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.open, to: "docs/sub/f")
    try folder.write(Self.secret, to: "out/f")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("docs/link"), withDestinationPath: folder.path("out"))
    let folders = ReadableFolders([folder.path("docs")], askingSystem: asksSystem)
    let (sub, aside, link) = (
      folder.path("docs/sub"), folder.path("docs/aside"), folder.path("docs/link")
    )
    let isOver = Atomic(false)
    let swapper = Thread {
      while !isOver.load(ordering: .relaxed) {
        rename(sub, aside)
        rename(link, sub)
        rename(sub, link)
        rename(aside, sub)
      }
    }
    swapper.start()
    defer { isOver.store(true, ordering: .relaxed) }
    var read = 0
    folders.only {
      for _ in 0..<20_000 {
        guard let bytes = try? FileBytes.read(sub + "/f") else { continue }
        read += 1
        #expect(bytes == Array(Self.open.utf8))
      }
    }
    #expect(read > 0)
  }
}
