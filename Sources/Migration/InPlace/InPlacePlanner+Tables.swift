internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Plans the tables of root entities.
extension InPlacePlanner {
  mutating func planTables() {
    // The number of destination tables with rows of a source table.
    var successorCounts: [String: Int] = [:]
    for table in after.tables {
      for name in sourceTables(of: table) { successorCounts[name, default: 0] += 1 }
    }
    for table in after.tables {
      let names = sourceTables(of: table)
      if names.isEmpty {
        changes[table.name] = .created
      } else {
        changes[table.name] =
          names == [table.name] && successorCounts[table.name] == 1 && canKeep(table)
          ? .kept : .recreated
      }
    }
    for table in before.tables where changes[table.name] != .kept {
      setAside(table)
    }
    let definitions = Dictionary(first: schema.tables.map { ($0.name, $0.sql) })
    for table in after.tables { plan(table, definitions) }
  }

  /// Drops a table; it is renamed first if a new one has its name.
  private mutating func setAside(_ table: StoreTable) {
    let isNeeded = newTables[table.name] != nil
    let isEmptied = (sourceFamilies[table.rootEntity] ?? []).allSatisfy { successors[$0] == nil }
    droppedIndexes.formUnion(indexes(on: table.name))
    if isNeeded { setAside(table.name, "renames the old table: a new one gets its name") }
    add(
      .drop, "DROP TABLE \(presentName(table.name).quoted)",
      isEmptied
        ? "drops the table: no objects of \(table.rootEntity) are left"
        : "drops the old table, whose rows are copied")
  }

  /// - Parameter definitions: The statements that create the tables of the new schema.
  private mutating func plan(_ table: StoreTable, _ definitions: [String: String]) {
    guard changes[table.name] != .kept else {
      alter(table)
      return
    }
    add(
      .create, definitions[table.name] ?? "", on: table.name,
      changes[table.name] == .created
        ? "creates a table for the new entity \(table.rootEntity)"
        : "creates \(table.name) with the columns of the new model")
    for lineage in lineages(of: table) { copyRows(of: lineage, into: table) }
  }

  private mutating func copyRows(of lineage: EntityLineage, into table: StoreTable) {
    guard let entity = lineage.source, let old = before.entityNumbers[entity],
      let new = after.entityNumbers[lineage.destination],
      let from = before.table(of: entity)?.name,
      destination[lineage.destination]?.isAbstract == false
    else { return }
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var values = ["Z_PK", String(new), "Z_OPT"]
    for origin in origins(of: lineage) {
      columns.append(origin.column.name.plainOrQuoted)
      values.append(origin.expression)
      guard let order = origin.column.orderColumn else { continue }
      guard let oldOrder = origin.source?.orderColumn else {
        newOrders.insert("\(table.name).\(origin.column.name)")
        continue
      }
      columns.append(order.plainOrQuoted)
      values.append(oldOrder.plainOrQuoted)
    }
    add(
      .fill,
      "INSERT INTO \(table.name.plainOrQuoted) (\(columns.joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM \(presentName(from).quoted) "
        + "WHERE Z_ENT = \(old)", "copies the objects of \(lineage.destination)")
  }

  // MARK: Kept tables

  private func canKeep(_ table: StoreTable) -> Bool {
    guard let old = oldTables[table.name],
      let names = found.columns[table.name]
    else { return false }
    guard version.altersTables else {
      return old.definitions.map(\.name) == table.definitions.map(\.name)
        && old.definitions.map(\.type) == table.definitions.map(\.type)
        && lineages(of: table).allSatisfy { !$0.isChanged && $0.source != nil }
        && !removedRoots.contains(old.rootEntity)
    }
    guard let renames = renamedColumns(of: table), losesNothing(old) else { return false }
    // Every column is one of the new ones, possibly with another entity number.
    let wanted = Set(table.definitions.map(\.name))
    return names.allSatisfy { wanted.contains(renames[$0] ?? $0) }
  }

