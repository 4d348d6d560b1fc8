package import StrataObjectModel

/// Something loaded under a name.
package struct LoadedItem: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case bundle(ModelBundle)
    /// A single model version.
    case model(ModelVersion)
    case mapping(MappingFile)
    /// A store, by its path; it is opened anew for each question.
    case store(String)

    /// Whether one may take the other's name: a store or a mapping model never
    /// takes a model's.
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
