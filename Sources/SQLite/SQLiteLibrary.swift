internal import CSQLite

/// SQLite as a whole, for a program that has it to itself.
package enum SQLiteLibrary {
  /// Such as "3.40.1".
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Makes SQLite count no memory: the count is guarded by one lock, for which threads that work on files of their
  /// own would wait at each allocation.
  ///
  /// It has an effect only before the first connection. A program that links the library decides for itself.
  package static func stopCountingMemory() {
    _ = strata_sqlite3_config_flag(SQLITE_CONFIG_MEMSTATUS, 0)
  }
}
