internal import StrataBase

/// A statement with integers, prepared once and run repeatedly.
package final class IntegerStatement {
  private let statement: SQLiteStatement

  package init(_ sql: String, _ connection: SQLiteConnection) throws(StoreError) {
    statement = try connection.prepare(sql)
  }

  /// Resets the statement and binds these parameters, counted from 1.
  package func bind(_ values: Int64...) throws(StoreError) {
    statement.reset()
    for index in values.indices { try statement.bind(.integer(values[index]), at: index + 1) }
  }

  /// Steps to the next row; `false` at the end.
  package func next() throws(StoreError) -> Bool { try statement.step() }

  /// Whether it returns a row.
  package func hasRow() throws(StoreError) -> Bool {
    defer { statement.reset() }
    return try statement.step()
  }

  /// The current row's value in a column, counted from 0.
  package func value(_ column: Int) -> Int64 { statement.plainInteger(column) }

  /// Runs it to the end.
  package func run() throws(StoreError) {
    while try statement.step() {}
    statement.reset()
  }
}
