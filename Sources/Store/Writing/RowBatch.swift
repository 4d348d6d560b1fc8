package import StrataBase
package import StrataSQLite

/// Inserts objects whose values stand in an attached store, many with one statement; some values of each
/// may be given instead.
///
/// What stands in the other store goes from page to page without a visit to this program.
package final class RowCopier {
  /// How many objects one statement inserts.
  package static let capacity = 128
  /// More values than this cannot be given: each has a bit that tells whether it was.
  package static let givenLimit = 60

  private let statement: SQLiteStatement
  /// How many values of an object may be given.
  package let givenCount: Int
  private var waiting = Waiting()

  /// What has been begun.
  private struct Waiting {
    var keys: [(source: Int64, own: Int64)] = []
    /// For each object, a bit for each value that was given, and the values.
    var masks: [Int64] = []
    var values: [AttributeValue] = []

    mutating func begin(_ key: Int64, from source: Int64, givenCount: Int) {
      keys.append((source, key))
      masks.append(0)
      for _ in 0..<givenCount { values.append(.null) }
    }

    mutating func give(_ value: AttributeValue, at number: Int, of givenCount: Int) {
      masks[masks.count - 1] |= Int64(1) << Int64(number)
      values[values.count - givenCount + number] = value
    }

    mutating func removeAll() {
      keys.removeAll(keepingCapacity: true)
      masks.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
    }
  }

  /// - Parameters:
  ///   - columns: Names with their values in SQL over the row `s` of the other store's table.
  ///   - given: The places of columns whose values may be given.
  init(
    into table: String, entityNumber: Int64, columns: [(name: String, value: String)],
    given: [Int], from source: String, _ connection: SQLiteConnection
  ) throws(StoreError) {
    let parameters = ["k", "d", "m"] + given.indices.map { "g\($0)" }
    let row = "(\(parameters.map { _ in "?" }.joined(separator: ", ")))"
    let rows = Array(repeating: row, count: Self.capacity).joined(separator: ", ")
    var values = columns.map(\.value)
    for (bit, place) in given.enumerated() {
      values[place] =
        "CASE WHEN v.m & \(Int64(1) << Int64(bit)) THEN v.g\(bit) ELSE \(values[place]) END"
    }
    statement = try connection.prepare(
      "WITH v (\(parameters.joined(separator: ", "))) AS (VALUES \(rows)) "
        + "INSERT INTO main.\(table.quoted) "
        + "(\((["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name)).joined(separator: ", "))) "
        + "SELECT \((["v.d", "\(entityNumber)", "1"] + values).joined(separator: ", ")) "
        + "FROM v CROSS JOIN source.\(source.quoted) AS s ON s.Z_PK = v.k")
    givenCount = given.count
  }

  package var isFull: Bool { waiting.keys.count == Self.capacity }

  /// The keys of the objects that wait to be inserted.
  package var keys: [Int64] { waiting.keys.map(\.own) }

  /// Begins an object.
  package func begin(_ key: Int64, from source: Int64) {
    waiting.begin(key, from: source, givenCount: givenCount)
  }

  /// Gives the object that was begun last a value, by its number among those that may be given.
  package func give(_ value: AttributeValue, at number: Int) {
    waiting.give(value, at: number, of: givenCount)
  }

  /// Inserts all that were begun.
  package func insert() throws(StoreError) {
    defer { waiting.removeAll() }
    let (keys, masks, values) = (waiting.keys, waiting.masks, waiting.values)
    statement.reset()
    var place = 1
    for row in 0..<Self.capacity {
      guard row < keys.count else {
        // No object has no key.
        try statement.bind(.null, at: place)
        place += 3 + givenCount
        continue
      }
      try statement.bind(.integer(keys[row].source), at: place)
      try statement.bind(.integer(keys[row].own), at: place + 1)
      try statement.bind(.integer(masks[row]), at: place + 2)
      for number in 0..<givenCount {
        try statement.bind(values[row * givenCount + number], at: place + 3 + number)
      }
      place += 3 + givenCount
    }
    while try statement.step() {}
  }
}
