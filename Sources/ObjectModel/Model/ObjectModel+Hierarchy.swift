package import StrataBase

/// A property and the entity that declares it.
package struct Declared<Member: Property>: Sendable, Hashable {
  package let property: Member
  /// The entity itself, or the ancestor that it inherits the property from.
  package let declaringEntity: String

  package init(property: Member, declaringEntity: String) {
    self.property = property
    self.declaringEntity = declaringEntity
  }

  package var id: PropertyID { PropertyID(entity: declaringEntity, name: property.name) }

  /// The name in messages, such as `Topic.title`.
  package var qualifiedName: String { id.description }

  /// Whether it is ordered before another one, by entity, then by name.
  package func precedes(_ other: Declared) -> Bool {
    (declaringEntity, property.name) < (other.declaringEntity, other.property.name)
  }
}

extension ObjectModel {
  /// The indexes of an entity and its ancestors, the entity first.
  func lineage(ofEntityAt index: Int) -> [Int] {
    var lineage = [index]
    while let parent = parents[lineage[lineage.count - 1]] { lineage.append(parent) }
    return lineage
  }

  /// Identifies an entity, with what it inherits, among models that share entities: equal identities have equal
  /// hashes and properties.
  ///
  /// - Returns: `nil` if they depend on more of the model, or if the entity is not shared.
  package func sharedIdentity(ofEntityAt index: Int) -> [ObjectIdentifier]? {
    var identity: [ObjectIdentifier] = []
    for owner in lineage(ofEntityAt: index) {
      guard let shared = sharedEntities[owner], shared.hashesAlone else { return nil }
      identity.append(ObjectIdentifier(shared))
    }
    return identity
  }

  /// The cache of values that depend on an entity alone, which all models with the same entity share.
  ///
  /// - Returns: `nil` if the entity inherits, if its hash depends on more of the model, or if it is not shared.
  package func sharedMemory(ofEntityAt index: Int) -> ModelMemory? {
    guard parents[index] == nil, let shared = sharedEntities[index], shared.hashesAlone else {
      return nil
    }
    return shared.memory
  }

  func ancestors(ofEntityAt index: Int) -> ArraySlice<Int> {
    lineage(ofEntityAt: index).dropFirst()
  }

  /// Whether an entity has an attribute or a relationship, perhaps an inherited one.
  package func hasProperty(_ name: String, of entity: String) -> Bool {
    allAttributes(of: entity).contains { $0.property.name == name }
      || relationship(name, of: entity) != nil
  }

  /// The names of an entity's attributes and relationships, with the inherited ones: first all attributes.
  package func propertyNames(of entity: String) -> [String] {
    allAttributes(of: entity).map(\.property.name)
      + allRelationships(of: entity).map(\.property.name)
  }

  /// The names of an entity's ancestors, the nearest first; empty for an unknown name.
  package func ancestorNames(of entity: String) -> [String] {
    guard let index = index(ofEntity: entity) else { return [] }
    return ancestors(ofEntityAt: index).map { entities[$0].name }
  }

  /// An entity and its ancestors, the nearest first: whose properties its objects have.
  package func lineageNames(of entity: String) -> [String] {
    [entity] + ancestorNames(of: entity)
  }

  /// Whether the objects of an entity are objects of the other: it is the same entity, or below it.
  package func isKind(_ entity: String, of other: String) -> Bool {
    entity == other || ancestorNames(of: entity).contains(other)
  }

  /// Whether objects of one entity can be objects of the other.
  package func isRelated(_ entity: String, to other: String) -> Bool {
    isKind(entity, of: other) || isKind(other, of: entity)
  }

  /// The names of an entity's direct subentities, sorted.
  package func subentityNames(of entity: String) -> [String] {
    guard let index = index(ofEntity: entity) else { return [] }
    return children[index].map { entities[$0].name }
  }

