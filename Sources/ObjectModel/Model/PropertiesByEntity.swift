internal import StrataBase

/// What each entity of a model has and inherits, by the entity's place.
///
/// ``ObjectModel`` bounds how many properties these are, inherited ones counted for each entity.
struct PropertiesByEntity: Sendable {
  /// By name in byte order.
  let attributes: [[Declared<Attribute>]]
  let relationships: [[Declared<Relationship>]]

  init(_ model: ObjectModel) {
    attributes = Self.all(in: model, \.attributes)
    relationships = Self.all(in: model, \.relationships)
  }

  private static func all<Member>(
    in model: ObjectModel, _ members: (Entity) -> [Member]
  ) -> [[Declared<Member>]] {
    model.entities.indices.map { place in
      model.lineage(ofPlace: place).flatMap { owner in
        members(model.entities[owner]).map {
          Declared(property: $0, declaringEntity: model.entities[owner].name)
        }
      }.sorted { $0.property.name.precedesInBytes($1.property.name) }
    }
  }
}

extension Array {
  /// The first property of a name in a list that is sorted by name.
  package func named<Member>(_ name: String) -> Declared<Member>?
  where Element == Declared<Member> {
    let first = partitioningIndex { !$0.property.name.precedesInBytes(name) }
    return first < count && self[first].property.name == name ? self[first] : nil
  }
}

/// What a store keeps of each entity's attributes, by the entity's place and the key path of what it keeps.
struct StoredAttributesByEntity: Sendable {
  /// What is kept: of a composite, each of its parts. The attribute that it is of, and the part itself.
  let attributes: [[String: (owner: Attribute, stored: Attribute)]]

  init(_ model: ObjectModel) {
    attributes = model.entityNames.map { entity in
      Dictionary(
        model.allAttributes(of: entity).map(\.property).filter { !$0.isTransient }.flatMap {
          owner in
          model.storedAttributes(of: owner).map { ($0.name, (owner, $0)) }
        }, uniquingKeysWith: { _, last in last })
    }
  }
}
