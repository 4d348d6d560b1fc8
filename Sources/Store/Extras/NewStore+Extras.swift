internal import CSQLite
internal import StrataBase
package import StrataSQLite

/// The extras that a new store copies from an old one.
package struct CarriedExtras: Sendable {
  /// Tables with their rows.
  fileprivate var tables: [SchemaItem] = []
  fileprivate var columns: [String: [String]] = [:]
  /// Indexes, views and triggers, in the order in which they are created.
  fileprivate var objects: [SchemaItem] = []
  /// Numbers in the header of the file.
  fileprivate var numbers: [(name: String, value: Int)] = []
  /// The extras that are known to be lost before anything is copied.
  package fileprivate(set) var lost: [LostExtra] = []
}

extension NewStore {
  /// Determines which extras of a store can be copied.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func carriedExtras(of source: borrowing StoreReader) throws(StoreError) -> CarriedExtras {
    let extras = try StoreExtras(source)
    var carried = CarriedExtras()
    carried.columns = extras.columnsByTable
    carried.numbers = extras.numbers
    try carried.lost += source.lostFrameworkRows()
    let needed = Set(schema.statements.filter { $0.kind != .trigger }.map(\.name.foldedName))
    for item in extras.items {
      switch item.kind {
      case .table where needed.contains(item.name.foldedName):
        carried.lost.append(
          LostExtra(source.titleWithRows(of: item), because: "the new model uses its name"))
      case .table where extras.generated.contains(item.name):
        carried.lost.append(
          LostExtra(source.titleWithRows(of: item), because: "it has generated columns"))
      case .table:
        carried.tables.append(item)
      case .virtualTable:
        carried.lost.append(LostExtra(item.title, because: "virtual tables are not copied"))
      case .view, .index, .trigger: break
      }
    }
    let names = layout.columnNamesByTable(of: model)
    for (table, columns) in extras.columns.sorted(by: { $0.key < $1.key }) {
      let needed = extras.columns(of: table, neededBy: names[table] ?? [])
      carried.lost += columns.map {
        LostExtra(
          "the column \($0) of \(table)",
          because: needed.contains($0)
            ? "the new model uses its name" : "the new model does not have it")
      }
    }
    let tables = carried.tables.map { ($0.name, extras.columnsByTable[$0.name] ?? []) }
    let statements = schema.statements.filter { $0.kind != .trigger }.map(\.sql)
    let others = extras.items.filter { !$0.isOfFramework }
    let (kept, lost) = try extras.compiled(others) { () throws(StoreError) in
      let after = try SchemaTrial()
      after.run(statements)
      after.add(Dictionary(first: tables))
      return after
    }
    carried.lost += lost
    let order: [SchemaItem.Kind] = [.index, .view, .trigger]
    carried.objects = order.flatMap { kind in kept.filter { $0.kind == kind } }
    return carried
  }

  /// Creates them in this otherwise complete store, and copies their rows bit by bit.
  ///
  /// Check constraints are not evaluated again.
  ///
  /// - Returns: The extras that could not be created.
  /// - Throws: ``StoreError``: the source cannot be read, the disk is full.
  package func carry(
    _ extras: CarriedExtras, from source: borrowing StoreReader
  ) throws(StoreError) -> [LostExtra] {
    for (name, value) in extras.numbers { _ = try connection.rows("PRAGMA \(name) = \(value)") }
    guard !extras.tables.isEmpty || !extras.objects.isEmpty else { return [] }
    var lost: [LostExtra] = []
    var bytes = Self.byteLimit(source.store)
    _ = try connection.rows("PRAGMA ignore_check_constraints = ON")
    for table in extras.tables {
      if let message = try refused({ () throws(StoreError) in
        try copy(table, extras.columns[table.name] ?? [], from: source.store.connection, &bytes)
      }) {
        lost.append(LostExtra(source.titleWithRows(of: table), refused: message))
      }
    }
    _ = try connection.rows("PRAGMA ignore_check_constraints = OFF")
    for item in extras.objects {
      if let message = try refused({ () throws(StoreError) in try connection.execute(item.sql) }) {
        lost.append(LostExtra(item, refusedWith: message))
      }
    }
    return lost
  }

  /// Runs work in a savepoint: all or nothing.
  ///
  /// - Returns: Why it was refused.
  private func refused(_ body: () throws(StoreError) -> Void) throws(StoreError) -> String? {
    try connection.execute("SAVEPOINT strata_extra")
    do {
      try body()
      try connection.execute("RELEASE strata_extra")
      return nil
    } catch {
      guard let message = error.refusal else { throw error }
      try connection.execute("ROLLBACK TO strata_extra")
      try connection.execute("RELEASE strata_extra")
      return message
    }
  }

  /// A damaged file may use the same pages for many tables, and added columns may have large defaults: the copied
  /// bytes are limited to a multiple of the file size.
  private static func byteLimit(_ store: borrowing SQLiteStore) -> Int {
    FileOperations.size(of: store.path) * 16 + 64 << 20
  }

  private func copy(
    _ table: SchemaItem, _ columns: [String], from source: SQLiteConnection,
    _ bytes: inout Int
  ) throws(StoreError) {
    func refuse(_ message: String) -> StoreError {
      .sqlite(code: SQLITE_ERROR, message: message, sql: nil)
    }
    guard table.sql.hasPrefix("CREATE TABLE ") else {
      throw refuse("not a statement that creates it")
    }
    try connection.execute(table.sql)
    let created = try connection.rows(
      "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?", [.text(table.name)])
    guard created == [[.text(table.sql)]] else {
      throw refuse("its statement creates a different table")
    }
    let usedNames = Set(columns.map(\.foldedName))
    let alias = ["rowid", "oid", "_rowid_"].first { alias in
      !usedNames.contains(alias)
        && (try? source.prepare("SELECT \(alias) FROM main.\(table.name.quoted)")) != nil
    }
    let list = ([alias].compactMap { $0 } + columns.map(\.quoted)).joined(separator: ", ")
    let count = columns.count + (alias == nil ? 0 : 1)
    let marks = Array(repeating: "?", count: count).joined(separator: ", ")
    let rows = try source.prepare("SELECT \(list) FROM main.\(table.name.quoted)")
    let insert = try connection.prepare(
      "INSERT OR ABORT INTO main.\(table.name.quoted) (\(list)) VALUES (\(marks))")
    while try rows.step() {
      for column in 0..<count {
        try insert.bind(rows, column: column, at: column + 1)
        bytes -= rows.byteCount(column) + 1
      }
      guard bytes >= 0 else { throw refuse("its rows are larger than the file") }
      while try insert.step() {}
      insert.reset()
    }
    try copySequence(of: table.name, from: source)
  }

  /// The highest key that a table with AUTOINCREMENT ever had.
  private func copySequence(
    of table: String, from source: SQLiteConnection
  ) throws(StoreError) {
    guard
      try connection.rows(
        "SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'"
      ).count == 1,
      try source.hasTable("sqlite_sequence"),
      let highest = try source.rows(
        "SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table)]
      ).first?[0]
    else { return }
    try connection.execute("DELETE FROM main.sqlite_sequence WHERE name = ?", [.text(table)])
    try connection.execute(
      "INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), highest])
  }
}

