internal import StrataObjectModel

/// Elements of the destination in the intermediate model: they have no values yet, so they are optional, and
/// they have no renaming identifiers.
extension Splitter {
  static func room(_ attribute: Attribute, named name: String) -> Attribute {
    var room = attribute
    room.name = name
    room.isOptional = true
    room.defaultValue = nil
    room.renamingIdentifier = nil
    room.extras.line = 0
    return room
  }

  /// A relationship to an entity of the intermediate model, without its inverse.
  static func room(
    _ relationship: Relationship, named name: String, to entity: String
  ) -> Relationship {
    var room = relationship
    room.name = name
    room.destinationName = entity
    room.inverseName = nil
    room.inverseEntityName = nil
    room.isOptional = true
    room.minCount = 0
    room.renamingIdentifier = nil
    room.extras.line = 0
    return room
  }

  /// An entity without fetched properties and indexes.
  static func room(_ entity: Entity, named name: String) -> Entity {
    var room = entity
    room.name = name
    room.renamingIdentifier = nil
    room.fetchedProperties = []
    room.fetchIndexes = []
    room.compoundIndexes = []
    room.extras.line = 0
    return room
  }
}
