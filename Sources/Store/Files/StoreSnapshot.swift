internal import Foundation
internal import StrataArchives
internal import StrataDiagnostics
internal import StrataSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A way to read a store without touching its folder, whatever stands beside it.
///
/// - A store without WAL frames and without a hot journal is read where it is, as immutable.
/// - One with WAL frames is read through hard links of store and `-wal` in a private folder; where
///   links are refused (another file system), through copies.
/// - One with a hot journal is copied, and the copy rolled back.
///
/// Hard links share no `-shm` with a live writer, so ``checkUnchanged()`` must be asked after reading.
///
/// Source: facts on technology, the measured table of ways to read a store with frames in its WAL.
struct StoreSnapshot: ~Copyable {
  private let files: StoreFiles
  private let folder: PrivateFolder?
  let mode: SQLiteConnection.Mode
  /// The file to open.
  let readablePath: String
  /// The bytes of the store and its WAL: no value in it can have more.
  var size: Int { files.main.size + (files.wal?.size ?? 0) }

  private init(
    files: StoreFiles, folder: consuming PrivateFolder?, mode: SQLiteConnection.Mode,
    readablePath: String
  ) {
    self.files = files
    self.folder = folder
    self.mode = mode
    self.readablePath = readablePath
  }

  /// - Throws: ``StoreError``: not there, not a SQLite file, cut short, or no room for a copy.
  static func take(of given: String) throws(StoreError) -> StoreSnapshot {
    // SQLite keeps its -wal beside the file itself, not beside a link to it.
    let path = URL(fileURLWithPath: given).resolvingSymlinksInPath().path
    let files = try StoreFiles(path: path)
    guard files.hasWALFrames || files.hasHotJournal else {
      return StoreSnapshot(files: files, folder: nil, mode: .immutable, readablePath: path)
    }
    // What SQLite cannot have written is refused before a byte of it is copied.
    let journal = try files.hotJournal()
    let folder = try PrivateFolder()
    let copy = folder.path + "/store.sqlite"
    if let journal {
      // Playing it back cuts the store to what it was.
      let size = journal.pageCount.map {
        max($0 * files.header.pageSize, files.header.expectedSize ?? .max)
      }
      try Self.copy(path, to: copy, size: min(size ?? .max, files.main.size))
      try Self.copy(path + "-journal", to: copy + "-journal")
      // Opening to write plays the journal back; afterwards the copy is read like any store.
      try rollBack(copy)
    } else if link(path, copy) != 0 || link(path + "-wal", copy + "-wal") != 0 {
      // Nothing of the store behind the pages that it counts is read, and nothing behind the frames of its WAL.
      try Self.copy(
        path, to: copy, size: min(files.header.expectedSize ?? .max, files.main.size))
      try Self.copy(path + "-wal", to: copy + "-wal", size: files.usedWALSize())
    }
    return StoreSnapshot(files: files, folder: folder, mode: .readOnly, readablePath: copy)
  }

  /// - Throws: ``StoreError/changedMeanwhile`` where the files are no longer what they were.
  func checkUnchanged() throws(StoreError) {
    guard try StoreFiles(path: files.path) == files else { throw .changedMeanwhile }
  }

  private static func rollBack(_ path: String) throws(StoreError) {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    _ = try connection.rows("SELECT count(*) FROM sqlite_master")
  }

  /// - Parameter size: How many of its first bytes are copied; `nil` for all.
  private static func copy(
    _ source: String, to target: String, size: Int? = nil
  ) throws(StoreError) {
    try? FileManager.default.removeItem(atPath: target)
    do {
      guard FileManager.default.createFile(atPath: target, contents: nil),
        let input = FileHandle(forReadingAtPath: source),
        let output = FileHandle(forWritingAtPath: target)
      else { throw StoreError.unreadable(reason: FileCause.last.words) }
      defer {
        try? input.close()
        try? output.close()
      }
      var left = size ?? .max
      while left > 0, let bytes = try input.read(upToCount: min(left, 1 << 20)), !bytes.isEmpty {
        if Interruption.isRequested { throw StoreError.interrupted }
        try output.write(contentsOf: bytes)
        left -= bytes.count
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw .unreadable(reason: FileCause(error).words)
    }
  }
}
