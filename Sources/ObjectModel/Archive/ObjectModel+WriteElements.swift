internal import StrataArchives
internal import StrataBase

extension ObjectModel {
  /// The model as a keyed archive of the model editor's own objects: the format in which an `.xcmappingmodel`
  /// stores its source and destination models.
  ///
  /// `nil` if the model contains elements whose archive format is unknown (derived and composite attributes,
  /// for example), so reading it back would give different hashes, or if it exceeds the limits of the reader.
  ///
  /// Source: `Docs/Facts/migration-process.md`, section 3: the models inside real mapping models.
  package func encodedElements() -> [UInt8]? {
    var writer = ModelElementsWriter(self)
    guard let bytes = writer.encoded(), let copy = try? ObjectModel(ModelDocument(reading: bytes)),
      copy.versionHashes() == versionHashes()
    else { return nil }
    return bytes
  }
}

private struct ModelElementsWriter {
  let model: ObjectModel
  private var archive = KeyedArchiveWriter()
  private var entities: [String: PropertyList] = [:]
  /// The archive indexes of relationships, by entity and name: inverses refer to each other.
  private var relationships: [String: [String: PropertyList]] = [:]
  /// The link between an entity and its parent, by the entity's name.
  private var generalizations: [String: PropertyList] = [:]
  private var elementCount: Int64 = 0

  init(_ model: ObjectModel) {
    self.model = model
  }

  /// The archive; `nil` if it exceeds the limits of the reader.
  mutating func encoded() -> [UInt8]? {
    let root = archive.reserve()
    let package = archive.reserve()
    for entity in model.entities {
      entities[entity.name] = archive.reserve()
      for relationship in entity.relationships.sorted(by: { $0.name.precedesInBytes($1.name) }) {
        relationships[entity.name, default: [:]][relationship.name] = archive.reserve()
      }
      if entity.superentityName != nil { generalizations[entity.name] = archive.reserve() }
    }
    for entity in model.entities {
      fill(entity, in: package)
      if archive.isTooLarge { return nil }
    }
    fill(package: package, of: root)
    archive.fill(
      root, "XDPMModel",
      [
        "_xd_rootPackage": package, "_xd_modelManager": KeyedArchiveWriter.null,
        "_xd_modelName": KeyedArchiveWriter.null,
        "_xd_comments": archive.add("NSMutableArray", elements: []),
        "_configurationsByName": archive.add("NSMutableDictionary", entries: []),
        "_modelVersionIdentifier": archive.string(model.document.versionIdentifiers.sorted().first),
      ])
    return archive.encoded(root: root)
  }

  private mutating func fill(package: PropertyList, of root: PropertyList) {
    let yes = archive.string("YES")
    var values: [String: PropertyList] = [
      "_xd_owningModel": root, "_owner": KeyedArchiveWriter.null, "_name": archive.string(""),
      "_visibility": .integer(0), "_uniqueElementID": KeyedArchiveWriter.null,
    ]
    for bucket in ["Classes", "Packages", "Interfaces", "DataTypes"] {
      values["XDBucketFor\(bucket)wasEncoded"] = yes
      values["XDBucketFor\(bucket)storage"] = archive.add(
        "NSMutableDictionary",
        entries: bucket != "Classes"
          ? []
          : model.entities.compactMap { entity in
            entities[entity.name].map { (key: archive.string(entity.name), value: $0) }
          })
    }
    archive.fill(package, "XDModelPackage", values)
  }

  // MARK: Entities

