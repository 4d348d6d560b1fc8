package import StrataObjectModel

/// An item loaded under a name.
package struct LoadedItem: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case bundle(ModelBundle)
    /// A single model version.
    case model(ModelVersion)
    case mapping(MappingFile)
    /// A store, by its path; it is opened again for each command.
    case store(String)

    /// Whether one may replace the other under its name: a store or a mapping model never replaces a model.
    func isLike(_ other: Self) -> Bool {
      switch (self, other) {
      case (.store, .store), (.mapping, .mapping): true
      case (.store, _), (_, .store), (.mapping, _), (_, .mapping): false
      default: true
      }
    }
  }

  package var name: String
  package var kind: Kind
}
