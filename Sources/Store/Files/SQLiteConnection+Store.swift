internal import StrataArchives
internal import StrataSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension SQLiteConnection {
  /// Opens a store of the user to write it: every road that writes one comes here.
  ///
  /// SQLite would play a `-wal` or `-journal` of another store into it, even where nothing is written.
  ///
  /// - Parameter hasBudget: Whether statements have a budget, since triggers of the file may run; a migration has none.
  /// - Throws: ``StoreError/foreignWAL``, ``StoreError/damagedWAL``, ``StoreError/foreignJournal`` and
  ///   ``StoreError/unclearJournal`` before anything has changed, ``StoreError/unwritable(reason:)`` with the system's
  ///   cause, and what says that the file is no store.
  convenience init(
    changingStoreAt path: String, hasBudget: Bool = true
  ) throws(StoreError) {
    let files = try StoreFiles(path: path)
    try StoreExamination.checkCompanions(files)
    // SQLite would open it to read, and fail later with a cause that is not the first.
    guard access(path, W_OK) == 0 else { throw .unwritable(reason: FileCause.last.words) }
    // The store, its -wal, -shm and -journal, and a folder: with fewer SQLite leaves an empty -wal behind.
    if let cause = OpenFileLimit.refusal(ofOpening: 5) { throw .unwritable(reason: cause.words) }
    try self.init(path: path, mode: .readWrite, hasBudget: hasBudget)
    if hasBudget { boundReading(size: files.main.size) }
  }
}
