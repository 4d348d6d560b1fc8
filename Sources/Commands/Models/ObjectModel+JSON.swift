internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

extension ObjectModel {
  /// The model as JSON: what identifies it, and its entities with their own and inherited properties.
  ///
  /// - Parameter names: The entities, in the order in which they are listed; `nil` for all.
  func json(named name: String, entities names: [String]? = nil) -> JSONValue {
    [
      "model": name, "identifiers": document.versionIdentifiers.sorted(),
      "configurations": configurationNames,
      "entities": (names ?? entityNames).json { json(ofEntity: $0) },
    ]
  }

  /// An entity as JSON.
  func json(ofEntity name: String) -> JSONValue {
    let entity = self[name]
    let hashes = propertyHashes(of: name)
    func properties(_ all: [Declared<some DescribedProperty>]) -> JSONValue {
      all.json { .object(members(of: $0, in: name, hash: hashes[$0.property.name])) }
    }
    return [
      "name": name, "parent": entity?.superentityName, "isAbstract": entity?.isAbstract ?? false,
      "class": entity?.className, "renamingIdentifier": entity?.renamingIdentifier,
      "versionHashModifier": entity?.versionHashModifier, "hash": versionHashes()[name]?.hex,
      "attributes": properties(allAttributes(of: name)),
      "relationships": properties(allRelationships(of: name)),
      "fetchedProperties": (entity?.fetchedProperties ?? []).map(\.name),
      "uniquenessConstraints": entity?.uniquenessConstraints ?? [],
    ]
  }

  /// A property as JSON, with every key of the model's file, in the text of the file; `nil` if the entity has no
  /// such attribute or relationship.
  func json(ofProperty name: String, of entity: String) -> JSONValue? {
    func property(_ found: Declared<some DescribedProperty>) -> JSONValue {
      let keys = JSONValue.Members(found.property.settings.map { ($0.key, $0.value) })
      return .object(
        ["property": "\(entity).\(name)"]
          + members(of: found, in: entity, hash: propertyHashes(of: entity)[name])
          + ["keys": JSONValue.object(keys)])
    }
    return allAttributes(of: entity).first { $0.property.name == name }.map(property)
      ?? relationship(name, of: entity).map(property)
  }

  private func members(
    of declared: Declared<some DescribedProperty>, in entity: String, hash: VersionHash?
  ) -> JSONValue.Members {
    let declaring = declared.declaringEntity == entity ? nil : declared.declaringEntity
    return declared.property.members + ["hash": hash?.hex, "declaredBy": declaring]
  }
}

/// A property whose settings are members of a JSON object.
private protocol DescribedProperty: Property {
  var members: JSONValue.Members { get }
  var settings: [(key: String, value: String)] { get }
}

extension Attribute: DescribedProperty {
  fileprivate var members: JSONValue.Members {
    [
      "name": name, "type": type.name, "isOptional": isOptional, "isTransient": isTransient,
      "isDerived": isDerived, "default": defaultValue, "derivation": derivation,
      "composite": compositeName, "allowsExternalBinaryStorage": allowsExternalBinaryStorage,
      "renamingIdentifier": renamingIdentifier, "versionHashModifier": versionHashModifier,
    ]
  }
}

extension Relationship: DescribedProperty {
  fileprivate var members: JSONValue.Members {
    [
      "name": name, "destination": destinationName, "inverse": inverseName, "isToMany": isToMany,
      "isOptional": isOptional, "isTransient": isTransient, "isOrdered": isOrdered,
      "minCount": minCount, "maxCount": maxCount, "deleteRule": deleteRule.name,
      "renamingIdentifier": renamingIdentifier, "versionHashModifier": versionHashModifier,
    ]
  }
}
