package import StrataBase
internal import StrataExpressions
package import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
package import StrataStore

/// Inspection of a run between two steps. It does not change the run, and its statements are not logged.
extension PassesRun {
  /// The index of the current part of the hop.
  package var currentPart: Int { part }

  /// The entity mapping of the ``pending`` step; `nil` between entity mappings.
  package var currentEntityMapping: EntityMapping? {
    switch pending {
    case .beginEntityMapping(let name, _), .objects(_, let name, _), .endEntityMapping(let name, _):
      manager.mapping.entityMappings.first { $0.name == name }
    default: nil
    }
  }

  /// The number of objects of the entity mapping in the pass.
  package var currentObjectCount: Int { visitCount }

  /// The first source object of the next step; in pass 2, the first source object of the destination object.
  package mutating func upcomingSource() throws -> BrowsedObject? {
    guard case .objects(let indices, let name, let pass) = pending else { return nil }
    switch pass {
    case .createInstances:
      guard let key = upcomingKey, let cursor else { return nil }
      return manager.source.object(key, at: cursor)
    case .createRelationships:
      guard let created = created(at: indices.lowerBound) else { return nil }
      let found = try quietly { try $0.manager.associations[name]?.sources(of: created) ?? [] }
      // If statements are logged, the step reads the row again.
      let isObserved = log?.isObserved ?? false
      return try found.first.map {
        isObserved
          ? manager.source.object($0.key, of: $0.entity)
          : try manager.sourceObject($0.key, of: $0.entity)
      }
    case .validate: return nil
    }
  }

  /// The first destination object of the next step; `nil` in pass 1.
  package var upcomingDestination: NewObject? {
    guard case .objects(let indices, _, .createRelationships) = pending else { return nil }
    guard let created = created(at: indices.lowerBound) else { return nil }
    return destinationObject(created)
  }

  /// An object of the new store.
  package func destinationObject(_ object: ObjectRef) -> NewObject {
    NewObject(entity: object.entity, key: object.key, context: manager.destination)
  }

  /// The old store.
  package var sourceObjects: StoreObjects { manager.source }

  /// The current state of the new store.
  package mutating func destinationObjects() throws -> StoreObjects {
    try quietly { run in
      try run.manager.destination.flush()
      return StoreObjects(try run.manager.destination.store.reader())
    }
  }

  /// The associations of one entity mapping.
  package struct Associations: Sendable, Hashable {
    package struct Pair: Sendable, Hashable {
      package var source: ObjectRef
      package var destination: ObjectRef
    }

    package var mapping: String
    /// The number of pairs, and the first pairs.
    package var count: Int
    package var pairs: [Pair]
  }

  /// The pairs of one object in the association tables that have one.
  package mutating func associations(
    of object: ObjectRef, side: TraceStatement.Side
  ) throws -> [Associations] {
    let model = side == .source ? hop.from.model : hop.to.model
    return try quietly { run in
      let associations = run.manager.associations
      return try run.manager.mapping.entityMappings.compactMap { mapping in
        let pairs: [Associations.Pair]
        switch side {
        case .source:
          let identity = ObjectIdentity(
            rootEntity: model.rootName(of: object.entity), key: object.key)
          pairs = try associations.destinations(of: identity, in: mapping.name).map {
            Associations.Pair(source: object, destination: $0)
          }
        case .destination:
          pairs = try (associations[mapping.name]?.sources(of: object) ?? []).map {
            Associations.Pair(source: $0, destination: object)
          }
        }
        return pairs.isEmpty
          ? nil : Associations(mapping: mapping.name, count: pairs.count, pairs: pairs)
      }
    }
  }

  /// The association tables, in the order of the entity mappings.
  ///
  /// - Parameter limit: The maximum number of listed pairs of each.
  package mutating func associations(limit: Int) throws -> [Associations] {
    let all = try allAssociations(limit: limit)
    return part < all.count ? all[part] : []
  }

  /// The association tables of every part of the hop; those of later parts are empty.
  package mutating func allAssociations(limit: Int) throws -> [[Associations]] {
    try quietly { run in
      let associations = run.manager.associations
      return try run.hop.parts.enumerated().map { part, named in
        try named.mapping.entityMappings.map { mapping in
          let table = associations[mapping.name, ofPart: part]
          return Associations(
            mapping: mapping.name, count: try table?.pairCount() ?? 0,
            pairs: try (table?.pairs(limit: limit) ?? []).map {
              Associations.Pair(source: $0.source, destination: $0.destination)
            })
        }
      }
    }
  }
}
