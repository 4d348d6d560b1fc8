package import StrataBase
package import StrataSQLite

/// Inserts objects from rows of an attached store, many per statement: SQLite copies the columns that are SQL
/// expressions; other values are bound for each object.
package final class RowBatch {
  /// The maximum number of objects per statement.
  private static let capacity = 128
  /// The maximum number of bound values: each has a bit that tells whether it was set.
  package static let valueLimit = 60

  private let table: String
  private let entityNumber: Int64
  private let source: String
  private let connection: SQLiteConnection
  /// By index in the shape, the columns and their SQL expressions over the row `s`.
  private var columns: [(index: Int, name: String, value: String)]
  /// The columns that get bound values, in the order of ``values``.
  private var boundIndices: [Int] = []
  /// The position in it, by index.
  private var numbers: [Int?]
  private let shape: StoreRowShape
  /// The statements by number of objects.
  private var insertions: [Int: PreparedStatement] = [:]

  /// The pending objects: key, source key, a bit for each bound value, and the values.
  private var waiting: [(source: Int64, own: Int64, mask: Int64)] = []
  private var values: [AttributeValue] = []

  /// - Parameters:
  ///   - columns: The SQL expressions of columns by index, over the row `s` of the other store's table.
  init(
    into shape: StoreRowShape, entityNumber: Int64, _ columns: [(index: Int, value: String)],
    from source: String, _ connection: SQLiteConnection
  ) {
    self.shape = shape
    self.entityNumber = entityNumber
    self.source = source.quoted
    self.connection = connection
    table = shape.table.quoted
    numbers = Array(repeating: nil, count: shape.names.count)
    self.columns = columns.map { ($0.index, shape.columnName(at: $0.index), $0.value) }
  }

  package var isFull: Bool { waiting.count == Self.capacity }

  /// The keys of the pending objects.
  package var keys: [Int64] { waiting.map(\.own) }

  /// Begins an object.
  package func begin(_ key: Int64, from source: Int64) {
    waiting.append((source, key, 0))
    for _ in boundIndices { values.append(.null) }
  }

  /// Whether a column can get a bound value.
  package func canBind(at index: Int) -> Bool {
    numbers[index] != nil || boundIndices.count < Self.valueLimit
  }

  /// Sets a value of the last object, instead of the SQL expression.
  package func bind(_ value: AttributeValue, at index: Int) {
    let number = numbers[index] ?? addValue(at: index)
    waiting[waiting.count - 1].mask |= Int64(1) << Int64(number)
    values[values.count - boundIndices.count + number] = value
  }

  /// Adds a bound value for each object; pending objects do not have it.
  private func addValue(at index: Int) -> Int {
    let count = boundIndices.count
    values = waiting.indices.flatMap { values[($0 * count)..<(($0 + 1) * count)] + [.null] }
    boundIndices.append(index)
    numbers[index] = count
    if !columns.contains(where: { $0.index == index }) {
      columns.append((index, shape.columnName(at: index), "NULL"))
    }
    insertions = [:]
    return count
  }

  /// Inserts all pending objects.
  package func insert() throws(StoreError) {
    defer {
      waiting.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
    }
    let count = isFull ? Self.capacity : 1
    for first in stride(from: 0, to: waiting.count, by: count) {
      try insert(first..<(first + count))
    }
  }

  private func insert(_ rows: Range<Int>) throws(StoreError) {
    let insertion = try insertion(of: rows.count)
    insertion.statement.reset()
    var parameterIndex = 1
    for row in rows {
      try insertion.statement.bind(.integer(waiting[row].source), at: parameterIndex)
      try insertion.statement.bind(.integer(waiting[row].own), at: parameterIndex + 1)
      try insertion.statement.bind(.integer(waiting[row].mask), at: parameterIndex + 2)
      parameterIndex += 3
      for number in boundIndices.indices {
        try insertion.statement.bind(values[row * boundIndices.count + number], at: parameterIndex)
        parameterIndex += 1
      }
    }
    while try insertion.statement.step() {}
  }

  private func insertion(of count: Int) throws(StoreError) -> PreparedStatement {
    if let known = insertions[count] { return known }
    let parameters = ["k", "d", "m"] + boundIndices.indices.map { "g\($0)" }
    let row = "(\(parameters.map { _ in "?" }.joined(separator: ", ")))"
    let rows = Array(repeating: row, count: count).joined(separator: ", ")
    let list = columns.map { column in
      guard let number = numbers[column.index] else { return column.value }
      return column.value == "NULL"
        ? "v.g\(number)"
        : "CASE WHEN v.m & \(Int64(1) << Int64(number)) THEN v.g\(number) ELSE \(column.value) END"
    }
    let insertion = try PreparedStatement(
      connection.prepare(
        "WITH v (\(parameters.joined(separator: ", "))) AS (VALUES \(rows)) "
          + "INSERT INTO main.\(table) "
          + "(\((["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name)).joined(separator: ", "))) "
          + "SELECT \((["v.d", "\(entityNumber)", "1"] + list).joined(separator: ", ")) "
          + "FROM v CROSS JOIN source.\(source) AS s ON s.Z_PK = v.k"))
    insertions[count] = insertion
    return insertion
  }
}
