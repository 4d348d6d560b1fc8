import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StrataArchives

@Suite("Readable folders")
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
      ("docs/throughOut", "../out/../docs/in"),
    ] {
      try files.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
    // As text it would lead to a folder that may be read.
    try folder.write(Self.open, to: "docs/r\u{FFFD}/f")
    #expect(symlink([0x72, -1, 0], folder.path("docs/bytes")) == 0)
    #expect(
      symlink(
        folder.path("out"), Array("\(folder.path("docs/r"))".utf8CString.dropLast()) + [-1, 0]) == 0
    )
    return folder
  }

  private static let outside = [
    "docs/file", "docs/folder/f", "docs/again", "docs/whole", "docs/alike", "docs/up",
    "docs/../out/f", "docs-secret/f", "docs/../docs-secret/f", "out/f", "docs/folder/nothing",
    "docs/loop", "docs/root/etc/hosts", "docs/bytes/f", "docs/bytes/nothing", "docs/throughOut",
    "out/../docs/in", "docs/folder/\u{301}nothing", "docs/folder/\u{301}/../f",
  ]
  private static let inside = [
    "docs/a/f", "docs/in", "docs/a/back", "docs/inFolder/f", "docs/inWhole", "docs/other",
    "docs/otherWhole/f", "docs/around", "more/f", "docs/a/../in", "docs/../more/f",
  ]

  @Test("no link leads out of the readable folders", arguments: outside, [true, false])
  func refused(name: String, queriesSystem: Bool) throws {
    let folder = try folder()
    let folders = ReadableFolders(
      [folder.path("docs"), folder.path("more")], queryingSystem: queriesSystem)
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
    #expect(throws: FileError.self) { try folders.check(path) }
  }

  @Test(
    "the limit of links is the system's", arguments: [39, 40, 41], [true, false])
  func chain(count: Int, isWhole: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.open, to: "docs/f")
    try folder.write(Self.secret, to: "out/f")
    let files = FileManager.default
    for (start, end) in [("in", "f"), ("out", "../out/f")] {
      for number in 1...count {
        let target = number == 1 ? end : "\(start)\(number - 1)"
        try files.createSymbolicLink(
          atPath: folder.path("docs/\(start)\(number)"),
          withDestinationPath: isWhole ? folder.path("docs/\(target)") : target)
      }
    }
    let (good, bad) = (folder.path("docs/in\(count)"), folder.path("docs/out\(count)"))
    #expect((try? FileBytes.read(good)) == (count > 40 ? nil : Array(Self.open.utf8)))
    for queriesSystem in [true, false] {
      let folders = ReadableFolders([folder.path("docs")], queryingSystem: queriesSystem)
      folders.only {
        #expect((try? FileBytes.read(good)) == (count > 40 ? nil : Array(Self.open.utf8)))
        #expect((try? FileBytes.read(bad)) == nil)
      }
      #expect(throws: FileError.self) { try folders.check(bad) }
      #expect((try? folders.check(good)) != nil || count > 40)
    }
  }

  @Test("a path that cannot be resolved is refused")
  func unknown() throws {
    let folder = try folder()
    let folders = ReadableFolders([folder.path("docs")])
    let long = String(repeating: "x", count: 300)
    for name in ["docs/\(long)", "docs/\(long)/f", "docs/loop/f"] {
      #expect(throws: FileError.self) { try folders.check(folder.url.path + "/" + name) }
    }
    // Nothing is there, and nothing leads anywhere.
    for name in ["docs/new", "docs/new/er", "docs/a/f/x"] {
      try folders.check(folder.url.path + "/" + name)
    }
  }

  @Test("an error does not reveal the target of a link to the outside, or whether it exists")
  func reported() throws {
    let folder = try folder()
    let files = FileManager.default
    let folders = ReadableFolders([folder.path("docs")])
    try files.createSymbolicLink(
      atPath: folder.path("out/secret"), withDestinationPath: folder.path("docs/a/f"))
    try files.createSymbolicLink(
      atPath: folder.path("docs/to"), withDestinationPath: folder.path("out/secret"))
    for (name, real) in [("out/secret", "out/secret"), ("docs/to", "out/secret")] {
      let path = folder.url.path + "/" + name
      let expected = FileError.outOfReach(path, real: folder.url.path + "/" + real)
      #expect(throws: expected) { try folders.check(path) }
      _ = folders.only { #expect(throws: expected) { try FileBytes.read(path) } }
    }
  }

  @Test("folders added later must be below the readable folders")
  func nested() throws {
    let folder = try folder()
    let outer = ReadableFolders([folder.path("docs")])
    for (name, isOpened) in [
      ("docs", true), ("docs/a", true), ("docs/inFolder", true), ("docs/folder", false),
      ("docs/root", false), ("docs/bytes", false), ("out", false), ("docs/nothing", false),
      ("docs/a/..", true), ("docs/..", false),
    ] {
      let inner = outer.only { ReadableFolders([folder.url.path + "/" + name]) }
      #expect((try? inner.check(folder.url.path + "/" + name)) != nil || !isOpened, "\(name)")
      #expect(
        (try? inner.open(folder.url.path + "/" + name, O_RDONLY)).map { close($0) } != nil
          || !isOpened)
      #expect((try? inner.check(folder.path("docs-secret/f"))) == nil, "\(name)")
      if !isOpened { #expect((try? inner.check(folder.path("out/f"))) == nil, "\(name)") }
    }
  }

  @Test("folders are compared by bytes, with links resolved")
  func bytes() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.open, to: "caf\u{E9}/f")
    try folder.write(Self.secret, to: "cafe\u{301}/f")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "caf\u{E9}")
    for name in ["caf\u{E9}", "link"] {
      let folders = ReadableFolders([folder.url.path + "/" + name])
      folders.only {
        #expect((try? FileBytes.read(folder.url.path + "/\(name)/f")) == Array(Self.open.utf8))
        #expect((try? FileBytes.read(folder.url.path + "/caf\u{E9}/f")) == Array(Self.open.utf8))
        #expect((try? FileBytes.read(folder.url.path + "/cafe\u{301}/f")) == nil)
      }
    }
  }

  @Test("links between readable folders are followed", arguments: inside, [true, false])
  func followed(name: String, queriesSystem: Bool) throws {
    let folder = try folder()
    let folders = ReadableFolders(
      [folder.path("docs"), folder.path("more")], queryingSystem: queriesSystem)
    let path = folder.url.path + "/" + name
    try folders.only {
      #expect(try FileBytes.read(path) == Array(Self.open.utf8))
      try FileCopy.copy(path, to: folder.path("docs/copy"))
    }
    try folders.check(path)
    #expect(try FileBytes.read(folder.path("docs/copy")) == Array(Self.open.utf8))
  }

  @Test("a folder that is replaced with a link meanwhile is refused", arguments: [true, false])
  func race(queriesSystem: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.open, to: "docs/sub/f")
    try folder.write(Self.secret, to: "out/f")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("docs/link"), withDestinationPath: folder.path("out"))
    let folders = ReadableFolders([folder.path("docs")], queryingSystem: queriesSystem)
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

  @Test("on a volume that ignores case, the folder is found by any spelling, and no other one is")
  func ignoresCase() throws {
    let folder = try folder()
    let path = folder.path("docs").replacing("/docs", with: "/DOCS")
    for ignoringCase in [false, true] {
      let folders = ReadableFolders(
        [folder.path("docs")], queryingSystem: true, ignoringCase: ignoringCase)
      folders.only {
        #expect(
          (try? FileBytes.read(path + "/a/f")) == (ignoringCase ? Array(Self.open.utf8) : nil))
        #expect(throws: FileError.self) { try FileBytes.read(path + "-secret/f") }
        #expect(throws: FileError.self) { try FileBytes.read(path + "/../out/f") }
      }
    }
  }
}
