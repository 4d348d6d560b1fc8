package import StrataBase

/// Queries that return integers only.
extension SQLiteConnection {
  /// The integer in the first row and column of a query; 0 if there is none.
  package func number(
    _ sql: String, _ values: [AttributeValue] = []
  ) throws(StoreError) -> Int {
    Int(try numbers(sql, values).first ?? 0)
  }

  /// The integers in the first row of a query, 0 for anything else; none if there is no row.
  package func numbers(
    _ sql: String, _ values: [AttributeValue] = []
  ) throws(StoreError) -> [Int64] {
    (try rows(sql, values).first ?? []).map { $0.integer ?? 0 }
  }

  /// The integers of a one-column query; NULLs are left out.
  package func keys(_ sql: String, _ values: [AttributeValue]) throws(StoreError) -> [Int64] {
    try run(sql, values) { (statement) throws(StoreError) in
      var keys: [Int64] = []
      while try statement.step() {
        if let key = statement.integer(0) { keys.append(key) }
      }
      return keys
    }
  }
}
