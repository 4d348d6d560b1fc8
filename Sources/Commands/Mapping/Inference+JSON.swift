internal import StrataExpressions
internal import StrataMapping
internal import StrataRendering

extension Inference {
  func json(_ obstacles: InferenceReport, _ warnings: InferenceReport) -> JSONValue {
    [
      "inferable": isInferable,
      "entityMappings": (mapping?.entityMappings ?? []).map(\.summary),
      "obstacles": obstacles.json, "warnings": warnings.json,
    ]
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
