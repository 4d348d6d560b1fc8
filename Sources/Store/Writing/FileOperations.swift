internal import CSystem
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// File operations that are durable after a crash; each throws the cause of a failure.
///
/// In a replayed document, each name is resolved in its open folder: see ``OpenedPath``.
enum FileOperations {
  /// The error for `errno`.
  static var failure: StoreError {
    .unwritable(reason: FileCause.last.message)
  }

  /// Replaces the target atomically.
  static func move(_ path: String, to target: String) throws(StoreError) {
    guard try entry(path).rename(to: entry(target)) else { throw failure }
  }

  /// Creates a hard link.
  ///
  /// - Returns: Whether the file system supports hard links.
  /// - Throws: ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``.
  static func link(_ path: String, to target: String) throws(StoreError) -> Bool {
    guard try !entry(path).link(to: entry(target)) else { return true }
    switch errno {
    case EEXIST: throw .alreadyExists
    case EPERM, ENOTSUP, EXDEV, EMLINK, ENOSYS: return false
    default: throw failure
    }
  }

  /// Moves a file to a name that is free.
  ///
  /// - Throws: ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``.
  static func moveToFreeName(_ path: String, to target: String) throws(StoreError) {
    // A rename would replace a file that was created meanwhile; creating a hard link fails.
    if try link(path, to: target) {
      try remove(path)
    } else {
      try moveWithoutLink(path, to: target)
    }
  }

  /// Creates an empty file, which fails if there is one, and replaces it.
  static func moveWithoutLink(_ path: String, to target: String) throws(StoreError) {
    let file = try entry(target).open(O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
    guard file >= 0 else { throw errno == EEXIST ? .alreadyExists : failure }
    close(file)
    do throws(StoreError) {
      try move(path, to: target)
    } catch {
      try? remove(target)
      throw error
    }
  }

  private static func entry(_ path: String) throws(StoreError) -> FolderEntry {
    do throws(FileError) {
      return try FolderEntry(path)
    } catch {
      throw .unwritable(reason: error.diagnostic.what)
    }
  }

  /// Creates a folder and the missing folders above it; no link that leads out of the readable folders is followed.
  static func makeFolder(_ path: String) throws(StoreError) {
    do throws(FileError) {
      _ = try OpenFolder.made(path)
    } catch .unwritable(_, let reason) {
      throw .unwritable(reason: reason)
    } catch .unreadable(_, let cause) {
      throw .unwritable(reason: cause.message)
    } catch {
      throw .unwritable(reason: error.diagnostic.what)
    }
  }

  /// Creates a file with these bytes. A partial file is deleted.
  static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let target = try entry(path)
    let file = target.open(O_WRONLY | O_CREAT | O_EXCL, permissions: 0o666)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    guard bytes.withUnsafeBytes({ writeAll($0, to: file) }) else {
      let cause = failure
      _ = target.remove()
      throw cause
    }
  }

  /// Deletes a folder with its contents, as far as possible.
  static func removeFolder(_ path: String) {
    let folder = URL(fileURLWithPath: path)
    try? OpenFolder(folder.deletingLastPathComponent().path).remove(folder.lastPathComponent)
  }

  /// Syncs a file, or the entries of a folder, to the disk.
  static func sync(_ path: String) throws(StoreError) {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    guard syncToDisk(file) else { throw failure }
  }

  /// Syncs the entries of a folder after a commit, which cannot be undone.
  ///
  /// - Returns: A warning if syncing failed.
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

  /// Copies a file to a new one, synced to the disk.
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

  /// Truncates a file.
  static func truncate(_ path: String, to size: Int) throws(StoreError) {
    let file = try entry(path).open(O_WRONLY)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    guard ftruncate(file, off_t(size)) == 0, syncToDisk(file) else { throw failure }
  }

  /// Deletes a file if it exists.
  static func remove(_ path: String) throws(StoreError) {
    guard try entry(path).remove() || errno == ENOENT else { throw failure }
  }

  /// The bytes of a file; empty if it does not exist.
  static func size(of path: String) -> Int {
    FileStatus(path)?.size ?? 0
  }

  /// Whether two paths are the same file.
  static func isSameFile(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }

  /// Copies owner and mode from another file, on macOS also the access control list and the extended attributes.
  static func copyOwner(of path: String, to target: String) throws(StoreError) {
    var (old, new) = (stat(), stat())
    let file = try entry(target).open(O_RDONLY)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    guard stat(path, &old) == 0, fstat(file, &new) == 0 else { throw failure }
    if old.st_uid != new.st_uid || old.st_gid != new.st_gid {
      guard fchown(file, old.st_uid, old.st_gid) == 0 else { throw failure }
    }
    guard fchmod(file, old.st_mode & 0o7777) == 0 else { throw failure }
    #if canImport(Darwin)
      let source = open(path, O_RDONLY | O_CLOEXEC)
      guard source >= 0 else { throw failure }
      defer { close(source) }
      // A file system without them has none to lose.
      guard strata_copy_attributes(source, file) == 0 || errno == ENOTSUP else { throw failure }
    #endif
  }
}
