internal import StrataArchives
public import StrataObjectModel
public import StrataValues

/// A SQLite store that Strata makes and fills, object by object.
///
/// Tables, columns and join tables are those of ``StoreLayout``. What a finished store needs besides
/// (indexes, the cached model) is not written here: this is the destination of a rehearsal.
public struct NewStore: ~Copyable {
  public let model: ObjectModel
  public let path: String
  private let connection: SQLiteConnection
  private let layout: StoreLayout
  /// The last key handed out, by root entity.
  private var lastKeys: [String: Int64] = [:]

  /// - Throws: ``StoreError``: the file is there already, or cannot be made.
  public init(path: String, model: ObjectModel, uuid: String) throws(StoreError) {
    let connection = try SQLiteConnection(path: path, mode: .create)
    let layout = StoreLayout(model)
    // The store is thrown away or checked before it is used: what is lost in a crash is only work.
    _ = try connection.rows("PRAGMA journal_mode = MEMORY")
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("BEGIN")
    for table in layout.tables {
      let columns =
        ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
        + table.columns.flatMap { column in
          ["\(column.name.quoted) \(column.type)"]
            + (column.orderColumn.map { ["\($0.quoted) INTEGER"] } ?? [])
        }
      try connection.execute(
        "CREATE TABLE \(table.name.quoted) ( \(columns.joined(separator: ", ")) )")
    }
    try Self.createJoinTables(connection, layout: layout, model: model)
    try connection.execute(
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
    )
    try connection.execute(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    let metadata = StoreMetadata(model: model, uuid: uuid, frameworkVersion: Self.framework)
    try connection.execute(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      [.text(uuid), .bytes(metadata.plist.encoded())])
    self.connection = connection
    self.layout = layout
    self.model = model
    self.path = path
  }

  /// The newest `NSPersistenceFrameworkVersion` whose schema the facts describe.
  private static let framework: Int64 = 1344

  private static func createJoinTables(
    _ connection: borrowing SQLiteConnection, layout: StoreLayout, model: ObjectModel
  ) throws(StoreError) {
    for entity in model.entities {
      for relationship in entity.relationships {
        guard
          let join = layout.joinTable(of: relationship.name, declaredBy: entity.name),
          join.isOwner
        else { continue }
        var columns = ["\(join.ownColumn.quoted) INTEGER", "\(join.otherColumn.quoted) INTEGER"]
        if let order = join.orderColumn { columns.append("\(order.quoted) INTEGER") }
        if let inverse = model.inverse(of: relationship),
          let order = layout.joinTable(
            of: inverse.property.name, declaredBy: inverse.declaringEntity)?.orderColumn,
          order != join.orderColumn
        {
          columns.append("\(order.quoted) INTEGER")
        }
        columns.append("PRIMARY KEY (\(join.ownColumn.quoted), \(join.otherColumn.quoted))")
        try connection.execute(
          "CREATE TABLE \(join.name.quoted) ( \(columns.joined(separator: ", ")) )")
      }
    }
  }

  /// Inserts an object under the next key of its table.
  public mutating func insert(
    _ entity: String, attributes: [String: AttributeValue]
  ) throws(StoreError) -> StoredObject {
    guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity] else {
      throw .missingTable(entity)
    }
    let key = (lastKeys[table.rootEntity] ?? 0) + 1
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    var values: [AttributeValue] = [.integer(key), .integer(number), .integer(1)]
    for owner in [entity] + model.ancestorNames(of: entity) {
      for name in (model[owner]?.attributes ?? []).flatMap({ model.storedNames(of: $0) }) {
        guard let value = attributes[name],
          let column = layout.column(of: name, declaredBy: owner)
        else { continue }
        names.append(column.name.quoted)
        values.append(value)
      }
    }
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(table.name.quoted) (\(names.joined(separator: ", "))) VALUES (\(marks))",
      values)
    lastKeys[table.rootEntity] = key
    return StoredObject(entity: entity, key: key, attributes: attributes)
  }

  /// Points a relationship of an object at others, in this order.
  ///
  /// A to-many relationship whose inverse is to-one is set from the other end; here only the order is
  /// written. Of a many-to-many one, either end may come first.
  public func connect(
    _ relationship: Declared<Relationship>, of key: Int64, to destinations: [Int64]
  ) throws(StoreError) {
    let property = relationship.property
    if !property.isToMany {
      guard let column = layout.column(of: property.name, declaredBy: relationship.declaringEntity),
        let table = layout.table(of: relationship.declaringEntity)
      else { return }
      try connection.execute(
        "UPDATE \(table.name.quoted) SET \(column.name.quoted) = ? WHERE Z_PK = ?",
        [destinations.first.map { .integer($0) } ?? .null, .integer(key)])
    } else if let join = layout.joinTable(
      of: property.name, declaredBy: relationship.declaringEntity)
    {
      try fill(join, of: key, with: destinations)
    } else if let inverse = model.inverse(of: property), !inverse.property.isToMany,
      let column = layout.column(of: inverse.property.name, declaredBy: inverse.declaringEntity),
      let table = layout.table(of: inverse.declaringEntity)
    {
      for (index, destination) in destinations.enumerated() {
        try connection.execute(
          "UPDATE \(table.name.quoted) SET \(column.name.quoted) = ?"
            + (column.orderColumn.map { ", \($0.quoted) = \(Self.orderKey(index))" } ?? "")
            + " WHERE Z_PK = ?", [.integer(key), .integer(destination)])
      }
    }
  }

  private func fill(
    _ join: JoinTable, of key: Int64, with destinations: [Int64]
  ) throws(StoreError) {
    for (index, destination) in destinations.enumerated() {
      try connection.execute(
        "INSERT OR IGNORE INTO \(join.name.quoted) (\(join.ownColumn.quoted), \(join.otherColumn.quoted)) VALUES (?, ?)",
        [.integer(key), .integer(destination)])
      if let order = join.orderColumn {
        try connection.execute(
          "UPDATE \(join.name.quoted) SET \(order.quoted) = ? WHERE \(join.ownColumn.quoted) = ? AND \(join.otherColumn.quoted) = ?",
          [.integer(Int64(Self.orderKey(index))), .integer(key), .integer(destination)])
      }
    }
  }

  /// Order keys start at 2048 and grow by 1024, which leaves room for cheap insertions.
  private static func orderKey(_ index: Int) -> Int { 2048 + 1024 * index }

  /// Which of these attributes have no value in an object.
  func missing(
    _ attributes: [Declared<Attribute>], of key: Int64, entity: String
  ) throws(StoreError) -> [(name: String, isMissing: Bool)] {
    guard let table = layout.table(of: entity) else { return [] }
    let placed = attributes.compactMap { attribute in
      layout.column(of: attribute.property.name, declaredBy: attribute.declaringEntity)
        .map { (attribute.property.name, $0.name.quoted) }
    }
    guard !placed.isEmpty else { return [] }
    let list = placed.map(\.1).joined(separator: ", ")
    let rows = try connection.rows(
      "SELECT \(list) FROM \(table.name.quoted) WHERE Z_PK = ?", [.integer(key)])
    return zip(placed, rows.first ?? []).map { ($0.0, $1 == .null) }
  }

  /// The keys of objects whose values of these properties an earlier object has too; objects in which
  /// one of them is NULL are never equal.
  public func duplicates(of properties: [String], entity: String) throws(StoreError) -> [Int64] {
    guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity] else {
      return []
    }
    var columns: [String] = []
    for property in properties {
      for owner in [entity] + model.ancestorNames(of: entity) {
        if let column = layout.column(of: property, declaredBy: owner) {
          columns.append(column.name.quoted)
        }
      }
    }
    guard columns.count == properties.count, !columns.isEmpty else { return [] }
    let list = columns.joined(separator: ", ")
    let filled = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return try connection.keys(
      "SELECT Z_PK FROM \(table.name.quoted) WHERE Z_ENT = ? AND \(filled) AND Z_PK NOT IN "
        + "(SELECT min(Z_PK) FROM \(table.name.quoted) WHERE Z_ENT = ? AND \(filled) GROUP BY \(list)) "
        + "ORDER BY Z_PK", [.integer(number), .integer(number)])
  }

  /// How many objects a relationship of an object points at.
  func destinationCount(
    of relationship: Declared<Relationship>, from key: Int64
  ) throws(StoreError) -> Int {
    let property = relationship.property
    let (table, column): (String, String)
    if let join = layout.joinTable(
      of: property.name, declaredBy: relationship.declaringEntity)
    {
      (table, column) = (join.name, join.ownColumn)
    } else if property.isToMany, let inverse = model.inverse(of: property),
      let found = layout.column(of: inverse.property.name, declaredBy: inverse.declaringEntity),
      let owner = layout.table(of: inverse.declaringEntity)
    {
      (table, column) = (owner.name, found.name)
    } else if let found = layout.column(
      of: property.name, declaredBy: relationship.declaringEntity),
      let owner = layout.table(of: relationship.declaringEntity)
    {
      return try connection.keys(
        "SELECT \(found.name.quoted) FROM \(owner.name.quoted) WHERE Z_PK = ?", [.integer(key)]
      ).count
    } else {
      return 0
    }
    return try connection.keys(
      "SELECT count(*) FROM \(table.quoted) WHERE \(column.quoted) = ?", [.integer(key)]
    ).first.map { Int($0) } ?? 0
  }

  /// Writes the highest keys and commits.
  public func finish() throws(StoreError) {
    for (entity, number) in layout.entityNumbers.sorted(by: { $0.value < $1.value }) {
      let parent = model[entity]?.superentityName.flatMap { layout.entityNumbers[$0] } ?? 0
      let highest = parent == 0 ? lastKeys[entity] ?? 0 : 0
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        [.integer(number), .text(entity), .integer(parent), .integer(highest)])
    }
    try connection.execute("COMMIT")
  }
}
