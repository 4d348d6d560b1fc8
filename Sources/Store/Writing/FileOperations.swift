internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What is asked of the system when files must be whole after a crash; each says why it could not be done.
///
/// Where a replayed document writes, each name is found in its folder, which is open: see ``OpenedPath``.
enum FileOperations {
  /// What the system has against the last thing that was asked of it.
  static var failure: StoreError {
    .unwritable(reason: FileCause.last.words)
  }

  /// What is at the target gives way in the same instant.
  static func move(_ path: String, to target: String) throws(StoreError) {
    guard try place(path).rename(to: place(target)) else { throw failure }
  }

  /// A second name of a file.
  ///
  /// - Returns: Whether the place has links between files.
  /// - Throws: ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``.
  static func link(_ path: String, to target: String) throws(StoreError) -> Bool {
    guard try !place(path).link(to: place(target)) else { return true }
    switch errno {
    case EEXIST: throw .alreadyExists
    case EPERM, ENOTSUP, EXDEV, EMLINK, ENOSYS: return false
    default: throw failure
    }
  }

  private static func place(_ path: String) throws(StoreError) -> FilePlace {
    do throws(FileError) {
      return try FilePlace(path)
    } catch {
      throw .unwritable(reason: error.diagnostic.what)
    }
  }

  /// Waits until a file, or the names in a folder, are on the disk.
  static func sync(_ path: String) throws(StoreError) {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure }
  }

  /// Waits until the names in a folder are on the disk, once a commit has changed them: nothing undoes it.
  ///
  /// - Returns: A warning where the disk may not have them yet.
  static func syncAfterCommit(_ folder: String) -> [Diagnostic] {
    do {
      try sync(folder)
      return []
    } catch {
      return [
        Diagnostic(
          id: "store.notSynced", severity: .warning,
          what: "the new store is in place, but \(error.diagnostic.what)",
          fix: "run `sync`: until the change is on the disk, a power cut can undo it")
      ]
    }
  }

  /// Copies a file to a new one, on the disk.
  static func copy(_ path: String, to target: String) throws(StoreError) {
    do throws(FileError) {
      try FileCopy.copy(path, to: target)
    } catch .unwritable(_, let reason) {
      throw .unwritable(reason: reason)
    } catch {
      throw .unreadable(reason: error.diagnostic.what)
    }
    try sync(target)
  }

  /// Cuts a file.
  static func truncate(_ path: String, to size: Int) throws(StoreError) {
    let file = try place(path).open(O_WRONLY)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    guard ftruncate(file, off_t(size)) == 0, fsync(file) == 0 else { throw failure }
  }

  /// Removes a file that need not be there.
  static func remove(_ path: String) throws(StoreError) {
    guard try place(path).remove() || errno == ENOENT else { throw failure }
  }

  /// The bytes of a file; none of one that is not there.
  static func size(of path: String) -> Int {
    FileStatus(path)?.size ?? 0
  }

  /// Whether two names are of one file.
  static func isSameFile(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }

  /// Gives a file the owner and the mode of another one.
  static func copyOwner(of path: String, to target: String) throws(StoreError) {
    var (old, new) = (stat(), stat())
    let file = try place(target).open(O_RDONLY)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    guard stat(path, &old) == 0, fstat(file, &new) == 0 else { throw failure }
    if old.st_uid != new.st_uid || old.st_gid != new.st_gid {
      guard fchown(file, old.st_uid, old.st_gid) == 0 else { throw failure }
    }
    guard fchmod(file, old.st_mode & 0o7777) == 0 else { throw failure }
  }
}
