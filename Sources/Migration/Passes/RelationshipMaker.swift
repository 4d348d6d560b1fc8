internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// Follows the relationship mappings of one entity mapping: what each says is worked out once.
final class RelationshipMaker {
  /// A relationship of the destination, and where its objects come from.
  private struct Link {
    var name: String
    var expression: Expression
    /// `nil` where the expression does not say through which entity mapping the objects went.
    var through: RelationshipSource?
    /// The source relationship that it follows alone.
    var origin: RelationshipOrigin?
  }

  /// What becomes of a link for the objects of one destination entity.
  private enum Treatment {
    /// All objects that the expression leads to.
    case all
    /// The same, and the other end's own objects say what they lead to.
    case ownEnd
    /// Those that a rule keeps: an end holds fewer objects than before.
    case chosen(LinkChooser)
    /// The other end gives the links, by its policy or because it comes first.
    case decidedElsewhere
  }

  private let mapping: EntityMapping
  private let links: [Link]
  private var context = EvaluationContext()
  /// By relationship.
  private var treatments: [String: Treatment] = [:]

  /// - Parameters:
  ///   - named: The entity mappings that its relationship mappings may name.
  ///   - variables: What expressions may ask besides the two objects.
  init(
    _ mapping: EntityMapping, of source: ObjectModel, among named: [EntityMapping],
    variables: [String: ExpressionValue]
  ) {
    self.mapping = mapping
    context.variables = variables
    links = mapping.relationshipMappings.compactMap { property in
      property.expression.map { expression in
        Link(
          name: property.name, expression: expression, through: RelationshipSource(expression),
          origin: mapping.sourceName.flatMap {
            RelationshipOrigin(expression, in: $0, of: source, among: named)
          })
      }
    }
  }

  var isEmpty: Bool { links.isEmpty }

  /// Sets the relationships of an object that came from these.
  ///
  /// - Parameter choosing: Puts the source objects that a relationship leads to in order: of a to-one
  ///   relationship the first counts.
  /// - Returns: How many objects they lead to.
  func relate(
    _ destination: NewObject, of sources: [BrowsedObject], _ manager: PassManager,
    choosing: (_ relationship: String, _ objects: [any EvaluatedObject]) throws ->
      [any EvaluatedObject]
  ) throws -> Int {
    var count = 0
    context.variables[MappingVariable.destination.rawValue] = .object(destination)
    for link in links {
      guard let new = manager.destinationModel.model.relationship(link.name, of: destination.entity)
      else { continue }
      let treatment = treatment(of: link, new, manager)
      if case .decidedElsewhere = treatment { continue }
      var found: [NewObject] = []
      for source in sources {
        do {
          if case .chosen(let chooser) = treatment {
            found += try destinations(of: link, chooser.kept(of: source.key), manager)
          } else {
            found += try destinations(of: link, source, manager, choosing)
          }
        } catch MigrationError.cannotEvaluate(let text, _, let name, let reason)
          where mapping.policyName != nil
        {
          manager.destination.undecided.add(
            name, of: destination.entity, key: destination.key, "\(text): \(reason)")
        }
      }
      // An entity may have left the hierarchy that the relationship leads to.
      found = found.filter { destination.mayRelate(link.name, to: $0) }
      guard !found.isEmpty else { continue }
      if case .ownEnd = treatment {
        try destination.linkOwnEnd(of: new, to: found[0])
      } else {
        try destination.link(new, to: found)
      }
      count += found.count
    }
    return count
  }

  private func treatment(
    of link: Link, _ new: Declared<Relationship>, _ manager: PassManager
  ) -> Treatment {
    let key = "\(new.declaringEntity).\(link.name)"
    if let known = treatments[key] { return known }
    let found: Treatment
    if manager.isDecidedByPolicy(new) {
      found = .all
    } else if link.origin != nil, manager.continuedEnds.isOverruled(new) {
      found = .decidedElsewhere
    } else if let chooser = link.origin.flatMap({ LinkChooser($0, to: new, manager) }) {
      let inverse = manager.destinationModel.model.inverse(of: new.property)
      found =
        inverse.map(manager.isDecidedByPolicy) == true ? .decidedElsewhere : .chosen(chooser)
    } else {
      found = manager.continuedEnds.staysOneToOne(new) ? .ownEnd : .all
    }
    treatments[key] = found
    return found
  }

  /// What source objects became at the other end of a relationship.
  private func destinations(
    of link: Link, _ keys: [Int64], _ manager: PassManager
  ) throws -> [NewObject] {
    guard let origin = link.origin else { return [] }
    let root = manager.sourceModel.model.rootName(of: origin.relationship.property.destinationName)
    return try keys.flatMap {
      try manager.destinationInstances(
        forEntityMappingNamed: origin.mappingName,
        source: ObjectIdentity(rootEntity: root, key: $0))
    }
  }

  private func destinations(
    of link: Link, _ source: BrowsedObject, _ manager: PassManager,
    _ choosing: (String, [any EvaluatedObject]) throws -> [any EvaluatedObject]
  ) throws -> [NewObject] {
    guard let through = link.through else {
      let property = mapping.relationshipMappings.first { $0.name == link.name }
      context.variables[MappingVariable.propertyMapping.rawValue] = property.map(manager.variable)
      return try objects(link.expression, of: link, source).map {
        guard let object = $0 as? NewObject else {
          throw failure(
            link, "it does not say through which entity mapping the objects went")
        }
        return object
      }
    }
    return try choosing(link.name, objects(through.sources, of: link, source)).flatMap {
      try manager.destinationInstances(
        forEntityMappingNamed: through.mappingName, source: $0.identity)
    }
  }

  /// The source objects that an expression leads to.
  private func objects(
    _ expression: Expression, of link: Link, _ source: BrowsedObject
  ) throws -> [any EvaluatedObject] {
    func objects(_ value: ExpressionValue) throws -> [any EvaluatedObject] {
      switch value {
      case .object(let object): [object]
      case .collection(let elements, _): try elements.flatMap(objects)
      case .value(.null): []
      case .value: throw failure(link, "it gives a value, and no objects")
      }
    }
    context.variables["source"] = .object(source)
    do {
      return try objects(context.value(of: expression))
    } catch let error as ExpressionError {
      throw failure(link, error.diagnostic.what)
    }
  }

  private func failure(_ link: Link, _ reason: String) -> MigrationError {
    .cannotEvaluate(
      link.expression.text, mapping: mapping.name, property: link.name, reason: reason)
  }
}
