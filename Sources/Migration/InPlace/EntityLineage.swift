internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel

/// The source of a destination entity's objects, from an inferred entity mapping.
struct EntityLineage {
  let destination: String
  /// `nil` for a new entity.
  let source: String?
  /// Whether the entity's version hash or name has changed.
  let isChanged: Bool
  /// Destination property to source property.
  private var attributes: [String: String] = [:]
  /// The property mappings that copy attributes of the source.
  private(set) var attributeMappings: [PropertyMapping] = []
  private var relationships: [String: String] = [:]

  /// `nil` for an entity mapping without a destination.
  init?(_ mapping: EntityMapping) {
    guard let destination = mapping.destinationName else { return nil }
    self.destination = destination
    source = mapping.sourceName
    isChanged = mapping.kind != .copy
    guard mapping.sourceName != nil else { return }
    for property in mapping.attributeMappings {
      if let name = property.expression.flatMap(Self.sourceName) {
        attributes[property.name] = name
        attributeMappings.append(property)
      }
    }
    for property in mapping.relationshipMappings {
      if case .mapping(_, let sources)? = property.expression.flatMap({ RelationshipSource($0) }),
        let name = Self.sourceName(sources)
      {
        relationships[property.name] = name
      }
    }
  }

  private static func sourceName(_ expression: Expression) -> String? {
    guard case .keyPath(of: .variable("source"), let keys) = expression, keys.count == 1 else {
      return nil
    }
    return keys[0]
  }

  func sourceAttribute(of name: String) -> String? { attributes[name] }

  /// The source relationship of a destination relationship.
  func sourceRelationship(of name: String, in model: ObjectModel) -> Declared<Relationship>? {
    guard let source, let old = relationships[name] else { return nil }
    return model.relationship(old, of: source)
  }

  /// The properties of the source that are kept.
  var continuedProperties: Set<String> { Set(attributes.values).union(relationships.values) }
}
