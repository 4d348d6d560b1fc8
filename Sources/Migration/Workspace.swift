public import StrataObjectModel
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

  /// A new store of a model in this workspace.
  public func makeStore(
    named name: String, model: ObjectModel, uuid: String
  ) throws(StoreError) -> NewStore {
    try NewStore(path: "\(folder.path)/\(name).sqlite", model: model, uuid: uuid)
  }
}
