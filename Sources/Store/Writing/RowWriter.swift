internal import StrataArchives
internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// Writes the rows of insertions.
struct RowWriter: ~Copyable {
  private var insertion: StoreInsertion
  private let reader: StoreReader
  private var model: ObjectModel { reader.model }
  private var layout: StoreLayout { reader.layout }

  init(insertion: StoreInsertion, reader: consuming StoreReader) {
    self.insertion = insertion
    self.reader = reader
  }

  /// The keys of all other objects that the insertion has changed.
  private(set) var touchedKeys: [Int64] = []

  mutating func write() throws -> (key: Int64, changed: [ObjectRef]) {
    let (key, files) = try insert()
    do {
      let touched = try connect(key)
      try fillEntityColumns(of: key)
      touchedKeys = (touched.changed + touched.gained).map(\.key)
      try check(key, touched.changed + touched.gained)
      try checkSystemTables(key)
      try external.sync(files)
      try reader.commitChange(
        of: ObjectRef(entity: insertion.entity, key: key), isThere: true)
      return (key, touched.changed.uniqued)
    } catch {
      for file in files { external.remove(file) }
      throw error
    }
  }

  private var external: ExternalData { ExternalData(storePath: reader.store.path) }

  /// Inserts another object in the current transaction, without validation.
  mutating func insert(_ other: StoreInsertion) throws -> Int64 {
    insertion = other
    let key = try insert().key
    _ = try connect(key)
    try fillEntityColumns(of: key)
    return key
  }

  /// Links an object to another one in the current transaction, without validation.
  ///
  /// - Returns: The other objects that it changes.
  mutating func link(
    _ key: Int64, of entity: String, by relationship: String, to destination: Int64
  ) throws -> [ObjectRef] {
    insertion = StoreInsertion(entity, relationships: [relationship: [destination]])
    let touched = try connect(key)
    try fillEntityColumns(of: key)
    let table = layout.table(of: entity)?.name.quoted ?? ""
    try reader.execute("UPDATE \(table) SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", [.integer(key)])
    return touched.changed + touched.gained
  }

  func document(from document: XMLDatabase) throws -> XMLDatabase {
    try XMLDatabase(reader, from: document)
  }

  private func keys(_ sql: String, _ values: [AttributeValue]) throws(StoreError) -> [Int64] {
    try reader.store.connection.keys(sql, values)
  }

  // MARK: The object

