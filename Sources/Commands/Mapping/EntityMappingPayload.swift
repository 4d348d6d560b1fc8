internal import StrataExpressions
internal import StrataMapping

/// The JSON shape of an entity mapping.
struct EntityMappingPayload: Encodable, Sendable {
  struct Property: Encodable, Sendable {
    var name: String
    /// The value expression; `null` for the default value.
    var expression: String?

    init(_ mapping: PropertyMapping) {
      name = mapping.name
      expression = mapping.expression?.text
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(expression, forKey: .expression)
    }

    private enum CodingKeys: String, CodingKey {
      case name, expression
    }
  }

  var name: String
  var type: String
  var source: String?
  var destination: String?
  var filter: String?
  var policy: String?
  var attributes: [Property]
  var relationships: [Property]

  init(_ mapping: EntityMapping) {
    name = mapping.name
    type = mapping.effectiveKind.name
    source = mapping.sourceName
    destination = mapping.destinationName
    filter = mapping.filter
    policy = mapping.policyName
    attributes = mapping.attributeMappings.map(Property.init)
    relationships = mapping.relationshipMappings.map(Property.init)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(type, forKey: .type)
    try container.encode(source, forKey: .source)
    try container.encode(destination, forKey: .destination)
    try container.encodeIfPresent(filter, forKey: .filter)
    try container.encodeIfPresent(policy, forKey: .policy)
    try container.encode(attributes, forKey: .attributes)
    try container.encode(relationships, forKey: .relationships)
  }

  private enum CodingKeys: String, CodingKey {
    case name, type, source, destination, filter, policy, attributes, relationships
  }
}
