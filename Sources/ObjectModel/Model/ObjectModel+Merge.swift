extension ObjectModel {
  /// The merged model of several models, as created by an application (`A+B`).
  ///
  /// Equal entities of two models are merged into one. Version identifiers are united, and each configuration
  /// contains its members from all models. Of two different composite types with one name, the second gets another
  /// one: compiled models, which an application merges, keep the elements inside the attributes, and no name.
  ///
  /// - Throws: ``ModelError/Problem/conflictingEntity(_:)`` if two entities with one name have different
  ///   version hashes.
  package init(merging models: [ObjectModel]) throws(ModelError) {
    var merged = ModelDocument()
    merged.extras.attributes = ModelDocument.xcodeAttributes
    var hashes: [String: VersionHash] = [:]
    for model in models {
      let own = model.versionHashes()
      let document = model.document.renamingComposites(besides: merged.composites)
      for entity in document.entities {
        guard let known = hashes[entity.name] else {
          hashes[entity.name] = own[entity.name]
          merged.entities.append(entity)
          continue
        }
        guard known == own[entity.name] else {
          throw ModelError(.conflictingEntity(entity.name), entity: entity.name)
        }
      }
      merged.versionIdentifiers.formUnion(document.versionIdentifiers)
      merged.origin.unreadFetchRequests += document.origin.unreadFetchRequests
      merged.add(document.fetchRequests, to: \.fetchRequests, named: \.name)
      merged.add(document.composites, to: \.composites, named: \.name)
      for configuration in document.configurations {
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
  /// The document with other names for the composite types that differ from those of other documents with these names.
  fileprivate func renamingComposites(besides others: [CompositeType]) -> ModelDocument {
    var names: [String: String] = [:]
    var taken = Set((others + composites).map(\.name))
    for composite in composites {
      guard let other = others.first(where: { $0.name == composite.name }),
        !other.hasElements(of: composite)
      else { continue }
      var (name, number) = (composite.name, 1)
      while !taken.insert(name).inserted {
        number += 1
        name = "\(composite.name)\(number)"
      }
      names[composite.name] = name
    }
    guard !names.isEmpty else { return self }
    var renamed = self
    func rename(_ attributes: inout [Attribute]) {
      for index in attributes.indices {
        guard let name = attributes[index].compositeName, let other = names[name] else { continue }
        attributes[index].compositeName = other
      }
    }
    for index in renamed.entities.indices { rename(&renamed.entities[index].attributes) }
    for index in renamed.composites.indices {
      let name = renamed.composites[index].name
      renamed.composites[index].name = names[name] ?? name
      rename(&renamed.composites[index].attributes)
    }
    // A type with elements of a renamed one is another one too.
    return renamed.renamingComposites(besides: others)
  }

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
