package import StrataBase
package import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
package import StrataStore

/// What somebody sees who looks at a run between two steps. Nothing of it changes the run, and no listener
/// hears of it.
extension PassesRun {
  /// The place of the part among those of the hop.
  package var currentPart: Int { part }

  /// The entity mapping that ``pending`` is about; `nil` between them.
  package var currentEntityMapping: EntityMapping? {
    switch pending {
    case .beginEntityMapping(let name, _), .objects(_, let name, _), .endEntityMapping(let name, _):
      manager.mapping.entityMappings.first { $0.name == name }
    default: nil
    }
  }

  /// How many objects the pass visits in the entity mapping.
  package var currentObjectCount: Int { visitCount }

  /// The source object that the next step begins with: in pass 2, the first that its destination object
  /// came from.
  package mutating func upcomingSource() throws -> BrowsedObject? {
    guard case .objects(let places, let name, let pass) = pending else { return nil }
    switch pass {
    case .createInstances:
      guard let key = upcomingKey, let cursor else { return nil }
      return manager.source.object(key, at: cursor)
    case .createRelationships:
      guard let made = made(at: places.lowerBound) else { return nil }
      let found = try quietly { try $0.manager.associations.sources(of: made, in: name) }
      // Where statements are heard, the step reads the row itself, whoever has looked at it before.
      let isHeard = log?.isHeard ?? false
      return found.first.map {
        isHeard
          ? manager.source.object($0.key, of: $0.entity)
          : manager.sourceObject($0.key, of: $0.entity)
      }
    case .validate: return nil
    }
  }

  /// The destination object that the next step begins with: none in pass 1.
  package var upcomingDestination: NewObject? {
    guard case .objects(let places, _, .createRelationships) = pending else { return nil }
    guard let made = made(at: places.lowerBound) else { return nil }
    return destinationObject(made)
  }

  /// An object of the new store by its name.
  package func destinationObject(_ object: ObjectRef) -> NewObject {
    NewObject(entity: object.entity, key: object.key, context: manager.destination)
  }

  /// The old store.
  package var sourceObjects: StoreObjects { manager.source }

  /// The new store as it is so far.
  package mutating func destinationObjects() throws -> StoreObjects {
    try quietly { run in
      try run.manager.destination.flush()
      return StoreObjects(try run.manager.destination.store.reader())
    }
  }

  /// What one entity mapping has associated.
  package struct Associations: Sendable, Hashable {
    package struct Pair: Sendable, Hashable {
      package var source: ObjectRef
      package var destination: ObjectRef
    }

    package var mapping: String
    /// How many pairs there are, and the first of them.
    package var count: Int
    package var pairs: [Pair]
  }

  /// The association tables, in the order of the entity mappings.
  ///
  /// - Parameter limit: Pairs of each that are listed.
  package mutating func associations(limit: Int) throws -> [Associations] {
    try quietly { run in
      let manager = run.manager
      return try manager.mapping.entityMappings.map { mapping in
        Associations(
          mapping: mapping.name, count: try manager.associations.pairCount(in: mapping.name),
          pairs: try manager.associations.pairs(in: mapping.name, limit: limit).map {
            Associations.Pair(source: $0.source, destination: $0.destination)
          })
      }
    }
  }
}
