package import StrataBase
package import StrataExpressions
package import StrataObjectModel
package import StrataSQLite

/// The objects of a store for predicates: each reads its values on access.
package final class StoreObjects {
  package let reader: StoreReader
  private var shapes: [String: StoreRowShape] = [:]
  /// The queries for a row by its key, by entity.
  private var rowQueries: [String: String] = [:]
  /// The queries for the destinations of an object; `nil` for a relationship that is not stored.
  private var destinationQueries: [PropertyID: String?] = [:]

  package init(_ reader: consuming StoreReader) {
    self.reader = reader
  }

  package var model: ObjectModel { reader.model }

  /// - Throws: ``StoreError/changedMeanwhile``.
  package func checkUnchanged() throws(StoreError) { try reader.store.checkUnchanged() }

  package var metadata: StoreMetadata { reader.store.metadata }

  package func shape(of entity: String) -> StoreRowShape? {
    if let known = shapes[entity] { return known }
    let shape = StoreRowShape(entity, model: reader.model, layout: reader.layout)
    shapes[entity] = shape
    return shape
  }

  /// The query for the entity number and the values of an object by its key.
  fileprivate func rowQuery(for shape: StoreRowShape) -> String {
    if let known = rowQueries[shape.entity] { return known }
    let list = (["t.Z_ENT"] + (shape.columns.isEmpty ? [] : [shape.list("t")]))
      .joined(separator: ", ")
    let query = "SELECT \(list) FROM \(shape.table.quoted) AS t WHERE t.Z_PK = ?"
    rowQueries[shape.entity] = query
    return query
  }

  fileprivate func destinations(
    of relationship: Declared<Relationship>, from key: Int64
  ) throws(StoreError) -> [Int64] {
    guard let query = try destinationsQuery(of: relationship) else { return [] }
    return try reader.store.connection.keys(query, [.integer(key)])
  }

  private func destinationsQuery(
    of relationship: Declared<Relationship>
  ) throws(StoreError) -> String? {
    let id = relationship.id
    if let known = destinationQueries[id] { return known }
    let query = try reader.destinationsQuery(of: relationship)
    destinationQueries[id] = .some(query)
    return query
  }

  /// The object at a cursor. It may be kept: later its values are read by its key.
  package func object(_ key: Int64, at cursor: RowCursor) -> BrowsedObject {
    BrowsedObject(key: key, entity: cursor.shape.entity, objects: self, cursor: cursor)
  }

  /// An object by its key; it need not exist.
  package func object(_ key: Int64, of entity: String) -> BrowsedObject {
    BrowsedObject(key: key, entity: entity, objects: self)
  }
}

/// An object of a store. Its row is read once, at the first access.
package final class BrowsedObject: EvaluatedObject {
  package let key: Int64
  /// The entity as which it is queried: its own or a parent.
  package let entity: String
  let objects: StoreObjects
  /// Entity number and values, in the order of the shape.
  private var row: (number: Int64?, values: [AttributeValue])?
  private let cursor: RowCursor?

  init(
    key: Int64, entity: String, objects: StoreObjects,
    row: (number: Int64?, values: [AttributeValue])? = nil, cursor: RowCursor? = nil
  ) {
    self.key = key
    self.entity = entity
    self.objects = objects
    self.row = row
    self.cursor = cursor
  }

  /// The content of its row.
  var shape: StoreRowShape? { cursor?.shape ?? objects.shape(of: entity) }

  /// The cursor at this object, as long as it has not moved.
  package var currentCursor: RowCursor? {
    guard let cursor, cursor.key == key else { return nil }
    return cursor
  }

  package var identity: ObjectIdentity {
    ObjectIdentity(rootEntity: shape?.rootEntity ?? objects.model.rootName(of: entity), key: key)
  }

  /// The entity of the object; the queried entity if the row does not exist.
  package func concreteEntity() throws -> String {
    if cursor != nil { return entity }
    return try loaded().number.flatMap(objects.reader.layout.entityName(numbered:)) ?? entity
  }

  /// The value of an attribute or to-one relationship from the row; `nil` for other names.
  package func stored(_ name: String) throws -> AttributeValue? {
    guard let index = shape?.index(of: name) else { return nil }
    return try value(at: index)
  }

  /// The keys of the objects that a relationship points to.
  package func destinations(of relationship: Declared<Relationship>) throws -> [Int64] {
    try objects.reader.store.connection.coreData {
      try objects.destinations(of: relationship, from: key)
    }
  }

  /// The keys of the objects that a relationship of its own entity points to; of a to-one relationship, from its row.
  package func destinationKeys(of relationship: Declared<Relationship>) throws -> [Int64] {
    let property = relationship.property
    guard !property.isToMany else { return try destinations(of: relationship) }
    guard case .integer(let key) = try stored(property.name) else { return [] }
    return [key]
  }

  package func value(forKey key: String) throws -> ExpressionValue {
    if let shape, let index = shape.index(of: key) {
      let value = shape.operand(try value(at: index), at: index)
      guard case .toOne(let destination) = shape.contents[index] else {
        // The column of data in an external file does not contain the data.
        return .value(
          shape.externalIndices.contains(index)
            ? try ExternalData(storePath: objects.reader.store.path).value(value) : value)
      }
      guard case .integer(let other) = value else { return .null }
      return .object(objects.object(other, of: destination))
    }
    if let shape, shape.hasElements(of: key) {
      return .object(CompositeValue(of: self, path: key))
    }
    guard let relationship = objects.model.relationship(key, of: entity) else {
      // One that is queried as its parent has the properties of its own entity.
      let own = try concreteEntity()
      guard own != entity else { throw ExpressionError(.unknownKey(key, of: entity, near: nil)) }
      return try objects.object(self.key, of: own).value(forKey: key)
    }
    let keys = try destinations(of: relationship)
    return .collection(
      keys.map { .object(objects.object($0, of: relationship.property.destinationName)) },
      isOrdered: relationship.property.isOrdered)
  }

  /// The value at an index of the entity's shape.
  package func value(at index: Int) throws -> AttributeValue {
    if row == nil, let cursor = currentCursor { return cursor.value(index) }
    return try loaded().values[index]
  }

  private func loaded() throws -> (number: Int64?, values: [AttributeValue]) {
    if let row { return row }
    guard let shape = objects.shape(of: entity) else { return (nil, []) }
    let query = objects.rowQuery(for: shape)
    let connection = objects.reader.store.connection
    let rows = try connection.coreData { try connection.rows(query, [.integer(key)]) }
    let found: (number: Int64?, values: [AttributeValue]) =
      rows.first.map { (number: $0[0].integer, values: Array($0[1...])) }
      ?? (number: nil, values: shape.columns.map { _ in .null })
    row = found
    return found
  }
}

/// A composite attribute of an object, whose elements the object's row holds.
package struct CompositeValue: EvaluatedObject {
  private let object: any EvaluatedObject
  private let path: String

  package init(of object: any EvaluatedObject, path: String) {
    self.object = object
    self.path = path
  }

  package var identity: ObjectIdentity { object.identity }

  package func value(forKey key: String) throws -> ExpressionValue {
    try object.value(forKey: "\(path).\(key)")
  }
}
