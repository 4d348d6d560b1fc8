internal import CSQLite
internal import StrataArchives
package import StrataBase
internal import StrataEssentials
package import StrataObjectModel
package import StrataSQLite

/// Changes a store in place in one exclusive transaction, which has no effect unless it is committed.
extension SQLiteStore {
  /// Opens a store to change it.
  ///
  /// - Throws: ``StoreError/openElsewhere(_:)``, ``StoreError/locked`` if another program has it open, as far as
  ///   known; ``StoreError/unwritable(reason:)``, and errors of reading.
  package init(
    changing given: String, log: StatementLog? = nil, hasBudget: Bool = false
  ) throws(StoreError) {
    let path = RealPath.resolving(given)
    try StoreUsers.check(path)
    let connection = try SQLiteConnection(changingStoreAt: path, hasBudget: hasBudget)
    connection.setLog(log, as: .destination, by: .strata)
    try connection.waitAndSync()
    // In WAL mode, others could continue reading: this locks the file exclusively.
    _ = try connection.rows("PRAGMA locking_mode = EXCLUSIVE")
    // Renaming a table does not change views and foreign keys of the user.
    _ = try connection.rows("PRAGMA legacy_alter_table = ON")
    try connection.coreData { () throws(StoreError) in try connection.execute("BEGIN EXCLUSIVE") }
    try connection.trustRTrees()
    try self.init(connection, path: path)
  }

  /// Runs a statement that is logged as Core Data's.
  ///
  /// - Returns: The number of rows that the statement changed.
  @discardableResult
  package func execute(
    _ sql: String, _ values: [AttributeValue] = []
  ) throws(StoreError) -> Int {
    try connection.coreData { () throws(StoreError) in try connection.execute(sql, values) }
    return connection.changeCount
  }

  /// The names of a table's columns, in order; empty if there is no such table.
  package func columnNames(of table: String) throws(StoreError) -> [String] {
    try connection.rows("PRAGMA table_info(\(table.quoted))").compactMap { $0[1].text }
  }

  /// The number of rows of a table for each integer in a column.
  package func counts(of column: String, in table: String) throws(StoreError) -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    for row in try connection.rows(
      "SELECT \(column.quoted), count(*) FROM \(table.quoted) GROUP BY \(column.quoted)")
    {
      if case .integer(let number) = row[0], case .integer(let count) = row[1] {
        counts[number] = Int(count)
      }
    }
    return counts
  }

  /// The numbers and names in Core Data's key counters.
  package func keyCounters() throws(StoreError) -> [(number: Int64, name: String)] {
    guard try Self.hasTable("Z_PRIMARYKEY", connection) else { return [] }
    return try connection.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT").compactMap {
      row in
      row[0].integer.map { (number: $0, name: row[1].text ?? "") }
    }
  }

  /// Runs schema changes that are logged as Core Data's.
  package func changeSchema(_ statements: [String]) throws(StoreError) {
    try connection.coreData { () throws(StoreError) in try connection.changeSchema(statements) }
  }

  /// The result of SQLite's integrity check of some tables and their indexes.
  ///
  /// The check of one table reads the list of all tables: for many tables, the whole file is checked first.
  package func damage(in tables: [String]) throws(StoreError) -> [String] {
    if tables.count > SQLiteConnection.schemaChangeLimit, try connection.faults("1").isEmpty {
      return []
    }
    var faults: [String] = []
    for table in tables { faults += try connection.faults(table.quoted) }
    return faults
  }

  /// Sets or removes an application's own key of the metadata.
  func stamp(_ key: String, _ value: String?) throws(StoreError) {
    var metadata = try Self.metadata(connection)
    metadata.others[key] = value.map { .string($0) }
    try connection.withoutTriggers { connection throws(StoreError) in
      try connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [.bytes(metadata.encoded)])
    }
  }

  /// Commits the transaction that ``init(changing:log:hasBudget:)`` has begun.
  package func commit() throws(StoreError) {
    try connection.coreData { () throws(StoreError) in try connection.execute("COMMIT") }
    // In exclusive mode the WAL index is in memory, and only the WAL is deleted: a -shm left by another program
    // would then refer to missing changes.
    try? FileOperations.remove(path + "-shm")
  }

  /// Defines the SQL functions that are implemented in Swift.
  package func addFunction(
    _ name: String, _ body: @escaping ([AttributeValue]) throws -> AttributeValue
  ) {
    connection.addFunction(name, body)
  }
}

extension SQLiteStore {
  /// Copies the store page by page as it is now; external binary data is read from the original, as long as the
  /// copy is in a private folder of this process.
  package func copy(to target: String) throws(StoreError) {
    try connection.copy(to: target)
    try ExternalData(storePath: target).inherit(from: ExternalData(storePath: path))
  }
}

extension SQLiteStore {
  /// Copies the store with its binary data, except missing files.
  ///
  /// - Parameter target: The path of the copy, which has a separate folder for binary data.
  /// - Throws: ``StoreError/changedMeanwhile``, and errors of reading and writing.
  package func copyWhole(to target: String) throws(StoreError) {
    let names = try externalFileNames()
    try connection.copy(to: target)
    try ExternalData(storePath: path).copy(names, to: ExternalData(storePath: target))
    try checkUnchanged()
  }
}

extension StoreReader {
  /// This store with the model that it was changed to.
  package func reread(by model: ObjectModel) throws(StoreError) -> StoreReader {
    store.connection.tables.forget()
    return try StoreReader(SQLiteStore(store.connection, path: store.path), model: model)
  }
}

extension SQLiteStore {
  /// The binary data of a column, inline or from its file.
  package static func externalValue(
    _ column: AttributeValue, ofStoreAt path: String
  ) throws(StoreError) -> AttributeValue {
    try ExternalData(storePath: path).value(column)
  }
}

extension StoreError {
  /// Whether rows violate a unique index.
  package var isConstraintViolation: Bool {
    if case .sqlite(let code, _, _) = self { code & 0xFF == SQLITE_CONSTRAINT } else { false }
  }
}
