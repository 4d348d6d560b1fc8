internal import StrataBase
internal import StrataObjectModel

/// What a mapping model does, without the names and places of its files and without the order in which it lists
/// entity mappings and properties.
struct MappingContent: Hashable {
  private let entityMappings: [EntityMapping]

  init(_ mapping: MappingModel) {
    entityMappings = mapping.entityMappings.map { entityMapping in
      var plain = entityMapping
      // Some tools record a type that the rest of the entity mapping contradicts.
      plain.kind = entityMapping.effectiveKind
      plain.attributeMappings.sort { $0.name.precedesInBytes($1.name) }
      plain.relationshipMappings.sort { $0.name.precedesInBytes($1.name) }
      return plain
    }.sorted { $0.name.precedesInBytes($1.name) }
  }

  /// The names and hashes of the entity mappings, which are equal in all forms of one mapping model.
  struct Outline: Hashable {
    private let entities: [[String?]]

    init(_ mapping: MappingModel) {
      entities = mapping.entityMappings.map {
        [
          $0.name, $0.sourceName, $0.destinationName, $0.sourceHash?.hex, $0.destinationHash?.hex,
        ]
      }.sorted { ($0[0] ?? "").precedesInBytes($1[0] ?? "") }
    }
  }
}

extension [NamedMappingModel] {
  /// Mapping models without the copies among them.
  package struct Distinct: Sendable, Hashable {
    package struct Copy: Sendable, Hashable {
      package var copy: NamedMappingModel
      /// The mapping model that stands for it.
      package var original: NamedMappingModel
    }

    /// Of each mapping model the first copy, preferably one that Core Data reads, in the order of the list.
    package fileprivate(set) var models: [NamedMappingModel] = []
    /// The indexes of these in the list.
    package fileprivate(set) var indexes: [Int] = []
    /// The others.
    package fileprivate(set) var copies: [Copy] = []
  }

  /// The mapping models that an app can tell apart: of those with equal content, whatever their names and places,
  /// only one is ever run.
  ///
  /// ```swift
  /// let mapping = MappingModel(entityMappings: [])
  /// let models = ["Model1ToModel2", "Copy"].map { NamedMappingModel(name: $0, mapping: mapping) }
  /// models.distinct().models.map(\.name)  // ["Model1ToModel2"]
  /// ```
  ///
  /// - Parameter mergesForms: Whether mapping models of one name with equal outlines also count as one: an
  ///   `.xcmappingmodel`, its compiled form and its text, of which an app contains one.
  package func distinct(mergingForms mergesForms: Bool = true) -> Distinct {
    let outlines = map { MappingContent.Outline($0.mapping) }
    let groups = Dictionary(grouping: indices) { outlines[$0] }
    var originals = indices.map { $0 }
    for group in groups.values where group.count > 1 {
      var byContent: [MappingContent: Int] = [:]
      var byName: [String: Int] = [:]
      // What Core Data reads comes first, and stands for its text.
      for index in group.filter({ self[$0].isReadByCoreData })
        + group.filter({ !self[$0].isReadByCoreData })
      {
        let (content, name) = (MappingContent(self[index].mapping), self[index].name)
        let original = byContent[content] ?? (mergesForms ? byName[name] : nil) ?? index
        originals[index] = original
        byContent[content] = original
        byName[name] = byName[name] ?? original
      }
    }
    var found = Distinct()
    for index in indices {
      let original = originals[index]
      guard original == index else {
        found.copies.append(.init(copy: self[index], original: self[original]))
        continue
      }
      found.models.append(self[index])
      found.indexes.append(index)
    }
    return found
  }
}
