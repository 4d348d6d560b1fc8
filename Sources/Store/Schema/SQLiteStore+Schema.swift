internal import StrataBase
package import StrataSQLite

extension SQLiteStore {
  /// The statements that created the store's tables, indexes and triggers, in order.
  package func schema() throws(StoreError) -> [StoreSchema.Statement] {
    try connection.schemaItems().compactMap { item in
      let kind: StoreSchema.Statement.Kind
      switch item.kind {
      case .table: kind = .table
      case .index, .virtualTable: kind = .index
      case .trigger: kind = .trigger
      case .view: return nil
      }
      return StoreSchema.Statement(kind: kind, name: item.name, table: item.table, sql: item.sql)
    }
  }
}
