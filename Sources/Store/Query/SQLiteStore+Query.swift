package import StrataBase
package import StrataSQLite

extension SQLiteStore {
  /// Runs a query that a user has typed, and gives its rows until `body` says `false`.
  ///
  /// It is one statement that reads; it calls functions of SQLite's core and no others.
  ///
  /// - Returns: The names of the columns.
  /// - Throws: ``StoreError/notOneQuery``, ``StoreError/badQuery(_:)``, and what reading throws.
  @discardableResult
  package func query(
    _ sql: String, _ body: ([AttributeValue]) -> Bool
  ) throws(StoreError) -> [String] {
    let statement = try connection.prepareQuery(sql)
    while try statement.step() {
      guard body(statement.row) else { break }
    }
    return statement.columnNames
  }
}
