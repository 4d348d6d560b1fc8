internal import StrataBase
internal import StrataEssentials

/// An open folder in which Strata writes: replacing a folder on its path with a link cannot redirect the write.
package final class OpenFolder {
  private let descriptor: Int32
  private let path: String

  /// - Parameter path: Links in it are followed, as far as ``ReadableFolders/current`` allows.
  package init(_ path: String) throws(FileError) {
    descriptor = try OpenedPath.open(path, OpenedPath.folderFlags)
    self.path = path
  }

  private init(_ name: String, in folder: OpenFolder) throws(FileError) {
    path = "\(folder.path)/\(name)"
    descriptor = openat(
      folder.descriptor, name, OpenedPath.folderFlags | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw OpenedPath.failure(path) }
  }

  /// Opens the folder at a path; each missing folder on it is created in the open one before it.
  ///
  /// - Throws: ``FileError``; a link to something that does not exist is one.
  package static func made(_ path: String) throws(FileError) -> OpenFolder {
    do throws(FileError) {
      return try OpenFolder(path)
    } catch .notFound {
      let names = RealPath.names(on: path)
      guard let name = names.last, name != ".." else { throw .notFound(path) }
      let start = String(path.utf8.prefix(1)) == "/" ? "/" : ""
      let parent = start + names.dropLast().joined(separator: "/")
      return try made(parent.isEmpty ? "." : parent).folder(name)
    }
  }

  deinit { close(descriptor) }

  /// The status of an entry; a link is not followed.
  func status(_ name: String) -> FileStatus? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileStatus(status)
  }

  /// Whether the user may write to an entry.
  func mayWrite(_ name: String) -> Bool { faccessat(descriptor, name, W_OK, 0) == 0 }

  /// Opens a folder in it, created if it does not exist.
  func folder(_ name: String) throws(FileError) -> OpenFolder {
    guard mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else { throw unwritable(name) }
    return try OpenFolder(name, in: self)
  }

  /// Creates a file and syncs it to the disk.
  ///
  /// - Parameter permissions: `nil` for the default by the user's umask.
  func create(_ name: String, _ bytes: [UInt8], permissions: Int?) throws(FileError) {
    let file = openat(
      descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw unwritable(name) }
    defer { close(file) }
    let isWritten = bytes.withUnsafeBytes { writeAll($0, to: file) }
    guard isWritten, permissions.map({ fchmod(file, mode_t($0)) == 0 }) ?? true, syncToDisk(file)
    else { throw unwritable(name) }
  }

  /// Replaces an entry with the new name atomically.
  func rename(_ name: String, to target: String) throws(FileError) {
    guard renameat(descriptor, name, descriptor, target) == 0 else { throw unwritable(target) }
  }

  /// Creates a hard link; if the file system does not support it, renames the file.
  func keep(_ name: String, as second: String) throws(FileError) {
    if linkat(descriptor, name, descriptor, second, 0) != 0 { try rename(name, to: second) }
  }

  /// Syncs its entries to the disk, if the file system supports it.
  func sync() {
    guard let readable = try? readable() else { return }
    _ = syncToDisk(readable)
    close(readable)
  }

  /// Syncs all entries below one of its folders to the disk.
  func syncAll(in name: String) {
    guard let folder = try? OpenFolder(name, in: self) else { return }
    for inner in (try? folder.names) ?? [] where folder.status(inner)?.kind == .folder {
      folder.syncAll(in: inner)
    }
    folder.sync()
  }

  /// Deletes a file, or a folder with its contents, as far as possible.
  package func remove(_ name: String) {
    if status(name)?.kind == .folder, let folder = try? OpenFolder(name, in: self) {
      for inner in (try? folder.names) ?? [] { folder.remove(inner) }
      unlinkat(descriptor, name, Int32(AT_REMOVEDIR))
    } else {
      removeFile(name)
    }
  }

  func removeFile(_ name: String) { unlinkat(descriptor, name, 0) }

  private var names: [String] {
    get throws(FileError) { try OpenedPath.names(inFolder: readable(), path) }
  }

  /// A descriptor for reading and syncing the entries: the user may be allowed to create, but not to list them.
  private func readable() throws(FileError) -> Int32 {
    let descriptor = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OpenedPath.failure(path) }
    return descriptor
  }

  private func unwritable(_ name: String) -> FileError {
    .unwritable("\(path)/\(name)", reason: FileCause.last.message)
  }
}
