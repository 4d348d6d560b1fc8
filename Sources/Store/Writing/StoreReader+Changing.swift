internal import StrataArchives
package import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataSQLite

/// Violations of the model by which Core Data would refuse to save a change of a store.
package struct RefusedChange: Error {
  package let problems: [Finding]
}

/// Changes of single objects, in one transaction.
extension StoreReader {
  /// Opens a SQLite store and begins a transaction.
  ///
  /// - Parameter log: Hears of the statements.
  init(changingObjectsOf given: String, model: ObjectModel, log: StatementLog?) throws {
    let path = RealPath.resolving(given)
    // Triggers of the file are limited: by the reading budget, and by a hundred megabytes.
    let connection = try SQLiteConnection(changingStoreAt: path)
    connection.setLog(log, as: .destination, by: .strata)
    try connection.waitAndSync()
    _ = try connection.rows("PRAGMA recursive_triggers = 1")
    try connection.coreData { try connection.execute("BEGIN IMMEDIATE") }
    try connection.trustRTrees()
    try connection.boundGrowth(pages: 50_000)
    try self.init(SQLiteStore(connection, path: path), model: model)
  }

  /// Reads an XML store into memory and begins a transaction there.
  init(changingObjectsOf xml: XMLStore, model: ObjectModel) throws {
    var store = try xml.newStore(of: model)
    try store.finish(allowingDuplicates: true)
    let connection = store.connection
    connection.registerTriggerFunctions()
    _ = try connection.rows("PRAGMA recursive_triggers = 1")
    try connection.execute("BEGIN")
    // Of all entities: a new object has a key that no object of the document has.
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?", [.integer(xml.database.highestKey)])
    try connection.trustRTrees()
    try self.init(SQLiteStore(connection, path: ""), model: model)
  }

  /// Runs a statement that is logged as Core Data's.
  func execute(_ sql: String, _ values: [AttributeValue] = []) throws(StoreError) {
    let connection = store.connection
    try connection.coreData { () throws(StoreError) in try connection.execute(sql, values) }
  }

  func execute(_ sql: String, _ key: Int64) throws(StoreError) {
    try execute(sql, [.integer(key)])
  }

  /// Commits the transaction.
  ///
  /// - Parameters:
  ///   - object: An object that it has inserted or deleted.
  ///   - isThere: Whether the object exists afterwards.
  func commitChange(of object: ObjectRef, isThere: Bool) throws(StoreError) {
    do {
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      // The journal may be deleted before SQLite reports an error: check the store itself.
      guard let table = layout.table(of: object.entity)?.name.quoted,
        let store = try? SQLiteStore(reading: store.path),
        let count = try? store.connection.number(
          "SELECT count(*) FROM \(table) WHERE Z_PK = ?", [.integer(object.key)]),
        count == (isThere ? 1 : 0)
      else { throw error }
    }
  }
}
