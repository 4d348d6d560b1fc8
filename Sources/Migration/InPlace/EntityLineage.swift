internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel

/// What the objects of a destination entity are made of, as an inferred entity mapping says.
struct EntityLineage {
  let destination: String
  /// `nil` for an entity that is new.
  let source: String?
  /// Whether the entity's version hash is another one, or its name.
  let isChanged: Bool
  /// Destination property to source property.
  private var attributes: [String: String] = [:]
  /// Those that copy attributes of the source.
  private(set) var attributeMappings: [PropertyMapping] = []
  private var relationships: [String: String] = [:]

  /// `nil` for an entity mapping that only removes.
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

  /// The source relationship that a relationship continues.
  func sourceRelationship(of name: String, in model: ObjectModel) -> Declared<Relationship>? {
    guard let source, let old = relationships[name] else { return nil }
    return model.relationship(old, of: source)
  }

  /// The properties of the source that live on.
  var continuedProperties: Set<String> { Set(attributes.values).union(relationships.values) }
}
