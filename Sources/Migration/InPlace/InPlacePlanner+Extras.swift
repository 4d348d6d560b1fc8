internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Plans the app's own tables, columns, views, indexes and triggers in the store.
///
/// Views and triggers are dropped first, since triggers must not fire while rows move and SQLite cannot rename
/// tables and columns used in a view; they are created again at the end, unchanged. Those that no longer
/// compile are lost.
extension InPlacePlanner {
  /// Must be called after all other planning.
  mutating func planExtras() throws {
    let own = Set(oldSchema.triggers.map(\.name))
    let new = Set(schema.triggers.map(\.name))
    try checkNames()
    addLostColumns()
    let items = found.extras.items.filter { item in
      switch item.kind {
      case .trigger: !own.contains(item.name)
      case .view: true
      case .index: mayBlock(item)
      case .table, .virtualTable: false
      }
    }
    let (kept, lost) = try found.extras.compiled(items) { () throws(StoreError) in
      let after = try found.extras.trial()
      let beginnings = ["CREATE TABLE ", "CREATE VIRTUAL ", "ALTER TABLE ", "DROP TABLE "]
      after.run(
        InPlaceStatement.Phase.allCases.flatMap { statements[$0] ?? [] }.map(\.sql)
          .filter { beginnings.contains(where: $0.hasPrefix) })
      return after
    }
    lostExtras += lost
    // Dropping a view also drops its triggers.
    let order: [SchemaItem.Kind] = [.trigger, .view, .index]
    for item in order.flatMap({ kind in items.filter { $0.kind == kind } }) {
      add(
        .dropTriggers, "DROP \(item.kind.rawValue.uppercased()) \(item.name.quoted)",
        item.kind == .trigger
          ? "drops a trigger, which must not fire while rows move"
          : "drops \(item.title) until the end")
    }
    for item in order.reversed().flatMap({ kind in kept.filter { $0.kind == kind } })
    where !(item.kind == .trigger && new.contains(item.name)) {
      add(.restore, item.sql, restoring: item, "creates \(item.title) again, unchanged")
    }
  }

  /// Whether an index of the app's own is dropped with its table, or could make a statement of the migration
  /// fail.
  private func mayBlock(_ index: SchemaItem) -> Bool {
    if index.table == "Z_PRIMARYKEY" { return isKeyTableRecreated }
    if neededNames.contains(index.name.foldedName) { return true }
    let isUnique = index.sql.hasPrefix("CREATE UNIQUE")
    if found.numberedTables.contains(where: { $0.table == index.table })
      || ["Z_METADATA", "Z_MODELCACHE"].contains(index.table)
    {
      return isUnique
    }
    return droppedIndexes.contains(index.name) || isUnique && touchedTables.contains(index.table)
  }

  /// The names of the new model's tables and indexes, folded.
  private var neededNames: Set<String> {
    Set(schema.statements.filter { $0.kind != .trigger }.map(\.name.foldedName))
  }

  /// - Throws: ``MigrationError/nameTaken(_:)``, ``MigrationError/columnNameTaken(_:table:)`` if a table or a
  ///   column of the app's own has a name that the new model needs, so its rows or values would be lost.
  private func checkNames() throws(MigrationError) {
    let needed = neededNames
    if let item = found.extras.items.first(where: {
      ($0.kind == .table || $0.kind == .virtualTable) && needed.contains($0.name.foldedName)
    }) {
      throw .nameInUse(item.name)
    }
    for (table, names) in after.columnNamesByTable(of: destination).sorted(by: { $0.key < $1.key })
    {
      if let column = found.extras.columns(of: table, neededBy: names).first {
        throw .columnNameInUse(column, table: table)
      }
    }
  }

  /// Adds the app's own columns of tables that are dropped or recreated to the losses.
  private mutating func addLostColumns() {
    let dropped = Set((statements[.drop] ?? []).map(\.sql))
    let needed = found.extras.columns.isEmpty ? [:] : after.columnNamesByTable(of: destination)
    for (table, columns) in found.extras.columns.sorted(by: { $0.key < $1.key }) {
      let isLost =
        switch table {
        case "Z_PRIMARYKEY": isKeyTableRecreated
        case "Z_METADATA": false
        default: dropped.contains("DROP TABLE \(presentName(table).quoted)")
        }
      guard isLost else { continue }
      let isNew = table == "Z_PRIMARYKEY" || needed[table] != nil
      lostExtras += columns.map {
        LostExtra(
          "the column \($0) of \(table)",
          because: isNew ? "the table is recreated" : "the table is dropped")
      }
    }
  }
}
