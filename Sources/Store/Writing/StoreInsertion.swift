internal import Foundation
package import StrataArchives
package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// One object that is put into a store that is there: in one transaction, checked before it is committed.
///
/// ```swift
/// let made = try StoreInsertion("Topic", attributes: ["content": .text("New")]).perform(
///   at: path, model: model)
/// ```
///
/// Keys are assigned as Core Data does, other objects that a relationship changes count the change, and derived
/// attributes follow by the store's own triggers. The tables of persistent history stay as they are: an app that
/// follows them does not hear of the object.
package struct StoreInsertion {
  package let entity: String
  /// By name; those that are not named have their default.
  package var attributes: [String: AttributeValue]
  /// By name, the keys that each relationship points to, in their order.
  package var relationships: [String: [Int64]]

  package init(
    _ entity: String, attributes: [String: AttributeValue] = [:],
    relationships: [String: [Int64]] = [:]
  ) {
    self.entity = entity
    self.attributes = attributes
    self.relationships = relationships
  }

  /// What a model does not allow of the object or of those that it changes.
  package struct Refusal: Error {
    package let problems: [Finding]
  }

  /// Inserts the object.
  ///
  /// - Parameter log: Hears of the statements.
  /// - Returns: Its key, and the other objects whose rows have changed.
  /// - Throws: ``Refusal`` if the model does not allow it, ``StoreError``; the store is then as it was.
  package func perform(
    at given: String, model: ObjectModel, log: StatementLog? = nil
  ) throws -> (key: Int64, changed: [StoreDifference.Object]) {
    let path = URL(fileURLWithPath: given).resolvingSymlinksInPath().path
    // What triggers of the file do is bounded: by the budget of reading, and by a hundred megabytes.
    let connection = try SQLiteConnection(changingStoreAt: path)
    connection.tell(log, as: .destination, by: .strata)
    // The writer waits for others for a while, as an app would.
    _ = try connection.rows("PRAGMA busy_timeout = 2000")
    _ = try connection.rows("PRAGMA recursive_triggers = 1")
    try connection.coreData { try connection.execute("BEGIN IMMEDIATE") }
    try connection.boundGrowth(pages: 50_000)
    var writer = RowWriter(
      insertion: self, reader: try StoreReader(SQLiteStore(connection, path: path), model: model))
    return try writer.write()
  }

  /// Inserts the object into an XML store: the whole document is rewritten.
  ///
  /// - Returns: Its id in the document, and the other objects that have changed.
  /// - Throws: As ``perform(at:model:)``.
  package func perform(
    on xml: XMLStore, model: ObjectModel
  ) throws -> (key: Int64, changed: [StoreDifference.Object], document: XMLDatabase) {
    var store = try xml.newStore(of: model)
    try store.finish()
    let connection = store.connection
    try connection.execute("BEGIN")
    var writer = RowWriter(
      insertion: self, reader: try StoreReader(SQLiteStore(connection, path: ""), model: model))
    let (key, changed) = try writer.write()
    let written = try writer.document(from: xml.database)
    let made = written.objects.filter { object in
      !xml.database.objects.contains { $0.id == object.id }
    }
    let document = xml.database.taking(written, new: made, touched: Set(writer.touchedKeys))
    let id = made.first.flatMap { Int64($0.id.dropFirst()) } ?? key
    return (id, changed, document)
  }
}
