import Foundation
import StrataArchives
import TestSupport
import Testing

@Suite("File status")
struct FileStatusTests {
  @Test("a file, a folder, a dangling link and a device are distinguished")
  func kinds() throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "nowhere")
    #expect(FileStatus(folder.path("file"))?.kind == .file)
    #expect(FileStatus(folder.url.path)?.kind == .folder)
    #expect(FileStatus(folder.path("link"))?.kind == .link)
    #expect(FileStatus("/dev/null")?.kind == .other)
    #expect(FileStatus(folder.path("nowhere")) == nil)
  }

  @Test("a hard link is the same file, a copy is another")
  func identity() throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", to: "file")
    try FileManager.default.linkItem(atPath: folder.path("file"), toPath: folder.path("same"))
    try FileManager.default.copyItem(atPath: folder.path("file"), toPath: folder.path("other"))
    let identity = try #require(FileStatus(folder.path("file"))).stamp.identity
    #expect(FileStatus(folder.path("same"))?.stamp.identity == identity)
    #expect(FileStatus(folder.path("other"))?.stamp.identity != identity)
  }

  @Test("size, permissions, link count and time are equal to Foundation's")
  func values() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    try folder.write("abc", to: "file")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 1_234.5)],
      ofItemAtPath: path)
    let known = try FileManager.default.attributesOfItem(atPath: path)
    let status = try #require(FileStatus(path))
    #expect(status.size == 3)
    #expect(status.permissions == 0o640)
    #expect(status.stamp.identity.inode == known[.systemFileNumber] as? UInt64)
    #expect(status.stamp.modified == .seconds(1_234.5))
  }
}
