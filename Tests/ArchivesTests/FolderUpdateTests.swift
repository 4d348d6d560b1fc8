import Foundation
import StrataBase
import TestSupport
import Testing

@testable import StrataArchives

/// Files that are written together: all of them, or none.
struct FolderUpdateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func names(_ name: String = "") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path(name)).sorted()
  }

  private func write(_ texts: KeyValuePairs<String, String>) throws {
    var update = FolderUpdate()
    for (name, text) in texts { update.write(Array(text.utf8), to: path(name)) }
    try update.commit()
  }

  @Test("a new folder appears complete, and nothing else is left")
  func newFolder() throws {
    try write(["a/b/c": "1", "a/b/d/e": "2", "f": "3"])
    #expect(try names() == ["a", "a/b", "a/b/c", "a/b/d", "a/b/d/e", "f"])
    #expect(text("a/b/d/e") == "2")
  }

  @Test("a folder whose name begins alike is another folder")
  func alike() throws {
    try write(["docs/a": "1", "docs-secret/b": "2", "docsx": "3"])
    #expect(try names() == ["docs", "docs-secret", "docs-secret/b", "docs/a", "docsx"])
    for (path, folder, isBelow) in [
      ("/docs", "/docs", true), ("/docs/a", "/docs", true), ("/docs/a/b", "/docs/", true),
      ("/docs-secret", "/docs", false), ("/docs-secret/a", "/docs", false),
      ("/doc", "/docs", false),
      ("/docs\u{301}", "/docs", false), ("/docs/\u{301}", "/docs", true), ("/a", "/", true),
    ] {
      #expect(RealPath.of(path, isBelow: folder) == isBelow, "\(path) \(folder)")
    }
  }

  @Test("a combining mark after a slash begins a name")
  func combiningMark() throws {
    let root = folder.url.path
    for name in ["a/\u{301}b", "c/\u{301}d/\u{301}e"] {
      var update = FolderUpdate()
      update.write([1], to: "\(root)/\(name)")
      try update.commit()
    }
    #expect(try OpenedPath.names(in: path("a")) == ["\u{301}b"])
    #expect(try OpenedPath.names(in: "\(root)/c/\u{301}d") == ["\u{301}e"])
    try ReadableFolders([path("a")]).only {
      let from = try FolderEntry("\(root)/a/\u{301}b")
      #expect(from.rename(to: try FolderEntry("\(root)/a/\u{301}f")))
      var update = FolderUpdate()
      update.write([2], to: "\(root)/a/\u{301}g")
      try update.commit()
    }
    #expect(try OpenedPath.names(in: path("a")) == ["\u{301}f", "\u{301}g"])
  }

  @Test("a replaced file keeps its mode, and a link keeps its target")
  func replaced() throws {
    try write(["file": "old"])
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("file"))
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: "file")
    try write(["link": "new"])
    #expect(text("file") == "new")
    #expect(FileStatus(path("file"))?.permissions == 0o640)
    #expect(FileStatus(path("link"))?.kind == .link)
  }

  @Test(
    "if one file cannot be written, no file is",
    arguments: ["file/below", "folder", String(repeating: "n", count: 300)])
  func noneOrAll(_ bad: String) throws {
    try FileManager.default.createDirectory(
      atPath: path("folder/inner"), withIntermediateDirectories: true)
    try write(["file": "old"])
    let before = try names()
    #expect(throws: FileError.self) { try write(["file": "new", "other/x": "y", bad: "z"]) }
    #expect(try names() == before)
    #expect(text("file") == "old")
  }

  @Test("replaced files are restored if a later file cannot be replaced")
  func givenBack() throws {
    try write(["a": "old", "c/x": "1"])
    try FileManager.default.createDirectory(atPath: path("d"), withIntermediateDirectories: true)
    let before = try names()
    for bad in ["a", "b", "c/x", "d/y"] {
      var update = FolderUpdate()
      for name in ["a", "b", "c/x", "d/y"] { update.write(Array("new".utf8), to: path(name)) }
      let staged = try update.staged()
      // By now a folder stands in the place of one of them.
      try? FileManager.default.moveItem(atPath: path(bad), toPath: path("aside"))
      try FileManager.default.createDirectory(
        atPath: path("\(bad)/full"), withIntermediateDirectories: true)
      #expect(throws: FileError.self) { try FolderUpdate.installAll(staged) }
      try FileManager.default.removeItem(atPath: path(bad))
      try? FileManager.default.moveItem(atPath: path("aside"), toPath: path(bad))
      #expect(try names() == before, "\(bad)")
      #expect([text("a"), text("c/x")] == ["old", "1"], "\(bad)")
    }
  }

  @Test("replacing an open folder with a link does not redirect writes")
  func exchanged() throws {
    try write(["in/a": "1", "out/b": "2"])
    let open = try OpenFolder(path("in"))
    try FileManager.default.moveItem(atPath: path("in"), toPath: path("moved"))
    try FileManager.default.createSymbolicLink(atPath: path("in"), withDestinationPath: "out")
    try open.create("c", Array("3".utf8), permissions: nil)
    try open.folder("d").create("e", Array("4".utf8), permissions: nil)
    try open.rename("a", to: "b")
    #expect(try names("out") == ["b"])
    #expect(try names("moved") == ["b", "c", "d", "d/e"])
    for name in ["b", "c", "d"] { open.remove(name) }
    #expect(try names("moved").isEmpty)
    #expect(text("out/b") == "2")
  }

  /// Each way in which something is written below folders that alone may be read, and a link out of them.
  @Test("nothing is written through a link out of the permitted folders")
  func outOfReach() throws {
    try write(["in/a": "1", "out/b": "2"])
    try FileManager.default.createSymbolicLink(
      atPath: path("in/link"), withDestinationPath: path("out"))
    try ReadableFolders([path("in")]).only {
      #expect(throws: FileError.self) { try write(["in/link/b": "3"]) }
      #expect(throws: FileError.self) { try write(["in/link/new/c": "3"]) }
      #expect(throws: FileError.self) { try OpenedPath.openEmptied(path("in/link/b")) }
      #expect(throws: FileError.self) { _ = try FolderEntry(path("in/link/b")) }
      #expect(throws: FileError.self) { try FileCopy.copy(path("in/a"), to: path("in/link/c")) }
      let entry = try FolderEntry(path("in/a"))
      #expect(entry.rename(to: try FolderEntry(path("in/moved"))))
      try write(["in/new": "4"])
    }
    #expect(try names("out") == ["b"])
    #expect(text("out/b") == "2")
    #expect(try names("in") == ["link", "moved", "new"])
  }
}
