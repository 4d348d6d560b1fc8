internal import CSQLite

/// SQLite as a whole, for a program that has it to itself.
package enum SQLiteLibrary {
  /// Makes SQLite count no memory: the count is guarded by one lock, for which threads that work on files of their
  /// own would wait at each allocation.
  ///
  /// It has an effect only before the first connection. A program that links the library decides for itself.
  package static func stopCountingMemory() {
    _ = strata_sqlite3_config_flag(SQLITE_CONFIG_MEMSTATUS, 0)
  }
}
