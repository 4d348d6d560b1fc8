internal import StrataArchives
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The file of a new store: XML where its name ends in .xml, else SQLite.
struct NewStoreFile {
  let path: String
  /// Whether a store of this name gives way.
  let replacing: Bool

  static func isXML(_ path: String) -> Bool { path.lowercased().hasSuffix(".xml") }

  /// Creates the file, whole or not at all.
  ///
  /// - Parameter body: Makes and finishes a SQLite store of the model at the path that it is given.
  /// - Returns: What failed once the file was in its place.
  @discardableResult
  func create(
    of model: ObjectModel, _ body: (_ path: String) throws -> Void
  ) throws -> [Diagnostic] {
    guard Self.isXML(path) else {
      return try StoreFile.create(at: path, replacing: replacing, body)
    }
    if replacing { try StoreFile.checkReplaceable(path) }
    try Self.document(of: model, body).write(to: path, replacing: replacing)
    return []
  }

  /// What `body` makes, as the document of an XML store.
  ///
  /// - Parameter old: The document that it takes the place of: objects that have its ids keep them.
  static func document(
    of model: ObjectModel, replacing old: XMLDatabase? = nil,
    _ body: (_ path: String) throws -> Void
  ) throws -> XMLDatabase {
    let workspace = try Workspace()
    let made = workspace.path(ofStore: "made")
    try body(made)
    let document = try XMLDatabase(
      StoreReader(SQLiteStore(reading: made), model: model), from: old)
    _ = consume workspace
    return document
  }
}
