internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Plans the entity numbers of relationships, the indexes, the triggers, and Core Data's own tables.
extension InPlacePlanner {
  /// Plans the columns with the entity number of a to-one relationship's destination.
  mutating func planEntityNumbers() {
    for table in after.tables {
      for column in table.columns {
        guard let numbers = column.entityColumn, let end = owner(of: column, in: table),
          let sql = after.entityNumbersUpdate(
            of: end, clearing: conditionSparingStrays(in: table))
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
        guard changes[table.name] != .created, isNew || isMoved || isChanged else { continue }
        add(
          .number, sql, on: table.name,
          "writes the entity numbers of \(end.qualifiedName)")
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

  /// Plans the indexes of recreated tables and of changed entities; in iOS 11 and 12, of all entities.
  mutating func planIndexes() {
    let ofApp = Set(found.extras.items.filter { $0.kind == .index }.map(\.name))
    let present = Dictionary(
      first: found.statements.filter { $0.kind == .index && !ofApp.contains($0.name) }
        .map { ($0.name, $0) })
    // Between versions with equal hashes, only indexes change in tables.
    let isSameModel = removed.isEmpty && !lineages.values.contains(where: \.isChanged)
    let wanted = [oldSchema, schema].map { schema in
      Dictionary(first: schema.indexes.map { ($0.name, $0.sql) })
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
    // Indexes of the old model alone would still be maintained, or would reject values that are now allowed.
    let left =
      version.altersTables
      ? oldSchema.indexes.filter { index in
        guard let entity = index.entity else { return false }
        let successors = self.successors[entity] ?? []
        return isOther(index) || successors.isEmpty || successors.contains(where: \.isChanged)
      }.map(\.name) : []
    var dropped: Set<String> = []
    for name in renewed + left {
      guard let index = present[name], dropped.insert(name).inserted else { continue }
      droppedIndexes.insert(name)
      let isTree = index.sql.createsVirtualTable
      add(
        .dropIndexes, "DROP \(isTree ? "TABLE" : "INDEX") \(name.plainOrQuoted)",
        "drops \(isTree ? "an R-tree" : "an index") of a changed entity")
    }
    let joins = after.joinTableNames(in: destination)
    for index in schema.indexes
    where present[index.name] == nil || droppedIndexes.contains(index.name) {
      guard !isUnderOtherName(index, joins: joins) else { continue }
      add(.index, index.sql, on: index.table, "creates an index of the new model")
      if let contents = schema.treeContents[index.name] {
        add(.index, contents, "fills the R-tree with the ranges of all objects")
      }
    }
  }

  /// Whether an index belongs to a join table within one entity that is named by its other end.
  ///
  /// - Parameter joins: The names of all join tables.
  private func isUnderOtherName(_ index: StoreSchema.Statement, joins: Set<String>) -> Bool {
    guard index.entity == nil, joins.contains(index.table) else { return false }
    let isPresent =
      found.columns[index.table] != nil && presentNames[index.table] == nil
      || presentNames.values.contains(index.table)
    return !createdTables.contains(index.table) && !isPresent
  }

  // MARK: Triggers

  /// Drops the triggers of the old model and creates those of the new one; they would fire at every statement.
  ///
  /// Without them, derived attributes are not updated, so all are computed again, as in a new store.
  mutating func planTriggers() {
    let own = Set(oldSchema.triggers.map(\.name))
    let present = found.statements.filter { $0.kind == .trigger && own.contains($0.name) }
    func texts(_ triggers: [StoreSchema.Statement]) -> Set<String> { Set(triggers.map(\.sql)) }
    let isSame = texts(present) == texts(schema.triggers)
    guard !touchedTables.isEmpty || !statements.isEmpty || !isSame else { return }
    for trigger in present {
      add(
        .dropTriggers, "DROP TRIGGER \(trigger.name.plainOrQuoted)",
        "drops a trigger, which must not fire while rows move")
    }
    for trigger in schema.triggers {
      add(.trigger, trigger.sql, "creates a trigger that updates a derived attribute or an index")
    }
    for value in schema.derivedValues {
      add(.number, value.sql, "computes the values of \(value.entity).\(value.attribute)")
    }
  }

  // MARK: Core Data's own tables

  mutating func planSystemTables(_ metadata: StoreMetadata) {
    planPrimaryKeys()
    planHistory()
    add(
      .system, "UPDATE Z_METADATA SET Z_PLIST = ?",
      values: [.bytes(metadata.renewed(for: destination, version: version).encoded)],
      "writes the version hashes of the new model")
    guard version.cachesModel else { return }
    if found.columns["Z_MODELCACHE"] == nil {
      let table = schema.systemTables.first { $0.name == "Z_MODELCACHE" }
      add(.system, table?.sql ?? "", "creates the table of the cached model")
    } else {
      add(.system, "DELETE FROM Z_MODELCACHE", "deletes the cached model")
    }
    add(
      .system, "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)",
      values: [.bytes(destination.cacheContent())], "writes the new model")
  }
}