  /// The names of all entities below an entity, a parent before its children.
  package func descendantNames(of entity: String) -> [String] {
    guard let index = index(ofEntity: entity) else { return [] }
    var names: [String] = []
    func add(_ index: Int) {
      for child in children[index] {
        names.append(entities[child].name)
        add(child)
      }
    }
    add(index)
    return names
  }

  /// The entity and all below it, a parent before its children: whose objects a fetch finds.
  package func familyNames(of entity: String) -> [String] {
    [entity] + descendantNames(of: entity)
  }

  /// The topmost ancestor, which owns the SQL table; the entity itself when it has no parent.
  package func rootName(of entity: String) -> String {
    guard var index = index(ofEntity: entity) else { return entity }
    while let parent = parents[index] { index = parent }
    return entities[index].name
  }

  /// Whether an object that is named with an entity, or without one, can be an object of another entity: both share a
  /// table.
  package func canBe(_ named: String?, _ entity: String) -> Bool {
    named.map { self[$0] != nil && rootName(of: $0) == rootName(of: entity) } ?? true
  }

  /// Own and inherited attributes, by name in byte order.
  package func allAttributes(of entity: String) -> [Declared<Attribute>] {
    index(ofEntity: entity).map { properties.attributes[$0] } ?? []
  }

  /// The stored relationships of all entities, without inherited ones.
  package var storedRelationships: [Declared<Relationship>] {
    entities.flatMap { entity in
      entity.relationships.filter { !$0.isTransient }
        .map { Declared(property: $0, declaringEntity: entity.name) }
    }
  }

  /// Own and inherited relationships, by name in byte order.
  package func allRelationships(of entity: String) -> [Declared<Relationship>] {
    index(ofEntity: entity).map { properties.relationships[$0] } ?? []
  }

  /// Computed once, because loops over the properties of an entity request it repeatedly.
  private var properties: PropertiesByEntity { memory.value { PropertiesByEntity(self) } }

  /// The own or inherited attribute with this name.
  package func attribute(_ name: String, of entity: String) -> Declared<Attribute>? {
    declared(name, of: entity, in: \.attributes, sorted: \.attributes)
  }

  /// The own or inherited relationship with this name.
  package func relationship(_ name: String, of entity: String) -> Declared<Relationship>? {
    declared(name, of: entity, in: \.relationships, sorted: \.relationships)
  }

  /// A property of the nearest entity that declares the name; long lists are searched by bisection.
  private func declared<Member>(
    _ name: String, of entity: String, in members: KeyPath<Entity, [Member]>,
    sorted: KeyPath<PropertiesByEntity, [[Declared<Member>]]>
  ) -> Declared<Member>? {
    guard let index = index(ofEntity: entity) else { return nil }
    for owner in lineage(ofEntityAt: index) {
      let own = entities[owner][keyPath: members]
      if own.count > Self.manyProperties {
        return properties[keyPath: sorted][index].search(name)
      }
      if let found = own.first(where: { $0.name == name }) {
        return Declared(property: found, declaringEntity: entities[owner].name)
      }
    }
    return nil
  }

  /// The number of properties up to which a linear search is used.
  private static let manyProperties = 64

  /// The inverse of a relationship and its declaring entity.
  package func inverse(of relationship: Relationship) -> Declared<Relationship>? {
    guard let name = relationship.inverseName else { return nil }
    return self.relationship(name, of: relationship.destinationName)
  }

  /// Whether several objects can have a relationship to the same object. Without an inverse, an object in a to-many
  /// relationship has one owner: its row has the owner's key.
  package func isShared(_ relationship: Relationship) -> Bool {
    inverse(of: relationship)?.property.isToMany ?? !relationship.isToMany
  }

  /// Whether a declared relationship is its own inverse.
  package func isOwnInverse(_ relationship: Relationship, declaredBy entity: String) -> Bool {
    guard relationship.inverseName == relationship.name else { return false }
    return inverse(of: relationship)?.declaringEntity == entity
  }
}
