internal import StrataBase

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder that is open, in which Strata writes: whoever exchanges a folder on its path for a link meanwhile leads
/// no writing elsewhere.
final class OpenFolder {
  private let descriptor: Int32
  private let path: String

  /// - Parameter path: Links in it are followed, as far as ``ReadableFolders/current`` lets them.
  init(_ path: String) throws(FileError) {
    descriptor = try OpenedPath.open(path, O_RDONLY | O_DIRECTORY)
    self.path = path
  }

  private init(_ name: String, in folder: OpenFolder) throws(FileError) {
    path = "\(folder.path)/\(name)"
    descriptor = openat(
      folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw OpenedPath.failure(path) }
  }

  deinit { close(descriptor) }

  /// What stands in it under a name; a link is not followed.
  func status(_ name: String) -> FileStatus? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileStatus(status)
  }

  /// Whether the user may write to what stands under a name.
  func mayWrite(_ name: String) -> Bool { faccessat(descriptor, name, W_OK, 0) == 0 }

  /// Opens a folder in it, and makes one where there is none.
  func folder(_ name: String) throws(FileError) -> OpenFolder {
    guard mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else { throw unwritable(name) }
    return try OpenFolder(name, in: self)
  }

  /// Makes a file, and waits until its bytes are on the disk.
  ///
  /// - Parameter permissions: As the user's mask has them where they are `nil`.
  func create(_ name: String, _ bytes: [UInt8], permissions: Int?) throws(FileError) {
    let file = openat(
      descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw unwritable(name) }
    defer { close(file) }
    let isWritten = bytes.withUnsafeBytes { writeAll($0, to: file) }
    guard isWritten, permissions.map({ fchmod(file, mode_t($0)) == 0 }) ?? true, fsync(file) == 0
    else { throw unwritable(name) }
  }

  /// What stands under the new name gives way in the same instant.
  func rename(_ name: String, to target: String) throws(FileError) {
    guard renameat(descriptor, name, descriptor, target) == 0 else { throw unwritable(target) }
  }

  /// Gives a file a second name; where the file system has none, the first one is gone.
  func keep(_ name: String, as second: String) throws(FileError) {
    if linkat(descriptor, name, descriptor, second, 0) != 0 { try rename(name, to: second) }
  }

  /// Waits until the names in it are on the disk, where the file system can say so.
  func sync() { _ = fsync(descriptor) }

  /// Waits until all names below one of its folders are on the disk.
  func syncAll(in name: String) {
    guard let folder = try? OpenFolder(name, in: self) else { return }
    for inner in (try? folder.names) ?? [] where folder.status(inner)?.kind == .folder {
      folder.syncAll(in: inner)
    }
    folder.sync()
  }

  /// Removes a file, or a folder with all that is in it, as far as it can be.
  func remove(_ name: String) {
    if status(name)?.kind == .folder, let folder = try? OpenFolder(name, in: self) {
      for inner in (try? folder.names) ?? [] { folder.remove(inner) }
      unlinkat(descriptor, name, Int32(AT_REMOVEDIR))
    } else {
      removeFile(name)
    }
  }

  func removeFile(_ name: String) { unlinkat(descriptor, name, 0) }

  private var names: [String] {
    get throws(FileError) { try OpenedPath.names(inFolder: dup(descriptor), path) }
  }

  private func unwritable(_ name: String) -> FileError {
    .unwritable("\(path)/\(name)", reason: FileCause.last.words)
  }
}
