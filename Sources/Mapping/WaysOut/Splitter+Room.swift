internal import StrataObjectModel

/// Elements of the destination as the model in the middle has them: they cannot be filled yet, so that nothing is
/// required of them, and no other element is continued by them.
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

  /// A relationship to an entity of the middle, still without its inverse.
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

  /// An entity without what only speeds up or repeats queries.
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
