internal import CSystem
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// SQLite's exclusive lock on a store, so that no program can use it. Held without a connection of SQLite, which
/// would delete journals by name when it is closed.
///
/// The lock is released when this process closes any handle of the file: the store must not be opened meanwhile.
///
/// Source: SQLite's documentation on file locking; the bytes of the locks in its file format.
struct StoreLock: ~Copyable {
  private let file: Int32

  /// The range of the pending byte, the reserved byte and the 510 shared bytes: a write lock on all of them is the
  /// exclusive lock; a reader in any journal mode holds a shared byte.
  private static let start: off_t = 0x4000_0000
  private static let length: off_t = 512

  /// - Throws: ``StoreError/locked``, ``StoreError/unwritable(reason:)``, on macOS ``StoreError/remoteVolume``.
  init(_ path: String) throws(StoreError) {
    let file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw FileOperations.failure }
    #if canImport(Darwin)
      guard strata_is_remote(file) == 0 else {
        close(file)
        throw .remoteVolume
      }
    #endif
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Self.start
    lock.l_len = Self.length
    guard fcntl(file, F_SETLK, &lock) == 0 else {
      let isHeld = errno == EACCES || errno == EAGAIN
      let failure = FileOperations.failure
      close(file)
      throw isHeld ? .locked : failure
    }
    self.file = file
  }

  deinit { close(file) }

  /// The first bytes of the store.
  func head(_ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(file, &bytes, count, 0)
    guard read >= 0 else { throw FileOperations.failure }
    return Array(bytes.prefix(read))
  }

  /// Sets WAL mode in the header.
  ///
  /// Source: SQLite's published file format, section 1.3.3.
  func setJournalMode(isWAL: Bool) throws(StoreError) {
    let version: [UInt8] = isWAL ? [2, 2] : [1, 1]
    guard pwrite(file, version, 2, 18) == 2, syncToDisk(file) else { throw FileOperations.failure }
  }

  /// Copies the store, if hard links are not supported.
  func copy(to target: String) throws(StoreError) {
    let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw errno == EEXIST ? .alreadyExists : FileOperations.failure }
    defer { close(copy) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset: off_t = 0
    while true {
      let read = pread(file, &buffer, buffer.count, offset)
      guard read >= 0 else { throw FileOperations.failure }
      guard read > 0 else { break }
      let isWritten = buffer.withUnsafeBytes {
        writeAll(UnsafeRawBufferPointer(rebasing: $0[..<read]), to: copy)
      }
      guard isWritten else { throw FileOperations.failure }
      offset += off_t(read)
    }
    guard syncToDisk(copy) else { throw FileOperations.failure }
  }
}
