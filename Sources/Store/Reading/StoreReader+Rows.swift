package import StrataBase
package import StrataObjectModel
package import StrataSQLite

extension StoreReader {
  /// The shape of the rows of an entity; `nil` if the model has no such entity.
  package func shape(of entity: String) -> StoreRowShape? {
    StoreRowShape(entity, model: model, layout: layout)
  }

  /// Streams the objects of an entity itself, without subentities, by key.
  ///
  /// Memory does not grow with the number of objects.
  ///
  /// - Parameters:
  ///   - keys: Only these objects; `nil` for all.
  ///   - readsFiles: Whether external binary data is read; otherwise values are as in the column.
  ///   - readsInvalidText: Whether the value of a text that is not valid in its encoding is its bytes, instead of a text
  ///     with replacement characters.
  ///
  /// - Throws: Errors of `body`, and ``StoreError``: ``StoreError/badExternalReference``,
  ///   ``StoreError/missingExternalFile(_:)``, damage.
  package func forEachRow(
    of entity: String, among keys: Set<Int64>? = nil, readsFiles: Bool = true,
    readsInvalidText: Bool = false,
    _ body: (ObjectRow) throws -> Void
  ) throws {
    guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else { return }
    let orders = shape.orderedIndices.compactMap { shape.columns[$0].orderColumn }
    let list = (shape.columns.map(\.name) + orders).map(\.quoted)
    let statement = try store.connection.prepare(
      "SELECT \((["Z_PK", "Z_OPT"] + list).joined(separator: ", ")) FROM \(shape.table.quoted) "
        + "WHERE Z_ENT = ?\(Self.condition("Z_PK", isIn: keys)) ORDER BY Z_PK")
    try statement.bind([.integer(number)])
    let count = shape.columns.count
    let external = ExternalData(storePath: store.path)
    // The arrays of the last row are used again, unless `body` has kept them.
    var row = ObjectRow(key: 0, values: Array(repeating: .null, count: count))
    row.orderKeys = Array(repeating: .null, count: orders.count)
    var done = 0
    while try statement.step() {
      WorkProgress.report("reading \(entity)", done)
      done += 1
      (row.key, row.changeCount) = (statement.integer(0) ?? 0, statement.integer(1) ?? 1)
      statement.read(into: &row.values, from: 2)
      for index in shape.externalIndices where readsFiles {
        row.values[index] = try external.value(row.values[index])
      }
      if readsInvalidText {
        for index in row.values.indices {
          guard
            let bytes = try invalidText(
              row.values[index], of: row.key, shape.columns[index], in: shape)
          else { continue }
          row.values[index] = .bytes(bytes)
        }
      }
      statement.read(into: &row.orderKeys, from: 2 + count)
      try body(row)
    }
  }

  /// The row of an object of this entity itself; `nil` if there is none with this key.
  func row(_ key: Int64, of entity: String) throws -> ObjectRow? {
    var found: ObjectRow?
    try forEachRow(of: entity, among: [key]) { found = $0 }
    return found
  }

  /// The bytes of a text that is not valid in the encoding of the store, and was read with replacement characters; `nil`
  /// for any other value.
  func invalidText(
    _ value: AttributeValue, of key: Int64, _ column: StoreColumn, in shape: StoreRowShape
  ) throws(StoreError) -> [UInt8]? {
    // The first byte of the replacement character.
    guard case .text(let text) = value, text.utf8.contains(0xEF),
      text.unicodeScalars.contains("\u{FFFD}")
    else { return nil }
    let row = try store.connection.rows(
      "SELECT CAST(\(column.name.quoted) AS BLOB), CAST(? AS BLOB) FROM \(shape.table.quoted) "
        + "WHERE Z_PK = ?", [value, .integer(key)]
    ).first
    guard let row, case .bytes(let stored) = row[0], row[0] != row[1] else { return nil }
    return stored
  }

  /// The keys of all objects of this entity itself by the value of an attribute as ``AttributeValue/comparable``,
  /// ascending.
  package func keys(
    of entity: String, by name: String
  ) throws(StoreError) -> [AttributeValue: [Int64]] {
    guard let shape = shape(of: entity), let index = shape.index(of: name),
      let number = layout.entityNumbers[entity]
    else { return [:] }
    let statement = try store.connection.prepare(
      "SELECT Z_PK, \(shape.columns[index].name.quoted) FROM \(shape.table.quoted) "
        + "WHERE Z_ENT = ? ORDER BY Z_PK")
    try statement.bind([.integer(number)])
    let external = ExternalData(storePath: store.path)
    var keys: [AttributeValue: [Int64]] = [:]
    while try statement.step() {
      var value = statement.value(1)
      if shape.externalIndices.contains(index) { value = try external.value(value) }
      keys[value.comparable, default: []].append(statement.plainInteger(0))
    }
    return keys
  }

  /// An additional condition for a query of only some keys.
  static func condition(_ column: String, isIn keys: Set<Int64>?) -> String {
    guard let keys else { return "" }
    return " AND \(column) IN (\(keys.sorted().map(String.init).joined(separator: ", ")))"
  }

  /// Streams the pairs of a many-to-many relationship, seen from the end that owns its join table.
  ///
  /// The order of an unordered end is `NULL`.
  package func forEachLink(
    of relationship: Declared<Relationship>,
    _ body: (_ link: ObjectLink) throws -> Void
  ) throws {
    guard let join = try joinTable(of: relationship) else { return }
    let orders = [join.orderColumn, join.inverseOrderColumn].map { $0?.quoted ?? "NULL" }
    let statement = try store.connection.prepare(
      "SELECT \(join.ownColumn.quoted), \(join.otherColumn.quoted), \(orders[0]), \(orders[1]) "
        + "FROM \(join.name.quoted) ORDER BY 1, 2")
    while try statement.step() {
      guard let own = statement.integer(0), let other = statement.integer(1) else { continue }
      try body(
        ObjectLink(
          own: own, other: other, order: statement.value(2), inverseOrder: statement.value(3)))
    }
  }

  /// Streams the destinations of a relationship for all objects, grouped by object, in their order.
  package func forEachDestination(
    of relationship: Declared<Relationship>,
    _ body: (_ source: Int64, _ target: Int64) throws -> Void
  ) throws {
    guard !relationship.property.isTransient,
      let storage = try storage(of: relationship)
    else { return }
    let (own, other) = (storage.own.quoted, storage.other.quoted)
    let statement = try store.connection.prepare(
      "SELECT \(own), \(other) FROM \(storage.table.quoted) WHERE \(own) IS NOT NULL "
        + "AND \(other) IS NOT NULL ORDER BY \(own)"
        + (storage.order.map { ", \($0.quoted)" } ?? "") + ", \(other)")
    while try statement.step() {
      if let from = statement.integer(0), let to = statement.integer(1) { try body(from, to) }
    }
  }

  /// The many-to-many relationships that own a join table.
  package var joinedRelationships: [Declared<Relationship>] {
    layout.joinedRelationships(of: model)
  }
}

/// One pair of a many-to-many relationship.
package struct ObjectLink: Sendable, Hashable {
  package var own: Int64
  package var other: Int64
  /// The order of the other object among the own one's; `NULL` if unordered.
  package var order: AttributeValue
  /// The order of the own object among the other one's.
  package var inverseOrder: AttributeValue

  package init(
    own: Int64, other: Int64, order: AttributeValue = .null, inverseOrder: AttributeValue = .null
  ) {
    self.own = own
    self.other = other
    self.order = order
    self.inverseOrder = inverseOrder
  }
}
