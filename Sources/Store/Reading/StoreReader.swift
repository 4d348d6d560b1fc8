internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// Reads the objects of a store by the model that wrote it.
///
/// The model is checked against the tables first, so a wrong model is an error at once.
package struct StoreReader: ~Copyable {
  package let model: ObjectModel
  package let store: SQLiteStore
  /// The names that the store has.
  package let layout: StoreLayout
  /// The differences between the layout and that of a new store.
  package let storedNames: StoredNames
  /// Errors of join tables that were not found, by `Entity.relationship`.
  private let joinFailures: [PropertyID: StoreError]

  /// - Throws: ``StoreError/missingTable(_:)``, ``StoreError/missingColumn(_:table:)``,
  ///   ``StoreError/ambiguousColumn(_:candidates:table:)`` if the model is not that of the store.
  package init(_ store: consuming SQLiteStore, model: ObjectModel) throws(StoreError) {
    let computed = StoreLayout(model)
    var resolver = SchemaResolver(model, computed: computed)
    for table in computed.tables {
      let columns = try store.connection.columnTypes(of: table.name)
      guard !columns.isEmpty else {
        throw try store.connection.hasTable(table.name)
          ? .unusualTable(table.name) : .missingTable(table.name)
      }
      try resolver.resolve(table, columns)
    }
    try resolver.resolveJoins(tables: store.connection.tableNames()) {
      (name) throws(StoreError) in try store.connection.columnTypes(of: name)
    }
    self.model = model
    storedNames = resolver.names
    layout = StoreLayout(model, keeping: resolver.names)
    joinFailures = resolver.failures
    store.connection.name(layout.entitiesOfTables)
    self.store = store
  }

  /// A reader for a store created with a layout, whose names need not be resolved.
  init(_ store: consuming SQLiteStore, model: ObjectModel, createdBy layout: StoreLayout) {
    (self.model, self.layout) = (model, layout)
    (storedNames, joinFailures) = (StoredNames(), [:])
    store.connection.name(layout.entitiesOfTables)
    self.store = store
  }

  /// The number of objects of this entity itself, without subentities.
  package func count(of entity: String) throws(StoreError) -> Int {
    guard let storage = tableAndNumber(of: entity) else { return 0 }
    return try store.connection.number(
      "SELECT count(*) FROM \(storage.table.quoted) WHERE Z_ENT = ?", [.integer(storage.number)])
  }

  /// The keys of all objects of this entity itself, ascending.
  package func keys(of entity: String) throws(StoreError) -> [Int64] {
    guard let (sql, number) = layout.keysQuery(of: entity) else { return [] }
    return try store.connection.keys(sql, [.integer(number)])
  }

  /// The keys of the next objects of this entity itself, ascending.
  ///
  /// - Parameters:
  ///   - first: The lowest key.
  ///   - limit: Their number at most.
  package func keys(
    of entity: String, from first: Int64, limit: Int
  ) throws(StoreError) -> [Int64] {
    guard let storage = tableAndNumber(of: entity) else { return [] }
    return try store.connection.keys(
      "SELECT Z_PK FROM \(storage.table.quoted) WHERE Z_ENT = ? AND Z_PK >= ? ORDER BY Z_PK LIMIT ?",
      [.integer(storage.number), .integer(first), .integer(Int64(limit))])
  }

  /// The number of objects of this entity itself with keys in a range.
  package func count(
    of entity: String, in keys: ClosedRange<Int64>
  ) throws(StoreError) -> Int {
    guard let storage = tableAndNumber(of: entity) else { return 0 }
    return try store.connection.number(
      "SELECT count(*) FROM \(storage.table.quoted) WHERE Z_ENT = \(storage.number) "
        + "AND Z_PK BETWEEN \(keys.lowerBound) AND \(keys.upperBound)")
  }

  /// An object of an entity or a subentity with its attributes, external binary data read; `nil` if there is none with
  /// this key.
  package func object(_ key: Int64, of family: String) throws -> StoredObject? {
    guard let entity = try concreteEntity(ofKey: key, in: family),
      let shape = shape(of: entity), let row = try row(key, of: entity)
    else { return nil }
    var values: [String: AttributeValue] = [:]
    for (index, content) in shape.contents.enumerated() where content.destination == nil {
      values[shape.names[index]] = row.values[index]
    }
    return StoredObject(entity: entity, key: key, attributes: values)
  }

  /// The destination keys of a relationship of an object, in its order if it is ordered, otherwise ascending.
  package func destinations(
    of relationship: Declared<Relationship>, from key: Int64
  ) throws(StoreError) -> [Int64] {
    guard let sql = try destinationsQuery(of: relationship) else { return [] }
    return try store.connection.keys(sql, [.integer(key)])
  }

  /// The query for the destination keys of a relationship of an object; `nil` for a relationship that is not stored.
  func destinationsQuery(
    of relationship: Declared<Relationship>
  ) throws(StoreError) -> String? {
    relationship.property.isTransient ? nil : try storage(of: relationship)?.destinationsQuery
  }

  /// The concrete entity of the object with this key in the table of `entity`'s root.
  package func concreteEntity(ofKey key: Int64, in entity: String) throws(StoreError) -> String? {
    guard let sql = layout.entityNumberQuery(in: entity) else { return nil }
    return try store.connection.keys(sql, [.integer(key)]).first
      .flatMap(layout.entityName(numbered:))
  }

  private func tableAndNumber(of entity: String) -> (table: String, number: Int64)? {
    guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity] else {
      return nil
    }
    return (table.name, number)
  }

  /// The storage of the links of a relationship in this store.
  package func storage(
    of relationship: Declared<Relationship>
  ) throws(StoreError) -> RelationshipStorage? {
    layout.storage(
      of: relationship, in: model,
      join: relationship.property.isToMany ? try joinTable(of: relationship) : nil)
  }

  /// The join table of a many-to-many relationship; `nil` for other relationships.
  ///
  /// - Throws: ``StoreError/missingTable(_:)``, ``StoreError/ambiguousTable(_:candidates:)`` and the like.
  package func joinTable(
    of relationship: Declared<Relationship>
  ) throws(StoreError) -> JoinTable? {
    if let failure = joinFailures[relationship.id] { throw failure }
    return layout.joinTable(
      of: relationship.property.name, declaredBy: relationship.declaringEntity)
  }
}
