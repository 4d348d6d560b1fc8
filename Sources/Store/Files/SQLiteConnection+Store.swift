internal import StrataSQLite

extension SQLiteConnection {
  /// Opens a store of the user to write it: every road that writes one comes here.
  ///
  /// SQLite would play a `-wal` of another store into it, even where nothing is written.
  ///
  /// - Throws: ``StoreError/foreignWAL`` before anything has changed, and what says that the file is no store.
  convenience init(
    changingStoreAt path: String, workLimit: Int = SQLiteConnection.workLimit
  ) throws(StoreError) {
    try StoreExamination.checkWAL(StoreFiles(path: path))
    try self.init(path: path, mode: .readWrite, workLimit: workLimit)
  }
}
