extension ObjectModel {
  package typealias OwnedConstraint = (declaringEntity: String, properties: [String])

  /// The uniqueness constraints of an entity's objects, with the entity that declares each: its own and inherited ones,
  /// and those of other entities over properties that both inherit, since an index covers the whole table.
  package func allConstraints(of entity: String) -> [OwnedConstraint] {
    let lineage = lineageNames(of: entity)
    let others = familyNames(of: rootName(of: entity)).filter { !lineage.contains($0) }
    return (lineage + others).flatMap { owner in
      (self[owner]?.uniquenessConstraints ?? []).filter { constraint in
        lineage.contains(owner)
          || constraint.allSatisfy { lineage.contains(declaringEntity(of: $0, in: owner)) }
      }.map { (owner, $0) }
    }
  }

  package func declaringEntity(of property: String, in entity: String) -> String {
    attribute(property, of: entity)?.declaringEntity
      ?? relationship(property, of: entity)?.declaringEntity ?? entity
  }
}
