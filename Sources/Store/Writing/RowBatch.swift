package import StrataBase
package import StrataSQLite

/// Inserts objects that come from rows of an attached store, many with one statement: what SQL says over such a row
/// goes from page to page without a visit to this program, other values are bound for each object.
package final class RowBatch {
  /// How many objects one statement inserts.
  private static let capacity = 128
  /// More values than this cannot be bound: each has a bit that tells whether it was.
  package static let valueLimit = 60

  private let table: String
  private let entityNumber: Int64
  private let source: String
  private let connection: SQLiteConnection
  /// By their places in the shape, the columns and what they get in SQL over the row `s`.
  private var columns: [(place: Int, name: String, value: String)]
  /// The columns that get bound values, in the order of ``values``.
  private var boundPlaces: [Int] = []
  /// By place, their numbers in it.
  private var numbers: [Int?]
  private let shape: StoreRowShape
  /// By how many objects they insert.
  private var insertions: [Int: Insertion] = [:]

  private final class Insertion {
    let statement: SQLiteStatement

    init(_ statement: consuming SQLiteStatement) { self.statement = statement }
  }

  /// What has been begun, by object: its key and the key of its source, a bit for each value that was bound, and
  /// the values.
  private var waiting: [(source: Int64, own: Int64, mask: Int64)] = []
  private var values: [AttributeValue] = []

  /// - Parameters:
  ///   - columns: By their places, what columns get in SQL over the row `s` of the other store's table.
  init(
    into shape: StoreRowShape, entityNumber: Int64, _ columns: [(place: Int, value: String)],
    from source: String, _ connection: SQLiteConnection
  ) {
    self.shape = shape
    self.entityNumber = entityNumber
    self.source = source.quoted
    self.connection = connection
    table = shape.table.quoted
    numbers = Array(repeating: nil, count: shape.names.count)
    self.columns = columns.map { ($0.place, shape.columnName(at: $0.place), $0.value) }
  }

  package var isFull: Bool { waiting.count == Self.capacity }

  /// The keys of the objects that wait to be inserted.
  package var keys: [Int64] { waiting.map(\.own) }

  /// Begins an object.
  package func begin(_ key: Int64, from source: Int64) {
    waiting.append((source, key, 0))
    for _ in boundPlaces { values.append(.null) }
  }

  /// Whether a column can get a bound value.
  package func canBind(at place: Int) -> Bool {
    numbers[place] != nil || boundPlaces.count < Self.valueLimit
  }

  /// Gives the object that was begun last a value, whatever SQL says.
  package func bind(_ value: AttributeValue, at place: Int) {
    let number = numbers[place] ?? addValue(at: place)
    waiting[waiting.count - 1].mask |= Int64(1) << Int64(number)
    values[values.count - boundPlaces.count + number] = value
  }

  /// A value more for each object; those that wait lack it.
  private func addValue(at place: Int) -> Int {
    let count = boundPlaces.count
    values = waiting.indices.flatMap { values[($0 * count)..<(($0 + 1) * count)] + [.null] }
    boundPlaces.append(place)
    numbers[place] = count
    if !columns.contains(where: { $0.place == place }) {
      columns.append((place, shape.columnName(at: place), "NULL"))
    }
    insertions = [:]
    return count
  }

  /// Inserts all that were begun.
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
    var place = 1
    for row in rows {
      try insertion.statement.bind(.integer(waiting[row].source), at: place)
      try insertion.statement.bind(.integer(waiting[row].own), at: place + 1)
      try insertion.statement.bind(.integer(waiting[row].mask), at: place + 2)
      place += 3
      for number in boundPlaces.indices {
        try insertion.statement.bind(values[row * boundPlaces.count + number], at: place)
        place += 1
      }
    }
    while try insertion.statement.step() {}
  }

  private func insertion(of count: Int) throws(StoreError) -> Insertion {
    if let known = insertions[count] { return known }
    let parameters = ["k", "d", "m"] + boundPlaces.indices.map { "g\($0)" }
    let row = "(\(parameters.map { _ in "?" }.joined(separator: ", ")))"
    let rows = Array(repeating: row, count: count).joined(separator: ", ")
    let list = columns.map { column in
      guard let number = numbers[column.place] else { return column.value }
      return column.value == "NULL"
        ? "v.g\(number)"
        : "CASE WHEN v.m & \(Int64(1) << Int64(number)) THEN v.g\(number) ELSE \(column.value) END"
    }
    let made = try Insertion(
      connection.prepare(
        "WITH v (\(parameters.joined(separator: ", "))) AS (VALUES \(rows)) "
          + "INSERT INTO main.\(table) "
          + "(\((["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name)).joined(separator: ", "))) "
          + "SELECT \((["v.d", "\(entityNumber)", "1"] + list).joined(separator: ", ")) "
          + "FROM v CROSS JOIN source.\(source) AS s ON s.Z_PK = v.k"))
    insertions[count] = made
    return made
  }
}
