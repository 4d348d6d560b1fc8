internal import CSQLite

/// Settings of a connection that compiles the schema of another database.
extension SQLiteConnection {
  /// From here on, a name in double quotes that is no column is an error, and not a text.
  package func requireColumnNames() {
    for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL] {
      _ = strata_sqlite3_db_config_flag(handle, option, 0)
    }
  }

  /// Lets statements compile that call a function which only an app knows; it gives NULL.
  package func addPlaceholder(function name: String) {
    sqlite3_create_function_v2(
      handle, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
      { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
  }

  /// Lets statements compile that sort by a collation which only an app knows; all texts are equal in it.
  package func addPlaceholder(collation name: String) {
    sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
  }
}

extension SQLiteConnection {
  /// Runs statements that fire no trigger.
  package func withoutTriggers<Result>(
    _ body: (SQLiteConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    // What is prepared already would fire them.
    forgetStatements()
    _ = strata_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    defer {
      forgetStatements()
      _ = strata_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
    }
    return try body(self)
  }
}

extension StoreError {
  /// SQLite's message where it refuses a statement for what the statement says or for values that break a
  /// rule; `nil` for failures of other kinds, which end a transaction.
  package var refusal: String? {
    guard case .sqlite(let code, let message, _) = self,
      [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG].contains(code & 0xFF)
    else { return nil }
    return message
  }
}