extension StoreReader {
  /// All extras, for a store that has objects only: an XML store.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func extrasBesideObjects() throws(StoreError) -> CarriedExtras {
    let extras = try StoreExtras(self)
    let reason = "an XML store has objects only"
    var carried = CarriedExtras()
    carried.lost = try lostFrameworkRows()
    for item in extras.items where !item.isOfFramework {
      let title = item.kind == .table ? titleWithRows(of: item) : item.title
      carried.lost.append(LostExtra(title, because: reason))
    }
    for (table, columns) in extras.columns.sorted(by: { $0.key < $1.key }) {
      carried.lost += columns.map { LostExtra("the column \($0) of \(table)", because: reason) }
    }
    carried.lost += extras.numbers.map { LostExtra("the \($0.name) \($0.value)", because: reason) }
    return carried
  }
}

extension LostExtra {
  fileprivate init(_ title: String, refused message: String) {
    self.init(title, because: "SQLite error: \(message)")
  }
}

extension StoreReader {
  /// `the table notes with 3 rows`
  fileprivate func titleWithRows(of item: SchemaItem) -> String {
    let count = rowCount(of: item.name)
    return "\(item.title) with \(Phrase.count(count, "row"))"
  }

  /// The number of rows; 0 for a table that cannot be read.
  private func rowCount(of table: String) -> Int {
    (try? store.connection.number("SELECT count(*) FROM main.\(table.quoted)")) ?? 0
  }

  /// Persistent history and CloudKit mirroring data, which a new store does not have.
  fileprivate func lostFrameworkRows() throws(StoreError) -> [LostExtra] {
    var lost: [LostExtra] = []
    var (changes, transactions, mirrored, mirrors) = (0, 0, 0, 0)
    for name in try store.connection.tableNames() {
      let folded = name.foldedName
      let isMirror = folded.hasPrefix("ansck")
      guard isMirror || OwnTables.history.contains(where: { $0.foldedName == folded }) else {
        continue
      }
      let count = rowCount(of: name)
      switch folded {
      case "achange": changes = count
      case "atransaction": transactions = count
      case _ where isMirror && count > 0:
        mirrored += count
        mirrors += 1
      default: break
      }
    }
    let reason = "the migration creates a new store without it"
    if changes + transactions > 0 {
      lost.append(
        LostExtra(
          "the persistent history (\(Phrase.count(changes, "change")) in "
            + "\(Phrase.count(transactions, "transaction")))",
          because: reason))
    }
    if mirrored > 0 {
      lost.append(
        LostExtra(
          "CloudKit's mirroring data (\(Phrase.count(mirrored, "row")) in "
            + "\(Phrase.count(mirrors, "table")))", because: reason))
    }
    return lost
  }
}
