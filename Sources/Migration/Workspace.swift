package import StrataSQLite
package import StrataStore

/// The private folder of temporary stores, which are deleted with it.
package struct Workspace: ~Copyable {
  private let own: PrivateFolder?
  /// The path of the folder.
  package let folder: String

  /// A workspace for a rehearsal.
  ///
  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  package init() throws(StoreError) {
    let own = try PrivateFolder()
    folder = own.path
    self.own = consume own
  }

  /// An existing private folder, on the volume of the store.
  package init(in folder: String) {
    own = nil
    self.folder = folder
  }

  /// Copies a store, including the contents of its journals, for an in-place migration.
  ///
  /// - Returns: The path of the copy.
  package func copyStore(
    _ store: borrowing SQLiteStore, as name: String = "copy"
  ) throws(StoreError) -> String {
    let path = path(ofStore: name)
    try store.copy(to: path)
    return path
  }

  /// The path of a store with this name in this workspace.
  package func path(ofStore name: String) -> String {
    "\(folder)/\(StoreReplacement.storePrefix)\(name).sqlite"
  }
}
