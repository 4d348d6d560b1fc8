internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
package import StrataPolicy
internal import StrataStore

/// The interface of the manager for Swift policies.
extension PassManager: MigrationEngine {
  var sourceVersion: String { sourceModel.versionName }
  var destinationVersion: String { destinationModel.versionName }

  func createDestinationInstance(
    for source: any SourceRecord, in mapping: StrataPolicy.EntityMapping
  ) throws -> (any DestinationRecord)? {
    try createDestinationInstance(for: browsed(source), in: entityMapping(mapping))
  }

  func createRelationships(
    for destination: any DestinationRecord, in mapping: StrataPolicy.EntityMapping
  ) throws {
    try createRelationships(for: newObject(destination), in: entityMapping(mapping))
  }

  func associate(
    _ source: any SourceRecord, with destination: any DestinationRecord,
    for mapping: StrataPolicy.EntityMapping
  ) throws {
    try associate(browsed(source), with: newObject(destination), for: entityMapping(mapping))
  }

  func destinationInstances(
    forEntityMappingNamed name: String?, sources: [any SourceRecord]
  ) throws -> [any DestinationRecord] {
    try sources.flatMap {
      try destinationInstances(forEntityMappingNamed: name, source: browsed($0).identity)
    }
  }

  func sourceInstances(
    for destination: any DestinationRecord, in mapping: StrataPolicy.EntityMapping
  ) throws -> [any SourceRecord] {
    try sourceInstances(for: newObject(destination), in: entityMapping(mapping))
  }

  func forEachDestinationInstance(
    of mapping: StrataPolicy.EntityMapping, _ body: (any DestinationRecord) throws -> Void
  ) throws {
    try forEachDestinationInstance(of: entityMapping(mapping)) { try body($0) }
  }

  func forEachSourceObject(
    of entity: String, _ body: (any SourceRecord) throws -> Void
  ) throws {
    for key in try source.keys(of: entity, where: nil) { try body(source.object(key, of: entity)) }
  }

  func destinationObjects(of entity: String) throws -> [any DestinationRecord] {
    try destination.objects(of: entity)
  }

  func destinationObjects(
    of entity: String, where name: String, is value: AttributeValue
  ) throws -> [any DestinationRecord] {
    try destination.objects(of: entity, where: name, is: value)
  }

  func insert(
    _ entity: String, _ values: [String: AttributeValue]
  ) throws -> any DestinationRecord {
    try destination.insert(entity, values)
  }

  func delete(_ object: any DestinationRecord) throws { try delete(newObject(object)) }

  // MARK: Objects of policies

  private func entityMapping(
    _ seen: StrataPolicy.EntityMapping
  ) throws -> StrataMapping.EntityMapping {
    if let currentEntityMapping, currentEntityMapping.name == seen.name {
      return currentEntityMapping
    }
    guard let found = mapping.entityMappings.first(where: { $0.name == seen.name }) else {
      throw PolicyError("the mapping model has no entity mapping \(seen.name)")
    }
    return found
  }

  func browsed(_ record: any SourceRecord) throws -> BrowsedObject {
    guard let object = record as? BrowsedObject else { throw Self.foreignObject }
    return object
  }

  func newObject(_ record: any DestinationRecord) throws -> NewObject {
    guard let object = record as? NewObject, object.context === destination else {
      throw Self.foreignObject
    }
    return object
  }

  private static let foreignObject = PolicyError("the object belongs to another migration")
}

extension BrowsedObject: SourceRecord {
  package func sourceRecords(_ relationship: String) throws -> [any SourceRecord] {
    try value(forKey: relationship).objects.compactMap { $0 as? BrowsedObject }
  }
}

extension NewObject: DestinationRecord {
  package var isDeleted: Bool { get throws { try context.object(key, in: entity) == nil } }

  package func destinationRecords(_ relationship: String) throws -> [any DestinationRecord] {
    try destinations(relationship)
  }

  package func relate(_ name: String, toRecords objects: [any DestinationRecord]) throws {
    try relate(name, to: objects.compactMap { $0 as? NewObject })
  }
}
