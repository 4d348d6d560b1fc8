internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite

/// Writes the tables and indexes of a model as Core Data does; derived attributes and partial indexes are in
/// separate files.
struct SchemaWriter {
  typealias Statement = StoreSchema.Statement

  let model: ObjectModel
  let layout: StoreLayout
  let version: FrameworkVersion
  private(set) var tables: [Statement] = []
  private(set) var indexes: [Statement] = []
  var triggers: [Statement] = []
  /// The statements that fill the columns of derived attributes in tables that were filled without triggers.
  var derivedValues: [StoreSchema.DerivedValue] = []
  /// The statement that fills an R-tree from its table, by the name of the index.
  private(set) var treeContents: [String: String] = [:]
  var omissions: [SchemaOmission] = []

  init(_ model: ObjectModel, version: FrameworkVersion, keeping kept: StoredNames) {
    self.model = model
    self.version = version
    layout = StoreLayout(model, keeping: kept)
  }

  mutating func write() {
    let entitiesByRoot = Dictionary(grouping: layout.entityOrder) { model.rootName(of: $0) }
    for table in layout.tables {
      let entities = entitiesByRoot[table.rootEntity] ?? []
      let joins = ownedJoinTables(of: entities)
      writeTable(table, entities: entities)
      for join in joins { add(.table, join.name, on: join.name, join.definition) }
      writeIndexes(of: table, entities: entities, joins: joins)
    }
    writeDerivedAttributes()
  }

  private mutating func add(
    _ kind: Statement.Kind, _ name: String, on table: String, of entity: String? = nil,
    _ sql: String
  ) {
    let statement = Statement(kind: kind, name: name, table: table, sql: sql, entity: entity)
    switch kind {
    case .table: tables.append(statement)
    case .index: indexes.append(statement)
    case .trigger: triggers.append(statement)
    }
  }

  mutating func addTrigger(_ name: String, on table: String, _ rest: String) {
    add(.trigger, name, on: table, "CREATE TRIGGER \(name.plainOrQuoted) \(rest)")
  }

  // MARK: Tables

  private mutating func writeTable(_ table: StoreTable, entities: [String]) {
    let columns = table.definitions.map { "\($0.name.plainOrQuoted) \($0.type)" }
    var end = " )"
    if !version.namesIndexesByEntity {
      let constraints = entities.flatMap { name in
        (model[name]?.uniquenessConstraints ?? []).compactMap { columnNames(of: $0, in: name) }
      }
      if !constraints.isEmpty {
        end =
          constraints.map {
            ", CONSTRAINT \($0.joined(separator: "_").plainOrQuoted) UNIQUE (\(Self.list($0)))"
          }.joined() + ")"
      }
    }
    add(
      .table, table.name, on: table.name,
      "CREATE TABLE \(table.name.plainOrQuoted) ( \(columns.joined(separator: ", "))\(end)")
  }

  /// The join tables that the entities own. Those of one owner are in the order of a hash table of its stored
  /// properties, before iOS 10 by name.
  ///
  /// Source: `Docs/Facts/sqlite-schema.md`, section 6 (6 of 6 schemas).
  private func ownedJoinTables(of entities: [String]) -> [JoinTable] {
    entities.flatMap { entity in
      let joins = (model[entity]?.relationships ?? []).compactMap { relationship in
        layout.joinTable(of: relationship.name, declaredBy: entity)
          .map { (name: relationship.name, join: $0) }
      }.filter(\.join.isOwner)
      guard version.ordersJoinTablesByHash else { return joins.map(\.join) }
      let properties =
        model.allAttributes(of: entity).map(\.property).filter { !$0.isTransient }.count
        + model.allRelationships(of: entity).map(\.property).filter { !$0.isTransient }.count
      let size = CoreFoundationHash.tableSize(entries: properties + 3)
      return joins.map { (slot: CoreFoundationHash($0.name).slot(of: size), join: $0.join) }
        .enumerated().sorted {
          ($0.element.slot, $0.offset) < ($1.element.slot, $1.offset)
        }.map(\.element.join)
    }
  }

  // MARK: Indexes

