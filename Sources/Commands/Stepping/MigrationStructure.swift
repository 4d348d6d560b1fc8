internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// Models, mapping models and policies as JSON structures.
extension ObjectModel {
  /// The entities with their own and inherited properties.
  func structure(named name: String) -> JSONValue {
    let hashes = versionHashes()
    return .object([
      ("name", .string(name)),
      (
        "entities",
        .array(
          entities.sorted { $0.name.precedesInBytes($1.name) }.map { entity in
            .object([
              ("name", .string(entity.name)),
              ("parent", entity.superentityName.map { .string($0) } ?? .null),
              ("isAbstract", .bool(entity.isAbstract)),
              ("hash", hashes[entity.name].map { .string($0.hex) } ?? .null),
              (
                "attributes",
                .array(allAttributes(of: entity.name).map(\.property.structure))
              ),
              (
                "relationships",
                .array(allRelationships(of: entity.name).map(\.property.structure))
              ),
              (
                "uniquenessConstraints",
                .array(
                  entity.uniquenessConstraints.map { .array($0.map { .string($0) }) })
              ),
            ])
          })
      ),
    ])
  }
}

extension Attribute {
  fileprivate var structure: JSONValue {
    .object([
      ("name", .string(name)), ("type", .string(type.name)), ("isOptional", .bool(isOptional)),
      ("isTransient", .bool(isTransient)), ("isDerived", .bool(isDerived)),
      ("default", defaultValue.map { .string($0) } ?? .null),
      ("renamingIdentifier", renamingIdentifier.map { .string($0) } ?? .null),
    ])
  }
}

extension Relationship {
  fileprivate var structure: JSONValue {
    .object([
      ("name", .string(name)), ("destination", .string(destinationName)),
      ("inverse", inverseName.map { .string($0) } ?? .null), ("isToMany", .bool(isToMany)),
      ("isOptional", .bool(isOptional)), ("isOrdered", .bool(isOrdered)),
      ("minCount", .integer(Int64(minCount))), ("maxCount", .integer(Int64(maxCount))),
      ("deleteRule", .string(deleteRule.name)),
      ("renamingIdentifier", renamingIdentifier.map { .string($0) } ?? .null),
    ])
  }
}

extension NamedMappingModel {
  var structure: JSONValue {
    .object([
      ("name", .string(name)),
      ("entityMappings", .array(mapping.entityMappings.map(\.structure))),
    ])
  }
}

extension EntityMapping {
  fileprivate var structure: JSONValue {
    .object([
      ("name", .string(name)), ("kind", .string(effectiveKind.name)),
      ("source", sourceName.map { .string($0) } ?? .null),
      ("destination", destinationName.map { .string($0) } ?? .null),
      ("filter", filter.map { .string($0) } ?? .null),
      ("policy", policyName.map { .string($0) } ?? .null),
      (
        "attributes",
        .array(
          attributeMappings.map {
            .object([
              ("name", .string($0.name)), ("expression", $0.expression?.json ?? .null),
            ])
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
              ("through", source?.mappingName.map { .string($0) } ?? .null),
            ])
          })
      ),
    ])
  }
}

extension PolicyScript {
  var structure: JSONValue {
    .object([
      ("name", .string(name)),
      (
        "statements",
        .array(
          statements.map { statement in
            let parts = statement.parts
            return .object([
              ("call", .string(parts.call)), ("pass", .integer(Int64(statement.pass.rawValue))),
              ("statement", .string(statement.text)), ("verb", .string(parts.verb)),
              ("condition", parts.condition.map { .string($0.text) } ?? .null),
              ("expressions", .array(parts.expressions.map(\.json))),
              ("attributes", .array(parts.attributes.map { .string($0) })),
              ("relationship", parts.relationship.map { .string($0) } ?? .null),
              ("entity", parts.entity.map { .string($0) } ?? .null),
              ("separator", parts.separator.map { .string($0) } ?? .null),
            ])
          })
      ),
    ])
  }
}
