internal import Foundation
internal import StrataDiagnostics
public import StrataObjectModel
public import StrataSQLite
internal import StrataValues

/// A store to which all objects of another one of the same model are added, in one transaction.
///
/// ```swift
/// let appending = try StoreAppending(to: path, model: model)
/// try appending.append(part)  // 12 objects
/// ```
///
/// The objects get the keys behind those of their tables, and keep the links among themselves. Objects that
/// are there stay as they are. The tables of persistent history stay as they are too.
public struct StoreAppending: ~Copyable {
  private let reader: StoreReader

  /// Opens the store that is to grow, for itself alone.
  ///
  /// - Throws: ``StoreError``: it is no SQLite store, in use, or of another model.
  public init(
    to given: String, model: ObjectModel, log: StatementLog? = nil
  ) throws(StoreError) {
    // What triggers of the file do is bounded, as where it is read.
    let store = try SQLiteStore(
      changing: given, log: log, workLimit: SQLiteConnection.workLimit)
    reader = try Self.reader(of: store, model)
  }

  private static func reader(
    of store: consuming SQLiteStore, _ model: ObjectModel
  ) throws(StoreError) -> StoreReader {
    guard store.metadata.versionHashes == model.versionHashes() else { throw .changedMeanwhile }
    return try StoreReader(store, model: model)
  }

  /// Adds the objects and commits.
  ///
  /// - Returns: How many there are.
  /// - Throws: ``StoreError/notUnique(index:)``, ``StoreError/noKeysLeft(entity:)``,
  ///   ``StoreError/triggersInterfere`` and others: then the store is as it was.
  public consuming func append(_ part: borrowing StoreReader) throws -> Int {
    let written = WrittenFiles()
    let external = ExternalData(storePath: reader.store.path, written: written)
    do {
      let count = try add(part, external)
      try reader.store.commit()
      return count
    } catch {
      for name in written.names { external.remove(name) }
      if let error = error as? StoreError, error.isConstraintViolation {
        throw StoreError.notUnique(index: error.diagnostic.what)
      }
      throw error
    }
  }

  private func add(_ part: borrowing StoreReader, _ external: ExternalData) throws -> Int {
    let connection = reader.store.connection
    _ = try connection.rows("PRAGMA recursive_triggers = 1")
    let offsets = try connection.coreData { () throws(StoreError) in try keyOffsets() }
    var expected: [String: Int] = [:]
    for entity in reader.layout.entityOrder {
      expected[entity] = try reader.count(of: entity) + part.count(of: entity)
    }
    let added = try reader.layout.entityOrder.reduce(0) { try $0 + part.count(of: $1) }
    try connection.coreData {
      for entity in reader.layout.entityOrder {
        try copyObjects(of: entity, part, offsets, external)
      }
      for relationship in part.joinedRelationships {
        try copyLinks(of: relationship, part, offsets)
      }
      try fillSystemColumns(offsets)
    }
    // The store's own triggers have run too.
    for entity in reader.layout.entityOrder where try reader.count(of: entity) != expected[entity] {
      throw StoreError.triggersInterfere
    }
    return added
  }

  /// What is added to the keys of each table, by root entity: its highest key so far.
  private func keyOffsets() throws(StoreError) -> KeyOffsets {
    var offsets = KeyOffsets(model: reader.model)
    for table in reader.layout.tables {
      guard let number = reader.layout.entityNumbers[table.rootEntity] else { continue }
      let highest = try reader.store.connection.number(
        "SELECT max((SELECT coalesce(max(Z_PK), 0) FROM \(table.name.quoted)), "
          + "coalesce((SELECT CAST(Z_MAX AS INTEGER) FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0))",
        [.integer(number)])
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
      to, number: number, rootEntity: reader.model.rootName(of: entity), keys: KeyCounter(),
      external: ExternalColumns(
        external: external, uuid: reader.store.metadata.uuid, isOnDisk: true),
      reader.store.connection)
    let places = to.names.map { from.place(of: $0) }
    let orders = to.orderedPlaces.map { place in
      places[place].flatMap { from.orderedPlaces.firstIndex(of: $0) }
    }
    try part.forEachRow(of: entity) { row in
      var values = places.map { $0.map { row.values[$0] } ?? .null }
      for (place, content) in to.contents.enumerated() {
        guard let destination = content.destination, case .integer(let key) = values[place] else {
          continue
        }
        values[place] = .integer(try offsets.moved(key, of: destination))
      }
      for place in to.externalPlaces {
        values[place] = try external.column(
          values[place], seed: "\(to.names[place]) \(UInt64.random(in: .min ... .max))")
      }
      try inserter.insert(
        ObjectRow(
          key: offsets.moved(row.key, of: entity), changeCount: row.changeCount, values: values,
          orderKeys: orders.map { $0.map { row.orderKeys[$0] } ?? .null }))
    }
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
        "INSERT INTO \(join.name.quoted) (\(columns.joined(separator: ", "))) VALUES (\(marks))"))
    let (own, other) = (relationship.declaringEntity, relationship.property.destinationName)
    try part.forEachLink(of: relationship) { link in
      var values: [AttributeValue] = [
        .integer(try offsets.moved(link.own, of: own)),
        .integer(try offsets.moved(link.other, of: other)),
      ]
      if join.orderColumn != nil { values.append(link.order) }
      if join.inverseOrderColumn != nil { values.append(link.inverseOrder) }
      try insertion.statement.bind(values)
      while try insertion.statement.step() {}
      insertion.statement.reset()
    }
  }

  /// The entities that to-one relationships of the new objects lead to, and the highest keys.
  private func fillSystemColumns(_ offsets: KeyOffsets) throws(StoreError) {
    let (model, connection) = (reader.model, reader.store.connection)
    for entity in reader.layout.entityOrder {
      for relationship in model[entity]?.relationships ?? [] {
        let offset = offsets.byRoot[model.rootName(of: entity)] ?? 0
        if let sql = reader.layout.entityNumbersUpdate(
          of: Declared(property: relationship, declaringEntity: entity), where: "Z_PK > ?")
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

/// How far the keys of an appended store move.
private struct KeyOffsets {
  let model: ObjectModel
  var byRoot: [String: Int64] = [:]

  func moved(_ key: Int64, of entity: String) throws(StoreError) -> Int64 {
    let root = model.rootName(of: entity)
    let (moved, overflows) = key.addingReportingOverflow(byRoot[root] ?? 0)
    guard !overflows, moved > 0 else { throw .noKeysLeft(entity: root) }
    return moved
  }
}
