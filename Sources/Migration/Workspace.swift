package import StrataSQLite
package import StrataStore

/// The private place of the stores on the way: what is made in it goes with it.
package struct Workspace: ~Copyable {
  private let own: PrivateFolder?
  /// Where its stores are made.
  package let folder: String

  /// A place for a rehearsal.
  ///
  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  package init() throws(StoreError) {
    let own = try PrivateFolder()
    folder = own.path
    self.own = consume own
  }

  /// A folder that is private already, on the disk of the store that is made in it.
  package init(in folder: String) {
    own = nil
    self.folder = folder
  }

  /// A copy of a store, whatever is in its journals, for a migration in place.
  ///
  /// - Returns: Its path.
  package func copyStore(
    _ store: borrowing SQLiteStore, as name: String = "copy"
  ) throws(StoreError) -> String {
    let path = path(ofStore: name)
    try store.copy(to: path)
    return path
  }

  /// Where a store of this name would be made in this workspace.
  package func path(ofStore name: String) -> String {
    "\(folder)/\(StoreReplacement.wayPrefix)\(name).sqlite"
  }
}
