internal import StrataBase
package import StrataSQLite

/// Rows of a table whose primary keys are outside of ``StoredKey/range``: Core Data never assigns such keys, and
/// Strata does not migrate the store.
package struct KeysOutOfRange: Sendable, Hashable {
  package var table: String
  package var count: Int
  /// The first keys below the range, and the first above it, ascending.
  package var keys: [Int64]
}

extension StoreReader {
  /// The rows whose primary keys are out of range, by table.
  package func keysOutOfRange() throws(StoreError) -> [KeysOutOfRange] {
    let range = StoredKey.range
    var found: [KeysOutOfRange] = []
    for table in layout.tables {
      var rows = KeysOutOfRange(table: table.name, count: 0, keys: [])
      // One condition at a time: SQLite looks up both ends of the table without scanning it.
      for condition in ["Z_PK < \(range.lowerBound)", "Z_PK > \(range.upperBound)"] {
        let source = "FROM \(table.name.quoted) WHERE \(condition)"
        let keys = try store.connection.keys("SELECT Z_PK \(source) ORDER BY Z_PK LIMIT 3", [])
        guard !keys.isEmpty else { continue }
        rows.keys += keys
        rows.count += try store.connection.number("SELECT count(*) \(source)")
      }
      if rows.count > 0 { found.append(rows) }
    }
    return found
  }

  /// Checks all primary keys before any arithmetic.
  ///
  /// - Throws: ``StoreError/keyOutOfRange(_:table:)``.
  package func checkKeys() throws(StoreError) {
    guard let rows = try keysOutOfRange().first, let key = rows.keys.first else { return }
    throw .keyOutOfRange(key, table: rows.table)
  }

  /// Whether `Z_PRIMARYKEY` counts the keys of a root entity.
  func countsKeys(ofRoot number: Int64) throws(StoreError) -> Bool {
    guard try !store.connection.plainColumns(of: "Z_PRIMARYKEY").isEmpty else { return false }
    return try store.connection.number(
      "SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(number)]) > 0
  }

  /// The highest key of a table so far, of its rows and of `Z_PRIMARYKEY`: the next object gets the one after it.
  ///
  /// - Parameter number: The `Z_ENT` of the root entity of the table.
  func highestKey(inTable table: String, ofRoot number: Int64) throws(StoreError) -> Int {
    try store.connection.number(
      "SELECT max((SELECT coalesce(max(Z_PK), 0) FROM \(table.quoted)), "
        + "coalesce((SELECT CAST(Z_MAX AS INTEGER) FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0))",
      [.integer(number)])
  }
}
