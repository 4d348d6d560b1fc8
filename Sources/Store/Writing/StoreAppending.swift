internal import StrataBase
internal import StrataEssentials
package import StrataObjectModel
package import StrataSQLite

/// Adds all objects of a store to another one of the same model, in one transaction.
///
/// ```swift
/// let part = try StoreReader(SQLiteStore(reading: "Part.sqlite"), model: model1)
/// try StoreAppending(to: path, model: model1).append(part)  // 12: the number of added objects
/// ```
///
/// The objects get the next keys of their tables, and keep the links among themselves. Existing objects do not
/// change, except those with a stand-in: they get its links and its changed attributes. Persistent history is not
/// written.
package struct StoreAppending: ~Copyable {
  /// Links between objects of the store that the stand-ins have replaced.
  package struct ReplacedLinks: Sendable, Hashable {
    /// The relationship: `Topic.topicList`.
    package let relationship: String
    package let count: Int
  }

  private let reader: StoreReader

  /// Opens the store exclusively.
  ///
  /// - Throws: ``StoreError``: not a SQLite store, in use, or of another model.
  package init(
    to given: String, model: ObjectModel, log: StatementLog? = nil
  ) throws(StoreError) {
    // Triggers of the file have the same limits as when reading.
    let store = try SQLiteStore(changing: given, log: log, hasBudget: true)
    guard store.metadata.versionHashes == model.versionHashes() else { throw .changedMeanwhile }
    reader = try StoreReader(store, model: model)
  }

  /// Adds the objects and commits.
  ///
  /// - Parameters:
  ///   - placeholders: The objects of the part that represent objects of the store, and are not added.
  ///   - check: Receives the links of the store that are replaced, before the commit; its errors leave the store unchanged.
  /// - Returns: The number of added objects.
  /// - Throws: ``StoreError/notUnique(index:)``, ``StoreError/noKeysLeft(entity:)``,
  ///   ``StoreError/triggersInterfere`` and others: then the store is unchanged.
  package consuming func append(
    _ part: borrowing StoreReader, _ placeholders: ObjectPlaceholders = ObjectPlaceholders(),
    checking check: ([ReplacedLinks]) throws -> Void = { _ in }
  ) throws -> Int {
    let written = WrittenFiles()
    let external = ExternalData(storePath: reader.store.path, written: written)
    let (path, model) = (reader.store.path, reader.model)
    var counts: Counts?
    do {
      let ends = replaceable(by: placeholders)
      for end in ends { try reader.noteLinks(of: end) }
      let added = try add(part, placeholders, external)
      try check(
        try ends.map {
          ReplacedLinks(
            relationship: $0.qualifiedName, count: try reader.missingLinkCount(of: $0, in: [$0]))
        }.filter { $0.count > 0 })
      counts = added
      try external.sync(written.names)
      try reader.store.commit()
      return counts?.added ?? 0
    } catch {
      _ = consume self
      // The journal may be deleted before SQLite reports an error: check the store itself.
      if let counts, (try? counts.stand(in: path, model)) == true { return counts.added }
      for name in written.names { external.remove(name) }
      if let error = error as? StoreError, error.isConstraintViolation {
        throw StoreError.notUnique(index: error.notUniqueColumns ?? error.diagnostic.what)
      }
      throw error
    }
  }

  /// The relationships of objects with stand-ins in which an object has at most one other: each by one of its ends.
  private func replaceable(by placeholders: ObjectPlaceholders) -> [Declared<Relationship>] {
    let model = reader.model
    let lineages = Set(placeholders.pairs.map(\.entity)).reduce(into: Set<String>()) {
      $0.formUnion(model.lineageNames(of: $1))
    }
    var known: Set<PropertyID> = []
    return model.entities.flatMap { entity in
      entity.relationships.filter { !$0.isTransient }
        .map { Declared(property: $0, declaringEntity: entity.name) }
    }.filter { end in
      let inverse = model.inverse(of: end.property)
      guard !lineages.isDisjoint(with: [end.declaringEntity, end.property.destinationName]),
        !end.property.isToMany || inverse?.property.isToMany != true,
        inverse.map({ known.contains($0.id) }) != true
      else { return false }
      return known.insert(end.id).inserted
    }
  }

  /// The final number of objects of each entity, and the number of added ones.
  private struct Counts {
    var expected: [String: Int] = [:]
    var added = 0

    /// Whether the objects were committed.
    func stand(in path: String, _ model: ObjectModel) throws -> Bool {
      let now = try StoreReader(SQLiteStore(reading: path), model: model)
      return try added > 0 && expected.allSatisfy { try now.count(of: $0.key) == $0.value }
    }
  }

  private func add(
    _ part: borrowing StoreReader, _ placeholders: ObjectPlaceholders, _ external: ExternalData
  ) throws -> Counts {
    let connection = reader.store.connection
    _ = try connection.rows("PRAGMA recursive_triggers = 1")
    let offsets = try connection.coreData { () throws(StoreError) in try keyOffsets(placeholders) }
    var counts = Counts()
    for entity in reader.layout.entityOrder {
      let count = try part.count(of: entity) - placeholders.count(of: entity)
      counts.expected[entity] = try reader.count(of: entity) + count
      counts.added += count
    }
    try connection.coreData {
      for entity in reader.layout.entityOrder {
        try copyObjects(of: entity, part, offsets, external)
      }
      for pair in placeholders.pairs {
        try change(pair, as: part, offsets, external, released: placeholders.released)
      }
      for relationship in part.joinedRelationships {
        try copyLinks(of: relationship, part, offsets)
      }
      try fillSystemColumns(offsets)
    }
    // The store's own triggers have run too.
    for entity in reader.layout.entityOrder
    where try reader.count(of: entity) != counts.expected[entity] {
      throw StoreError.triggersInterfere
    }
    return counts
  }

  /// The offset of the keys of each table, by root entity: its highest key so far.
  private func keyOffsets(_ placeholders: ObjectPlaceholders) throws(StoreError) -> KeyOffsets {
    let offsets = KeyOffsets(model: reader.model, placeholders: placeholders)
    for table in reader.layout.tables {
      guard let number = reader.layout.entityNumbers[table.rootEntity] else { continue }
      let highest = try reader.highestKey(inTable: table.name, ofRoot: number)
      guard highest >= 0 else { throw .noKeysLeft(entity: table.rootEntity) }
      offsets.byRoot[table.rootEntity] = Int64(highest)
    }
    return offsets
  }

  private func copyObjects(
    of entity: String, _ part: borrowing StoreReader, _ offsets: KeyOffsets,
    _ external: ExternalData
  ) throws {
    guard let from = part.shape(of: entity), let to = reader.shape(of: entity),
      let number = reader.layout.entityNumbers[entity]
    else { return }
    let inserter = try EntityInserter(
      to, number: number, keys: KeyCounter(),
      external: ExternalColumns(
        external: external, uuid: reader.store.metadata.uuid, isOnDisk: true),
      reader.store.connection)
    let sourceIndices = to.names.map { from.index(of: $0) }
    let orders = to.orderedIndices.map { index in
      sourceIndices[index].flatMap { from.orderedIndices.firstIndex(of: $0) }
    }
    let root = reader.model.rootName(of: entity)
    try part.forEachRow(of: entity) { row in
      guard offsets.placeholders.existing(row.key, root: root) == nil else { return }
      var values = sourceIndices.map { $0.map { row.values[$0] } ?? .null }
      for (index, content) in to.contents.enumerated() {
        guard let destination = content.destination, case .integer(let key) = values[index] else {
          continue
        }
        values[index] = .integer(try offsets.moved(key, of: destination))
      }
      for index in to.externalIndices {
        values[index] = try external.column(
          values[index], seed: "\(to.names[index]) \(UInt64.random(in: .min ... .max))")
      }
      var orderKeys = orders.map { $0.map { row.orderKeys[$0] } ?? .null }
      for (offset, index) in to.orderedIndices.enumerated() {
        guard let column = to.columns[index].orderColumn else { continue }
        orderKeys[offset] = try offsets.order(
          orderKeys[offset], behind: values[index], of: to.contents[index].destination,
          in: (to.table, to.columns[index].name, column), reader.store.connection)
      }
      try inserter.insert(
        ObjectRow(
          key: offsets.moved(row.key, of: entity), changeCount: row.changeCount, values: values,
          orderKeys: orderKeys))
    }
  }

  /// Applies the changes of a stand-in to its object: attributes and to-one links.
  private func change(
    _ pair: ObjectPlaceholders.Pair, as part: borrowing StoreReader, _ offsets: KeyOffsets,
    _ external: ExternalData, released: Set<LinkPlace>
  ) throws {
    guard let from = part.shape(of: pair.entity), let to = reader.shape(of: pair.entity),
      let new = try part.row(pair.key, of: pair.entity),
      let old = try reader.row(pair.existing, of: pair.entity)
    else { return }
    var sets: [(column: String, value: AttributeValue)] = []
    for (index, name) in to.names.enumerated() {
      guard let own = from.index(of: name) else { continue }
      let column = to.columns[index]
      switch to.contents[index] {
      case .attribute(let attribute):
        var value = new.values[own]
        // The triggers of the store compute derived attributes.
        guard !attribute.isDerived, value != pair.attributes[name] ?? .null else { continue }
        if to.externalIndices.contains(index) {
          value = try external.column(value, seed: "\(name) \(UInt64.random(in: .min ... .max))")
        }
        sets.append((column.name, value))
      case .toOne(let destination), .owner(let destination):
        var value = new.values[own]
        if case .integer(let key) = value {
          value = .integer(try offsets.moved(key, of: destination))
        } else {
          let place = LinkPlace(table: from.table, column: from.columns[own].name, key: pair.key)
          guard released.contains(place) else { continue }
        }
        guard value != old.values[index] else { continue }
        sets.append((column.name, value))
        if let order = column.orderColumn, let place = from.orderedIndices.firstIndex(of: own) {
          let orderKey = try offsets.order(
            new.orderKeys[place], behind: value, of: destination,
            in: (to.table, column.name, order),
            reader.store.connection)
          sets.append((order, orderKey))
        }
        try release(old.values[index], of: name, by: pair)
      }
    }
    guard !sets.isEmpty else { return }
    let list = sets.map { "\($0.column.quoted) = ?" }.joined(separator: ", ")
    try reader.store.connection.execute(
      "UPDATE \(to.table.quoted) SET \(list), \(Self.countedChange) WHERE Z_PK = ?",
      sets.map(\.value) + [.integer(pair.existing)])
  }

  private static let countedChange = "Z_OPT = coalesce(Z_OPT, 0) + 1"

  /// Clears the other end of a one-to-one link that an existing object leaves.
  private func release(
    _ former: AttributeValue, of relationship: String, by pair: ObjectPlaceholders.Pair
  ) throws {
    guard case .integer(let key) = former,
      let own = reader.model.relationship(relationship, of: pair.entity),
      let inverse = reader.model.inverse(of: own.property), !inverse.property.isToMany,
      let table = reader.layout.table(of: inverse.declaringEntity),
      let column = reader.layout.column(
        of: inverse.property.name, declaredBy: inverse.declaringEntity)
    else { return }
    let cleared = [column.name, column.entityColumn].compactMap { $0 }
      .map { "\($0.quoted) = NULL, " }.joined()
    try reader.store.connection.execute(
      "UPDATE \(table.name.quoted) SET \(cleared)\(Self.countedChange) "
        + "WHERE Z_PK = ? AND \(column.name.quoted) = ?",
      [.integer(key), .integer(pair.existing)])
  }

  private func copyLinks(
    of relationship: Declared<Relationship>, _ part: borrowing StoreReader, _ offsets: KeyOffsets
  ) throws {
    guard let join = try reader.joinTable(of: relationship) else { return }
    let orders = [join.orderColumn, join.inverseOrderColumn]
    let columns = ([join.ownColumn, join.otherColumn] + orders.compactMap { $0 }).map(\.quoted)
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let insertion = PreparedStatement(
      try reader.store.connection.prepare(
        "INSERT OR IGNORE INTO \(join.name.quoted) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
      ))
    let (own, other) = (relationship.declaringEntity, relationship.property.destinationName)
    try part.forEachLink(of: relationship) { link in
      var values: [AttributeValue] = [
        .integer(try offsets.moved(link.own, of: own)),
        .integer(try offsets.moved(link.other, of: other)),
      ]
      if let order = join.orderColumn {
        values.append(
          try offsets.order(
            link.order, behind: values[0], of: own, in: (join.name, join.ownColumn, order),
            reader.store.connection))
      }
      if let order = join.inverseOrderColumn {
        values.append(
          try offsets.order(
            link.inverseOrder, behind: values[1], of: other,
            in: (join.name, join.otherColumn, order),
            reader.store.connection))
      }
      try insertion.statement.bind(values)
      while try insertion.statement.step() {}
      insertion.statement.reset()
    }
  }

  /// The entities that to-one relationships of the new objects point to, and the highest keys.
  private func fillSystemColumns(_ offsets: KeyOffsets) throws(StoreError) {
    let (model, connection) = (reader.model, reader.store.connection)
    for entity in reader.layout.entityOrder {
      for relationship in model[entity]?.relationships ?? [] {
        let offset = offsets.byRoot[model.rootName(of: entity)] ?? 0
        if let sql = reader.layout.entityNumbersUpdate(
          of: Declared(property: relationship, declaringEntity: entity),
          where: "(Z_PK > ? OR Z_PK IN (\(offsets.placeholders.existingKeys(of: entity, model))))")
        {
          try connection.execute(sql, [.integer(offset)])
        }
      }
    }
    for table in reader.layout.tables {
      guard let number = reader.layout.entityNumbers[table.rootEntity] else { continue }
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = max(?, (SELECT coalesce(max(Z_PK), 0) "
          + "FROM \(table.name.quoted))) WHERE Z_ENT = ?",
        [.integer(offsets.byRoot[table.rootEntity] ?? 0), .integer(number)])
    }
  }
}

/// The key offsets of an appended store.
private final class KeyOffsets {
  let model: ObjectModel
  let placeholders: ObjectPlaceholders
  var byRoot: [String: Int64] = [:]
  /// The last order keys of existing objects whose ordered relationships get more objects, by table, column and key.
  private var lastOrders: [[String]: Int64] = [:]

  init(model: ObjectModel, placeholders: ObjectPlaceholders) {
    (self.model, self.placeholders) = (model, placeholders)
  }

  func moved(_ key: Int64, of entity: String) throws(StoreError) -> Int64 {
    let root = model.rootName(of: entity)
    if let existing = placeholders.existing(key, root: root) { return existing }
    let (own, underflows) = key.subtractingReportingOverflow(
      placeholders.count(before: key, root: root))
    let (moved, overflows) = own.addingReportingOverflow(byRoot[root] ?? 0)
    guard !underflows, !overflows, moved > 0 else { throw .noKeysLeft(entity: root) }
    return moved
  }

  /// An order key after the existing ones of an object's relationship.
  ///
  /// - Parameter owner: The key of the owner of the order, in the store.
  func order(
    _ order: AttributeValue, behind owner: AttributeValue, of entity: String?,
    in storage: (table: String, owner: String, order: String), _ connection: SQLiteConnection
  ) throws -> AttributeValue {
    guard let entity, case .integer(let key) = owner, case .integer(let own) = order,
      key <= byRoot[model.rootName(of: entity)] ?? 0
    else { return order }
    let known = [storage.table, storage.order, String(key)]
    let last =
      try lastOrders[known]
      ?? Int64(
        connection.number(
          "SELECT coalesce(max(\(storage.order.quoted)), 0) FROM \(storage.table.quoted) "
            + "WHERE \(storage.owner.quoted) = ?", [.integer(key)]))
    lastOrders[known] = last
    let (moved, overflows) = own.addingReportingOverflow(last)
    guard !overflows else { throw StoreError.noKeysLeft(entity: entity) }
    return .integer(moved)
  }
}
