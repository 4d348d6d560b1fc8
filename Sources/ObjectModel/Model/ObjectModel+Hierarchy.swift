package import StrataBase

/// A property together with the entity that declares it.
package struct Declared<Member: Property>: Sendable, Hashable {
  package let property: Member
  /// The entity itself, or the ancestor that it inherits the property from.
  package let declaringEntity: String

  package init(property: Member, declaringEntity: String) {
    self.property = property
    self.declaringEntity = declaringEntity
  }

  package var id: PropertyID { PropertyID(entity: declaringEntity, name: property.name) }

  /// `Topic.title`: as messages name it.
  package var qualifiedName: String { id.description }

  /// Whether its entity, else its name, comes first.
  package func precedes(_ other: Declared) -> Bool {
    (declaringEntity, property.name) < (other.declaringEntity, other.property.name)
  }
}

extension ObjectModel {
  /// The places of an entity and its ancestors, the entity first.
  func lineage(ofPlace place: Int) -> [Int] {
    var lineage = [place]
    while let parent = parents[lineage[lineage.count - 1]] { lineage.append(parent) }
    return lineage
  }

  func ancestors(ofPlace place: Int) -> ArraySlice<Int> { lineage(ofPlace: place).dropFirst() }

  /// The names of an entity's ancestors, the nearest first; none for an unknown name.
  package func ancestorNames(of entity: String) -> [String] {
    guard let place = place(of: entity) else { return [] }
    return ancestors(ofPlace: place).map { entities[$0].name }
  }

  /// The names of an entity's direct subentities, sorted.
  package func subentityNames(of entity: String) -> [String] {
    guard let place = place(of: entity) else { return [] }
    return children[place].map { entities[$0].name }
  }

  /// The names of all entities below an entity, a parent before its children.
  package func descendantNames(of entity: String) -> [String] {
    guard let place = place(of: entity) else { return [] }
    var names: [String] = []
    func add(_ place: Int) {
      for child in children[place] {
        names.append(entities[child].name)
        add(child)
      }
    }
    add(place)
    return names
  }

  /// The topmost ancestor, which owns the SQL table; the entity itself when it has no parent.
  package func rootName(of entity: String) -> String {
    guard var place = place(of: entity) else { return entity }
    while let parent = parents[place] { place = parent }
    return entities[place].name
  }

  /// Own and inherited attributes, by name in byte order.
  package func allAttributes(of entity: String) -> [Declared<Attribute>] {
    place(of: entity).map { properties.attributes[$0] } ?? []
  }

  /// What a store keeps of all entities' own relationships.
  package var storedRelationships: [Declared<Relationship>] {
    entities.flatMap { entity in
      entity.relationships.filter { !$0.isTransient }
        .map { Declared(property: $0, declaringEntity: entity.name) }
    }
  }

  /// Own and inherited relationships, by name in byte order.
  package func allRelationships(of entity: String) -> [Declared<Relationship>] {
    place(of: entity).map { properties.relationships[$0] } ?? []
  }

  /// Computed once: who goes through the properties of an entity asks for them again for each.
  private var properties: PropertiesByEntity { memory.value { PropertiesByEntity(self) } }

  /// The attribute of this name that an entity has or inherits.
  package func attribute(_ name: String, of entity: String) -> Declared<Attribute>? {
    declared(name, of: entity, in: \.attributes, sorted: \.attributes)
  }

  /// The relationship of this name that an entity has or inherits.
  package func relationship(_ name: String, of entity: String) -> Declared<Relationship>? {
    declared(name, of: entity, in: \.relationships, sorted: \.relationships)
  }

  /// A property of the nearest entity that declares the name; among many it is found by halves.
  private func declared<Member>(
    _ name: String, of entity: String, in members: KeyPath<Entity, [Member]>,
    sorted: KeyPath<PropertiesByEntity, [[Declared<Member>]]>
  ) -> Declared<Member>? {
    guard let place = place(of: entity) else { return nil }
    for owner in lineage(ofPlace: place) {
      let own = entities[owner][keyPath: members]
      if own.count > Self.manyProperties {
        return properties[keyPath: sorted][place].named(name)
      }
      if let found = own.first(where: { $0.name == name }) {
        return Declared(property: found, declaringEntity: entities[owner].name)
      }
    }
    return nil
  }

  /// So many are gone through one by one before anything is kept of them.
  private static let manyProperties = 64

  /// The inverse of a relationship, with the entity that declares it.
  package func inverse(of relationship: Relationship) -> Declared<Relationship>? {
    guard let name = relationship.inverseName else { return nil }
    return self.relationship(name, of: relationship.destinationName)
  }

  /// Whether a declared relationship is its own inverse.
  package func isOwnInverse(_ relationship: Relationship, declaredBy entity: String) -> Bool {
    guard relationship.inverseName == relationship.name else { return false }
    return inverse(of: relationship)?.declaringEntity == entity
  }
}
