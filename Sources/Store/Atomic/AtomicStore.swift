internal import StrataArchives
package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// A store that is one document, read whole: XML or binary.
///
/// With the model that wrote it, it becomes a store in memory, and is browsed, compared and migrated like
/// any other.
package protocol AtomicStore: Sendable {
  var metadata: StoreMetadata { get }

  /// The objects of an entity itself, which needs no model.
  func count(of entity: String) -> Int

  /// A store in memory that holds the objects, and is not yet finished.
  ///
  /// - Throws: ``StoreError``: the document does not fit the model.
  func newStore(of model: ObjectModel) throws(StoreError) -> NewStore

  /// What is wrong with the document, besides what its objects break as those of any other store.
  ///
  /// - Parameter name: The store as it is shown.
  func problems(of model: ObjectModel, named name: String) -> [Finding]

  /// What of this store is read by rules that no known file proves, in words for messages.
  func unprovenParts(of model: ObjectModel) -> [String]
}

extension AtomicStore {
  /// The objects as a store in memory, under their own keys: `z103` of an XML store is the key 103.
  ///
  /// - Throws: As ``newStore(of:)``.
  package func inMemoryStore(of model: ObjectModel) throws(StoreError) -> SQLiteStore {
    var store = try newStore(of: model)
    try store.finish()
    return try SQLiteStore(inMemory: store)
  }

  /// A store in memory that holds the metadata alone: for those whose model is not known.
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

  package func problems(of model: ObjectModel, named name: String) -> [Finding] { [] }

  package func unprovenParts(of model: ObjectModel) -> [String] { [] }
}

/// Why an object of an atomic store does not fit the model.
struct UnfitObject: Error {
  var reason: String
}
