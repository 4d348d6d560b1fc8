internal import StrataBase
internal import StrataObjectModel
package import StrataSQLite

extension StoreReader {
  /// The range of keys of the objects of an entity itself.
  package struct KeyRange: Sendable {
    package var count = 0
    package var first: Int64 = 0
    package var last: Int64 = 0

    package init(count: Int = 0, first: Int64 = 0, last: Int64 = 0) {
      self.count = count
      self.first = first
      self.last = last
    }

    /// Whether every key from the first to the last is used.
    package var isDense: Bool {
      let (span, overflows) = last.subtractingReportingOverflow(first)
      return !overflows && span == Int64(count) - 1
    }
  }

  /// The keys of the objects of one entity number in a table; without a number those of rows that belong to no entity
  /// of the table.
  package typealias NumberedRange = (table: String, number: Int64?, range: KeyRange)

  /// The keys of all entities, by table and number, which are then known.
  package func keyRanges(_ counts: inout StoreCounts) throws(StoreError) -> [NumberedRange] {
    var ranges: [NumberedRange] = []
    for table in layout.tables { ranges += try counts.ranges(in: table.name, of: self) }
    return ranges
  }

  /// Rows with entity numbers that are not in the model, by table.
  package func strayRows(
    _ counts: inout StoreCounts
  ) throws(StoreError) -> [(table: String, count: Int)] {
    try keyRanges(&counts).filter { $0.number == nil }.map { ($0.table, $0.range.count) }
  }

  /// The keys of one of the layout's tables.
  func keyRanges(in name: String) throws(StoreError) -> [NumberedRange] {
    guard let table = layout.tables.first(where: { $0.name == name }) else { return [] }
    let numbers = layout.numbers(below: table.rootEntity, of: model)
    if numbers.count == 1, let range = try rangeOfAll(in: name, numbers[0]) {
      return range.count > 0 ? [(name, numbers[0], range)] : []
    }
    return try numbers.count <= Self.scanLimit
      ? scannedRanges(of: name, numbers) : groupedRanges(of: name, Set(numbers))
  }

  /// The number of entities up to which a table is read once for all, instead of sorting its rows by entity.
  private static var scanLimit: Int { 4 }

  /// The keys of a table; `nil` if a row has another number.
  private func rangeOfAll(in table: String, _ number: Int64) throws(StoreError) -> KeyRange? {
    let name = table.quoted
    let others = try store.connection.number(
      "SELECT EXISTS (SELECT 1 FROM \(name) WHERE Z_ENT IS NOT \(number))")
    guard others == 0 else { return nil }
    // For a whole table, SQLite finds these without reading its rows.
    let found = try store.connection.numbers(
      "SELECT (SELECT count(*) FROM \(name)), (SELECT min(Z_PK) FROM \(name)), "
        + "(SELECT max(Z_PK) FROM \(name))")
    return KeyRange(count: Int(found[0]), first: found[1], last: found[2])
  }

  private func scannedRanges(
    of table: String, _ numbers: [Int64]
  ) throws(StoreError) -> [NumberedRange] {
    let columns = numbers.map { number in
      let first = "SELECT Z_PK FROM \(table.quoted) WHERE Z_ENT = \(number) ORDER BY Z_PK"
      return "count(CASE Z_ENT WHEN \(number) THEN 1 END), "
        + "(\(first) LIMIT 1), (\(first) DESC LIMIT 1)"
    }
    let found = try store.connection.numbers(
      "SELECT \((columns + ["count(*)"]).joined(separator: ", ")) FROM \(table.quoted)")
    let ranges = numbers.indices.map { index in
      KeyRange(
        count: Int(found[3 * index]), first: found[3 * index + 1], last: found[3 * index + 2])
    }
    guard ranges.reduce(0, { $0 + $1.count }) == Int(found[3 * numbers.count]) else {
      return try groupedRanges(of: table, Set(numbers))
    }
    return zip(numbers, ranges).filter { $1.count > 0 }.map { (table, $0, $1) }
  }

  private func groupedRanges(
    of table: String, _ numbers: Set<Int64>
  ) throws(StoreError) -> [NumberedRange] {
    try store.connection.rows(
      "SELECT Z_ENT, count(*), min(Z_PK), max(Z_PK) FROM \(table.quoted) GROUP BY Z_ENT "
        + "ORDER BY Z_ENT"
    ).compactMap { row in
      guard case .integer(let count) = row[1], case .integer(let first) = row[2],
        case .integer(let last) = row[3]
      else { return nil }
      let number = row[0].integer.flatMap { numbers.contains($0) ? $0 : nil }
      return (table, number, KeyRange(count: Int(count), first: first, last: last))
    }
  }
}
