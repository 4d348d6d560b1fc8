internal import CSQLite
package import StrataBase
internal import StrataObjectModel
package import StrataSQLite

/// Inserts the objects of one entity with one prepared statement.
///
/// Bound values stay bound for the following rows.
package final class EntityInserter {
  package let shape: StoreRowShape
  private let number: Int64
  /// Hands out the keys of the table.
  let keys: KeyCounter
  private let external: ExternalColumns
  private let connection: SQLiteConnection
  private let statement: SQLiteStatement
  /// The files of the object that is written, by the index of their attribute.
  private var files: (key: Int64, names: [Int: String]) = (0, [:])

  init(
    _ shape: StoreRowShape, number: Int64, keys: KeyCounter,
    external: ExternalColumns, _ connection: SQLiteConnection
  ) throws(StoreError) {
    self.external = external
    self.connection = connection
    self.shape = shape
    self.number = number
    self.keys = keys
    let orders = shape.orderedIndices.compactMap { shape.columns[$0].orderColumn }
    let columns =
      ["Z_PK", "Z_ENT", "Z_OPT"] + shape.columns.map(\.name.plainOrQuoted)
      + orders.map(\.plainOrQuoted)
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    // As Core Data writes it: `Docs/Facts/debug-logs.md`, shape 44.
    statement = try connection.prepare(
      "INSERT INTO \(shape.table.plainOrQuoted)(\(columns.joined(separator: ", "))) VALUES(\(marks))"
    )
  }

  /// Reserves the next free key.
  package func takeKey() -> Int64 { keys.take() }

  /// The column content of a value: large binary data is written to a file if the attribute allows it.
  package func columnValue(
    _ value: AttributeValue, at index: Int, key: Int64
  ) throws(StoreError) -> AttributeValue {
    guard shape.externalIndices.contains(index) else { return value }
    if files.key != key { files = (key, [:]) }
    if let former = files.names.removeValue(forKey: index) { external.discard(former) }
    let content = try external.value(
      value, name: "\(shape.rootEntity) \(key) \(shape.names[index])")
    files.names[index] = try ExternalData.fileName(in: content)
    return content
  }

  /// Inserts objects of the entity with columns from an attached store.
  ///
  /// - Parameter columns: The SQL expressions of columns by index, over the row `s` of the other store's table.
  package func makeBatch(
    _ columns: [(index: Int, value: String)], from table: String
  ) -> RowBatch {
    RowBatch(into: shape, entityNumber: number, columns, from: table, connection)
  }

  /// Begins the row of a key.
  package func begin(_ key: Int64, changeCount: Int64 = 1) throws(StoreError) {
    statement.reset()
    try statement.bind(.integer(key), at: 1)
    try statement.bind(.integer(number), at: 2)
    try statement.bind(.integer(changeCount), at: 3)
  }

  /// Sets a value of the row, at an index of the shape.
  package func bind(_ value: AttributeValue, at index: Int) throws(StoreError) {
    try statement.bind(value, at: index + 4)
  }

  /// Copies a value of another store's row, unconverted.
  package func copy(_ index: Int, of cursor: RowCursor, to own: Int) throws(StoreError) {
    try statement.bind(cursor.statement, column: index + 1, at: own + 4)
  }

  /// Copies values of another store's row, unconverted: pairs of indexes in both rows.
  package func copy(
    _ pairs: [(from: Int, to: Int)], of cursor: RowCursor
  ) throws(StoreError) {
    for pair in pairs {
      try statement.bind(cursor.statement, column: pair.from + 1, at: pair.to + 4)
    }
  }

  /// Inserts the row.
  package func insert() throws(StoreError) {
    while try statement.step() {}
  }

  func insert(_ row: ObjectRow) throws(StoreError) {
    try begin(row.key, changeCount: row.changeCount)
    for index in row.values.indices { try bind(row.values[index], at: index) }
    let count = shape.columns.count
    for index in shape.orderedIndices.indices {
      let key = index < row.orderKeys.count ? row.orderKeys[index] : .null
      try statement.bind(key, at: index + 4 + count)
    }
    try insert()
  }
}

/// Writes the large binary data of a store.
struct ExternalColumns {
  let external: ExternalData
  /// The store's.
  let uuid: String
  /// Whether the store has a file, beside which others can be written.
  let isOnDisk: Bool

  /// The column content of a value.
  ///
  /// - Parameter name: The object and its attribute, from which the file name is derived.
  func value(_ value: AttributeValue, name: String) throws(StoreError) -> AttributeValue {
    guard isOnDisk else {
      if case .bytes(let data) = value { return .bytes([1] + data) }
      return value
    }
    return try external.column(value, seed: "\(uuid) \(name)")
  }

  /// Removes the file of a value that another one replaces. A store with checkpoints is in a private folder, and may return
  /// to a state with it.
  func discard(_ name: String) {
    if !external.tracksFiles { external.remove(name) }
  }
}

/// The keys of a table.
final class KeyCounter {
  /// The last assigned key.
  var last: Int64 = 0

  func take() -> Int64 {
    last += 1
    return last
  }
}
