internal import StrataExpressions
internal import StrataMapping
internal import StrataRendering

/// The JSON shape of `infer`.
struct InferencePayload: Encodable, Sendable {
  var inferable: Bool
  var entityMappings: [JSONValue]
  var obstacles: [FindingPayload]
  var warnings: [FindingPayload]

  init(_ inference: Inference, obstacles: InferenceReport, warnings: InferenceReport) {
    inferable = inference.isInferable
    entityMappings = (inference.mapping?.entityMappings ?? []).map(\.summary)
    self.obstacles = obstacles.payload
    self.warnings = warnings.payload
  }
}

extension EntityMapping {
  fileprivate var summary: JSONValue {
    .object(
      [
        ("name", .string(name)), ("type", .string(effectiveKind.name)),
        ("source", .string(orNull: sourceName)), ("destination", .string(orNull: destinationName)),
        ("attributes", .array(attributeMappings.map(\.summary))),
        ("relationships", .array(relationshipMappings.map(\.summary))),
      ]
        + [("filter", filter), ("policy", policyName)].compactMap { key, text in
          text.map { (key, .string($0)) }
        })
  }
}

extension PropertyMapping {
  /// The expression is `null` for the default value.
  fileprivate var summary: JSONValue {
    .object([("name", .string(name)), ("expression", .string(orNull: expression?.text))])
  }
}
