internal import StrataBase
package import StrataSQLite

extension SQLiteStore {
  /// The statements that created the store's tables, indexes and triggers, in order.
  package func schema() throws(StoreError) -> [StoreSchema.Statement] {
    let rows = try connection.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
    return rows.compactMap { row in
      guard case .text(let type) = row[0], case .text(let name) = row[1],
        case .text(let table) = row[2], case .text(let sql) = row[3]
      else { return nil }
      let kind: StoreSchema.Statement.Kind
      switch type {
      case "table": kind = sql.createsVirtualTable ? .index : .table
      case "index": kind = .index
      case "trigger": kind = .trigger
      default: return nil
      }
      return StoreSchema.Statement(kind: kind, name: name, table: table, sql: sql)
    }
  }
}
