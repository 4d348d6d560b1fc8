package import StrataExpressions
package import StrataObjectModel

/// The source relationship of a relationship mapping, if it is a single one, and the named entity mapping.
///
/// There is none if that entity mapping reads no objects of the relationship's destination: its association
/// table is empty for them, and the relationship mapping sets no links.
package struct RelationshipOrigin {
  package var mappingName: String?
  package var relationship: Declared<Relationship>
  /// The root entity of its destination.
  package let rootEntity: String

  /// - Parameters:
  ///   - entity: The source entity of the entity mapping.
  ///   - mappings: The entity mappings that it can name; empty for an inferred mapping model, in which a name
  ///     means all entity mappings that read the objects.
  package init?(
    _ expression: Expression, in entity: String, of source: ObjectModel,
    among mappings: [EntityMapping]
  ) {
    guard let through = RelationshipSource(expression) else { return nil }
    guard case .keyPath(of: .variable("source"), let keys) = through.sources, keys.count == 1,
      let found = source.relationship(keys[0], of: entity), !found.property.isTransient
    else { return nil }
    let wanted = found.property.destinationName
    if let name = through.mappingName,
      let sourceName = mappings.first(where: { $0.name == name })?.sourceName,
      !source.isRelated(sourceName, to: wanted)
    {
      return nil
    }
    mappingName = through.mappingName
    relationship = found
    rootEntity = source.rootName(of: wanted)
  }

  /// - Parameter name: The name of a destination relationship.
  package init?(
    of name: String, in mapping: EntityMapping, of source: ObjectModel,
    among mappings: [EntityMapping]
  ) {
    guard let entity = mapping.sourceName,
      let expression = mapping.relationshipMappings.first(where: { $0.name == name })?.expression
    else { return nil }
    self.init(expression, in: entity, of: source, among: mappings)
  }
}
