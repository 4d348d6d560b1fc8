package import StrataObjectModel

/// An item loaded under a name.
package struct LoadedItem: Sendable, Hashable {
  /// What an argument of a command can require.
  enum Form: CaseIterable {
    case model, mapping, store
  }

  package enum Kind: Sendable, Hashable {
    case bundle(ModelBundle)
    /// A single model version.
    case model(ModelVersion)
    case mapping(MappingFile)
    /// A store, by its path; it is opened again for each command.
    case store(String)

    var form: Form {
      switch self {
      case .bundle, .model: .model
      case .mapping: .mapping
      case .store: .store
      }
    }
  }

  package var name: String
  package var kind: Kind
}
