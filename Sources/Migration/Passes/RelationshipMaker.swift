internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// Sets relationships by the relationship mappings of one entity mapping, which are resolved once.
final class RelationshipMaker {
  /// A relationship of the destination, with the source of its objects.
  private final class Link {
    let name: String
    let expression: Expression
    /// `nil` if the expression does not name an entity mapping.
    let through: RelationshipSource?
    /// The single source relationship, if any.
    let origin: RelationshipOrigin?

    init(_ name: String, _ expression: Expression, _ origin: RelationshipOrigin?) {
      (self.name, self.expression, self.origin) = (name, expression, origin)
      through = RelationshipSource(expression)
    }
  }

  /// The treatment of a link for the objects of one destination entity.
  private enum Treatment {
    /// All objects of the expression.
    case all
    /// All objects of the expression; the other end is set by its own entity mappings.
    case ownEnd
    /// The objects that a rule keeps, because an end has fewer objects than before.
    case chosen(ObjectLinks)
    /// The links are set by the other end, by its policy or because it comes first.
    case decidedElsewhere
    /// The other end has set the links, and nobody asks for their number.
    case set
  }

  /// A link for the objects of one destination entity; a class, since it is used for each object.
  private final class EntityLink {
    let link: Link
    let relationship: Declared<Relationship>
    let treatment: Treatment
    /// Whether a policy may have given places to objects, behind which others come.
    let isAppended: Bool
    /// The destination entity and its subentities.
    private let entities: Set<String>

    init(
      _ link: Link, _ relationship: Declared<Relationship>, _ treatment: Treatment,
      _ manager: PassManager
    ) {
      (self.link, self.relationship, self.treatment) = (link, relationship, treatment)
      isAppended = manager.settableByPolicy.contains(relationship.id)
      let model = manager.destinationModel.model
      let name = relationship.property.destinationName
      entities = Set(model.familyNames(of: name))
    }

    /// Whether it can lead to an object: its entity may no longer belong to the hierarchy of the destination.
    func leads(to object: NewObject) -> Bool { entities.contains(object.entity) }
  }

  private let mapping: EntityMapping
  private let links: [Link]
  /// Whether an expression is more than a relationship of the source object.
  private let evaluates: Bool
  private var context = EvaluationContext()
  /// By relationship.
  private var treatments: [PropertyID: Treatment] = [:]
  /// By destination entity.
  private var entityLinks: [String: [EntityLink]] = [:]
  private var lastLinks: (entity: String, links: [EntityLink])?
  /// What is followed for the current relationship; `nil` if nobody asks.
  private var lookup: TraceLink?

  /// - Parameters:
  ///   - named: The entity mappings that its relationship mappings can name.
  ///   - variables: The variables of expressions other than the two objects.
  init(
    _ mapping: EntityMapping, of source: ObjectModel, among named: [EntityMapping],
    variables: [String: ExpressionValue]
  ) {
    self.mapping = mapping
    context.variables = variables
    links = mapping.relationshipMappings.compactMap { property in
      property.expression.map { expression in
        Link(
          property.name, expression,
          mapping.sourceName.flatMap {
            RelationshipOrigin(expression, in: $0, of: source, among: named)
          })
      }
    }
    evaluates = links.contains { $0.origin == nil }
  }

  /// Whether there is nothing to set or to report for the objects of an entity.
  func isIdle(for entity: String, _ manager: PassManager) -> Bool {
    links(of: entity, manager).allSatisfy { link in
      switch link.treatment {
      case .set: true
      case .decidedElsewhere: manager.destination.details == nil
      case .all, .ownEnd, .chosen: false
      }
    }
  }

  /// Sets the relationships of an object with these source objects.
  ///
  /// - Parameter choosing: Sorts the source objects of a relationship; a to-one relationship uses the first.
  /// - Returns: The number of destination objects.
  func relate(
    _ destination: NewObject, of sources: [BrowsedObject], _ manager: PassManager,
    choosing: PassManager.Choice?
  ) throws -> Int {
    var count = 0
    if evaluates { context.variables[MappingVariable.destination.rawValue] = .object(destination) }
    let details = manager.destination.details
    for entityLink in links(of: destination.entity, manager) {
      let (link, treatment) = (entityLink.link, entityLink.treatment)
      lookup = details.map { _ in self.lookup(for: link, treatment, of: destination) }
      if case .decidedElsewhere = treatment {
        if let lookup { try details?.addUnchanged(lookup, destination) }
        continue
      }
      if case .set = treatment { continue }
      var found: [NewObject] = []
      for source in sources {
        do {
          if case .chosen(let objectLinks) = treatment {
            found += try destinations(of: link, source, kept: objectLinks, manager)
          } else if let origin = link.origin, choosing == nil {
            found += try destinations(
              of: origin, keys: source.destinationKeys(of: origin.relationship), manager)
          } else {
            found += try destinations(of: link, source, manager, choosing)
          }
        } catch MigrationError.cannotEvaluate(let text, _, let name, _, let reason)
          where mapping.policyName != nil
        {
          manager.destination.undecided.add(
            name, of: destination.entity, key: destination.key, "\(text): \(reason)")
        }
      }
      found.removeAll { !entityLink.leads(to: $0) }
      guard !found.isEmpty else {
        if let lookup { try details?.addUnchanged(lookup, destination) }
        continue
      }
      details?.lookup = lookup
      if case .ownEnd = treatment {
        try destination.linkOwnEnd(of: entityLink.relationship, to: found[0])
      } else {
        try destination.link(
          entityLink.relationship, to: found, appending: entityLink.isAppended)
      }
      count += found.count
    }
    return count
  }

