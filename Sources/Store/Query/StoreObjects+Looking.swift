package import StrataBase
package import StrataSQLite

/// Queries for browsing a store.
extension StoreObjects {
  /// Whether there is an object with this key.
  package func isThere(_ key: Int64, entity: String) throws(StoreError) -> Bool {
    try concreteEntity(ofKey: key, in: entity) != nil
  }

  /// The entity of an object with this key, which may be a subentity; `nil` if there is none.
  package func concreteEntity(ofKey key: Int64, in entity: String) throws(StoreError) -> String? {
    try reader.concreteEntity(ofKey: key, in: entity)
  }

  /// Runs a query of the user, see ``SQLiteStore/query(_:_:)``.
  package func query(
    _ sql: String, _ body: ([AttributeValue]) -> Bool
  ) throws(StoreError) -> [String] {
    try reader.store.query(sql, body)
  }
}
