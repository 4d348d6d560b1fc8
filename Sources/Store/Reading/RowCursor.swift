package import StrataBase
package import StrataSQLite

/// Walks the objects of an entity itself in the order of their keys, and holds the row of the one it
/// stands at: values are taken from it only when they are asked for.
package final class RowCursor {
  package let shape: StoreRowShape
  /// That of the object it stands at; `nil` before the first and behind the last.
  package private(set) var key: Int64?
  let statement: SQLiteStatement

  /// - Parameter last: The key behind which it begins.
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

  /// Goes to the next object, and gives its key; `nil` behind the last one.
  package func next() throws(StoreError) -> Int64? {
    let found = try statement.step() ? statement.plainInteger(0) : nil
    key = found
    return found
  }

  /// Ends it, whoever still has an object that it stood at: what is told of its statement is told now.
  package func finish() {
    key = nil
    statement.reset()
  }

  /// What is told of its statement so far, where somebody listens.
  package var record: TraceStatement? { statement.record }

  /// Begins where another cursor stands.
  package func resume(_ record: TraceStatement) { statement.resume(record) }

  /// The value at a place of the shape.
  package func value(_ place: Int) -> AttributeValue { statement.value(place + 1) }

  package func isNull(_ place: Int) -> Bool { statement.isNull(place + 1) }
}

extension StoreReader {
  package func cursor(
    over entity: String, after last: Int64? = nil
  ) throws(StoreError) -> RowCursor? {
    guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else {
      return nil
    }
    return try RowCursor(shape, number: number, after: last, store.connection)
  }
}
