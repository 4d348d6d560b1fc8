// The value of an attribute is part of what policies are written with.
@_exported public import enum StrataBase.AttributeValue

/// The running migration as a policy sees it: both stores, the association tables and what policies
/// remember, like Core Data's `NSMigrationManager`.
///
/// It is a handle: all copies stand for one migration. Do not keep it beyond the migration, since it keeps
/// both stores open.
public struct MigrationManager {
  private let engine: any MigrationEngine

  package init(_ engine: any MigrationEngine) { self.engine = engine }

  /// The name of the model version that the store has: `Model4`.
  public var sourceVersion: String { engine.sourceVersion }

  /// The name of the model version to which the store is migrated: `Model5`.
  public var destinationVersion: String { engine.destinationVersion }

  /// Values that policies keep across passes and share with one another.
  public var userInfo: [String: any Sendable] {
    get { engine.userInfo }
    nonmutating set { engine.userInfo = newValue }
  }

  // MARK: The default work

  /// Creates the destination object of a source object with the values of the attribute mappings, and
  /// associates the two: the default work of pass 1.
  ///
  /// - Returns: `nil` if the entity mapping has no destination entity, or an abstract one.
  @discardableResult
  public func createDestinationInstance(
    for source: SourceObject, in mapping: EntityMapping
  ) throws -> DestinationObject? {
    try engine.createDestinationInstance(for: source.record, in: mapping).map(
      DestinationObject.init)
  }

  /// Sets the relationships of a destination object by the relationship mappings: the default work of
  /// pass 2.
  public func createRelationships(
    for destination: DestinationObject, in mapping: EntityMapping
  ) throws {
    try engine.createRelationships(for: destination.record, in: mapping)
  }

  // MARK: Association tables

  /// Records that a destination object comes from a source object. Several source objects may share one
  /// destination object.
  public func associate(
    _ source: SourceObject, with destination: DestinationObject, for mapping: EntityMapping
  ) throws {
    try engine.associate(source.record, with: destination.record, for: mapping)
  }

  /// The destination objects of source objects that an entity mapping created; `nil` means any entity
  /// mapping.
  public func destinationInstances(
    forEntityMappingNamed name: String?, sources: [SourceObject]
  ) throws -> [DestinationObject] {
    try engine.destinationInstances(forEntityMappingNamed: name, sources: sources.map(\.record))
      .map(DestinationObject.init)
  }

  /// The source objects of a destination object that an entity mapping created.
  public func sourceInstances(
    for destination: DestinationObject, in mapping: EntityMapping
  ) throws -> [SourceObject] {
    try engine.sourceInstances(for: destination.record, in: mapping).map(SourceObject.init)
  }

  /// Calls a closure with each destination object that an entity mapping created, by entity and key.
  /// Memory does not grow with the store.
  public func forEachDestinationInstance(
    of mapping: EntityMapping, _ body: (DestinationObject) throws -> Void
  ) throws {
    try engine.forEachDestinationInstance(of: mapping) { try body(DestinationObject($0)) }
  }

  // MARK: The stores

  /// Calls a closure with each object of an entity, without its subentities, in the source store, in the
  /// order of keys.
  public func forEachSourceObject(
    of entity: String, _ body: (SourceObject) throws -> Void
  ) throws {
    try engine.forEachSourceObject(of: entity) { try body(SourceObject($0)) }
  }

  /// The objects of an entity, without its subentities, in the destination store, in the order of keys.
  public func destinationObjects(of entity: String) throws -> [DestinationObject] {
    try engine.destinationObjects(of: entity).map(DestinationObject.init)
  }

  /// The objects of an entity, without its subentities, whose attribute has a value. The attribute is
  /// indexed at the first call.
  public func destinationObjects(
    of entity: String, where name: String, is value: AttributeValue
  ) throws -> [DestinationObject] {
    try engine.destinationObjects(of: entity, where: name, is: value).map(DestinationObject.init)
  }

  /// Creates an object that comes from no source object. Attributes that are not named get their default
  /// values.
  @discardableResult
  public func insert(
    _ entity: String, _ values: [String: AttributeValue] = [:]
  ) throws -> DestinationObject {
    DestinationObject(try engine.insert(entity, values))
  }

  /// Deletes an object of the destination store by the delete rules of its relationships. A source object
  /// that has no destination object left counts as lost.
  public func delete(_ object: DestinationObject) throws { try engine.delete(object.record) }
}
