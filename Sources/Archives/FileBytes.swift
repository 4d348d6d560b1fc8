internal import Foundation

/// Reads whole files, with the bounds and the words that every reader needs.
public enum FileBytes {
  /// The bytes of a regular file.
  ///
  /// - Throws: ``FileError``: no such file, a folder, no permission, or larger than
  ///   ``ArchiveLimits/fileSize``.
  public static func read(_ path: String) throws(FileError) -> [UInt8] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .notFound(path)
    }
    guard !isFolder.boolValue else { throw .isFolder(path) }
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let size = (attributes[.size] as? NSNumber)?.intValue
    else { throw .unreadable(path) }
    guard size <= ArchiveLimits.fileSize else {
      throw .tooLarge(path, size: size, limit: ArchiveLimits.fileSize)
    }
    guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path) }
    return [UInt8](data)
  }
}