  private mutating func writeIndexes(
    of table: StoreTable, entities: [String], joins: [JoinTable]
  ) {
    if !version.namesIndexesByEntity { writeOldAttributeIndexes(table, entities) }
    let keys = Set(entities.flatMap { foreignKeys(of: $0) })
      .union(layout.ownerColumns(of: entities).map(\.column.name))
    for column in table.columns where keys.contains(column.name) {
      addOldIndex("\(table.name)_\(column.name)_INDEX", on: table.name, [column.name])
    }
    for join in joins {
      addOldIndex(
        "\(join.name)_\(join.otherColumn)_INDEX", on: join.name,
        [join.otherColumn, join.ownColumn])
    }
    if entities.count > 1 {
      addOldIndex("\(table.name)_Z_ENT_INDEX", on: table.name, ["Z_ENT"])
    }
    for entity in entities {
      if version.namesIndexesByEntity {
        writeFetchIndexes(of: entity, on: table)
      } else {
        writeOldCompoundIndexes(of: entity, on: table)
      }
    }
    guard version.namesIndexesByEntity else { return }
    for entity in entities {
      for constraint in model[entity]?.uniquenessConstraints ?? [] {
        guard let columns = columnNames(of: constraint, in: entity) else { continue }
        addIndex(
          "Z_\(entity)_UNIQUE_\(constraint.joined(separator: "_"))", on: table.name, of: entity,
          columns.map { ($0, true) }, isUnique: true)
      }
    }
  }

  private func foreignKeys(of entity: String) -> [String] {
    (model[entity]?.relationships ?? []).filter { !$0.isToMany }.compactMap {
      layout.column(of: $0.name, declaredBy: entity)?.name
    }
  }

  private mutating func writeOldAttributeIndexes(_ table: StoreTable, _ entities: [String]) {
    let indexed = Set(
      entities.flatMap { entity in
        indexedAttributes(of: entity).compactMap {
          layout.column(of: $0, declaredBy: entity)?.name
        }
      })
    for column in table.columns where indexed.contains(column.name) {
      addOldIndex("\(table.name)_\(column.name)_INDEX", on: table.name, [column.name])
    }
  }

  /// Attributes that are marked as indexed, or have a fetch index of one property.
  private func indexedAttributes(of entity: String) -> [String] {
    guard let entity = model[entity] else { return [] }
    let fetched = entity.fetchIndexes.filter { $0.isOfOneProperty && $0.hasTwin }
      .compactMap { $0.elements[0].propertyName }
    return entity.attributes.filter { $0.isIndexed || fetched.contains($0.name) }.map(\.name)
  }

  private mutating func writeOldCompoundIndexes(of entity: String, on table: StoreTable) {
    let fetched = (model[entity]?.fetchIndexes ?? []).map { $0.elements.compactMap(\.propertyName) }
      .filter { $0.count > 1 }
    for names in (model[entity]?.compoundIndexes ?? []) + fetched {
      guard let columns = columnNames(of: names, in: entity) else { continue }
      addOldIndex(
        "\(table.name)_\(columns.joined(separator: "_"))", on: table.name, columns)
    }
  }

  /// In the order of their names: of an attribute marked as indexed the attribute's, of a compound index
  /// those of its properties, of a fetch index its own.
  private mutating func writeFetchIndexes(of entity: String, on table: StoreTable) {
    var found: [(name: String, index: FetchIndex)] = []
    for attribute in indexedAttributes(of: entity) {
      found.append(
        (attribute, FetchIndex(name: attribute, elements: [.init(propertyName: attribute)])))
    }
    for names in model[entity]?.compoundIndexes ?? [] {
      let name = names.joined(separator: "_")
      found.append((name, FetchIndex(name: name, elements: names.map { .init(propertyName: $0) })))
    }
    for index in model[entity]?.fetchIndexes ?? [] { found.append((index.name, index)) }
    var written: Set<String> = []
    for (name, index) in found.sorted(by: { $0.name.precedesInBytes($1.name) })
    where written.insert(name).inserted {
      write(index, of: entity, on: table)
    }
  }

  private mutating func write(_ index: FetchIndex, of entity: String, on table: StoreTable) {
    func omit(_ reason: SchemaOmission.Reason) {
      omissions.append(SchemaOmission(entity: entity, name: index.name, reason: reason))
    }
    let relationships = index.elements.compactMap { element in
      element.propertyName.flatMap { model.relationship($0, of: entity)?.property }
    }
    // A to-many relationship has no column here, and a to-one relationship already has an index.
    if relationships.contains(where: \.isToMany) { return }
    if index.elements.count == 1, !relationships.isEmpty, index.predicateText == nil { return }
    var columns: [(name: String, isAscending: Bool)] = []
    for element in index.elements {
      guard let column = columnName(of: element, in: entity) else {
        return omit(.indexedExpression)
      }
      columns.append((column, element.isAscending))
    }
    let trees = index.elements.filter(\.isRTree).count
    if trees > 0 {
      guard trees == index.elements.count else { return omit(.mixedIndex) }
      return writeRTree(index, of: entity, on: table, columns.map(\.name))
    }
    var condition = ""
    if let predicate = index.predicateText {
      guard let sql = conditionSQL(predicate, of: entity) else { return omit(.indexPredicate) }
      condition = " WHERE " + sql
    }
    addIndex(
      "Z_\(entity)_\(index.name)", on: table.name, of: entity, columns, condition: condition)
  }