  /// Whether all properties of the table's entities are kept.
  private func losesNothing(_ table: StoreTable) -> Bool {
    (sourceFamilies[table.rootEntity] ?? []).compactMap { source[$0] }.allSatisfy { entity in
      let names =
        entity.attributes.filter { !$0.isTransient }.map(\.name)
        + entity.relationships.filter { !$0.isTransient }.map(\.name)
      let continued = successors[entity.name]?.first?.continuedProperties ?? []
      return names.allSatisfy(continued.contains)
    }
  }

  /// Columns that only differ by an entity number; `nil` if a column has another name or type for another
  /// reason.
  private func renamedColumns(of table: StoreTable) -> [String: String]? {
    var renames: [String: String] = [:]
    for lineage in lineages(of: table) where lineage.source != nil {
      for origin in origins(of: lineage) {
        guard let old = origin.source else { continue }
        guard old.type == origin.column.type else { return nil }
        if old.name != origin.column.name {
          // `Z2MODIFIERS`: the number of the owner, and the relationship.
          guard old.name.isNumbered(like: origin.column.name) else { return nil }
          renames[old.name] = origin.column.name
        }
        if let number = old.entityColumn, let new = origin.column.entityColumn, number != new {
          renames[number] = new
        }
        if let order = old.orderColumn, let new = origin.column.orderColumn, order != new {
          renames[order] = new
        }
      }
    }
    return renames
  }

  private mutating func alter(_ table: StoreTable) {
    let name = table.name.plainOrQuoted
    let renames = renamedColumns(of: table) ?? [:]
    presentColumns[table.name] = renames
    var columns = Set(found.columns[table.name] ?? [])
    for (old, new) in Self.inOrder(renames, used: columns) {
      add(
        .alter,
        "ALTER TABLE \(name) RENAME COLUMN \(old.plainOrQuoted) TO \(new.plainOrQuoted)",
        on: table.name, "renames a column: the entity number has changed")
      columns.remove(old)
      columns.insert(new)
    }
    var added: Set<String> = []
    for (column, type) in table.definitions where !columns.contains(column) {
      add(
        .alter, "ALTER TABLE \(name) ADD COLUMN \(column.plainOrQuoted) \(type)", on: table.name,
        "adds a column")
      added.insert(column)
    }
    setDefaults(table, added)
    removeRows(table)
    setStraysAside(table)
    renumber(table)
    for lineage in lineages(of: table) where lineage.source != nil {
      update(lineage, in: table, added: added)
    }
  }

  /// The renames in an order in which no new name is still used.
  static func inOrder(
    _ renames: [String: String], used: Set<String>
  ) -> [(old: String, new: String)] {
    var left = renames.sorted { $0.key < $1.key }.map { (old: $0.key, new: $0.value) }
    var used = used
    var ordered: [(old: String, new: String)] = []
    while let index = left.firstIndex(where: { !used.contains($0.new) }) ?? left.indices.first {
      let rename = left.remove(at: index)
      guard !used.contains(rename.new) else {
        // A cycle: one of them gets a temporary name.
        let aside = aside(rename.old)
        ordered.append((rename.old, aside))
        used.remove(rename.old)
        left.append((aside, rename.new))
        continue
      }
      ordered.append(rename)
      used.remove(rename.old)
      used.insert(rename.new)
    }
    return ordered
  }

  /// As in Core Data, in all rows of the table, regardless of their entity.
  private mutating func setDefaults(_ table: StoreTable, _ added: Set<String>) {
    var assignments: [String] = []
    for lineage in lineages(of: table) {
      for origin in origins(of: lineage)
      where added.contains(origin.column.name) && origin.defaultValue != .null {
        let assignment =
          "\(origin.column.name.plainOrQuoted) = \(origin.defaultValue.sqlLiteral)"
        if !assignments.contains(assignment) { assignments.append(assignment) }
        filledColumns.insert("\(table.name).\(origin.column.name)")
      }
    }
    guard !assignments.isEmpty else { return }
    add(
      .fill,
      "UPDATE \(table.name.plainOrQuoted) SET \(assignments.joined(separator: ", "))",
      on: table.name, "sets the default values of new attributes")
  }

