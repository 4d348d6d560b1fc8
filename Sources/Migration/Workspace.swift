public import StrataStore

/// The private place of a rehearsal: what is made in it goes with it.
public struct Workspace: ~Copyable {
  private let folder: PrivateFolder

  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  public init() throws(StoreError) {
    folder = try PrivateFolder()
  }

  /// A copy of a store, whatever is in its journals, for a migration in place.
  ///
  /// - Returns: Its path.
  public func copyStore(_ store: borrowing SQLiteStore) throws(StoreError) -> String {
    let path = "\(folder.path)/store.sqlite"
    try store.copy(to: path)
    return path
  }

  /// Where a store of this name would be made in this workspace.
  public func path(ofStore name: String) -> String { "\(folder.path)/\(name).sqlite" }
}
