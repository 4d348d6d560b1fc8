internal import StrataArchives
internal import StrataBase

extension ModelDocument {
  /// Reads the binary `elements` file in which Xcode 3 and 4.0 kept a model: a keyed archive of the
  /// model editor's own objects.
  ///
  /// Every value is stored in a stereotype: entity or property, its stereotypes by name, the values of each by
  /// key, and the value's `_default`. User info that is not a string (Sync Services stored lists there) cannot
  /// be represented in a model's XML and is skipped.
  ///
  /// - Throws: ``ArchiveError`` if the archive is damaged, ``ModelError`` if it does not contain a model.
  ///
  /// Source: observed in the eleven `elements` files of `CorpusTests`, whose hashes are known, two of them from a
  /// store that Core Data wrote. No known file contains a fetched property, a fetch request or a configuration:
  /// only their names are read.
  init(elements archive: KeyedArchive) throws {
    let root = try archive.root()
    guard root.className == Self.elementsRootClass else {
      throw ModelError(.notAModel(found: root.className ?? root.value.kind))
    }
    self.init()
    var reader = ModelElementsReader()
    var textSize = 0
    for entity in try reader.entities(of: root) { try append(entity, countingTexts: &textSize) }
    for (name, members) in try root.entries("_configurationsByName") {
      configurations.append(
        ModelConfiguration(name: name, entityNames: try reader.members(members)))
    }
    if let identifier = try root.string("_modelVersionIdentifier") {
      versionIdentifiers = [identifier]
    }
  }

  /// The class of the root object of an `elements` file.
  static let elementsRootClass = "XDPMModel"
}

/// Reads the entities of one `elements` file. The objects form one large cycle, so references are not followed
/// but looked up among the entities.
private struct ModelElementsReader {
  /// The name of each entity, by its index in the archive.
  private var entityNames: [Int: String] = [:]
  /// Entries and elements read so far: an archive can share one collection among all entities, so the entries
  /// to read can far exceed its size.
  private var entryCount = 0

  mutating func entities(of root: ArchivedObject) throws -> [Entity] {
    guard let package = try root.object("_xd_rootPackage") else {
      throw ModelError(.badArchive("a model without a package"))
    }
    let objects = try entries(package, "XDBucketForClassesstorage")
      .sorted { $0.key.precedesInBytes($1.key) }
    for (name, object) in objects {
      guard object.className == "XDPMEntity" else { throw Self.unexpected("an entity", object) }
      entityNames[object.index] = name
    }
    var entities: [Entity] = []
    for (name, object) in objects { entities.append(try entity(object, name: name)) }
    return entities
  }

  /// The entity names in a configuration, if its format is known.
  mutating func members(_ object: ArchivedObject) throws -> [String] {
    guard object.value["NS.objects"] != nil, object.value["NS.keys"] == nil else { return [] }
    let members = try object.elements()
    try count(members.count)
    return members.compactMap { $0.value.string ?? entityNames[$0.index] }.sorted()
  }

  private mutating func entity(_ object: ArchivedObject, name: String) throws -> Entity {
    let values = try values(of: object)
    var entity = Entity(name: name)
    entity.className = try values.text("XD_PSK_entityClassName")
    entity.isAbstract = try values.flag("XD_PSK_isAbstract")
    entity.renamingIdentifier = try values.text("XD_PSK_elementID")
    entity.versionHashModifier = try values.text("XD_PSK_versionHashModifier")
    entity.userInfo = try userInfo(values["XD_PSK_userInfo"])
    entity.compoundIndexes = try lists(values["XDPMCompoundIndexes"])
    entity.uniquenessConstraints = try lists(values["XDPMUniquenessConstraints"])
    let generalizations = try object.elements("XDBucketForGeneralizationsstorage")
    guard generalizations.count <= 1 else {
      throw ModelError(.badArchive("an entity with two parents"), entity: name)
    }
    entity.superentityName = try generalizations.first.map {
      try entityName(of: $0.object("_general"), role: "a parent", by: name)
    }
    for (property, object) in try entries(object, Self.ownedAttributes) {
      switch object.className {
      case "XDPMAttribute": entity.attributes.append(try attribute(object, name: property))
      case "XDPMRelationship":
        entity.relationships.append(try relationship(object, name: property, of: name))
      default: entity.fetchedProperties.append(FetchedProperty(name: property))
      }
    }
    entity.attributes.sort { $0.name.precedesInBytes($1.name) }
    entity.relationships.sort { $0.name.precedesInBytes($1.name) }
    entity.fetchedProperties.sort { $0.name.precedesInBytes($1.name) }
    return entity
  }

