internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// A way to read a store without changing its folder, whatever is beside it.
///
/// - A store without WAL frames and without a hot journal is read in place, as immutable.
/// - One with WAL frames is read through hard links of store and `-wal` in a private folder; if hard links are not
///   possible (another file system), through copies.
/// - One with a hot journal is copied, and the copy rolled back.
///
/// Hard links do not share the `-shm` with a live writer, so ``checkUnchanged()`` must be called after reading.
///
/// Source: `Docs/Facts/sqlite-schema.md`, section 12.
struct StoreSnapshot: ~Copyable {
  let files: StoreFiles
  private let folder: PrivateFolder?
  let mode: SQLiteConnection.Mode
  /// The path of the file to open.
  let readablePath: String
  /// The size of the store and its WAL in bytes, the limit of any value in it.
  var size: Int { files.main.size + (files.wal?.size ?? 0) }

  var textEncoding: TextEncoding { files.header.textEncoding }

  private init(
    files: StoreFiles, folder: consuming PrivateFolder?, mode: SQLiteConnection.Mode,
    readablePath: String
  ) {
    self.files = files
    self.folder = folder
    self.mode = mode
    self.readablePath = readablePath
  }

  /// - Parameter withJournal: Whether a hot journal is played back; otherwise it is ignored.
  /// - Throws: ``StoreError``: does not exist, not a SQLite file, truncated, or not enough space for a copy.
  static func take(
    of given: String, withJournal: Bool = true
  ) throws(StoreError) -> StoreSnapshot {
    // SQLite uses the -wal beside the file, not beside a link to it.
    let path = RealPath.resolving(given)
    let files = try StoreFiles(path: path)
    // An invalid or dangerous journal is refused before any of it is copied.
    let journal = withJournal ? try files.hotJournal() : nil
    guard files.hasWALFrames || journal != nil else {
      return StoreSnapshot(files: files, folder: nil, mode: .immutable, readablePath: path)
    }
    let folder = try PrivateFolder()
    let copy = folder.path + "/store.sqlite"
    if let journal {
      // Playing it back truncates the store to its original size.
      let size = journal.pageCount.map {
        max($0 * files.header.pageSize, files.header.expectedSize ?? .max)
      }
      try Self.copy(path, to: copy, size: min(size ?? .max, files.main.size))
      try Self.copy(path + "-journal", to: copy + "-journal")
      // Opening for writing plays the journal back; afterwards the copy is read like any store.
      try rollBack(copy)
    } else if try !files.link(to: copy) {
      // Bytes after the pages of the store, and after the frames of its WAL, are not read.
      try Self.copy(
        path, to: copy, size: min(files.header.expectedSize ?? .max, files.main.size))
      try Self.copy(path + "-wal", to: copy + "-wal", size: files.usedWALSize())
    }
    return StoreSnapshot(files: files, folder: folder, mode: .readOnly, readablePath: copy)
  }

  /// - Throws: ``StoreError/changedMeanwhile`` if the files have changed.
  func checkUnchanged() throws(StoreError) {
    try files.checkUnchanged()
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
    do throws(FileError) {
      try FileCopy.copy(source, to: target, count: size)
    } catch .unreadable(_, let cause) {
      throw .unreadable(reason: cause.message)
    } catch {
      throw .unreadable(reason: error.diagnostic.what)
    }
  }
}

extension StoreFiles {
  /// Creates hard links to the store and its WAL.
  ///
  /// - Returns: `false` if the file system has no hard links, or if other files have the names by now.
  fileprivate func link(to target: String) throws(StoreError) -> Bool {
    for end in ["", "-wal"] {
      guard (try? FileOperations.link(path + end, to: target + end)) == true else { return false }
    }
    let linked = try StoreFiles(path: target)
    return linked.main.stamp.identity == main.stamp.identity
      && linked.wal?.stamp.identity == wal?.stamp.identity
  }
}