  /// - Returns: The key, and the files of external data that were written.
  private func insert() throws -> (key: Int64, files: [String]) {
    let entity = insertion.entity
    guard let shape = reader.shape(of: entity), let number = layout.entityNumbers[entity],
      let root = layout.entityNumbers[model.rootName(of: entity)]
    else { throw StoreError.missingTable(entity) }
    var values = zip(shape.names, shape.contents).map { name, content -> AttributeValue in
      guard case .attribute(let attribute) = content else { return .null }
      return insertion.attributes[name] ?? attribute.storedDefault
    }
    try checkUnique(values, shape)
    guard try reader.countsKeys(ofRoot: root) else {
      throw RefusedChange(problems: [
        Finding(.noEntityRow, entity: model.rootName(of: entity), key: nil, property: "Z_ENT")
      ])
    }
    let connection = reader.store.connection
    let highest = try connection.coreData {
      try reader.highestKey(inTable: shape.table, ofRoot: root)
    }
    let (key, isBeyond) = Int64(highest).addingReportingOverflow(1)
    guard !isBeyond, key > 0 else { throw StoreError.noKeysLeft(entity: entity) }
    var files: [String] = []
    let external = external
    for index in shape.externalIndices {
      values[index] = try external.column(
        values[index], seed: "\(key) \(shape.names[index]) \(UInt64.random(in: .min ... .max))")
      if let name = try ExternalData.fileName(in: values[index]) { files.append(name) }
    }
    let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + shape.columns.map(\.name.quoted)
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    try reader.execute(
      "INSERT INTO \(shape.table.quoted) (\(columns.joined(separator: ", "))) VALUES (\(marks))",
      [.integer(key), .integer(number), .integer(1)] + values)
    try reader.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(key), .integer(root)])
    return (key, files)
  }

  /// Checked first: the error of the index would not name the object.
  private func checkUnique(_ values: [AttributeValue], _ shape: StoreRowShape) throws {
    for (_, constraint) in model.allConstraints(of: shape.entity) {
      var wanted: [AttributeValue] = []
      var columns: [String] = []
      for property in constraint {
        guard let index = shape.index(of: property) else { continue }
        columns.append("\(shape.columns[index].name.quoted) = ?")
        wanted.append(
          insertion.relationships[property]?.first.map { .integer($0) } ?? values[index])
      }
      guard columns.count == constraint.count, !wanted.contains(.null) else { continue }
      let twins = try keys(
        "SELECT Z_PK FROM \(shape.table.quoted) WHERE \(columns.joined(separator: " AND "))",
        wanted)
      if let twin = twins.first {
        throw RefusedChange(problems: [
          Finding(
            .notUnique(with: twin), entity: shape.entity, key: nil,
            property: constraint.joined(separator: ", "))
        ])
      }
    }
  }

  // MARK: Relationships

  /// The other objects that an insertion changes.
  private struct Touched {
    /// Objects whose relationships have changed: partners, and those that lost one.
    var changed: [ObjectRef] = []
    /// Objects that only gained the new object, which must still be valid.
    var gained: [ObjectRef] = []
  }

  private func connect(_ key: Int64) throws -> Touched {
    var touched = Touched()
    for (name, destinations) in insertion.relationships.sorted(by: { $0.key < $1.key }) {
      guard let relationship = model.relationship(name, of: insertion.entity) else { continue }
      try checkThere(destinations, of: relationship.property)
      if !relationship.property.isToMany {
        try connectToOne(relationship, key, destinations, &touched)
      } else if let join = try reader.joinTable(of: relationship) {
        try link(join, key, destinations)
        if model.inverse(of: relationship.property) != nil {
          touched.gained += try objects(destinations, of: relationship.property.destinationName)
        }
      } else {
        try own(relationship, key, destinations, &touched)
      }
    }
    return touched
  }

  private func objects(_ keys: [Int64], of entity: String) throws -> [ObjectRef] {
    try keys.map { key in
      .init(entity: try reader.concreteEntity(ofKey: key, in: entity) ?? entity, key: key)
    }
  }

  private func checkThere(_ keys: [Int64], of relationship: Relationship) throws {
    for key in keys {
      let entity = try reader.concreteEntity(ofKey: key, in: relationship.destinationName)
      guard let entity, model.isKind(entity, of: relationship.destinationName) else {
        throw RefusedChange(problems: [
          Finding(
            .dangling(key: key), entity: insertion.entity, key: nil, property: relationship.name)
        ])
      }
    }
  }

  private func connectToOne(
    _ relationship: Declared<Relationship>, _ key: Int64, _ destinations: [Int64],
    _ touched: inout Touched
  ) throws {
    guard let destination = destinations.first,
      let own = layout.table(of: relationship.declaringEntity)?.name.quoted,
      let column = layout.column(
        of: relationship.property.name, declaredBy: relationship.declaringEntity)
    else { return }
    let name = column.name.quoted
    let inverse = model.inverse(of: relationship.property)
    let partners = try objects([destination], of: relationship.property.destinationName)
    if let inverse, !inverse.property.isToMany,
      let other = layout.table(of: inverse.declaringEntity)?.name.quoted,
      let back = layout.column(
        of: inverse.property.name, declaredBy: inverse.declaringEntity)
    {
      // The previous owner of the partner loses it, and the previous partner its owner.
      let holders = try keys(
        "SELECT Z_PK FROM \(own) WHERE \(name) = ? AND Z_PK <> ? ORDER BY Z_PK",
        [.integer(destination), .integer(key)])
      let formers = try keys(
        "SELECT Z_PK FROM \(other) WHERE \(back.name.quoted) = ? AND Z_PK <> ? "
          + "AND Z_PK = (SELECT \(name) FROM \(own) WHERE Z_PK = ?)",
        [.integer(key), .integer(destination), .integer(key)])
      for (keys, end, table, column) in [
        (holders, relationship, own, name), (formers, inverse, other, back.name.quoted),
      ] {
        touched.changed += try objects(keys, of: end.declaringEntity)
        for former in keys {
          try reader.execute(
            "UPDATE \(table) SET \(column) = NULL, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?",
            [.integer(former)])
          try fillEntityColumns(of: former, end.declaringEntity)
        }
      }
      try reader.execute(
        "UPDATE \(other) SET \(back.name.quoted) = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?",
        [.integer(key), .integer(destination)])
      for partner in partners { try fillEntityColumns(of: partner.key, partner.entity) }
      touched.changed += partners
    } else if inverse != nil {
      touched.gained += partners
      let former = try keys("SELECT \(name) FROM \(own) WHERE Z_PK = ?", [.integer(key)])
      touched.changed += try objects(
        former.filter { $0 != destination }, of: relationship.property.destinationName)
    }
    var assignments = "\(name) = ?"
    var values: [AttributeValue] = [.integer(destination)]
    if let order = column.orderColumn?.quoted {
      assignments +=
        ", \(order) = (SELECT coalesce(max(\(order)) + 1024, \(NewStore.orderKey(0))) FROM \(own) "
        + "WHERE \(name) = ?)"
      values.append(.integer(destination))
    }
    // An object that it has already keeps its place.
    try reader.execute(
      "UPDATE \(own) SET \(assignments) WHERE Z_PK = ? AND \(name) IS NOT ?",
      values + [.integer(key), .integer(destination)])
  }

  private func own(
    _ relationship: Declared<Relationship>, _ key: Int64, _ destinations: [Int64],
    _ touched: inout Touched
  ) throws {
    guard let (table, column) = layout.ownerColumn(of: relationship, in: model) else { return }
    let (name, owner) = (table.name.quoted, column.name.quoted)
    for destination in destinations {
      // The previous owner loses it.
      let owners = try keys(
        "SELECT \(owner) FROM \(name) WHERE Z_PK = ? AND \(owner) <> ?",
        [.integer(destination), .integer(key)])
      touched.changed += try objects(owners, of: relationship.declaringEntity)
      let order = column.orderColumn.map {
        ", \($0.quoted) = (SELECT coalesce(max(\($0.quoted)) + 1024, \(NewStore.orderKey(0))) "
          + "FROM \(name) WHERE \(owner) = ?1)"
      }
      // One that it has already keeps its place.
      try reader.execute(
        "UPDATE \(name) SET \(owner) = ?1\(order ?? ""), Z_OPT = Z_OPT + 1 "
          + "WHERE Z_PK = ?2 AND \(owner) IS NOT ?1",
        [.integer(key), .integer(destination)])
      for object in try objects([destination], of: relationship.property.destinationName) {
        try fillEntityColumns(of: object.key, object.entity)
        touched.changed.append(object)
      }
    }
  }

  private func link(_ join: JoinTable, _ key: Int64, _ destinations: [Int64]) throws {
    let (table, own, other) = (join.name.quoted, join.ownColumn.quoted, join.otherColumn.quoted)
    /// The place behind all others of an object.
    func last(_ order: String, _ column: String, _ mark: String) -> String {
      "(SELECT coalesce(max(\(order)) + 1024, \(NewStore.orderKey(0))) FROM \(table) WHERE \(column) = \(mark))"
    }
    func insert(_ key: Int64, _ destination: Int64) throws {
      let order = join.orderColumn.map { ($0.quoted, last($0.quoted, own, "?1")) }
      let inverse = join.inverseOrderColumn.map { ($0.quoted, last($0.quoted, other, "?2")) }
      let cells = [(own, "?1"), (other, "?2")] + [order, inverse].compactMap { $0 }
      try reader.execute(
        "INSERT OR IGNORE INTO \(table) (\(cells.map(\.0).joined(separator: ", "))) "
          + "VALUES (\(cells.map(\.1).joined(separator: ", ")))",
        [.integer(key), .integer(destination)])
    }
    for destination in destinations {
      try insert(key, destination)
      if join.isOwnInverse, destination != key { try insert(destination, key) }
    }
  }

  /// The numbers of the entities that to-one relationships point to.
  private func fillEntityColumns(of key: Int64, _ entity: String? = nil) throws {
    let entity = entity ?? insertion.entity
    for relationship in model.allRelationships(of: entity) {
      guard let sql = layout.entityNumbersUpdate(of: relationship, where: "Z_PK = ?") else {
        continue
      }
      try reader.execute(sql, [.integer(key)])
    }
  }

  // MARK: Check

  /// The store's own triggers have run too: check what they must not change.
  private func checkSystemTables(_ key: Int64) throws {
    let root = model.rootName(of: insertion.entity)
    let table = layout.table(of: root)?.name.quoted ?? ""
    let found = try reader.store.connection.number(
      "SELECT (SELECT count(*) FROM \(table) WHERE Z_PK = ?) + (SELECT count(*) FROM Z_METADATA) "
        + "+ (SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT = ? AND Z_MAX = ?)",
      [.integer(key), .integer(layout.entityNumbers[root] ?? 0), .integer(key)])
    guard found == 3 else { throw StoreError.triggersInterfere }
  }

  private func check(_ key: Int64, _ changed: [ObjectRef]) throws {
    var problems: [Finding] = []
    try reader.forEachProblem(of: insertion.entity, among: [key]) { problems.append($0) }
    for (entity, objects) in Dictionary(grouping: changed, by: \.entity).sorted(by: {
      $0.key < $1.key
    }) {
      let keys = Set(objects.map(\.key)).subtracting(entity == insertion.entity ? [key] : [])
      try reader.forEachProblem(of: entity, among: keys) { problems.append($0) }
    }
    guard problems.isEmpty else { throw RefusedChange(problems: problems) }
  }
}