  private mutating func attribute(_ object: ArchivedObject, name: String) throws -> Attribute {
    let values = try values(of: object)
    let number = try values.number("XD_PAttK_attributeType") ?? 0
    guard let type = AttributeType(rawValue: number) else {
      throw ModelError(
        .badValue(
          key: "XD_PAttK_attributeType", value: String(number), wanted: "a known attribute type",
          near: nil), property: name)
    }
    var attribute = Attribute(name: name, type: type)
    try takeCommon(values, into: &attribute)
    attribute.isIndexed = try values.flag("XD_PPSK_isIndexed")
    attribute.defaultValue = try values.text("XD_PAttK_defaultValueAsString")
    attribute.allowsExternalBinaryStorage = try values.flag(
      "XD_PAttK_allowsExternalBinaryDataStorage")
    for key in ["minValueString", "maxValueString", "regularExpressionString"] {
      attribute.extras.attributes[key] = try values.text("XD_PAttK_" + key)
    }
    attribute.extras.attributes["valueTransformerName"] = try values.text(
      "XD_PAttK_valueTransformerName")
    return attribute
  }

  private mutating func relationship(
    _ object: ArchivedObject, name: String, of entity: String
  ) throws -> Relationship {
    let values = try values(of: object)
    var relationship = Relationship(
      name: name,
      destinationName: try entityName(
        of: values["XD_PRK_destination"]?.object("_default"), role: "a destination",
        by: "\(entity).\(name)"),
      // Missing if the file has no to-many relationship.
      isToMany: try values.flag("XD_PRK_isToMany"))
    try takeCommon(values, into: &relationship)
    // Xcode 3 wrote a minCount of 1 for every to-one relationship, optional ones too, and it is hashed.
    relationship.minCount = Int(try values.number("XD_PRK_minCount") ?? 0)
    let maxCount = try values.number("XD_PRK_maxCount") ?? 0
    relationship.declaredMaxCount =
      relationship.isToMany ? Relationship.declaredMaxCount(archived: Int64(maxCount)) : nil
    relationship.isOrdered = try values.flag("XD_PRK_ordered")
    let rule = Int(try values.number("XD_PRK_deleteRule") ?? 1)
    relationship.deleteRule = Relationship.DeleteRule(rawValue: rule) ?? .nullify
    if let inverse = try values["XD_PRK_inverseRelationship"]?.object("_default") {
      relationship.inverseName = try inverse.string("_name")
      relationship.inverseEntityName = try inverse.object("_owner").flatMap {
        entityNames[$0.index]
      }
    }
    return relationship
  }

  private mutating func takeCommon(
    _ values: [String: ArchivedObject], into property: inout some Property
  ) throws {
    property.isOptional = try values.flag("XD_PPSK_isOptional")
    property.isTransient = try values.flag("XD_PPSK_isTransient")
    property.renamingIdentifier = try values.text("XD_PPSK_elementID")
    property.versionHashModifier = try values.text("XD_PPSK_versionHashModifier")
    property.userInfo = try userInfo(values["XD_PPSK_userInfo"])
  }

  private mutating func userInfo(_ value: ArchivedObject?) throws -> [UserInfoEntry] {
    guard let value else { return [] }
    return try entries(value, "_default")
      .compactMap { entry in
        entry.value.value.string.map { UserInfoEntry(key: entry.key, value: $0) }
      }
      .sorted { $0.key.precedesInBytes($1.key) }
  }

  private func entityName(
    of object: ArchivedObject?, role: String, by owner: String
  ) throws -> String {
    guard let object, let name = entityNames[object.index] else {
      throw ModelError(.badArchive("\(owner) has \(role) that is not an entity of the model"))
    }
    return name
  }

  private static let ownedAttributes = "XDBucketForOwnedAttributesstorage"

  /// The values of all stereotypes of an entity or property, by key; keys are unique across stereotypes.
  private mutating func values(of object: ArchivedObject) throws -> [String: ArchivedObject] {
    var values: [String: ArchivedObject] = [:]
    for (_, stereotype) in try entries(object, "XDBucketForStereotypesstorage") {
      for (key, value) in try entries(stereotype, Self.ownedAttributes) { values[key] = value }
    }
    return values
  }

  private mutating func entries(
    _ object: ArchivedObject, _ key: String
  ) throws -> [(key: String, value: ArchivedObject)] {
    let entries = try object.entries(key)
    try count(entries.count)
    return entries
  }

  private mutating func lists(_ value: ArchivedObject?) throws -> [[String]] {
    var lists: [[String]] = []
    for list in try value?.elements("_default") ?? [] {
      let names = try list.elements()
      try count(1 + names.count)
      lists.append(names.compactMap { $0.value.string })
    }
    return lists
  }

  private mutating func count(_ entries: Int) throws {
    entryCount += entries
    guard entryCount <= ArchiveLimits.objectCount else {
      throw ModelError(.tooMany("values of properties", limit: ArchiveLimits.objectCount))
    }
  }

  private static func unexpected(_ wanted: String, _ object: ArchivedObject) -> ArchiveError {
    .unexpectedObject(wanted: wanted, found: object.className ?? object.value.kind)
  }
}

/// Values by key, each stored in `_default`; null is treated as missing.
extension [String: ArchivedObject] {
  fileprivate func text(_ key: String) throws -> String? { try self[key]?.string("_default") }

  fileprivate func flag(_ key: String) throws -> Bool {
    try self[key]?.flag("_default") ?? false
  }

  fileprivate func number(_ key: String) throws -> Int32? {
    try self[key]?.integer("_default").map { Int32(clamping: $0) }
  }
}
