internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

extension MappingModel {
  /// The mapping model as JSON: its entity mappings with each expression as text and as a tree.
  func json(named name: String, from source: String? = nil, to destination: String? = nil)
    -> JSONValue
  {
    [
      "name": name, "source": source, "destination": destination,
      "entityMappings": entityMappings.map(\.json),
    ]
  }
}

extension EntityMapping {
  var json: JSONValue {
    [
      "name": name, "type": effectiveKind.name, "source": sourceName,
      "destination": destinationName, "sourceHash": sourceHash?.hex,
      "destinationHash": destinationHash?.hex, "filter": filter, "objects": customSource?.json,
      "policy": policyName,
      "userInfo": JSONValue.object(.init(userInfo.map { ($0.key, $0.value) })),
      "attributes": attributeMappings.json {
        ["name": $0.name, "expression": $0.expression?.json]
      },
      "relationships": relationshipMappings.json { property in
        let source = property.expression.flatMap { RelationshipSource($0) }
        return [
          "name": property.name, "expression": property.expression?.json,
          "sources": source?.sources.json, "through": source?.mappingName,
        ]
      },
    ]
  }
}
