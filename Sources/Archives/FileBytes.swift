internal import Foundation

/// Reads whole files, with the bounds and the words that every reader needs.
public enum FileBytes {
  /// The bytes of a regular file.
  ///
  /// - Throws: ``FileError``: no such file, a folder, no permission, or larger than
  ///   ``ArchiveLimits/fileSize``.
  public static func read(_ path: String) throws(FileError) -> [UInt8] {
    let size = try self.size(of: path)
    guard size <= ArchiveLimits.fileSize else {
      throw .tooLarge(path, size: size, limit: ArchiveLimits.fileSize)
    }
    guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path) }
    return [UInt8](data)
  }

  /// The first bytes of a regular file, to tell what it is.
  public static func head(_ path: String, count: Int) throws(FileError) -> [UInt8] {
    _ = try size(of: path)
    guard let file = FileHandle(forReadingAtPath: path) else { throw .unreadable(path) }
    defer { try? file.close() }
    return [UInt8]((try? file.read(upToCount: count)) ?? Data())
  }

  /// The size of a regular file, links followed; anything else is refused before it is opened, since
  /// opening a pipe may wait for ever.
  private static func size(of path: String) throws(FileError) -> Int {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .notFound(path)
    }
    guard !isFolder.boolValue else { throw .isFolder(path) }
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: real) else {
      throw .unreadable(path)
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else { throw .notAFile(path) }
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
  }
}
