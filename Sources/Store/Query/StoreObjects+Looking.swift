package import StrataBase
package import StrataSQLite

/// Queries for browsing a store.
extension StoreObjects {
  /// Whether there is an object with this key.
  package func isThere(_ key: Int64, entity: String) throws(StoreError) -> Bool {
    try reader.concreteEntity(ofKey: key, in: entity) != nil
  }

  /// Runs a query of the user, see ``SQLiteConnection/query(_:_:)``.
  package func query(
    _ sql: String, _ body: ([AttributeValue]) -> Bool
  ) throws(StoreError) -> [String] {
    try reader.store.connection.query(sql, body)
  }
}
