internal import StrataBase

/// The own and inherited properties of each entity of a model, by the entity's index.
///
/// ``ObjectModel`` limits the number of these properties.
struct PropertiesByEntity: Sendable {
  /// Sorted by name in byte order.
  let attributes: [[Declared<Attribute>]]
  let relationships: [[Declared<Relationship>]]

  init(_ model: ObjectModel) {
    attributes = Self.all(in: model, \.attributes)
    relationships = Self.all(in: model, \.relationships)
  }

  private static func all<Member>(
    in model: ObjectModel, _ members: (Entity) -> [Member]
  ) -> [[Declared<Member>]] {
    model.entities.indices.map { index in
      model.lineage(ofEntityAt: index).flatMap { owner in
        members(model.entities[owner]).map {
          Declared(property: $0, declaringEntity: model.entities[owner].name)
        }
      }.sorted { $0.property.name.precedesInBytes($1.property.name) }
    }
  }
}

// For each type of property its own, not a generic one: another module cannot specialize it, and a generic call copies
// each property that it compares.

extension [Declared<Attribute>] {
  /// The attribute with a name in a list sorted by name.
  package func named(_ name: String) -> Declared<Attribute>? { search(name) }
}

extension [Declared<Relationship>] {
  /// The relationship with a name in a list sorted by name.
  package func named(_ name: String) -> Declared<Relationship>? { search(name) }
}

extension Array {
  func search<Member>(_ name: String) -> Element?
  where Element == Declared<Member> {
    let first = partitioningIndex { !$0.property.name.precedesInBytes(name) }
    return first < count && self[first].property.name == name ? self[first] : nil
  }
}

/// The stored attributes of each entity, by the entity's index and the key path.
struct StoredAttributesByEntity: Sendable {
  /// The attribute and its stored attribute, which for a composite is one of its elements.
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
