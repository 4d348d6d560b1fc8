internal import StrataArchives
package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// A SQLite store that Strata creates and fills, object by object, as Core Data would.
///
/// Rows come first and indexes last, which is three times faster; all is one transaction.
///
/// ```swift
/// var store = try NewStore(path: "Topics.sqlite", model: model1, uuid: "374C5961-3E41-43E5-915C-383EA914074C")
/// try store.insert("Topic", attributes: ["presenterName": .text("Ada")])
/// try store.finish()
/// ```
package struct NewStore: ~Copyable {
  package let model: ObjectModel
  package let path: String
  package let uuid: String
  let schema: StoreSchema
  package let connection: SQLiteConnection
  let external: ExternalColumns
  /// The written external files, tracked if there are checkpoints.
  let written = WrittenFiles()
  let keepsCheckpoints: Bool
  /// By root entity.
  let keyCounters: [String: KeyCounter]
  private var inserters: [String: EntityInserter] = [:]
  private var linkers: [PropertyID: PreparedStatement] = [:]
  let links = KnownLinkStatements()
  /// The metadata; application keys may be added.
  package var metadata: StoreMetadata

  package var layout: StoreLayout { schema.layout }

  /// - Parameters:
  ///   - path: The path of the store; `nil` for a store in memory.
  ///   - encoding: The text encoding, which must be that of an attached store.
  ///   - replaced: The store that it will replace, see ``StoreReplacement``.
  ///   - keepsCheckpoints: Whether it can return to checkpoints, see ``keepCheckpoint(_:)``; the journal is then
  ///     kept on disk instead of in memory.
  ///   - log: Logs its statements from the first.
  /// - Throws: ``StoreError``: the file already exists, or cannot be created.
  package init(
    path: String?, encoding: TextEncoding = .utf8, replacing replaced: String? = nil,
    model: ObjectModel, uuid: String,
    version: FrameworkVersion = .newest, keepsCheckpoints: Bool = false, log: StatementLog? = nil
  ) throws(StoreError) {
    let schema = StoreSchema(model, version: version)
    try schema.check()
    let connection = try SQLiteConnection(
      path: path ?? ":memory:", mode: path == nil ? .memory : .create)
    connection.setLog(log, as: .destination, by: .coreData)
    connection.name(schema.layout.entitiesOfTables)
    if encoding != .utf8 { try connection.execute("PRAGMA encoding = '\(encoding.rawValue)'") }
    // The settings of Core Data: page size and incremental vacuum.
    try connection.execute("PRAGMA page_size = 4096")
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    // The store is checked before it is used or discarded: a crash loses nothing but work.
    _ = try connection.rows("PRAGMA journal_mode = \(keepsCheckpoints ? "DELETE" : "MEMORY")")
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("BEGIN")
    try connection.changeSchema(schema.tables.map(\.sql))
    self.connection = connection
    self.keepsCheckpoints = keepsCheckpoints
    self.schema = schema
    keyCounters = Dictionary(
      uniqueKeysWithValues: schema.layout.tables.map { ($0.rootEntity, KeyCounter()) })
    self.model = model
    self.uuid = uuid
    self.path = path ?? ""
    metadata = StoreMetadata(model: model, uuid: uuid, version: version)
    external = ExternalColumns(
      external: ExternalData(
        storePath: path ?? "", replacing: replaced, written: keepsCheckpoints ? written : nil),
      uuid: uuid, isOnDisk: path != nil)
  }

  // MARK: Objects

  /// The shape of the rows of an entity.
  package func shape(of entity: String) -> StoreRowShape? {
    inserters[entity]?.shape ?? StoreRowShape(entity, model: model, layout: layout)
  }

  private mutating func inserter(for entity: String) throws(StoreError) -> EntityInserter {
    if let known = inserters[entity] { return known }
    let inserter = try makeInserter(for: entity)
    inserters[entity] = inserter
    return inserter
  }

  /// A separate inserter for an entity; the keys come from ``takeKey(of:)``.
  package func makeInserter(for entity: String) throws(StoreError) -> EntityInserter {
    guard let shape = StoreRowShape(entity, model: model, layout: layout),
      let number = layout.entityNumbers[entity]
    else { throw .missingTable(entity) }
    return try EntityInserter(
      shape, number: number, keys: keyCounter(of: entity), external: external, connection)
  }

  /// The next free key of an entity's table.
  package func nextKey(of entity: String) -> Int64 {
    keyCounter(of: entity).last + 1
  }

  func keyCounter(of entity: String) -> KeyCounter {
    keyCounters[model.rootName(of: entity)] ?? KeyCounter()
  }

  /// Inserts an object with the values of its row and its key.
  ///
  /// Large binary data is written to an external file if the attribute allows it.
  package mutating func insert(_ row: ObjectRow, of entity: String) throws(StoreError) {
    let inserter = try inserter(for: entity)
    try StoredKey.check(row.key, table: inserter.shape.table)
    var stored = row
    for index in inserter.shape.externalIndices {
      stored.values[index] = try inserter.columnValue(
        row.values[index], at: index, key: row.key)
    }
    try inserter.insert(stored)
    inserter.keys.last = max(inserter.keys.last, row.key)
  }

  /// Inserts an object with the next key of its table; attributes without a value are nil.
  package mutating func insert(
    _ entity: String, attributes: [String: AttributeValue]
  ) throws(StoreError) -> StoredObject {
    let shape = try inserter(for: entity).shape
    let values: [AttributeValue] = shape.names.map { attributes[$0] ?? .null }
    let key = nextKey(of: entity)
    try insert(ObjectRow(key: key, values: values), of: entity)
    return StoredObject(entity: entity, key: key, attributes: attributes)
  }

  // MARK: Relationships

  /// Writes a pair of a many-to-many relationship, seen from the given end.
  package mutating func insert(
    _ link: ObjectLink, of relationship: Declared<Relationship>
  ) throws(StoreError) {
    guard
      let join = layout.joinTable(
        of: relationship.property.name, declaredBy: relationship.declaringEntity)
    else { return }
    let id = relationship.id
    if linkers[id] == nil {
      let orders = [join.orderColumn, join.inverseOrderColumn].compactMap { $0 }
      let columns = ([join.ownColumn, join.otherColumn] + orders).map(\.quoted)
      let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
      linkers[id] = PreparedStatement(
        try connection.prepare(
          "INSERT OR REPLACE INTO \(join.name.quoted) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
        ))
    }
    guard let linker = linkers[id] else { return }
    var values: [AttributeValue] = [.integer(link.own), .integer(link.other)]
    if join.orderColumn != nil { values.append(link.order) }
    if join.inverseOrderColumn != nil { values.append(link.inverseOrder) }
    try linker.statement.bind(values)
    while try linker.statement.step() {}
    linker.statement.reset()
  }

  /// The order key for an index: from 2048 in steps of 1024, which leaves room for insertions.
  package static func orderKey(_ index: Int) -> Int64 { 2048 + 1024 * Int64(index) }

  /// The order key in SQL, numbering the rows with the same value of a column.
  package static func orderKey(by column: String, then order: String) -> String {
    "1024 + 1024 * row_number() OVER (PARTITION BY \(column) ORDER BY \(order))"
  }

  // MARK: Completion

  /// Completes the store and commits: ``complete()`` and ``commit()``.
  ///
  /// - Parameter allowsDuplicates: Whether the unique indexes are omitted, as in a document.
  package mutating func finish(allowingDuplicates allowsDuplicates: Bool = false)
    throws(StoreError)
  {
    try complete(allowingDuplicates: allowsDuplicates)
    try commit()
  }

  /// Finalizes prepared statements.
  mutating func forgetStatements() {
    inserters = [:]
    linkers = [:]
  }

  /// Writes everything besides rows: the entity numbers beside relationships, derived attributes, indexes,
  /// triggers, highest keys, metadata and the model.
  ///
  /// - Throws: ``StoreError/notUnique(index:)`` if a uniqueness constraint is violated.
  package mutating func complete(allowingDuplicates allowsDuplicates: Bool = false)
    throws(StoreError)
  {
    forgetStatements()
    try settle()
    try dropLinkIndexes()
    let others = schema.statements.filter {
      $0.kind != .table && !($0.isUnique && allowsDuplicates)
    }
    if others.count > SQLiteConnection.schemaChangeLimit, schema.treeContents.isEmpty {
      try createAtOnce(others)
    } else {
      for statement in others { try create(statement) }
    }
    for statement in schema.systemTables { try connection.execute(statement.sql) }
    try writeSystemRows()
  }

  private func create(_ statement: StoreSchema.Statement) throws(StoreError) {
    do {
      try connection.execute(statement.sql)
      if let contents = schema.treeContents[statement.name] { try connection.execute(contents) }
    } catch {
      throw error.isConstraintViolation ? .notUnique(index: statement.name) : error
    }
  }

  /// Creates many indexes and triggers at once; one by one if a constraint is violated, to find out which.
  private func createAtOnce(_ statements: [StoreSchema.Statement]) throws(StoreError) {
    do {
      try connection.changeSchema(statements.map(\.sql))
    } catch  where error.isConstraintViolation {
      for statement in statements { try create(statement) }
    }
  }

  /// Ends the transaction of the complete store before ``commit()``, so that another connection can read it too.
  ///
  /// - Returns: Its path; `nil` for a store in memory, and for one with checkpoints, whose transaction goes on.
  package func endTransaction() throws(StoreError) -> String? {
    guard !path.isEmpty, !keepsCheckpoints else { return nil }
    try connection.execute("COMMIT")
    return path
  }

  /// Commits the complete store.
  package func commit() throws(StoreError) {
    if connection.isInTransaction { try connection.execute("COMMIT") }
    if schema.version.usesWAL, !path.isEmpty {
      // WAL mode is only recorded in the header: closing leaves no journal behind.
      _ = try connection.rows("PRAGMA main.journal_mode = WAL")
    }
  }

  /// Fills the dependent columns: order keys, entity numbers of relationships, derived attributes.
  package func settle() throws(StoreError) {
    try numberOrders()
    for entity in layout.entityOrder {
      for relationship in model[entity]?.relationships ?? [] where !relationship.isToMany {
        if let sql = layout.entityNumbersUpdate(
          of: Declared(property: relationship, declaringEntity: entity))
        {
          try connection.execute(sql)
        }
      }
    }
    for value in schema.derivedValues { try connection.execute(value.sql) }
  }

  private func writeSystemRows() throws(StoreError) {
    for (index, entity) in layout.entityOrder.enumerated() {
      let parent = model[entity]?.superentityName.flatMap { layout.entityNumbers[$0] } ?? 0
      let highest = parent == 0 ? keyCounter(of: entity).last : 0
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        [.integer(Int64(index + 1)), .text(entity), .integer(parent), .integer(highest)])
    }
    try connection.execute(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      [.text(uuid), .bytes(metadata.encoded)])
    if schema.version.cachesModel {
      try connection.execute(
        "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)",
        [.bytes(model.cacheContent())])
    }
  }
}
