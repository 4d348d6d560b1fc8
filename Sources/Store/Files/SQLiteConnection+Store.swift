internal import StrataArchives
internal import StrataEssentials
internal import StrataSQLite

extension SQLiteConnection {
  /// Opens a store of the user for writing; used by all code that writes a store.
  ///
  /// SQLite would apply a `-wal` or `-journal` of another store, even if nothing is written.
  ///
  /// - Parameter hasBudget: Whether statements have a budget, since triggers of the file may run; false for a
  ///   migration.
  /// - Throws: ``StoreError/foreignWAL``, ``StoreError/damagedWAL``, ``StoreError/foreignJournal`` and
  ///   ``StoreError/unclearJournal`` before anything has changed, ``StoreError/unwritable(reason:)`` with the
  ///   system's cause, and errors of a file that is not a store.
  convenience init(
    changingStoreAt path: String, hasBudget: Bool = true
  ) throws(StoreError) {
    let files = try StoreFiles(path: path)
    try StoreExamination.checkCompanions(files)
    // SQLite would fall back to read-only, and fail later with a misleading cause.
    guard access(path, W_OK) == 0 else { throw .unwritable(reason: FileCause.last.message) }
    // The store, its -wal, -shm and -journal, and a folder: with fewer descriptors, SQLite leaves an empty -wal
    // behind.
    if let cause = OpenFileLimit.refusal(ofOpening: 5) { throw .unwritable(reason: cause.message) }
    try self.init(path: path, mode: .readWrite, hasBudget: hasBudget)
    if hasBudget { boundReading(size: files.main.size) }
  }

  /// Waits for other programs for a while, as an app would, and syncs each commit, which Apple's SQLite does not do in
  /// WAL mode by default.
  func waitAndSync() throws(StoreError) {
    _ = try rows("PRAGMA busy_timeout = 2000")
    _ = try rows("PRAGMA synchronous = FULL")
  }
}