  private mutating func addIndex(
    _ name: String, on table: String, of entity: String,
    _ columns: [(name: String, isAscending: Bool)], isUnique: Bool = false, condition: String = ""
  ) {
    let list = columns.map {
      "\($0.name.plainOrQuoted) COLLATE BINARY \($0.isAscending ? "ASC" : "DESC")"
    }
    add(
      .index, name, on: table, of: entity,
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.plainOrQuoted) ON \(table.plainOrQuoted) "
        + "(\(list.joined(separator: ", ")))\(condition)")
  }

  private mutating func addOldIndex(_ name: String, on table: String, _ columns: [String]) {
    add(
      .index, name, on: table,
      "CREATE INDEX \(name.plainOrQuoted) ON \(table.plainOrQuoted) (\(Self.list(columns)))")
  }

  /// An R-tree has a range for each attribute, and three triggers update it.
  private mutating func writeRTree(
    _ index: FetchIndex, of entity: String, on table: StoreTable, _ columns: [String]
  ) {
    let name = "Z_RT_\(entity)_\(index.name)"
    let tree = name.plainOrQuoted
    let bounds = columns.flatMap { ["\($0)_MIN".plainOrQuoted, "\($0)_MAX".plainOrQuoted] }
    add(
      .index, name, on: name, of: entity,
      "CREATE VIRTUAL TABLE \(tree) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
        + "\(bounds.map { "\($0) FLOAT" }.joined(separator: ", ")))")
    let values = columns.map(\.plainOrQuoted).map { "NEW.\($0)" }
    let pairs = values.enumerated().map { $0 == 0 ? "\($1) ,\($1)" : "\($1), \($1)" }
    let row =
      "INTO \(tree) (Z_PK, \(bounds.joined(separator: ", "))) "
      + "VALUES (NEW.Z_PK, \(pairs.joined(separator: ", "))) ;"
    let all = columns.map(\.plainOrQuoted).flatMap { [$0, $0] }
    treeContents[name] =
      "INSERT INTO \(tree) (Z_PK, \(bounds.joined(separator: ", "))) SELECT Z_PK, "
      + "\(all.joined(separator: ", ")) FROM \(table.name.plainOrQuoted)"
    let begin = "ON \(table.name.plainOrQuoted) FOR EACH ROW BEGIN"
    addTrigger(
      "\(name)_INSERT", on: table.name, "AFTER INSERT \(begin) INSERT OR REPLACE \(row) END")
    addTrigger(
      "\(name)_UPDATE", on: table.name,
      "AFTER UPDATE \(begin) DELETE FROM \(tree) WHERE Z_PK = NEW.Z_PK ; INSERT \(row) END")
    addTrigger(
      "\(name)_DELETE", on: table.name,
      "AFTER DELETE \(begin) DELETE FROM \(tree) WHERE Z_PK = OLD.Z_PK ; END")
  }

  // MARK: Names

  private static func list(_ names: [String]) -> String {
    names.map(\.plainOrQuoted).joined(separator: ", ")
  }

  /// The column of a property that an entity has or inherits.
  func columnName(of property: String, in entity: String) -> String? {
    layout.column(of: property, in: entity, of: model)?.name
  }

  private func columnName(of element: FetchIndex.Element, in entity: String) -> String? {
    if let name = element.propertyName { return columnName(of: name, in: entity) }
    guard let text = element.expressionText, let expression = try? Expression(parsing: text) else {
      return nil
    }
    switch expression {
    case .evaluatedObject: return "Z_PK"
    case .keyPath(of: nil, let path) where path == ["entity"]: return "Z_ENT"
    default: return nil
    }
  }

  private func columnNames(of properties: [String], in entity: String) -> [String]? {
    layout.columns(of: properties, in: entity, of: model)?.map(\.name)
  }
}

extension JoinTable {
  /// The statement that creates it, seen from the end that names it.
  package var definition: String {
    let keys = [ownColumn, otherColumn].map(\.plainOrQuoted)
    // The order keys of the relationship's own order and of its inverse's.
    let orders = [inverseOrderColumn, orderColumn].compactMap { $0?.plainOrQuoted }
    let columns = (keys + orders).map { "\($0) INTEGER" }
    return "CREATE TABLE \(name.plainOrQuoted) ( \(columns.joined(separator: ", ")), "
      + "PRIMARY KEY (\(keys.joined(separator: ", "))) )"
  }
}
