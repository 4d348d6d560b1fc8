extension ObjectModel {
  /// The merged model of several models, as created by an application (`A+B`).
  ///
  /// Equal entities of two models are merged into one. Version identifiers are united, and each configuration
  /// contains its members from all models.
  ///
  /// - Throws: ``ModelError/Problem/conflictingEntity(_:)`` if two entities with one name have different
  ///   version hashes, ``ModelError/Problem/conflictingComposite(_:)`` if two composites with one name differ.
  package init(merging models: [ObjectModel]) throws(ModelError) {
    var merged = ModelDocument()
    var hashes: [String: VersionHash] = [:]
    for model in models {
      let own = model.versionHashes()
      for entity in model.document.entities {
        guard let known = hashes[entity.name] else {
          hashes[entity.name] = own[entity.name]
          merged.entities.append(entity)
          continue
        }
        guard known == own[entity.name] else {
          throw ModelError(.conflictingEntity(entity.name), entity: entity.name)
        }
      }
      for composite in model.document.composites {
        let known = merged.composites.first { $0.name == composite.name }
        guard known?.hasElements(of: composite) != false else {
          throw ModelError(.conflictingComposite(composite.name))
        }
      }
      merged.versionIdentifiers.formUnion(model.document.versionIdentifiers)
      merged.add(model.document.fetchRequests, to: \.fetchRequests, named: \.name)
      merged.add(model.document.composites, to: \.composites, named: \.name)
      for configuration in model.document.configurations {
        merged.join(configuration)
      }
    }
    try self.init(merged)
  }
}

extension CompositeType {
  /// Whether another one has the same elements.
  fileprivate func hasElements(of other: CompositeType) -> Bool {
    attributes.count == other.attributes.count
      && zip(attributes, other.attributes).allSatisfy {
        $0.name == $1.name && $0.summary == $1.summary
      }
  }
}

extension ModelDocument {
  fileprivate mutating func add<Element>(
    _ elements: [Element], to list: WritableKeyPath<Self, [Element]>,
    named name: (Element) -> String
  ) {
    let known = Set(self[keyPath: list].map(name))
    self[keyPath: list] += elements.filter { !known.contains(name($0)) }
  }

  fileprivate mutating func join(_ configuration: ModelConfiguration) {
    guard let index = configurations.firstIndex(where: { $0.name == configuration.name }) else {
      configurations.append(configuration)
      return
    }
    let known = Set(configurations[index].entityNames)
    configurations[index].entityNames += configuration.entityNames.filter { !known.contains($0) }
  }
}