  private mutating func fill(_ entity: Entity, in package: PropertyList) {
    guard let reference = entities[entity.name] else { return }
    var values: [String: PropertyList] = [
      "_name": archive.string(entity.name), "_owner": package, "_visibility": .integer(0),
      "_isAbstract": .boolean(false), "_uniqueElementID": elementID(),
    ]
    var properties: [(key: PropertyList, value: PropertyList)] = []
    // In the order in which readers return them, so that equal models have equal bytes.
    for attribute in entity.attributes.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      properties.append((archive.string(attribute.name), add(attribute, to: reference)))
    }
    for relationship in entity.relationships.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      fill(relationship, of: entity.name, in: reference)
      guard let value = relationships[entity.name]?[relationship.name] else { continue }
      properties.append((archive.string(relationship.name), value))
    }
    bucket("OwnedAttributes", "ordered", &values, properties)
    let stereotype = entityStereotype(entity, owner: reference)
    bucket("Stereotypes", "ordered", &values, [stereotype])
    var parents: [PropertyList] = []
    if let generalization = generalizations[entity.name], let parent = entity.superentityName {
      archive.fill(
        generalization, "XDUMLGeneralizationImp",
        [
          "_name": KeyedArchiveWriter.null, "_specific": reference, "_owner": reference,
          "_general": entities[parent] ?? KeyedArchiveWriter.null, "_visibility": .integer(0),
          "_uniqueElementID": elementID(),
        ])
      parents = [generalization]
    }
    list("Generalizations", &values, parents)
    let children = model.subentityNames(of: entity.name).compactMap { generalizations[$0] }
    if !children.isEmpty { list("Specializations", &values, children) }
    archive.fill(reference, "XDPMEntity", values)
  }

  private mutating func entityStereotype(
    _ entity: Entity, owner: PropertyList
  ) -> (key: PropertyList, value: PropertyList) {
    let record = archive.add(
      "XDUMLClassImp",
      [
        "_name": archive.string("XDGenericRecordClass"), "_owner": KeyedArchiveWriter.null,
        "_uniqueElementID": KeyedArchiveWriter.null, "_isAbstract": .boolean(false),
        "_visibility": .integer(0),
      ])
    return stereotype(
      "XD_PStereotype", owner: owner,
      [
        ("XDPMCompoundIndexes", archive.lists("NSMutableArray", entity.compoundIndexes)),
        ("XD_PSK_elementID", archive.string(entity.renamingIdentifier)),
        (
          "XDPMUniquenessConstraints", archive.lists("NSMutableArray", entity.uniquenessConstraints)
        ),
        ("XD_PSK_versionHashModifier", archive.string(entity.versionHashModifier)),
        ("XD_PSK_fetchRequestsArray", archive.add("NSMutableArray", elements: [])),
        ("XD_PSK_isAbstract", archive.value(.boolean(entity.isAbstract))),
        ("XD_PSK_userInfo", archive.userInfo("NSMutableDictionary", entity.userInfo)),
        ("XD_PSK_classMapping", record),
        ("XD_PSK_entityClassName", archive.string(entity.className)),
      ])
  }

  // MARK: Properties

  private mutating func add(_ attribute: Attribute, to entity: PropertyList) -> PropertyList {
    let reference = archive.reserve()
    let common = propertyStereotype(attribute, isIndexed: attribute.isIndexed, owner: reference)
    let own = stereotype(
      "XD_PAtt_Stereotype", owner: reference,
      [
        ("XD_PAttK_defaultValueAsString", archive.string(attribute.defaultValue)),
        (
          "XD_PAttK_allowsExternalBinaryDataStorage",
          archive.value(.boolean(attribute.allowsExternalBinaryStorage))
        ),
        ("XD_PAttK_minValueString", archive.string(attribute.extras.attributes["minValueString"])),
        ("XD_PAttK_attributeType", archive.value(.integer(Int64(attribute.type.rawValue)))),
        ("XD_PAttK_maxValueString", archive.string(attribute.extras.attributes["maxValueString"])),
        (
          "XD_PAttK_valueTransformerName",
          archive.string(attribute.extras.attributes["valueTransformerName"])
        ),
        (
          "XD_PAttK_regularExpressionString",
          archive.string(attribute.extras.attributes["regularExpressionString"])
        ),
      ])
    fillProperty(reference, "XDPMAttribute", attribute.name, of: entity, [common, own])
    return reference
  }

  private mutating func fill(
    _ relationship: Relationship, of entity: String, in owner: PropertyList
  ) {
    guard let reference = relationships[entity]?[relationship.name] else { return }
    let inverse = model.inverse(of: relationship).flatMap {
      relationships[$0.declaringEntity]?[$0.property.name]
    }
    let common = propertyStereotype(relationship, isIndexed: false, owner: reference)
    let own = stereotype(
      "XD_PR_Stereotype", owner: reference,
      [
        ("XD_PRK_minCount", archive.value(.integer(Int64(relationship.minCount)))),
        ("XD_PRK_deleteRule", archive.value(.integer(Int64(relationship.deleteRule.rawValue)))),
        ("XD_PRK_maxCount", archive.value(.integer(Int64(relationship.maxCount)))),
        ("XD_PRK_destination", entities[relationship.destinationName] ?? KeyedArchiveWriter.null),
        ("XD_PRK_isToMany", archive.value(.boolean(relationship.isDeclaredToMany))),
        ("XD_PRK_ordered", archive.value(.boolean(relationship.isOrdered))),
        ("XD_PRK_inverseRelationship", inverse ?? KeyedArchiveWriter.null),
      ])
    fillProperty(reference, "XDPMRelationship", relationship.name, of: owner, [common, own])
  }

  private mutating func propertyStereotype(
    _ property: some Property, isIndexed: Bool, owner: PropertyList
  ) -> (key: PropertyList, value: PropertyList) {
    stereotype(
      "XD_PPropStereotype", owner: owner,
      [
        ("XD_PPSK_isStoredInTruthFile", archive.value(.boolean(false))),
        ("XD_PPSK_versionHashModifier", archive.string(property.versionHashModifier)),
        ("XD_PPSK_userInfo", archive.userInfo("NSMutableDictionary", property.userInfo)),
        ("XD_PPSK_isIndexed", archive.value(.boolean(isIndexed))),
        ("XD_PPSK_isOptional", archive.value(.boolean(property.isOptional))),
        ("XD_PPSK_isSpotlightIndexed", archive.value(.boolean(false))),
        ("XD_PPSK_elementID", archive.string(property.renamingIdentifier)),
        ("XD_PPSK_isTransient", archive.value(.boolean(property.isTransient))),
      ])
  }

  private mutating func fillProperty(
    _ reference: PropertyList, _ className: String, _ name: String, of owner: PropertyList,
    _ stereotypes: [(key: PropertyList, value: PropertyList)]
  ) {
    var values = plainProperty(named: name, owner: owner)
    values["_uniqueElementID"] = elementID()
    bucket("Stereotypes", "ordered", &values, stereotypes)
    archive.fill(reference, className, values)
  }

  // MARK: Parts

  /// A stereotype: values by key, each a separate object.
  private mutating func stereotype(
    _ name: String, owner: PropertyList, _ entries: [(key: String, value: PropertyList)]
  ) -> (key: PropertyList, value: PropertyList) {
    let reference = archive.reserve()
    var properties: [(key: PropertyList, value: PropertyList)] = []
    for (key, value) in entries {
      var values = plainProperty(named: key, owner: reference)
      values["_default"] = value
      properties.append((archive.string(key), archive.add("XDUMLPropertyImp", values)))
    }
    var values: [String: PropertyList] = [
      "_name": archive.string(name), "_owner": owner, "_visibility": .integer(0),
      "_isAbstract": .boolean(false), "_uniqueElementID": KeyedArchiveWriter.null,
    ]
    bucket("OwnedAttributes", "ordered", &values, properties)
    archive.fill(reference, "XDUMLStereotypeImp", values)
    return (archive.string(name), reference)
  }

  private mutating func plainProperty(
    named name: String, owner: PropertyList
  ) -> [String: PropertyList] {
    var values: [String: PropertyList] = [
      "_name": archive.string(name), "_owner": owner, "_visibility": .integer(0),
    ]
    for key in ["_type", "_default", "_association", "_uniqueElementID"] {
      values[key] = KeyedArchiveWriter.null
    }
    for key in [
      "_isReadOnly", "_isStatic", "_isUnique", "_isDerived", "_isOrdered", "_isComposite",
      "_isLeaf",
    ] {
      values[key] = .boolean(false)
    }
    return values
  }

  private mutating func bucket(
    _ name: String, _ order: String, _ values: inout [String: PropertyList],
    _ entries: [(key: PropertyList, value: PropertyList)]
  ) {
    values["XDBucketFor\(name)wasEncoded"] = archive.string("YES")
    values["XDBucketFor\(name)ordered"] = archive.string(order)
    values["XDBucketFor\(name)storage"] = archive.add("NSMutableDictionary", entries: entries)
  }

  private mutating func list(
    _ name: String, _ values: inout [String: PropertyList], _ elements: [PropertyList]
  ) {
    values["XDBucketFor\(name)wasEncoded"] = archive.string("YES")
    values["XDBucketFor\(name)ordered"] = archive.string("ordered")
    values["XDBucketFor\(name)duplicates"] = archive.string("duplicates")
    values["XDBucketFor\(name)storage"] = archive.add("NSMutableArray", elements: elements)
  }

  /// The unique element ids of the editor's objects.
  private mutating func elementID() -> PropertyList {
    elementCount += 1
    return archive.string(String(elementCount))
  }
}