  private mutating func removeRows(_ table: StoreTable) {
    let numbers = (removedEntities[table.name] ?? [])
      .compactMap { before.entityNumbers[$0] }.sorted()
    guard !numbers.isEmpty else { return }
    add(
      .fill, "DELETE FROM \(table.name.plainOrQuoted) WHERE Z_ENT IN (\(Self.list(numbers)))",
      on: table.name, "deletes the objects of entities that are removed or become abstract")
  }

  /// Renumbers rows of unknown entities if an entity of the new model gets their number.
  private mutating func setStraysAside(_ table: StoreTable) {
    let numbers = lineages(of: table).compactMap { after.entityNumbers[$0.destination] }
    for found in found.strayTables where sourceTables(of: table).contains(found.table) {
      let known = oldTables[found.table].map {
        source.familyNames(of: $0.rootEntity).compactMap { before.entityNumbers[$0] }
      }
      let usedNumbers = numbers.filter { found.counts[$0] != nil && known?.contains($0) != true }
        .sorted()
      guard !usedNumbers.isEmpty else { continue }
      let aside = zip(usedNumbers, found.freeNumbers(usedNumbers.count)).map { (old: $0, new: $1) }
      let count = usedNumbers.reduce(0) { $0 + (found.counts[$1] ?? 0) }
      lostExtras.append(
        LostExtra(
          "the unknown entity number of \(Phrase.count(count, "row")) of \(table.name)",
          because: "an entity of the new model has it"))
      add(
        .fill, Self.renumberingUpdate(of: table.name.plainOrQuoted, found.column, aside),
        on: table.name, "keeps the rows of unknown entities")
    }
  }

  private mutating func renumber(_ table: StoreTable) {
    let moved = lineages(of: table).compactMap { after.entityNumbers[$0.destination] }
      .compactMap { movedNumbers[$0] }.sorted { $0.old < $1.old }
    guard !moved.isEmpty else { return }
    add(
      .fill, Self.renumberingUpdate(of: table.name.plainOrQuoted, "Z_ENT", moved), on: table.name,
      "updates entity numbers that have changed")
  }

  /// Updates the objects of one entity, except for default values.
  private mutating func update(
    _ lineage: EntityLineage, in table: StoreTable, added: Set<String>
  ) {
    guard let number = after.entityNumbers[lineage.destination],
      destination[lineage.destination]?.isAbstract == false
    else { return }
    let name = table.name.plainOrQuoted
    var assignments: [String] = []
    for origin in origins(of: lineage) {
      let column = origin.column.name.plainOrQuoted
      if let order = origin.column.orderColumn, added.contains(order) {
        newOrders.insert("\(table.name).\(origin.column.name)")
      }
      guard !origin.isPlain, !added.contains(origin.column.name) else { continue }
      if let source = origin.source, origin.fallback != .null,
        origin.expression == "coalesce(\(source.name.plainOrQuoted), \(origin.fallback.sqlLiteral))"
      {
        add(
          .fill,
          "UPDATE \(name) SET \(column) = \(origin.fallback.sqlLiteral) WHERE Z_ENT = \(number) "
            + "AND \(column) IS NULL", on: table.name,
          "sets the default value of an attribute that \(lineage.destination) now requires")
      } else {
        assignments.append("\(column) = \(origin.expression)")
      }
    }
    guard !assignments.isEmpty else { return }
    add(
      .fill,
      "UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE Z_ENT = \(number)",
      on: table.name, "updates the values of \(lineage.destination)")
  }
}

extension String {
  /// Whether two columns differ by an entity's number only: `Z2MODIFIERS`, `Z3MODIFIERS`.
  func isNumbered(like other: String) -> Bool {
    func parts(_ text: String) -> (number: Substring, rest: Substring) {
      let rest = text.dropFirst()
      let number = rest.prefix { $0.isNumber }
      return (number, rest.dropFirst(number.count))
    }
    let (own, theirs) = (parts(self), parts(other))
    return !own.number.isEmpty && !theirs.number.isEmpty && own.rest == theirs.rest
  }
}
