internal import StrataArchives
package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// An atomic store: one document, XML or binary, that is read as a whole.
///
/// With the model that wrote it, it is converted to a store in memory, and browsed, compared and migrated like any
/// other.
package protocol AtomicStore: Sendable {
  var metadata: StoreMetadata { get }

  /// The objects of an entity itself, which needs no model.
  func count(of entity: String) -> Int

  /// A store in memory that holds the objects, and is not yet finished.
  ///
  /// - Throws: ``StoreError``: the document does not match the model.
  func newStore(of model: ObjectModel) throws(StoreError) -> NewStore

  /// Problems of the document itself, besides those of its objects.
  ///
  /// - Parameter name: The name of the store in messages.
  func problems(of model: ObjectModel, named name: String) -> [Finding]

  /// The values that are rounded as they are read, for messages: `z103.price`.
  func roundedValues(of model: ObjectModel) -> [String]

  /// The parts of this store that are read by unproven rules, for messages.
  func unprovenParts(of model: ObjectModel) -> [String]
}

extension AtomicStore {
  /// The objects as a store in memory, under their own keys: `z103` of an XML store is the key 103.
  ///
  /// A document has no indexes, so its values may violate uniqueness constraints.
  ///
  /// - Throws: As ``newStore(of:)``.
  package func inMemoryStore(of model: ObjectModel) throws(StoreError) -> SQLiteStore {
    var store = try newStore(of: model)
    try store.finish(allowingDuplicates: true)
    return try SQLiteStore(inMemory: store)
  }

  /// A store in memory with only the metadata, if the model is unknown.
  package func metadataStore() throws(StoreError) -> SQLiteStore {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.execute(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER, Z_UUID VARCHAR, Z_PLIST BLOB)")
    try connection.execute(
      "INSERT INTO Z_METADATA VALUES (1, ?, ?)",
      [.text(metadata.uuid), .bytes(metadata.plist.encoded())])
    connection.allowOnlyReading()
    return try SQLiteStore(connection, path: "")
  }

  package func unprovenParts(of model: ObjectModel) -> [String] { [] }
}

/// An object of an atomic store that does not match the model.
struct UnfitObject: Error {
  var reason: String
}
