internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

extension ObjectModel {
  /// The model as JSON: what identifies it, and its entities with their own and inherited properties.
  ///
  /// - Parameter names: The entities, in the order in which they are listed; `nil` for all.
  func json(named name: String, entities names: [String]? = nil) -> JSONValue {
    .object([
      ("model", .string(name)),
      ("identifiers", .strings(document.versionIdentifiers.sorted())),
      ("configurations", .strings(configurationNames)),
      ("entities", .array((names ?? entityNames).map { json(ofEntity: $0) })),
    ])
  }

  /// An entity as JSON.
  func json(ofEntity name: String) -> JSONValue {
    let entity = self[name]
    let hashes = propertyHashes(of: name)
    func properties(_ all: [Declared<some DescribedProperty>]) -> JSONValue {
      .array(all.map { .object(members(of: $0, in: name, hash: hashes[$0.property.name])) })
    }
    return .object([
      ("name", .string(name)),
      ("parent", .string(orNull: entity?.superentityName)),
      ("isAbstract", .bool(entity?.isAbstract ?? false)),
      ("class", .string(orNull: entity?.className)),
      ("renamingIdentifier", .string(orNull: entity?.renamingIdentifier)),
      ("versionHashModifier", .string(orNull: entity?.versionHashModifier)),
      ("hash", .string(orNull: versionHashes()[name]?.hex)),
      ("attributes", properties(allAttributes(of: name))),
      ("relationships", properties(allRelationships(of: name))),
      ("fetchedProperties", .strings((entity?.fetchedProperties ?? []).map(\.name))),
      (
        "uniquenessConstraints",
        .array((entity?.uniquenessConstraints ?? []).map { .strings($0) })
      ),
    ])
  }

  /// A property as JSON, with every key of the model's file, in the text of the file; `nil` if the entity has no
  /// such attribute or relationship.
  func json(ofProperty name: String, of entity: String) -> JSONValue? {
    func property(_ found: Declared<some DescribedProperty>) -> JSONValue {
      .object(
        [("property", .string("\(entity).\(name)"))]
          + members(of: found, in: entity, hash: propertyHashes(of: entity)[name]) + [
            ("keys", .object(found.property.settings.map { ($0.key, .string($0.value)) }))
          ])
    }
    return allAttributes(of: entity).first { $0.property.name == name }.map(property)
      ?? relationship(name, of: entity).map(property)
  }

  private func members(
    of declared: Declared<some DescribedProperty>, in entity: String, hash: VersionHash?
  ) -> [(key: String, value: JSONValue)] {
    declared.property.members + [
      ("hash", .string(orNull: hash?.hex)),
      (
        "declaredBy",
        .string(orNull: declared.declaringEntity == entity ? nil : declared.declaringEntity)
      ),
    ]
  }
}

/// A property whose settings are members of a JSON object.
private protocol DescribedProperty: Property {
  var members: [(key: String, value: JSONValue)] { get }
  var settings: [(key: String, value: String)] { get }
}

extension Attribute: DescribedProperty {
  fileprivate var members: [(key: String, value: JSONValue)] {
    [
      ("name", .string(name)), ("type", .string(type.name)), ("isOptional", .bool(isOptional)),
      ("isTransient", .bool(isTransient)), ("isDerived", .bool(isDerived)),
      ("default", .string(orNull: defaultValue)),
      ("derivation", .string(orNull: derivation)), ("composite", .string(orNull: compositeName)),
      ("allowsExternalBinaryStorage", .bool(allowsExternalBinaryStorage)),
      ("renamingIdentifier", .string(orNull: renamingIdentifier)),
      ("versionHashModifier", .string(orNull: versionHashModifier)),
    ]
  }
}

extension Relationship: DescribedProperty {
  fileprivate var members: [(key: String, value: JSONValue)] {
    [
      ("name", .string(name)), ("destination", .string(destinationName)),
      ("inverse", .string(orNull: inverseName)), ("isToMany", .bool(isToMany)),
      ("isOptional", .bool(isOptional)), ("isTransient", .bool(isTransient)),
      ("isOrdered", .bool(isOrdered)),
      ("minCount", .integer(Int64(minCount))), ("maxCount", .integer(Int64(maxCount))),
      ("deleteRule", .string(deleteRule.name)),
      ("renamingIdentifier", .string(orNull: renamingIdentifier)),
      ("versionHashModifier", .string(orNull: versionHashModifier)),
    ]
  }
}
