package import StrataValues

/// Queries that return integers only.
extension SQLiteConnection {
  /// The integer in the first row and column of a query; 0 where there is none.
  package func number(
    _ sql: String, _ values: [AttributeValue] = []
  ) throws(StoreError) -> Int {
    if case .integer(let number)?? = try rows(sql, values).first?.first { Int(number) } else { 0 }
  }

  /// The integers of a one-column query; NULLs are left out.
  package func keys(_ sql: String, _ values: [AttributeValue]) throws(StoreError) -> [Int64] {
    try rows(sql, values).compactMap { row in
      guard case .integer(let key) = row[0] else { return nil }
      return key
    }
  }
}
