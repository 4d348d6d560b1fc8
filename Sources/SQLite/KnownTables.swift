internal import StrataBase

/// A cache of the tables of a connection: the schema of a store that is read does not change.
package final class KnownTables {
  fileprivate var sql: [String: String]?
  /// Declared types by column.
  fileprivate var columns: [String: [String: String]] = [:]

  package func forget() {
    sql = nil
    columns = [:]
  }
}

extension SQLiteConnection {
  /// Whether there is a table with this name, of any kind.
  package func hasTable(_ name: String) throws(StoreError) -> Bool {
    _ = try plainColumns(of: name)
    return tables.sql?[name] != nil
  }

  /// The columns of a table; none if there is no such table, or if it is not a plain table.
  ///
  /// A view could run forever, and so could a generated column, whose functions the authorizer does not see.
  package func plainColumns(of table: String) throws(StoreError) -> Set<String> {
    Set(try columnTypes(of: table).keys)
  }

  /// The names of all tables.
  package func tableNames() throws(StoreError) -> [String] {
    _ = try columnTypes(of: "")
    return (tables.sql ?? [:]).keys.sorted()
  }

  /// The columns of a plain table with their declared types, in upper case; empty as above.
  package func columnTypes(of table: String) throws(StoreError) -> [String: String] {
    if let known = tables.columns[table] { return known }
    if tables.sql == nil {
      var sql: [String: String] = [:]
      for row in try rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'") {
        if case .text(let name) = row[0], case .text(let text) = row[1] { sql[name] = text }
      }
      tables.sql = sql
    }
    var columns: [String: String] = [:]
    if let sql = tables.sql?[table], !sql.createsVirtualTable {
      for row in try rows("PRAGMA table_xinfo(\(table.quoted))") {
        // The last column of the result is not 0 for hidden and generated columns.
        guard row.last == .integer(0), case .text(let name) = row[1] else {
          columns = [:]
          break
        }
        if case .text(let type) = row[2] { columns[name] = type.uppercased() }
      }
    }
    tables.columns[table] = columns
    return columns
  }
}
