internal import CSQLite

/// Settings of a connection that only compiles the schema of another database.
extension SQLiteConnection {
  /// Disables double-quoted string literals: an unknown quoted name is an error.
  package func requireColumnNames() {
    for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL] {
      _ = strata_sqlite3_db_config_flag(handle, option, 0)
    }
  }

  /// Defines a function of an app as returning NULL, so that statements with it compile.
  package func addPlaceholder(function name: String) {
    sqlite3_create_function_v2(
      handle, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
      { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
  }

  /// Defines a collation of an app in which all texts are equal, so that statements with it compile.
  package func addPlaceholder(collation name: String) {
    sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
  }
}

extension SQLiteConnection {
  /// Runs statements without firing triggers.
  package func withoutTriggers<Result>(
    _ body: (SQLiteConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    // Statements prepared before would still fire them.
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
  /// SQLite's message if the statement is invalid or violates a constraint; `nil` for other errors, which end a
  /// transaction.
  package var refusal: String? {
    guard case .sqlite(let code, let message, _) = self,
      [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG].contains(code & 0xFF)
    else { return nil }
    return message
  }
}
