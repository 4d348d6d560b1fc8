extension Entity {
  /// The size in bytes of all strings in this entity. A string is counted at each occurrence: an archive can
  /// share one long string among all class names, default values and identifiers.
  var textSize: Int {
    var size = userInfo.textSize
    for text in [name, superentityName, className, renamingIdentifier, versionHashModifier] {
      size += text?.utf8.count ?? 0
    }
    for attribute in attributes {
      size += attribute.commonTextSize
      size += attribute.defaultValue?.utf8.count ?? 0
      size += attribute.derivation?.utf8.count ?? 0
      for key in attribute.extras.attributes.names {
        size += attribute.extras.attributes[key]?.utf8.count ?? 0
      }
    }
    for relationship in relationships {
      size += relationship.commonTextSize
      size += relationship.destinationName.utf8.count
      size += relationship.inverseName?.utf8.count ?? 0
    }
    for names in uniquenessConstraints + compoundIndexes {
      for name in names { size += name.utf8.count }
    }
    for index in fetchIndexes {
      size += index.name.utf8.count
      for element in index.elements { size += element.propertyName?.utf8.count ?? 0 }
    }
    return size
  }
}

extension Property {
  fileprivate var commonTextSize: Int {
    name.utf8.count + (renamingIdentifier?.utf8.count ?? 0)
      + (versionHashModifier?.utf8.count ?? 0) + userInfo.textSize
  }
}

extension [UserInfoEntry] {
  fileprivate var textSize: Int { reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}

extension ModelDocument {
  /// Adds an entity of an archive.
  ///
  /// - Throws: ``ModelError`` if the strings of all entities exceed the limit.
  mutating func append(_ entity: Entity, countingTexts size: inout Int) throws(ModelError) {
    size += entity.textSize
    guard size <= ObjectModel.textLimit else {
      throw ModelError(.tooMany("bytes of text", limit: ObjectModel.textLimit), entity: entity.name)
    }
    entities.append(entity)
  }
}
