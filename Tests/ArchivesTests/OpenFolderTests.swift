import Foundation
import TestSupport
import Testing

@testable import StrataArchives

@Suite("Open folders")
struct OpenFolderTests {
  @Test(
    "each missing folder is created in the one before it, with and without readable folders",
    arguments: ["", "a", "a/b/c", "in/b"], [true, false])
  func made(path: String, isLimited: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "docs/a/here")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("docs/in"), withDestinationPath: "a")
    let target = folder.path("docs") + (path.isEmpty ? "" : "/\(path)")
    func make() throws { try OpenFolder.made(target).create("f", [1], permissions: nil) }
    if isLimited { try ReadableFolders([folder.path("docs")]).only(make) } else { try make() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(target)/f")) == Data([1]))
  }

  @Test(
    "no folder is created behind a link that leads nowhere, or out of the readable folders",
    arguments: [
      ("../out", "x", true), ("../out/new", "x", true), ("../out/new", "x", false),
      ("../out/new", "", false), ("loop", "x", false), ("file", "x", false), ("file", "", false),
    ])
  func refused(link: String, below: String, isLimited: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "docs/file")
    try folder.write("", to: "out/here")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("docs/loop"), withDestinationPath: link)
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    let target = folder.path("docs/loop") + (below.isEmpty ? "" : "/\(below)")
    func make() throws { _ = try OpenFolder.made(target) }
    #expect(throws: FileError.self) {
      if isLimited { try ReadableFolders([folder.path("docs")]).only(make) } else { try make() }
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) == before)
  }

  /// The system's administrator may list every folder.
  @Test(
    "a folder that may not be listed can be written to", .enabled(if: geteuid() != 0),
    arguments: [true, false])
  func unlistable(isLimited: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "docs/old")
    #expect(chmod(folder.path("docs"), 0o333) == 0)
    defer { chmod(folder.path("docs"), 0o755) }
    func write() throws {
      var update = FolderUpdate()
      for name in ["old", "new", "sub/er/new"] {
        update.write([2], to: folder.path("docs") + "/\(name)")
      }
      try update.commit()
      #expect(try FolderEntry(folder.path("docs/entry")).makeFolder(permissions: 0o777))
    }
    if isLimited { try ReadableFolders([folder.path("docs")]).only(write) } else { try write() }
    #expect(chmod(folder.path("docs"), 0o755) == 0)
    for name in ["old", "new", "sub/er/new"] {
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("docs/\(name)"))) == Data([2]))
    }
  }
}
