internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

extension MappingModel {
  /// The mapping model as JSON: its entity mappings with each expression as text and as a tree.
  func json(named name: String, from source: String? = nil, to destination: String? = nil)
    -> JSONValue
  {
    .object([
      ("name", .string(name)), ("source", .string(orNull: source)),
      ("destination", .string(orNull: destination)),
      ("entityMappings", .array(entityMappings.map(\.json))),
    ])
  }
}

extension EntityMapping {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("type", .string(effectiveKind.name)),
      ("source", .string(orNull: sourceName)), ("destination", .string(orNull: destinationName)),
      ("sourceHash", .string(orNull: sourceHash?.hex)),
      ("destinationHash", .string(orNull: destinationHash?.hex)),
      ("filter", .string(orNull: filter)), ("objects", customSource?.json ?? .null),
      ("policy", .string(orNull: policyName)),
      ("userInfo", .object(userInfo.map { ($0.key, .string($0.value)) })),
      (
        "attributes",
        .array(
          attributeMappings.map {
            .object([("name", .string($0.name)), ("expression", $0.expression?.json ?? .null)])
          })
      ),
      (
        "relationships",
        .array(
          relationshipMappings.map { property in
            let source = property.expression.flatMap { RelationshipSource($0) }
            return .object([
              ("name", .string(property.name)),
              ("expression", property.expression?.json ?? .null),
              ("sources", source?.sources.json ?? .null),
              ("through", .string(orNull: source?.mappingName)),
            ])
          })
      ),
    ])
  }
}
