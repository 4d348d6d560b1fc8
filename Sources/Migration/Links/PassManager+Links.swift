internal import StrataMapping
internal import StrataObjectModel

extension PassManager {
  /// The source relationship of an entity mapping's relationship mapping.
  func origin(of relationship: String, in mapping: EntityMapping) -> RelationshipOrigin? {
    RelationshipOrigin(
      of: relationship, in: mapping, of: sourceModel.model, among: namedMappings)
  }

  /// The entity mappings named by a relationship mapping.
  var namedMappings: [EntityMapping] { isInferred ? [] : mapping.entityMappings }

  /// The entity mappings whose objects can be destinations of a relationship, the named one first.
  ///
  /// An entity may no longer belong to the hierarchy of the destination.
  func readers(
    of old: Declared<Relationship>, to destination: String, named name: String?
  ) -> [String] {
    let fitting = readers(of: old.property.destinationName, as: destination)
    guard let name else { return fitting }
    let named = fitting.filter { $0 == name }
    return isInferred ? named + fitting.filter { $0 != name } : named
  }

  /// The entity mappings whose objects can have a destination relationship with a source: those that map it, or
  /// all if none does.
  func owners(
    of new: Declared<Relationship>, from old: Declared<Relationship>
  ) -> [String] {
    let all = readers(of: old.declaringEntity, as: new.declaringEntity)
    let mapped = all.filter { name in
      mapping.entityMappings.first { $0.name == name }
        .flatMap { origin(of: new.property.name, in: $0) }?.relationship == old
    }
    return mapped.isEmpty ? all : mapped
  }

  /// Whether the entity mappings of the other end set the same links as an entity mapping of this end.
  func otherEndSetsSameLinks(
    _ relationship: Declared<Relationship>, _ origin: RelationshipOrigin, of own: EntityMapping
  ) -> Bool {
    guard relatingByDefault.contains(own.name),
      let inverse = destinationModel.model.inverse(of: relationship.property),
      let oldInverse = sourceModel.model.inverse(of: origin.relationship.property)
    else { return false }
    // One without a source creates no objects, unless a policy does.
    let others = mapping.entityMappings.filter {
      sets(inverse, $0) && ($0.sourceName != nil || $0.policyName != nil)
    }
    let partners = Set(
      readers(
        of: origin.relationship, to: relationship.property.destinationName,
        named: origin.mappingName))
    return !others.isEmpty
      && others.allSatisfy { other in
        guard relatingByDefault.contains(other.name),
          let found = self.origin(of: inverse.property.name, in: other),
          found.relationship == oldInverse
        else { return false }
        // It can name another entity mapping, whose association table has none of these objects.
        return !partners.contains(other.name)
          || readers(
            of: oldInverse, to: inverse.property.destinationName, named: found.mappingName
          ).contains(own.name)
      }
  }

  /// Whether entity mappings before this one have set all links from the other end. The ends of a one-to-one
  /// relationship have a key each.
  func hasBeenSet(
    _ relationship: Declared<Relationship>, _ origin: RelationshipOrigin,
    before own: EntityMapping
  ) -> Bool {
    guard !relationship.property.isOrdered, !isContested(relationship),
      let inverse = destinationModel.model.inverse(of: relationship.property),
      relationship.property.isToMany || inverse.property.isToMany,
      otherEndSetsSameLinks(relationship, origin, of: own)
    else { return false }
    return !mapping.entityMappings.drop { $0.name != own.name }.contains { sets(inverse, $0) }
  }

  /// Whether the objects of an entity mapping have a relationship.
  func sets(_ relationship: Declared<Relationship>, _ mapping: EntityMapping) -> Bool {
    mapping.destinationName.map {
      destinationModel.model.familyNames(of: relationship.declaringEntity).contains($0)
    } ?? false
  }

  /// The entity mappings from the hierarchy of a source entity to a destination entity or its subentities.
  private func readers(of source: String, as destination: String) -> [String] {
    let root = sourceModel.model.rootName(of: source)
    let family = Set(destinationModel.model.familyNames(of: destination))
    return mapping.entityMappings.filter { mapping in
      mapping.sourceName.map { sourceModel.model.rootName(of: $0) == root } == true
        && mapping.destinationName.map(family.contains) == true
    }.map(\.name)
  }
}
