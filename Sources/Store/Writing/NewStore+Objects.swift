package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// Access of policies to a new store: objects are read back and changed before it is finished.
extension NewStore {
  /// The keys of the objects of an entity itself, ascending.
  package func keys(of entity: String) throws(StoreError) -> [Int64] {
    guard let (sql, number) = layout.keysQuery(of: entity) else { return [] }
    return try connection.keys(sql, [.integer(number)])
  }

  /// The entity of the object with this key, if it exists.
  package func entity(ofKey key: Int64, in entity: String) throws(StoreError) -> String? {
    guard let sql = layout.entityNumberQuery(in: entity) else { return nil }
    return try connection.keys(sql, [.integer(key)]).first.flatMap(layout.entityName(numbered:))
  }

  /// The value of an attribute, or the key of a to-one relationship; nil for other names.
  package func value(
    of name: String, inObject key: Int64, entity: String
  ) throws(StoreError) -> AttributeValue {
    guard let shape = shape(of: entity), let index = shape.index(of: name) else { return .null }
    let rows = try connection.rows(
      "SELECT \(shape.columns[index].name.quoted) FROM \(shape.table.quoted) WHERE Z_PK = ?",
      [.integer(key)])
    let value = rows.first?.first ?? .null
    return shape.externalIndices.contains(index)
      ? try ExternalData(storePath: path).value(value) : value
  }

  /// The keys of the objects of an entity itself by the value of an attribute, ascending.
  package func keys(
    of entity: String, by name: String
  ) throws(StoreError) -> [AttributeValue: [Int64]] {
    try reader().keys(of: entity, by: name)
  }

  /// Sets attributes of an object.
  package func update(
    _ key: Int64, of entity: String, attributes: [String: AttributeValue]
  ) throws(StoreError) {
    guard let shape = shape(of: entity) else { throw .missingTable(entity) }
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      guard let index = shape.index(of: name) else { continue }
      var stored = value
      if shape.externalIndices.contains(index) {
        try removeFiles(of: key, shape, [index])
        stored = try external.value(value, name: "\(entity) \(key) \(name) changed")
      }
      try connection.execute(
        "UPDATE \(shape.table.quoted) SET \(shape.columns[index].name.quoted) = ? WHERE Z_PK = ?",
        [stored, .integer(key)])
    }
  }

  /// The destination keys of a relationship of an object, in its order if it is ordered.
  package func destinations(
    of relationship: Declared<Relationship>, from key: Int64
  ) throws(StoreError) -> [Int64] {
    let join = layout.joinTable(
      of: relationship.property.name, declaredBy: relationship.declaringEntity)
    guard let sql = layout.storage(of: relationship, in: model, join: join)?.destinationsQuery
    else { return [] }
    return try connection.keys(sql, [.integer(key)])
  }
}

/// Services for a migration: temporary tables, and the old store attached to the new one.
extension NewStore {
  @discardableResult
  package func execute(_ sql: String) throws(StoreError) -> Int {
    try connection.execute(sql)
    return connection.changeCount
  }

  /// The integer in the first row and column of a query; 0 if there is none.
  package func number(_ sql: String) throws(StoreError) -> Int { try connection.number(sql) }

  /// The integers of a query with one column.
  package func integers(_ sql: String) throws(StoreError) -> [Int64] {
    try connection.keys(sql, [])
  }

  /// The integers in the first row of a query.
  package func integers(inRow sql: String) throws(StoreError) -> [Int64] {
    try connection.numbers(sql)
  }

  package func prepare(_ sql: String) throws(StoreError) -> IntegerStatement {
    try IntegerStatement(sql, connection)
  }

  /// Defines the SQL functions that are implemented in Swift.
  package func addFunction(
    _ name: String, _ body: @escaping ([AttributeValue]) throws -> AttributeValue
  ) {
    connection.addFunction(name, body)
  }

  /// Attaches another store read-only under the name `source`.
  ///
  /// - Returns: Whether that is possible: a store in memory has no file.
  package func attach(_ store: borrowing SQLiteStore) throws(StoreError) -> Bool {
    guard let file = store.file else { return false }
    try file.attach(to: connection)
    return true
  }

  /// Reserves the next keys of an entity's table and returns the first.
  package func takeKeys(_ count: Int, of entity: String) -> Int64 {
    let keys = keyCounter(of: entity)
    keys.last += Int64(count)
    return keys.last - Int64(count) + 1
  }
}

extension NewStore {
  /// The store so far, for reading like a finished one.
  package func reader() throws(StoreError) -> StoreReader {
    connection.tables.forget()
    return try StoreReader(
      SQLiteStore(connection, path: path, metadata: metadata), model: model, createdBy: layout)
  }
}
