internal import StrataExpressions
internal import StrataMapping
internal import StrataRendering

/// The JSON shape of `infer`.
struct InferencePayload: Encodable, Sendable {
  var inferable: Bool
  var entityMappings: [JSONValue]
  var obstacles: [JSONValue]
  var warnings: [JSONValue]

  init(_ inference: Inference, obstacles: InferenceReport, warnings: InferenceReport) {
    inferable = inference.isInferable
    entityMappings = (inference.mapping?.entityMappings ?? []).map(\.summary)
    self.obstacles = obstacles.json
    self.warnings = warnings.json
  }
}

extension EntityMapping {
  /// The expression of a property is `null` for the default value.
  fileprivate var summary: JSONValue {
    func json(_ mappings: [PropertyMapping]) -> JSONValue {
      mappings.json { ["name": $0.name, "expression": $0.expression?.text] }
    }
    let members: JSONValue.Members = [
      "name": name, "type": effectiveKind.name, "source": sourceName,
      "destination": destinationName, "attributes": json(attributeMappings),
      "relationships": json(relationshipMappings),
    ]
    return .object(
      members + (filter.map { ["filter": $0] } ?? [:])
        + (policyName.map { ["policy": $0] } ?? [:]))
  }
}
