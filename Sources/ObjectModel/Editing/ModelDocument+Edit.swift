internal import StrataArchives
internal import StrataBase

extension ModelDocument {
  /// Applies an edit. ``ObjectModel`` checks whether the document is still consistent.
  ///
  /// - Throws: ``ModelEditError`` for an unknown element or key, ``ModelError`` for an invalid value.
  package mutating func apply(_ edit: ModelEdit) throws {
    switch edit {
    case .set(let target, let key, let value): try set(target, key: key, value: value)
    case .add(let kind, let name, let target, let keys):
      try Self.check(name: name)
      try add(kind, named: name, to: target, keys: keys)
    case .remove(let target): try remove(target)
    case .rename(let target, let name):
      try Self.check(name: name)
      try rename(target, to: name)
    }
  }

  private static func check(name: String) throws(ModelError) {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && !$0.properties.isNoncharacterCodePoint
    }
    guard !name.isEmpty, isPlain else { throw ModelError(.badName(name)) }
  }

  private mutating func set(_ target: ModelEdit.Target, key: String, value: String?) throws {
    switch target {
    case .model:
      guard let known = Self.keysByName[key] else {
        throw ModelEditError.unknownKey(
          key, on: "a model", near: NearestName.of(key, in: Self.keysByName.keys))
      }
      try set(known, to: value, entity: nil, property: nil)
    case .entity(let name):
      let entityIndex = try index(ofEntity: name)
      try entities[entityIndex].set(key, to: value, on: "an entity", entity: name, property: nil)
    case .property(let name, of: let owner):
      let entityIndex = try index(ofEntity: owner)
      let line = entities[entityIndex].extras.line
      if let index = entities[entityIndex].attributes.firstIndex(where: { $0.name == name }) {
        try entities[entityIndex].attributes[index].set(
          key, to: value, on: "an attribute", entity: owner, property: name, ownerLine: line)
      } else if let index = entities[entityIndex].relationships.firstIndex(where: {
        $0.name == name
      }) {
        try entities[entityIndex].relationships[index].set(
          key, to: value, on: "a relationship", entity: owner, property: name, ownerLine: line)
        // A max count of 1 means to-one, so it is removed if the relationship becomes to-many.
        if key == "toMany", entities[entityIndex].relationships[index].declaredMaxCount == 1 {
          entities[entityIndex].relationships[index].declaredMaxCount = nil
        }
      } else if let index = entities[entityIndex].fetchedProperties.firstIndex(where: {
        $0.name == name
      }) {
        try entities[entityIndex].fetchedProperties[index].set(
          key, to: value, on: "a fetched property", entity: owner, property: name, ownerLine: line)
      } else {
        throw unknownProperty(name, of: entityIndex)
      }
    }
  }

  private mutating func add(
    _ kind: ModelEdit.NewElement, named name: String, to target: ModelEdit.Target,
    keys: [String: String]
  ) throws {
    let ordered = keys.sorted { $0.key < $1.key }
    switch (kind, target) {
    case (.entity, .model):
      var entity = Entity(name: name)
      for (key, value) in ordered {
        try entity.set(key, to: value, on: "an entity", entity: name, property: nil)
      }
      entities.append(entity)
    case (.attribute, .entity(let owner)):
      let entityIndex = try index(ofEntity: owner)
      var attribute = Attribute(name: name)
      for (key, value) in ordered {
        try attribute.set(key, to: value, on: "an attribute", entity: owner, property: name)
      }
      entities[entityIndex].attributes.append(attribute)
    case (.relationship, .entity(let owner)):
      let entityIndex = try index(ofEntity: owner)
      var relationship = Relationship(name: name, destinationName: "")
      for (key, value) in ordered {
        try relationship.set(key, to: value, on: "a relationship", entity: owner, property: name)
      }
      entities[entityIndex].relationships.append(relationship)
    case (.constraint, .entity(let owner)):
      let entityIndex = try index(ofEntity: owner)
      entities[entityIndex].uniquenessConstraints.append(
        name.split(separator: ",").map(String.init))
    case (.entity, _):
      throw ModelEditError.notPossible("an entity can only be added to a model")
    default:
      throw ModelEditError.notPossible("\(kind.rawValue)s can only be added to an entity")
    }
  }

  private mutating func remove(_ target: ModelEdit.Target) throws {
    switch target {
    case .model: throw ModelEditError.notPossible("the model itself cannot be removed")
    case .entity(let name):
      entities.remove(at: try index(ofEntity: name))
      for index in configurations.indices {
        configurations[index].entityNames.removeAll { $0 == name }
      }
      // References to the entity are removed with it, as in Xcode.
      fetchRequests.removeAll { $0.entityName == name }
      for entityIndex in entities.indices {
        entities[entityIndex].relationships.removeAll { $0.destinationName == name }
        if entities[entityIndex].superentityName == name {
          entities[entityIndex].superentityName = nil
        }
      }
    case .property(let name, of: let owner):
      let entityIndex = try index(ofEntity: owner)
      guard entities[entityIndex].propertyNames.contains(name) else {
        throw unknownProperty(name, of: entityIndex)
      }
      entities[entityIndex].attributes.removeAll { $0.name == name }
      entities[entityIndex].relationships.removeAll { $0.name == name }
      entities[entityIndex].fetchedProperties.removeAll { $0.name == name }
      removeFromIndexes(name, of: owner)
      forEachRelationship { relationship in
        guard relationship.inverseName == name,
          relationship.inverseEntityName ?? relationship.destinationName == owner
        else { return }
        relationship.inverseName = nil
        relationship.inverseEntityName = nil
      }
    }
  }

  private mutating func rename(_ target: ModelEdit.Target, to new: String) throws {
    switch target {
    case .model: throw ModelEditError.notPossible("a version is renamed by renaming its folder")
    case .entity(let old):
      let entityIndex = try index(ofEntity: old)
      entities[entityIndex].renamingIdentifier = entities[entityIndex].renamingIdentifier ?? old
      entities[entityIndex].name = new
      for entityIndex in entities.indices where entities[entityIndex].superentityName == old {
        entities[entityIndex].superentityName = new
      }
      for index in configurations.indices {
        configurations[index].entityNames = configurations[index].entityNames.map {
          $0 == old ? new : $0
        }
      }
      for index in fetchRequests.indices where fetchRequests[index].entityName == old {
        fetchRequests[index].entityName = new
      }
      renameInDrawingAndFetchRequests(old, to: new)
      forEachRelationship { relationship in
        if relationship.destinationName == old { relationship.destinationName = new }
        if relationship.inverseEntityName == old { relationship.inverseEntityName = new }
      }
    case .property(let old, of: let owner):
      let entityIndex = try index(ofEntity: owner)
      guard entities[entityIndex].propertyNames.contains(old) else {
        throw unknownProperty(old, of: entityIndex)
      }
      renameInTexts(PropertyID(entity: owner, name: old), to: new)
      if let index = entities[entityIndex].attributes.firstIndex(where: { $0.name == old }) {
        entities[entityIndex].attributes[index].rename(to: new)
      } else if let index = entities[entityIndex].relationships.firstIndex(where: { $0.name == old }
      ) {
        entities[entityIndex].relationships[index].rename(to: new)
      } else if let index = entities[entityIndex].fetchedProperties.firstIndex(where: {
        $0.name == old
      }) {
        entities[entityIndex].fetchedProperties[index].name = new
      }
      forEachRelationship { relationship in
        guard relationship.inverseName == old,
          relationship.inverseEntityName ?? relationship.destinationName == owner
        else { return }
        relationship.inverseName = new
      }
      renameInIndexes(old, to: new, of: owner)
    }
  }

  /// Renames an entity in the positions of Xcode's drawing, and in the fetch requests of fetched properties.
  private mutating func renameInDrawingAndFetchRequests(_ old: String, to new: String) {
    func rename(_ elements: inout [MarkupElement], in parent: String, _ key: String) {
      for index in elements.indices {
        if parent == "elements" || elements[index].name == "fetchRequest",
          elements[index].attributes[key] == old
        {
          elements[index].attributes[key] = new
        }
        if elements[index].name == "elements" {
          rename(&elements[index].children, in: "elements", key)
        }
      }
    }
    rename(&extras.elements, in: "model", "name")
    for entity in entities.indices {
      for property in entities[entity].fetchedProperties.indices {
        rename(
          &entities[entity].fetchedProperties[property].extras.elements, in: "fetchedProperty",
          "entity")
      }
    }
  }

  /// Renames a property in the constraints and indexes of its entity and of those that inherit it.
  private mutating func renameInIndexes(_ old: String, to new: String, of owner: String) {
    forEachInFamily(of: owner) { entity in
      entity.uniquenessConstraints = entity.uniquenessConstraints.map { list in
        list.map { $0 == old ? new : $0 }
      }
      entity.compoundIndexes = entity.compoundIndexes.map { list in
        list.map { $0 == old ? new : $0 }
      }
      for index in entity.fetchIndexes.indices {
        for element in entity.fetchIndexes[index].elements.indices
        where entity.fetchIndexes[index].elements[element].propertyName == old {
          entity.fetchIndexes[index].elements[element].propertyName = new
        }
      }
    }
  }

  /// Removes the constraints and indexes of a removed property.
  private mutating func removeFromIndexes(_ name: String, of owner: String) {
    forEachInFamily(of: owner) { entity in
      entity.uniquenessConstraints.removeAll { $0.contains(name) }
      entity.compoundIndexes.removeAll { $0.contains(name) }
      entity.fetchIndexes.removeAll { index in
        index.elements.contains { $0.propertyName == name }
      }
    }
  }

  /// An entity and those that inherit from it, in the order of the document.
  private mutating func forEachInFamily(of owner: String, _ body: (inout Entity) -> Void) {
    var family: Set<String> = [owner]
    while true {
      let next = entities.filter { $0.superentityName.map(family.contains) == true }.map(\.name)
      guard !family.isSuperset(of: next) else { break }
      family.formUnion(next)
    }
    for entityIndex in entities.indices where family.contains(entities[entityIndex].name) {
      body(&entities[entityIndex])
    }
  }

  private mutating func forEachRelationship(_ body: (inout Relationship) -> Void) {
    for entityIndex in entities.indices {
      for index in entities[entityIndex].relationships.indices {
        body(&entities[entityIndex].relationships[index])
      }
    }
  }

  private func index(ofEntity name: String) throws(ModelEditError) -> Int {
    guard let entityIndex = entities.firstIndex(where: { $0.name == name }) else {
      throw .unknownEntity(name, near: entityName(insteadOf: name))
    }
    return entityIndex
  }

  private func unknownProperty(_ name: String, of entityIndex: Int) -> ModelEditError {
    .unknownProperty(
      name, entity: entities[entityIndex].name,
      near: [entities[entityIndex]].propertyName(insteadOf: name))
  }
}

extension Property {
  fileprivate mutating func rename(to new: String) {
    renamingIdentifier = renamingIdentifier ?? name
    name = new
  }
}

/// An element whose `userInfo` can be edited with `userInfo.<key>`.
private protocol UserInfoHolder: KeyedModelElement {
  var userInfo: [UserInfoEntry] { get set }
}

extension Entity: UserInfoHolder {}
extension Attribute: UserInfoHolder {}
extension Relationship: UserInfoHolder {}
extension FetchedProperty: UserInfoHolder {}

extension UserInfoHolder {
  fileprivate mutating func set(
    _ key: String, to value: String?, on element: String, entity: String, property: String?,
    ownerLine: Int = 0
  ) throws {
    if key.hasPrefix("userInfo.") {
      let name = String(key.dropFirst("userInfo.".count))
      userInfo.removeAll { $0.key == name }
      if let value { userInfo.append(UserInfoEntry(key: name, value: value)) }
      return
    }
    guard let known = Self.keysByName[key] else {
      throw ModelEditError.unknownKey(
        key, on: element, near: NearestName.of(key, in: Self.keysByName.keys))
    }
    try set(known, to: value, entity: entity, property: property, ownerLine: ownerLine)
  }
}
