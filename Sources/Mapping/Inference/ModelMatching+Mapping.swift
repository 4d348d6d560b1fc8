internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension ModelMatching {
  /// The mapping model that Core Data infers: an entity mapping for each pair, then those of added entities,
  /// then those of removed entities.
  ///
  /// Source: `Docs/Facts/inference.md`, sections 2 and 3.
  func inferredMapping() -> MappingModel {
    var mappings = pairs.map(entityMapping)
    for name in entities.added {
      mappings.append(
        EntityMapping(
          name: "IEM_Add_\(name)", kind: .add, destinationName: name,
          destinationHash: destination.hashes[name],
          attributeMappings: destination.properties(of: name).attributes.map {
            PropertyMapping(name: $0.property.name, expression: nil)
          },
          relationshipMappings: destination.properties(of: name).relationships.map {
            PropertyMapping(name: $0.property.name, expression: nil)
          }))
    }
    for name in entities.removed {
      mappings.append(
        EntityMapping(
          name: "IEM_Remove_\(name)", kind: .remove, sourceName: name,
          sourceHash: source.hashes[name]))
    }
    return MappingModel(entityMappings: mappings)
  }

  private func entityMapping(of pair: Pair) -> EntityMapping {
    let after = destination.properties(of: pair.destination)
    let attributes = sourceNames(
      of: pair, \.attributes, allNames: after.attributes.map(\.property.name))
    let relationships = sourceNames(
      of: pair, \.relationships, allNames: after.relationships.map(\.property.name))
    return EntityMapping(
      name: mappingName(of: pair.destination),
      kind: isCopied(pair.source, pair.destination) ? .copy : .transform, sourceName: pair.source,
      destinationName: pair.destination, sourceHash: source.hashes[pair.source],
      destinationHash: destination.hashes[pair.destination],
      attributeMappings: after.attributes.map { attribute in
        PropertyMapping(
          name: attribute.property.name,
          expression: attributes[attribute.property.name].map { .sourceValue([$0]) })
      },
      relationshipMappings: after.relationships.map { relationship in
        PropertyMapping(
          name: relationship.property.name,
          expression: relationships[relationship.property.name].map {
            .destinations(
              through: mappingName(of: relationship.property.destinationName),
              of: .sourceValue([$0]))
          })
      })
  }

  private func mappingName(of destinationName: String) -> String {
    guard let old = sourceNames[destinationName] else { return "IEM_Add_\(destinationName)" }
    return "IEM_\(isCopied(old, destinationName) ? "Copy" : "Transform")_\(destinationName)"
  }
}
