internal import StrataArchives
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The file of a new store: XML for a name that ends in .xml, else SQLite.
struct NewStoreFile {
  let path: String
  /// Whether an existing store of this name is replaced.
  let replacing: Bool

  static func isXML(_ path: String) -> Bool { path.lowercased().hasSuffix(".xml") }

  /// Checks whether the file can be created, as far as that is known without opening one that would be replaced.
  ///
  /// - Throws: ``StoreError``.
  func check() throws(StoreError) {
    try StoreFile.checkTarget(
      replacing ? RealPath.resolving(path) : path, replacing: replacing,
      hasCompanions: !Self.isXML(path))
  }

  /// Creates the file atomically.
  ///
  /// - Parameters:
  ///   - keepsKeys: Whether the keys are unique over all entities, as those of a document.
  ///   - body: Creates and finishes a SQLite store of the model at the given path.
  /// - Returns: The errors that occurred after the file was at its final path.
  @discardableResult
  func create(
    of model: ObjectModel, keepingKeys keepsKeys: Bool = false,
    _ body: (_ path: String) throws -> Void
  ) throws -> [Diagnostic] {
    guard Self.isXML(path) else {
      return try StoreFile.create(at: path, replacing: replacing, body)
    }
    if replacing { try StoreFile.checkReplaceable(path) }
    try Self.document(of: model, keepingKeys: keepsKeys, body).write(to: path, replacing: replacing)
    return []
  }

  /// Converts the SQLite store of `body` into the document of an XML store.
  ///
  /// - Parameters:
  ///   - old: The document that is replaced: objects with its ids keep them.
  ///   - keepsKeys: Whether the keys are unique over all entities, as those of a document.
  static func document(
    of model: ObjectModel, replacing old: XMLDatabase? = nil, keepingKeys keepsKeys: Bool = false,
    _ body: (_ path: String) throws -> Void
  ) throws -> XMLDatabase {
    let workspace = try Workspace()
    let output = workspace.path(ofStore: "made")
    try body(output)
    let document = try XMLDatabase(
      StoreReader(SQLiteStore(reading: output), model: model), from: old,
      keepingKeys: keepsKeys)
    _ = consume workspace
    return document
  }
}