  private func links(of entity: String, _ manager: PassManager) -> [EntityLink] {
    if let lastLinks, lastLinks.entity == entity { return lastLinks.links }
    let model = manager.destinationModel.model
    let found =
      entityLinks[entity]
      ?? links.compactMap { link in
        model.relationship(link.name, of: entity).map {
          EntityLink(link, $0, treatment(of: link, $0, manager), manager)
        }
      }
    entityLinks[entity] = found
    lastLinks = (entity, found)
    return found
  }

  private func treatment(
    of link: Link, _ new: Declared<Relationship>, _ manager: PassManager
  ) -> Treatment {
    if let known = treatments[new.id] { return known }
    let found: Treatment
    if manager.isDecidedByPolicy(new) {
      found = .all
    } else if link.origin != nil, manager.continuedEnds.isOverruled(new) {
      found = .decidedElsewhere
    } else if let objectLinks = link.origin.flatMap({ ObjectLinks($0, to: new, manager) }) {
      let inverse = manager.destinationModel.model.inverse(of: new.property)
      found =
        inverse.map(manager.isDecidedByPolicy) == true ? .decidedElsewhere : .chosen(objectLinks)
    } else if manager.relatesOnce,
      link.origin.map({ manager.hasBeenSet(new, $0, before: mapping) }) == true
    {
      found = .set
    } else {
      let inverse = manager.destinationModel.model.inverse(of: new.property)
      let isOneToOne = !new.property.isToMany && inverse?.property.isToMany == false
      found =
        isOneToOne && !manager.isContested(new)
          && link.origin.map { manager.otherEndSetsSameLinks(new, $0, of: mapping) } == true
        ? .ownEnd : .all
    }
    treatments[new.id] = found
    return found
  }

  private func lookup(
    for link: Link, _ treatment: Treatment, of destination: NewObject
  ) -> TraceLink {
    let reason: TraceLink.Reason =
      switch treatment {
      case .all, .ownEnd, .set: .mapping
      case .chosen: .kept
      case .decidedElsewhere: .otherEnd
      }
    return TraceLink(
      of: destination.traced, link.name, reason,
      expression: (link.through?.sources ?? link.expression).text,
      table: link.through?.mappingName)
  }

  /// Adds a source object followed and what it became, if somebody asks.
  private func note(_ source: @autoclosure () throws -> ObjectRef, _ found: [NewObject]) rethrows {
    guard lookup != nil else { return }
    lookup?.lookups.append(.init(source: try source(), destinations: found.map(\.traced)))
  }

  /// The destination objects at the other end of a relationship.
  private func destinations(
    of link: Link, _ source: BrowsedObject, kept objectLinks: ObjectLinks, _ manager: PassManager
  ) throws -> [NewObject] {
    guard let origin = link.origin else { return [] }
    let relationship = origin.relationship
    let entity = relationship.property.destinationName
    let keys = try objectLinks.kept(of: source.key)
    if lookup != nil, let details = manager.destination.details {
      lookup?.ignored = try details.quietly {
        try source.destinations(of: relationship).filter { !keys.contains($0) }
          .map { try manager.source.object($0, of: entity).concrete() }
      }
    }
    return try destinations(of: origin, keys: keys, manager)
  }

  /// The destination objects of source objects at the other end of a relationship.
  private func destinations(
    of origin: RelationshipOrigin, keys: [Int64], _ manager: PassManager
  ) throws -> [NewObject] {
    let entity = origin.relationship.property.destinationName
    return try keys.flatMap { key in
      let found = try manager.destinationInstances(
        forEntityMappingNamed: origin.mappingName,
        source: ObjectIdentity(rootEntity: origin.rootEntity, key: key))
      try note(manager.quietly { try manager.source.object(key, of: entity).concrete() }, found)
      return found
    }
  }

  private func destinations(
    of link: Link, _ source: BrowsedObject, _ manager: PassManager,
    _ choosing: PassManager.Choice?
  ) throws -> [NewObject] {
    guard let through = link.through else {
      let property = mapping.relationshipMappings.first { $0.name == link.name }
      context.variables[MappingVariable.propertyMapping.rawValue] = property.map(manager.variable)
      return try objects(link.expression, of: link, source).map {
        guard let object = $0 as? NewObject else {
          throw failure(
            link, source, "it does not name the entity mapping that creates the objects")
        }
        return object
      }
    }
    let found = try objects(through.sources, of: link, source)
    return try (choosing?(link.name, found) ?? found).flatMap { object in
      let found = try manager.destinationInstances(
        forEntityMappingNamed: through.mappingName, source: object.identity)
      try note(manager.quietly { try object.concrete() }, found)
      return found
    }
  }

  /// The source objects of an expression.
  private func objects(
    _ expression: Expression, of link: Link, _ source: BrowsedObject
  ) throws -> [any EvaluatedObject] {
    func objects(_ value: ExpressionValue) throws -> [any EvaluatedObject] {
      switch value {
      case .object(let object): [object]
      case .collection(let elements, _): try elements.flatMap(objects)
      case .value(.null): []
      case .value: throw failure(link, source, "it returns a value, not objects")
      }
    }
    context.variables["source"] = .object(source)
    do {
      return try objects(context.value(of: expression))
    } catch let error as ExpressionError {
      throw failure(link, source, error.diagnostic.what)
    }
  }

  private func failure(
    _ link: Link, _ source: BrowsedObject, _ reason: String
  ) -> MigrationError {
    .cannotEvaluate(
      link.expression.text, mapping: mapping.name, property: link.name, object: source.traced,
      reason: reason)
  }
}

extension EvaluatedObject {
  /// The object with its concrete entity.
  fileprivate func concrete() throws -> ObjectRef {
    let entity = try (self as? BrowsedObject)?.concreteEntity() ?? identity.rootEntity
    return ObjectRef(entity: entity, key: identity.key)
  }
}
