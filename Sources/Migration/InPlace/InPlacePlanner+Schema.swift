internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Entity numbers beside relationships, indexes, triggers, and Core Data's own tables.
extension InPlacePlanner {
  /// The columns that tell the entity of what a to-one relationship leads to.
  mutating func planEntityNumbers() {
    for table in after.tables {
      for column in table.columns {
        guard let numbers = column.entityColumn, let end = owner(of: column, in: table),
          let sql = after.entityNumbersUpdate(of: end)
        else { continue }
        let family = Set(
          lineages(below: end.property.destinationName).compactMap {
            after.entityNumbers[$0.destination]
          })
        let isNew =
          changes[table.name] != .kept
          || !(found.columns[table.name] ?? []).contains {
            presentColumn($0, of: table.name) == numbers
          }
        let isMoved = family.contains { movedNumbers[$0] != nil }
        let isChanged = changedKeys.contains("\(table.name).\(column.name)")
        guard changes[table.name] != .made, isNew || isMoved || isChanged else { continue }
        add(
          .number, sql, on: table.name,
          "the entities of the objects that \(end.declaringEntity).\(end.property.name) leads to")
      }
    }
  }

  private func owner(of column: StoreColumn, in table: StoreTable) -> Declared<Relationship>? {
    for entity in destinationFamilies[table.rootEntity] ?? [] {
      for relationship in destination[entity]?.relationships ?? []
      where after.column(of: relationship.name, declaredBy: entity) == column {
        return Declared(property: relationship, declaringEntity: entity)
      }
    }
    return nil
  }

  // MARK: Indexes

  /// Those of tables made anew; of entities that have changed; of all, in the way of iOS 11 and 12.
  mutating func planIndexes() {
    let present = Dictionary(
      found.statements.filter { $0.kind == .index }.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    // Between versions with equal hashes, indexes are all that changes in tables.
    let isSameModel = removed.isEmpty && !lineages.values.contains(where: \.isChanged)
    let wanted = [oldSchema, schema].map { schema in
      Dictionary(schema.indexes.map { ($0.name, $0.sql) }, uniquingKeysWith: { first, _ in first })
    }
    func isOther(_ index: StoreSchema.Statement) -> Bool {
      isSameModel && wanted[0][index.name] != wanted[1][index.name]
    }
    func isRenewed(_ index: StoreSchema.Statement) -> Bool {
      guard let entity = index.entity else { return false }
      return !version.altersTables || lineages[entity]?.isChanged ?? true || isOther(index)
    }
    let renewed =
      version.namesIndexesByEntity ? schema.indexes.filter(isRenewed).map(\.name) : []
    // What only the old model asked for would go on being kept in step, or refuse what is allowed now.
    let left =
      version.altersTables
      ? oldSchema.indexes.filter { index in
        guard let entity = index.entity else { return false }
        let heirs = self.heirs[entity] ?? []
        return isOther(index) || heirs.isEmpty || heirs.contains(where: \.isChanged)
      }.map(\.name) : []
    var dropped: Set<String> = []
    for name in renewed + left {
      guard let index = present[name], dropped.insert(name).inserted else { continue }
      goneIndexes.insert(name)
      let isTree = index.sql.hasPrefix("CREATE VIRTUAL")
      add(
        .dropIndexes, "DROP \(isTree ? "TABLE" : "INDEX") \(name.plainOrQuoted)",
        isTree ? "an R-tree of a changed entity" : "an index of a changed entity")
    }
    let joins = after.joinTableNames(in: destination)
    for index in schema.indexes where present[index.name] == nil || goneIndexes.contains(index.name)
    {
      guard !isUnderOtherName(index, joins: joins) else { continue }
      add(.index, index.sql, on: index.table, "an index of the new model")
      if let contents = schema.treeContents[index.name] {
        add(.index, contents, "the ranges of all objects")
      }
    }
  }

  /// The index of a relation within one entity whose table bears its other end's name.
  ///
  /// - Parameter joins: The names of all join tables.
  private func isUnderOtherName(_ index: StoreSchema.Statement, joins: Set<String>) -> Bool {
    guard index.entity == nil, joins.contains(index.table) else { return false }
    let isPresent =
      found.columns[index.table] != nil && presentNames[index.table] == nil
      || presentNames.values.contains(index.table)
    return !madeTables.contains(index.table) && !isPresent
  }

  // MARK: Triggers

  /// They would fire at every statement: those of the old model go, and those of the new model come.
  ///
  /// While they are gone, nothing keeps derived attributes in step: all are computed anew, as in a new store.
  mutating func planTriggers() {
    let own = Set(oldSchema.triggers.map(\.name))
    let present = found.statements.filter { $0.kind == .trigger && own.contains($0.name) }
    func texts(_ triggers: [StoreSchema.Statement]) -> Set<String> { Set(triggers.map(\.sql)) }
    let isSame = texts(present) == texts(schema.triggers)
    guard !touchedTables.isEmpty || !statements.isEmpty || !isSame else { return }
    for trigger in present {
      add(
        .dropTriggers, "DROP TRIGGER \(trigger.name.plainOrQuoted)",
        "no trigger may fire while rows move")
    }
    for trigger in schema.triggers {
      add(.trigger, trigger.sql, "keeps a derived attribute or an index in step")
    }
    for value in schema.derivedValues {
      add(.number, value.sql, "the values of \(value.entity).\(value.attribute)")
    }
  }

  // MARK: Core Data's own tables

  mutating func planSystemTables(_ metadata: StoreMetadata) {
    planPrimaryKeys()
    planHistory()
    add(
      .system, "UPDATE Z_METADATA SET Z_PLIST = ?",
      values: [.bytes(metadata.renewed(for: destination, version: version).encoded)],
      "the version hashes of the new model")
    guard version.cachesModel else { return }
    if found.columns["Z_MODELCACHE"] == nil {
      let table = schema.systemTables.first { $0.name == "Z_MODELCACHE" }
      add(.system, table?.sql ?? "", "a place for the model")
    } else {
      add(.system, "DELETE FROM Z_MODELCACHE", "the old model goes")
    }
    add(
      .system, "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)",
      values: [.bytes(destination.cacheContent())], "the new model")
  }
}
