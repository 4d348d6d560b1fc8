package import StrataBase
package import StrataSQLite

/// A cursor over the objects of an entity itself by key. It holds the current row, whose values are read on access.
package final class RowCursor {
  package let shape: StoreRowShape
  /// The key of the current object; `nil` before the first and after the last.
  package private(set) var key: Int64?
  let statement: SQLiteStatement
  /// After its last row SQLite begins a statement again, and Apple's build fails.
  private var isAtEnd = false

  /// - Parameter last: The key after which it begins.
  init(
    _ shape: StoreRowShape, number: Int64, after last: Int64?, _ connection: SQLiteConnection
  ) throws(StoreError) {
    self.shape = shape
    let list = shape.columns.map(\.name.quoted)
    statement = try connection.prepare(
      "SELECT \((["Z_PK"] + list).joined(separator: ", ")) FROM \(shape.table.quoted) "
        + "WHERE Z_ENT = ?\(last == nil ? "" : " AND Z_PK > ?") ORDER BY Z_PK")
    try statement.bind([.integer(number)] + (last.map { [.integer($0)] } ?? []))
  }

  /// Moves to the next object and returns its key; `nil` after the last one.
  package func next() throws(StoreError) -> Int64? {
    guard !isAtEnd else { return nil }
    let found = try statement.step() ? statement.plainInteger(0) : nil
    isAtEnd = found == nil
    key = found
    return found
  }

  /// Ends the cursor, even if its current object is still in use, and logs the end of its statement.
  package func finish() {
    key = nil
    statement.reset()
  }

  /// The log entry of its statement so far, if there is a log.
  package var record: TraceStatement? { statement.record }

  /// Begins at the position of another cursor, whose current row it returns again.
  package func resume(_ record: TraceStatement) { statement.resume(record) }

  /// Whether the log entry has all rows that it keeps.
  package var isRecordFull: Bool { record.map { $0.rowCount >= StatementLog.rowLimit } ?? true }

  /// The value at an index of the shape.
  package func value(_ index: Int) -> AttributeValue { statement.value(index + 1) }

  package func isNull(_ index: Int) -> Bool { statement.isNull(index + 1) }
}

extension StoreReader {
  /// A cursor over the objects of an entity itself, optionally after a key.
  package func cursor(
    over entity: String, after last: Int64? = nil
  ) throws(StoreError) -> RowCursor? {
    guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else {
      return nil
    }
    return try RowCursor(shape, number: number, after: last, store.connection)
  }
}
