internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Plans the entity numbers in Core Data's own tables: key counters, persistent history and CloudKit mirroring.
extension InPlacePlanner {
  /// The entity numbers of both models.
  private var knownNumbers: Set<Int64> {
    Set(before.entityNumbers.values).union(after.entityNumbers.values)
  }

  /// Rewrites `Z_PRIMARYKEY` if numbers have changed; a changed name alone is not updated, as in Core Data.
  mutating func planPrimaryKeys() {
    func rows(_ model: ObjectModel, _ layout: StoreLayout) -> [String] {
      layout.entityOrder.map { entity in
        let parent = model[entity]?.superentityName.flatMap { layout.entityNumbers[$0] } ?? 0
        return "\(layout.entityNumbers[entity] ?? 0) \(parent)"
      }
    }
    let isSame =
      rows(source, before) == rows(destination, after)
      && numbers.allSatisfy { $0.old == $0.new } && numbers.count == before.entityOrder.count
      && (version.altersTables || before.entityOrder == after.entityOrder)
    guard !isSame, let table = schema.systemTables.first(where: { $0.name == "Z_PRIMARYKEY" })
    else { return }
    let aside = Self.aside("Z_PRIMARYKEY")
    add(
      .system, "ALTER TABLE Z_PRIMARYKEY RENAME TO \(aside.quoted)",
      "renames the old table of entity numbers: a new one gets its name")
    add(.system, table.sql, "creates the table of entity numbers")
    for entity in after.entityOrder {
      let number = after.entityNumbers[entity] ?? 0
      let parent = destination[entity]?.superentityName.flatMap { after.entityNumbers[$0] } ?? 0
      var highest = "0"
      if parent != 0, let old = lineages[entity]?.source.flatMap({ before.entityNumbers[$0] }),
        source[lineages[entity]?.source ?? ""]?.superentityName != nil
      {
        highest = "coalesce((SELECT Z_MAX FROM \(aside.quoted) WHERE Z_ENT = \(old)), 0)"
      }
      if parent == 0, let table = after.table(of: entity) {
        let roots = sourceTables(of: table).compactMap { name in
          oldTables[name].flatMap { before.entityNumbers[$0.rootEntity] }
        }
        if !roots.isEmpty {
          // A counter below the highest key would assign keys twice.
          highest =
            "max((SELECT coalesce(max(Z_MAX), 0) FROM \(aside.quoted) WHERE Z_ENT IN (\(Self.list(roots.sorted())))), (SELECT coalesce(max(Z_PK), 0) FROM \(table.name.plainOrQuoted)))"
        }
      }
      add(
        .system,
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
          + "VALUES (\(number), \(entity.sqlText), \(parent), \(highest))",
        "writes the number and the highest key of \(entity)")
    }
    // Rows for other tables of Core Data, such as its history.
    let known = knownNumbers
    if found.keyCounters.contains(where: { !known.contains($0.number) }) {
      add(
        .system,
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX "
          + "FROM \(aside.quoted) WHERE Z_ENT NOT IN (\(Self.list(known.sorted())))",
        "copies the other rows of the old table")
    }
    let oldNumbers = Set(before.entityNumbers.values)
    for (number, name) in found.keyCounters
    where !oldNumbers.contains(number) && known.contains(number) {
      lostExtras.append(
        LostExtra(
          "the row \(number) of Z_PRIMARYKEY, \(name),",
          because: "an entity of the new model has this number"))
    }
    isKeyTableRecreated = true
    add(.system, "DROP TABLE \(aside.quoted)", "drops the old table of entity numbers")
  }

  /// Updates the entity numbers in persistent history and CloudKit mirroring.
  mutating func planHistory() {
    let removedNumbers = removed.compactMap { before.entityNumbers[$0] }.sorted()
    let moved = numbers.filter { $0.old != $0.new }
    let added = Set(after.entityNumbers.values).subtracting(before.entityNumbers.values).sorted()
    for numbered in found.numberedTables {
      let (name, column) = (numbered.table.plainOrQuoted, numbered.column)
      let hasStrays = noteRows(
        of: added, in: numbered, because: "an entity of the new model has their entity number")
      noteRows(
        of: removedNumbers, in: numbered, because: "the entity of their objects is removed")
      let deleted = removedNumbers + (hasStrays ? added : [])
      if !deleted.isEmpty {
        add(
          .system, "DELETE FROM \(name) WHERE \(column) IN (\(Self.list(deleted)))",
          "deletes the changes of objects of removed entities")
      }
      guard !moved.isEmpty else { continue }
      // Numbers can be swapped, and a unique index can allow each pair only once, so all get temporary numbers
      // first.
      let aside = Array(zip(moved, numbered.freeNumbers(moved.count)))
      let purpose = "updates entity numbers that have changed"
      add(
        .system,
        Self.renumberingUpdate(of: name, column, aside.map { (old: $0.old, new: $1) }), purpose)
      add(
        .system,
        Self.renumberingUpdate(of: name, column, aside.map { (old: $1, new: $0.new) }), purpose)
    }
  }

  /// Notes the rows with some entity numbers, which are deleted.
  ///
  /// - Returns: Whether there are any.
  @discardableResult
  private mutating func noteRows(
    of numbers: [Int64], in table: NumberedTable, because reason: String
  ) -> Bool {
    let count = numbers.reduce(0) { $0 + (table.counts[$1] ?? 0) }
    guard count > 0 else { return false }
    lostExtras.append(
      LostExtra("the data of \(Phrase.count(count, "row")) of \(table.table)", because: reason))
    return true
  }

  /// All numbers are replaced at once, so none is replaced twice.
  static func renumberingUpdate(
    of table: String, _ column: String, _ numbers: [(old: Int64, new: Int64)]
  ) -> String {
    let cases = numbers.map { "WHEN \($0.old) THEN \($0.new)" }.joined(separator: " ")
    return "UPDATE \(table) SET \(column) = CASE \(column) \(cases) ELSE \(column) END "
      + "WHERE \(column) IN (\(list(numbers.map(\.old))))"
  }
}

/// A table with a column of entity numbers.
struct NumberedTable {
  let table: String
  let column: String
  /// The number of rows by entity number.
  let counts: [Int64: Int]

  /// Unused negative numbers, from -1 down.
  ///
  /// A file can contain any 64-bit number; at most `counts.count` numbers are skipped, so this cannot overflow.
  func freeNumbers(_ count: Int) -> [Int64] {
    Array(sequence(first: -1) { $0 - 1 }.lazy.filter { counts[$0] == nil }.prefix(count))
  }

  /// The tables of a store with rows of unknown entities.
  static func all(
    with strayRows: [(table: String, count: Int)], in reader: borrowing StoreReader
  ) throws(StoreError) -> [NumberedTable] {
    var tables: [NumberedTable] = []
    for table in Set(strayRows.map(\.table)).sorted() {
      tables.append(
        NumberedTable(
          table: table, column: "Z_ENT", counts: try reader.store.counts(of: "Z_ENT", in: table)))
    }
    return tables
  }

  /// The tables of persistent history and CloudKit mirroring.
  static func all(in reader: borrowing StoreReader) throws(StoreError) -> [NumberedTable] {
    var tables: [NumberedTable] = []
    for table in try reader.store.connection.tableNames() {
      guard
        let column = table == "ACHANGE" ? "ZENTITY" : table.hasPrefix("ANSCK") ? "ZENTITYID" : nil,
        try reader.store.columnNames(of: table).contains(column)
      else { continue }
      tables.append(
        NumberedTable(
          table: table, column: column, counts: try reader.store.counts(of: column, in: table)))
    }
    return tables
  }
}
