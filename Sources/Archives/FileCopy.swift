internal import StrataEssentials

/// Copies files and folders that Strata reads.
package enum FileCopy {
  /// Copies a file, or a folder with its contents, to a path that must not exist.
  ///
  /// - Parameter count: How many of a file's first bytes are copied; `nil` for all.
  /// - Throws: ``FileError``, ``FileError/notAFile(_:)`` for what is neither among them.
  package static func copy(_ path: String, to target: String, count: Int? = nil) throws(FileError) {
    guard count != nil || ReadableFolders.current != nil else {
      // The system may be able to share the blocks instead of copying.
      do {
        try FileManager.default.copyItem(atPath: path, toPath: target)
      } catch {
        throw .unwritable(target, reason: FileCause(error).message)
      }
      return
    }
    let file: RegularFile
    do throws(FileError) {
      file = try RegularFile(path)
    } catch .isFolder {
      return try copyFolder(path, to: target)
    }
    let copy = try FolderEntry(target).open(
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o600)
    guard copy >= 0 else { throw unwritable(target) }
    defer { close(copy) }
    guard try file.copy(to: copy, count: count ?? .max) else { throw unwritable(target) }
    guard fchmod(copy, file.status.st_mode & 0o7777) == 0, futimens(copy, times(file.status)) == 0
    else { throw unwritable(target) }
  }

  private static func copyFolder(_ path: String, to target: String) throws(FileError) {
    let names = try OpenedPath.names(in: path)
    guard try FolderEntry(target).makeFolder(permissions: 0o700) else { throw unwritable(target) }
    for name in names { try copy("\(path)/\(name)", to: "\(target)/\(name)") }
  }

  /// The times of the last access and modification.
  private static func times(_ status: stat) -> [timespec] {
    #if canImport(Darwin)
      [status.st_atimespec, status.st_mtimespec]
    #else
      [status.st_atim, status.st_mtim]
    #endif
  }

  private static func unwritable(_ path: String) -> FileError {
    .unwritable(path, reason: FileCause.last.message)
  }
}
