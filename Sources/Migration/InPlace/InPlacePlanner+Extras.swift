internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// What an app keeps in the store besides the objects of the model.
///
/// Its views and triggers go before anything changes, since no trigger may fire while rows move and SQLite
/// renames nothing that a view names; they come again when all else is done, exactly as they were. What no
/// longer compiles by then is lost.
extension InPlacePlanner {
  /// Call it behind all other planning.
  mutating func planExtras() throws {
    let own = Set(oldSchema.triggers.map(\.name))
    let new = Set(schema.triggers.map(\.name))
    try checkNames()
    addLostColumns()
    let items = found.extras.items.filter { item in
      switch item.kind {
      case .trigger: !own.contains(item.name)
      case .view: true
      case .index: isInTheWay(item)
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
    // A view takes its triggers along when it is dropped.
    let order: [StoreExtras.Item.Kind] = [.trigger, .view, .index]
    for item in order.flatMap({ kind in items.filter { $0.kind == kind } }) {
      add(
        .dropTriggers, "DROP \(item.kind.rawValue.uppercased()) \(item.name.quoted)",
        item.kind == .trigger
          ? "no trigger may fire while rows move" : "it comes again when all else is done")
    }
    for item in order.reversed().flatMap({ kind in kept.filter { $0.kind == kind } })
    where !(item.kind == .trigger && new.contains(item.name)) {
      add(.restore, item.sql, restoring: item, "\(item.title), as before")
    }
  }

  /// Whether an index of the app's own goes with its table, or could refuse what the migration does.
  private func isInTheWay(_ index: StoreExtras.Item) -> Bool {
    if index.table == "Z_PRIMARYKEY" { return isKeyTableAnew }
    if neededNames.contains(index.name.foldedName) { return true }
    let isUnique = index.sql.hasPrefix("CREATE UNIQUE")
    if found.numberedTables.contains(where: { $0.table == index.table })
      || ["Z_METADATA", "Z_MODELCACHE"].contains(index.table)
    {
      return isUnique
    }
    return goneIndexes.contains(index.name) || isUnique && touchedTables.contains(index.table)
  }

  /// The names of the new model's tables and indexes, folded.
  private var neededNames: Set<String> {
    Set(schema.statements.filter { $0.kind != .trigger }.map(\.name.foldedName))
  }

  /// - Throws: ``MigrationError/nameTaken(_:)``, ``MigrationError/columnNameTaken(_:table:)`` where a table or
  ///   a column of the app's own has a name that the new model needs: its rows or values would be lost.
  private func checkNames() throws(MigrationError) {
    let needed = neededNames
    if let item = found.extras.items.first(where: {
      ($0.kind == .table || $0.kind == .virtualTable) && needed.contains($0.name.foldedName)
    }) {
      throw .nameTaken(item.name)
    }
    for (table, names) in after.columnNamesByTable(of: destination).sorted(by: { $0.key < $1.key })
    {
      if let column = found.extras.columns(of: table, neededBy: names).first {
        throw .columnNameTaken(column, table: table)
      }
    }
  }

  /// Columns that an app has added to tables which are dropped or created anew.
  private mutating func addLostColumns() {
    let dropped = Set((statements[.drop] ?? []).map(\.sql))
    let needed = found.extras.columns.isEmpty ? [:] : after.columnNamesByTable(of: destination)
    for (table, columns) in found.extras.columns.sorted(by: { $0.key < $1.key }) {
      let isLost =
        switch table {
        case "Z_PRIMARYKEY": isKeyTableAnew
        case "Z_METADATA": false
        default: dropped.contains("DROP TABLE \(presentName(table).quoted)")
        }
      guard isLost else { continue }
      let isNew = table == "Z_PRIMARYKEY" || needed[table] != nil
      lostExtras += columns.map {
        LostExtra(
          "the column \($0) of \(table)",
          because: isNew ? "the table is created anew" : "the table is dropped")
      }
    }
  }
}
