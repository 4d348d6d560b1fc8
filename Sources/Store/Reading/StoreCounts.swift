internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// The keys in a store's tables and the numbers of its links, each counted when it is first asked for, and known from
/// then on: while nothing is written.
///
/// ```swift
/// func printLinks(of reader: borrowing StoreReader) throws {
///   var counts = StoreCounts()
///   for end in reader.model.storedRelationships {
///     print(try counts.links(of: end, in: reader).count)
///   }
/// }
/// ```
package struct StoreCounts: Sendable {
  private var ranges: [String: [StoreReader.NumberedRange]] = [:]
  private var links: [PropertyID: LinkCount] = [:]

  package init() {}

  mutating func ranges(
    in table: String, of reader: borrowing StoreReader
  ) throws(StoreError) -> [StoreReader.NumberedRange] {
    if let known = ranges[table] { return known }
    let found = try reader.keyRanges(in: table)
    ranges[table] = found
    return found
  }

  /// The number of objects of an entity itself, without subentities.
  package mutating func objects(
    of entity: String, in reader: borrowing StoreReader
  ) throws(StoreError) -> Int {
    guard let table = reader.layout.table(of: entity),
      let number = reader.layout.entityNumbers[entity]
    else { return 0 }
    return try ranges(in: table.name, of: reader).first { $0.number == number }?.range.count ?? 0
  }

  /// The links of a relationship: see ``StoreReader/linkCount(of:)``.
  package mutating func links(
    of relationship: Declared<Relationship>, in reader: borrowing StoreReader
  ) throws(StoreError) -> LinkCount {
    if let known = links[relationship.id] { return known }
    // Both ends have the same links.
    if let inverse = reader.model.inverse(of: relationship.property),
      inverse.declaringEntity == relationship.property.destinationName,
      inverse.property.destinationName == relationship.declaringEntity,
      let known = links[inverse.id]
    {
      return known
    }
    let found = try reader.linkCount(of: relationship, &self)
    links[relationship.id] = found
    return found
  }

  /// Whether a table can have rows of unknown entities, unless it is known that it has none.
  func mayHaveStrayRows(in table: String) -> Bool {
    ranges[table]?.contains { $0.number == nil } ?? true
  }

  /// Whether it is known that each row of an entity's table is an object of the entity, or of one below it.
  func isWholeTable(_ entity: String, in reader: borrowing StoreReader) -> Bool {
    guard let table = reader.layout.table(of: entity), let ranges = ranges[table.name] else {
      return false
    }
    let numbers = reader.layout.numbers(below: entity, of: reader.model)
    return ranges.allSatisfy { $0.number.map(numbers.contains) ?? false }
  }

  /// SQL that is true if a value is the key of an object of an entity, or of one below it. Between keys without a gap
  /// nothing is looked up.
  mutating func hasObject(
    _ key: String, of entity: String, in reader: borrowing StoreReader
  ) throws(StoreError) -> String? {
    guard let table = reader.layout.table(of: entity) else { return nil }
    let lookup = reader.hasObject(key, of: entity, in: table.name.quoted)
    let numbers = reader.layout.numbers(below: entity, of: reader.model)
    let parts = try ranges(in: table.name, of: reader)
      .filter { $0.number.map(numbers.contains) ?? false }.map(\.range)
    let range = StoreReader.KeyRange(
      count: parts.reduce(0) { $0 + $1.count }, first: parts.map(\.first).min() ?? 0,
      last: parts.map(\.last).max() ?? 0)
    guard range.isDense else { return lookup }
    // Text and data come after all numbers: as in a lookup, a text of digits can be a key.
    return "(\(key) BETWEEN \(range.first) AND \(range.last) AND CAST(\(key) AS INTEGER) = \(key) "
      + "OR \(key) >= '' AND \(lookup))"
  }
}
