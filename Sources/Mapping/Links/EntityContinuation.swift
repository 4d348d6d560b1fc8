package import StrataObjectModel

/// The source entities whose objects become those of each destination entity.
package struct EntityContinuation: Sendable {
  private let source: ObjectModel
  private let destination: ObjectModel
  private let origins: [String: Set<String>]

  package init(
    _ mappings: [EntityMapping], from source: ObjectModel, to destination: ObjectModel
  ) {
    (self.source, self.destination) = (source, destination)
    origins = Dictionary(grouping: mappings, by: { $0.destinationName ?? "" }).mapValues {
      Set($0.compactMap(\.sourceName))
    }
  }

  /// Whether objects of one entity, its ancestors or its subentities become objects of the other: only then can a
  /// relationship to the other continue links to the one.
  package func isContinued(from old: String, to new: String) -> Bool {
    if origins[new]?.contains(old) == true { return true }
    let family = destination.familyNames(of: new)
    return family.contains { name in
      (origins[name] ?? []).contains { source.isRelated($0, to: old) }
    }
  }
}
