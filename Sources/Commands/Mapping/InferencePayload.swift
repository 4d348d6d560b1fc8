internal import StrataExpressions
internal import StrataMapping

/// The JSON shape of `infer`.
struct InferencePayload: Encodable, Sendable {
  struct Mapping: Encodable, Sendable {
    var name: String
    var type: String
    var source: String?
    var destination: String?
    var attributes: [Property]
    var relationships: [Property]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(type, forKey: .type)
      try container.encode(source, forKey: .source)
      try container.encode(destination, forKey: .destination)
      try container.encode(attributes, forKey: .attributes)
      try container.encode(relationships, forKey: .relationships)
    }

    private enum CodingKeys: String, CodingKey {
      case name, type, source, destination, attributes, relationships
    }
  }

  struct Property: Encodable, Sendable {
    var name: String
    /// `null` leaves the default value.
    var expression: String?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(expression, forKey: .expression)
    }

    private enum CodingKeys: String, CodingKey {
      case name, expression
    }

    init(_ mapping: PropertyMapping) {
      name = mapping.name
      expression = mapping.expression?.text
    }
  }

  var inferable: Bool
  var entityMappings: [Mapping]
  var obstacles: [ObstaclePayload]
  var warnings: [ObstaclePayload]

  init(_ inference: Inference, obstacles: ObstacleReport, warnings: ObstacleReport) {
    inferable = inference.isInferable
    entityMappings = (inference.mapping?.entityMappings ?? []).map {
      Mapping(
        name: $0.name, type: $0.kind.name, source: $0.sourceName, destination: $0.destinationName,
        attributes: $0.attributeMappings.map(Property.init),
        relationships: $0.relationshipMappings.map(Property.init))
    }
    self.obstacles = obstacles.payload
    self.warnings = warnings.payload
  }
}
