internal import CSQLite
internal import StrataBase

/// Many changes of a schema at once.
///
/// SQLite rereads the whole schema for each `ALTER TABLE`, and scans the schema table for each `CREATE`: for
/// thousands of tables that takes minutes. The result in `sqlite_master` and in the tables is the same as of single
/// statements; the tests compare both.
extension SQLiteConnection {
  /// Fewer consecutive changes are run one by one.
  package static let schemaChangeLimit = 200

  /// Runs statements that change the schema, in their order, in the current transaction or in one of their own.
  ///
  /// - Parameter limit: How many consecutive statements of one kind are run one by one.
  package func changeSchema(
    _ statements: [String], limit: Int = schemaChangeLimit
  ) throws(StoreError) {
    var rest = statements[...]
    while let first = rest.first {
      let kind = SchemaChange(first)
      let run = rest.prefix { SchemaChange($0) == kind }
      rest = rest.dropFirst(run.count)
      if run.count > limit, kind == .column {
        try atOnce { () throws(StoreError) in try addColumns(run) }
      } else if run.count > limit, kind == .creation {
        try atOnce { () throws(StoreError) in try create(run) }
      } else {
        for sql in run { try execute(sql) }
      }
    }
  }

  /// The kind of a schema change, as far as several can be combined.
  private enum SchemaChange {
    case column
    case creation
    case other

    init(_ sql: String) {
      let creations = ["CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX ", "CREATE TRIGGER "]
      if SQLiteConnection.columnAddition(sql) != nil {
        self = .column
      } else {
        self = creations.contains(where: sql.hasPrefix) ? .creation : .other
      }
    }
  }

  /// Runs all of it or nothing.
  private func atOnce(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try execute("SAVEPOINT strata_schema")
    do {
      try body()
    } catch {
      try? execute("ROLLBACK TO strata_schema")
      try? execute("RELEASE strata_schema")
      throw error
    }
    try execute("RELEASE strata_schema")
  }

  /// Allows statements to write `sqlite_master`, which defensive mode prevents otherwise.
  private func writingSchema(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    _ = strata_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    defer {
      _ = try? rows("PRAGMA writable_schema = OFF")
      _ = strata_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
      // Statements prepared meanwhile could still write it.
      forgetStatements()
    }
    _ = try rows("PRAGMA writable_schema = ON")
    try body()
  }

  // MARK: Columns

  /// The table to which a statement adds a column; `nil` for other statements.
  private static func columnAddition(_ sql: String) -> String? {
    let start = "ALTER TABLE "
    guard sql.hasPrefix(start) else { return nil }
    let rest = sql.dropFirst(start.count)
    let name: Substring
    if rest.hasPrefix("\"") {
      name = rest.dropFirst().prefix { $0 != "\"" }
      guard rest.dropFirst(name.count + 1).hasPrefix("\" ADD COLUMN ") else { return nil }
    } else {
      name = rest.prefix { $0 != " " }
      guard rest.dropFirst(name.count).hasPrefix(" ADD COLUMN ") else { return nil }
    }
    return String(name)
  }

  /// Adds columns without constraints: only the statements of the tables change.
  ///
  /// SQLite itself computes each new statement, in a database with only this table. The last table is altered
  /// normally, so that SQLite rereads the schema.
  private func addColumns(_ statements: ArraySlice<String>) throws(StoreError) {
    var byTable: [String: [String]] = [:]
    var order: [String] = []
    for sql in statements {
      guard let table = Self.columnAddition(sql) else { continue }
      if byTable[table] == nil { order.append(table) }
      byTable[table, default: []].append(sql)
    }
    var texts: [String: (row: AttributeValue, sql: String)] = [:]
    for row in try rows("SELECT rowid, name, sql FROM sqlite_master WHERE type = 'table'") {
      if case .text(let name) = row[1], case .text(let sql) = row[2] { texts[name] = (row[0], sql) }
    }
    var altered: [(row: AttributeValue, sql: String)] = []
    var plain: [String] = []
    let trial = try SQLiteConnection(path: "", mode: .memory)
    for table in order.dropLast() {
      if let (row, sql) = texts[table],
        let new = trial.text(of: table, createdBy: sql, after: byTable[table] ?? [])
      {
        altered.append((row, new))
      } else {
        plain.append(table)
      }
    }
    try writingSchema { () throws(StoreError) in
      for (row, sql) in altered {
        try execute("UPDATE sqlite_master SET sql = ? WHERE rowid = ?", [.text(sql), row])
      }
    }
    for sql in (plain + order.suffix(1)).flatMap({ byTable[$0] ?? [] }) { try execute(sql) }
  }

  /// The new statement of a table, computed in an empty database; `nil` if that is not possible.
  private func text(of table: String, createdBy sql: String, after changes: [String]) -> String? {
    let found = "SELECT sql FROM sqlite_master WHERE name = ?"
    defer { try? execute("DROP TABLE IF EXISTS \(table.quoted)") }
    guard sql.hasPrefix("CREATE TABLE "), (try? execute(sql)) != nil,
      let result = try? rows(found, [.text(table)]), result == [[.text(sql)]]
    else { return nil }
    for change in changes where (try? execute(change)) == nil { return nil }
    guard case .text(let text)?? = try? rows(found, [.text(table)]).first?.first else { return nil }
    return text
  }

  // MARK: Tables, indexes and triggers

  /// Creates objects with an empty `sqlite_master`: its rows are moved to a temporary table and back, in their order.
  private func create(_ statements: ArraySlice<String>) throws(StoreError) {
    try writingSchema { () throws(StoreError) in
      try execute("CREATE TEMP TABLE strata_schema AS SELECT * FROM main.sqlite_master WHERE FALSE")
      var rest = statements
      while !rest.isEmpty {
        try stepAside()
        for sql in rest.prefix(Self.schemaChangeLimit) { try execute(sql) }
        rest = rest.dropFirst(Self.schemaChangeLimit)
      }
      try stepAside()
      try execute("INSERT INTO main.sqlite_master SELECT * FROM temp.strata_schema ORDER BY rowid")
      try execute("DROP TABLE temp.strata_schema")
    }
  }

  private func stepAside() throws(StoreError) {
    try execute(
      "INSERT INTO temp.strata_schema SELECT * FROM main.sqlite_master ORDER BY rowid")
    try execute("DELETE FROM main.sqlite_master")
  }
}
