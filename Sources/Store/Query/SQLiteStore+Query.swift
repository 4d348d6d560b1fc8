package import StrataBase
package import StrataSQLite

extension SQLiteStore {
  /// Runs a query of the user, and passes its rows to `body` until it returns `false`.
  ///
  /// It must be a single read-only statement, and may only call functions of SQLite's core.
  ///
  /// - Returns: The names of the columns.
  /// - Throws: ``StoreError/notOneQuery``, ``StoreError/badQuery(_:)``, and errors of reading.
  @discardableResult
  package func query(
    _ sql: String, _ body: ([AttributeValue]) -> Bool
  ) throws(StoreError) -> [String] {
    try connection.query(sql, body)
  }
}
