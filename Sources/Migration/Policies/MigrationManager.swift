internal import StrataExpressions
public import StrataMapping
public import StrataObjectModel
public import StrataStore
internal import StrataTraceEvents
internal import StrataValues

/// What a policy works with: both stores, the association tables and what is to be remembered, as
/// `NSMigrationManager` gives them.
public final class MigrationManager {
  public let sourceModel: NamedModel
  public let destinationModel: NamedModel
  /// The store that is migrated.
  public let source: StoreObjects
  public let destination: DestinationContext
  /// The mapping model, or the part of it that is being worked through.
  public internal(set) var mapping: MappingModel
  public internal(set) var currentEntityMapping: EntityMapping?
  /// What must last from pass to pass: policies do not.
  public var userInfo: [String: any Sendable] = [:]

  /// Whether a relationship that names an entity mapping also finds what other ones took: an inferred
  /// mapping model names that of the parent entity for objects of those below it.
  let isInferred: Bool
  var associations = AssociationTable()
  var report: MigrationReport
  /// What has happened in the running step.
  var events: [TraceEvent.Kind] = []
  /// How many source objects became something, or were made a part of it.
  var taken = 0
  /// How many destinations the running step has set.
  var related = 0
  /// The place of the running entity mapping in the report.
  var place = 0

  init(
    _ hop: MigrationPlan.Hop, source: StoreObjects, destination: DestinationContext,
    report: MigrationReport
  ) {
    sourceModel = hop.from
    destinationModel = hop.to
    mapping = hop.parts.first?.mapping ?? MappingModel(entityMappings: [])
    isInferred = hop.isInferred
    self.source = source
    self.destination = destination
    self.report = report
  }

  // MARK: The default work

  /// Makes the destination object of a source object, with the values of the attribute mappings, and
  /// associates the two: what pass 1 does without a policy.
  ///
  /// - Returns: `nil` where the entity mapping has no destination.
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:reason:)``.
  @discardableResult
  public func createDestinationInstance(
    for source: SourceObject, in mapping: EntityMapping
  ) throws -> DestinationObject? {
    guard let entity = mapping.destinationName else { return nil }
    let values = try ValueEvaluator(source: source, mapping: mapping)
      .attributes(of: entity, in: destinationModel.model)
    let made = try destination.make(entity, values)
    associate(source, with: made, for: mapping)
    return made
  }

  /// Sets the relationships of a destination object by the relationship mappings, through the association
  /// tables: what pass 2 does without a policy.
  ///
  /// - Returns: How many objects they lead to.
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:reason:)``.
  @discardableResult
  public func createRelationships(
    for destination: DestinationObject, in mapping: EntityMapping
  ) throws -> Int {
    try createRelationships(
      for: destination, in: mapping,
      of: Array(sourceInstances(for: destination, in: mapping).prefix(1))
    ) { $1 }
  }

  /// The same from several source objects that became one.
  ///
  /// - Parameter choosing: Puts the source objects that a relationship leads to in order: of a to-one
  ///   relationship the first counts.
  @discardableResult
  func createRelationships(
    for destination: DestinationObject, in mapping: EntityMapping, of sources: [SourceObject],
    choosing: (_ relationship: String, _ objects: [any EvaluatedObject]) throws ->
      [any EvaluatedObject]
  ) throws -> Int {
    var count = 0
    for property in mapping.relationshipMappings {
      guard let expression = property.expression else { continue }
      var found: [DestinationObject] = []
      for source in sources {
        found += try destinations(
          of: expression, property.name, ValueEvaluator(source: source, mapping: mapping), choosing)
      }
      // An entity may have left the hierarchy that the relationship leads to.
      found = found.filter { destination.mayRelate(property.name, to: $0) }
      guard !found.isEmpty else { continue }
      try destination.relate(property.name, to: found)
      count += found.count
    }
    related += count
    return count
  }

  private func destinations(
    of expression: Expression, _ property: String, _ evaluator: ValueEvaluator,
    _ choosing: (String, [any EvaluatedObject]) throws -> [any EvaluatedObject]
  ) throws -> [DestinationObject] {
    guard let through = RelationshipSource(expression) else {
      throw evaluator.failure(
        expression, property, "it does not say through which entity mapping the objects went")
    }
    switch through {
    case .mapping(let name, of: let sources):
      return try choosing(property, evaluator.objects(sources, property)).flatMap {
        destinationInstances(forEntityMappingNamed: name, source: $0.identity)
      }
    case .relationship(_, of: let sources):
      return try choosing(property, evaluator.objects(sources, property)).flatMap {
        destinationInstances(forEntityMappingNamed: nil, source: $0.identity)
      }
    }
  }

  // MARK: Association tables

  /// Keeps in mind which destination object came from which source object.
  public func associate(
    _ source: SourceObject, with destination: DestinationObject, for mapping: EntityMapping
  ) {
    let origin = AssociationTable.Reference(
      root: sourceModel.model.rootName(of: source.entity), key: source.key)
    let isNew = associations.associate(
      origin, entity: source.entity, with: destination.key, entity: destination.entity,
      in: mapping.name)
    taken += 1
    guard isNew else { return }
    report.entities[place].created += 1
    events.append(
      .objectCreated(
        mapping: mapping.name, source: TraceObject(entity: source.entity, key: source.key),
        destination: TraceObject(entity: destination.entity, key: destination.key)))
  }

  /// What source objects became: through an entity mapping, or, where none is named, through any.
  public func destinationInstances(
    forEntityMappingNamed name: String?, sources: [SourceObject]
  ) -> [DestinationObject] {
    sources.flatMap { destinationInstances(forEntityMappingNamed: name, source: $0.identity) }
  }

  /// What an entity mapping has made, in the order in which it was.
  public func destinationInstances(of mapping: EntityMapping) -> [DestinationObject] {
    associations.created(by: mapping.name).map {
      DestinationObject(entity: $0.entity, key: $0.key, context: destination)
    }
  }

  /// The source objects that destination objects came from.
  public func sourceInstances(
    for destination: DestinationObject, in mapping: EntityMapping
  ) -> [SourceObject] {
    associations.sources(of: destination.key, in: mapping.name).map {
      source.object($0.reference.key, of: $0.entity)
    }
  }

  private func destinationInstances(
    forEntityMappingNamed name: String?, source: ObjectIdentity
  ) -> [DestinationObject] {
    let reference = AssociationTable.Reference(root: source.rootEntity, key: source.key)
    var found = name.map { associations.destinations(of: reference, in: $0) } ?? []
    if found.isEmpty, name == nil || isInferred {
      for other in mapping.entityMappings {
        found += associations.destinations(of: reference, in: other.name)
      }
    }
    return found.map {
      DestinationObject(entity: $0.entity, key: $0.key, context: destination)
    }
  }
}
