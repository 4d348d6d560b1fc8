public import StrataObjectModel
public import StrataStore

/// The private place of a rehearsal: what is made in it goes with it.
public struct Workspace: ~Copyable {
  private let folder: PrivateFolder

  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  public init() throws(StoreError) {
    folder = try PrivateFolder()
  }

  /// A new store of a model in this workspace.
  public func makeStore(
    named name: String, model: ObjectModel, uuid: String
  ) throws(StoreError) -> NewStore {
    try NewStore(path: "\(folder.path)/\(name).sqlite", model: model, uuid: uuid)
  }
}
