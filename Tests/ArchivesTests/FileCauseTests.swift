import Foundation
import StrataArchives
import TestSupport
import Testing

@Suite("Causes of file errors")
struct FileCauseTests {
  static let causes: [(number: Int32, cause: FileCause)] = [
    (EACCES, .noPermission), (EPERM, .noPermission), (ENOENT, .notFound), (ENOTDIR, .notAFolder),
    (EISDIR, .isFolder), (EMFILE, .tooManyOpenFiles), (ENFILE, .tooManyOpenFiles),
    (ELOOP, .linkLoop), (ENAMETOOLONG, .nameTooLong), (EROFS, .readOnlyFileSystem),
    (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EIO, .inputOutput), (EEXIST, .alreadyExists),
    (EXDEV, .other(EXDEV)),
  ]

  @Test("an error number has the same cause alone and within a Foundation error")
  func meanings() throws {
    for (number, cause) in Self.causes {
      #expect(FileCause(errno: number) == cause)
      let posix = POSIXError(try #require(POSIXErrorCode(rawValue: number)))
      #expect(FileCause(posix) == cause)
      let outer = CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: posix])
      #expect(FileCause(outer) == cause)
    }
  }

  @Test("every cause has a unique message")
  func messages() {
    let messages = Set(Self.causes.map(\.cause)).map(\.message)
    #expect(Set(messages).count == messages.count)
    #expect(messages.allSatisfy { !$0.isEmpty })
  }

  @Test("an error of Foundation's file manager has the system's cause")
  func foundation() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("x", to: "file")
    func cause(_ work: () throws -> Void) -> FileCause? {
      do {
        try work()
        return nil
      } catch {
        return FileCause(error)
      }
    }
    let manager = FileManager.default
    #expect(
      cause { try manager.copyItem(atPath: folder.path("none"), toPath: folder.path("b")) }
        == .notFound)
    #expect(
      cause { try manager.createDirectory(atPath: "\(file)/x", withIntermediateDirectories: false) }
        == .notAFolder)
    #expect(
      cause { try Data().write(to: URL(fileURLWithPath: "\(folder.url.path)/none/x")) } == .notFound
    )
    #expect(
      cause { try Data().write(to: URL(fileURLWithPath: folder.url.path)) } == .isFolder)
  }

  @Test("the status of a path: a file, a folder, nothing, or an error")
  func kinds() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("x", to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a"), withDestinationPath: folder.path("b"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("b"), withDestinationPath: folder.path("a"))
    #expect(try OpenedPath.kind(file) == .file)
    #expect(try OpenedPath.kind(folder.url.path) == .folder)
    #expect(try OpenedPath.kind("/dev/null") == .other)
    #expect(try OpenedPath.kind(folder.path("none")) == nil)
    #expect(try OpenedPath.kind("\(file)/x") == nil)
    #expect(OpenedPath.absence("\(file)/x") == .notAFolder)
    #expect(throws: FileError.unreadable(folder.path("a"), .linkLoop)) {
      try OpenedPath.kind(folder.path("a"))
    }
    #expect(try OpenedPath.names(in: folder.url.path) == ["a", "b", "file"])
    #expect(throws: FileError.unreadable(file, .notAFolder)) { try OpenedPath.names(in: file) }
    #expect(throws: FileError.notFound(folder.path("none"))) {
      try OpenedPath.names(in: folder.path("none"))
    }
  }

  @Test("a file in the data of another app names the setting of macOS that protects it")
  func protectedContainer() {
    let path = "/Users/x/Library/Containers/org.example.app/Data/App.sqlite"
    #expect(FileCause(errno: EPERM).fix(reading: path).contains("full disk access"))
    #expect(
      FileCause(errno: EPERM).fix(reading: "/x/App.sqlite").hasPrefix("check its permissions"))
    #expect(FileCause(errno: ENOENT).fix(reading: path) == "check the path")
  }

  @Test("a path is resolved as realpath does, up to what does not exist")
  func resolvedPath() throws {
    let folder = try TemporaryFolder()
    let real = RealPath.resolving(folder.url.path)
    try folder.write("x", to: "a/f")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "a")
    for (path, target) in [
      ("link/f", "a/f"), ("link/../link/f", "a/f"), ("link/none", "a/none"), ("a/./f", "a/f"),
      ("none/none", "none/none"),
    ] {
      #expect(RealPath.resolving(folder.path(path)) == "\(real)/\(target)", "\(path)")
    }
    #expect(RealPath.resolving("/") == "/")
  }
}
