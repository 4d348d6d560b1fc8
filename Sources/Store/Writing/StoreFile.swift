internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A store file that appears whole, with the folder of its external data, or not at all.
public enum StoreFile {
  /// Has `body` make a store under another name, and gives it its place.
  ///
  /// - Parameters:
  ///   - replacing: Whether a store of this name, its journal and its external data give way.
  ///   - body: Makes and finishes the store at the path that it is given.
  /// - Throws: What `body` throws, and ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``;
  ///   then everything is as it was.
  public static func create(
    at path: String, replacing: Bool = false, _ body: (_ path: String) throws -> Void
  ) throws {
    let target = URL(fileURLWithPath: path)
    let parent = target.deletingLastPathComponent()
    let name = target.lastPathComponent
    guard replacing || !FileManager.default.fileExists(atPath: path) else {
      throw StoreError.alreadyExists
    }
    guard FileManager.default.fileExists(atPath: parent.path) else {
      throw StoreError.unwritable(reason: "there is no folder \(parent.path)")
    }
    let stage = parent.appendingPathComponent(".\(name).\(UInt32.random(in: .min ... .max))")
    do {
      try FileManager.default.createDirectory(
        at: stage, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.unwritable(reason: reason(error))
    }
    defer { try? FileManager.default.removeItem(at: stage) }
    let staged = stage.appendingPathComponent(name).path
    try body(staged)
    try sync(staged)
    let support = supportFolder(of: staged)
    let hasSupport = FileManager.default.fileExists(atPath: support)
    if replacing {
      // The journal of another store would be played into the new one.
      for end in ["-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + end)
      }
      try? FileManager.default.removeItem(atPath: supportFolder(of: path))
    }
    if hasSupport, rename(support, supportFolder(of: path)) != 0 {
      throw StoreError.unwritable(
        reason:
          "the folder \(supportFolder(of: name)): \(String(cString: strerror(errno)).lowercased())")
    }
    // A link refuses what is there meanwhile, a rename replaces it.
    let isPlaced = replacing ? rename(staged, path) == 0 : link(staged, path) == 0
    guard isPlaced else {
      let code = errno
      if hasSupport { try? FileManager.default.removeItem(atPath: supportFolder(of: path)) }
      throw code == EEXIST
        ? StoreError.alreadyExists
        : StoreError.unwritable(reason: String(cString: strerror(code)).lowercased())
    }
    try? sync(parent.path)
  }

  /// `.Name_SUPPORT` beside `Name.sqlite`.
  private static func supportFolder(of path: String) -> String {
    URL(fileURLWithPath: ExternalData(storePath: path).folder).deletingLastPathComponent().path
  }

  private static func sync(_ path: String) throws {
    let file = open(path, O_RDONLY)
    guard file >= 0 else {
      throw StoreError.unwritable(reason: String(cString: strerror(errno)).lowercased())
    }
    defer { close(file) }
    guard fsync(file) == 0 else {
      throw StoreError.unwritable(reason: String(cString: strerror(errno)).lowercased())
    }
  }

  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(cause.code))).lowercased() : error.localizedDescription
  }
}
