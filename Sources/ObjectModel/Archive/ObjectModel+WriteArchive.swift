internal import StrataArchives
internal import StrataBase
internal import StrataExpressions

extension ObjectModel {
  /// The model as a keyed archive, in the format of `Z_MODELCACHE`.
  ///
  /// Fetched properties and fetch requests are omitted: they affect neither hashes nor columns, and their
  /// archive format is unknown.
  ///
  /// Source: `Docs/Facts/model-format.md`, section 4.2. The bits of `_P` and the validation predicates are
  /// those of real archived models.
  package func archived() -> [UInt8] {
    var writer = ModelArchiveWriter(self)
    return writer.write()
  }
}

private struct ModelArchiveWriter {
  private let model: ObjectModel
  private var archive = KeyedArchiveWriter()
  private var root = KeyedArchiveWriter.null
  /// The index of each entity in the archive, by name.
  private var entityReferences: [String: PropertyList] = [:]
  /// The archived properties of each entity, including inherited ones.
  private var propertyReferences: [PropertyID: PropertyList] = [:]

  init(_ model: ObjectModel) {
    self.model = model
  }

  mutating func write() -> [UInt8] {
    root = archive.reserve()
    let names = model.entityNames
    for name in names {
      entityReferences[name] = archive.reserve()
      for relationship in model.allRelationships(of: name) {
        propertyReferences[PropertyID(entity: name, name: relationship.property.name)] =
          archive.reserve()
      }
    }
    for entity in model.entities { write(entity) }
    let keys = names.map { archive.string($0) }
    let strategy = archive.add(
      "NSKnownKeysMappingStrategy1",
      [
        "keys": archive.add("NSArray", elements: keys), "length": .integer(Int64(names.count)),
        "version": .integer(1),
      ])
    let entities = archive.add(
      "NSKnownKeysDictionary1",
      [
        "searchMapping": strategy, "version": .integer(1),
        "values": archive.add("NSArray", elements: names.compactMap { entityReferences[$0] }),
        "emptyToken": archive.string("__empty_slot_token_4c24_98dc_ac1e_b773__"),
      ])
    let identifiers = model.document.versionIdentifiers.sorted().map { archive.string($0) }
    var values: [String: PropertyList] = [
      "NSEntities": entities, "NSFetchRequestTemplates": KeyedArchiveWriter.null,
      "NSVersionIdentifiers": archive.add("NSSet", elements: identifiers),
    ]
    if !model.document.configurations.isEmpty {
      var entries: [(key: PropertyList, value: PropertyList)] = []
      for configuration in model.document.configurations {
        let members = archive.add(
          "NSSet", elements: configuration.entityNames.compactMap { entityReferences[$0] })
        entries.append((archive.string(configuration.name), members))
      }
      values["NSConfigurations"] = archive.add("NSMutableDictionary", entries: entries)
    }
    archive.fill(root, "NSManagedObjectModel", values)
    return archive.encoded(root: root)
  }

  private func reference(_ entity: String?) -> PropertyList {
    entity.flatMap { entityReferences[$0] } ?? KeyedArchiveWriter.null
  }

  // MARK: Entities

  private mutating func write(_ entity: Entity) {
    var properties: [(key: PropertyList, value: PropertyList)] = []
    // A subentity has copies of its inherited properties.
    for attribute in model.allAttributes(of: entity.name) {
      properties.append(
        (
          archive.string(attribute.property.name),
          write(attribute.property, of: reference(entity.name))
        ))
    }
    for relationship in model.allRelationships(of: entity.name) {
      properties.append(
        (archive.string(relationship.property.name), write(relationship.property, of: entity.name)))
    }
    let children = model.subentityNames(of: entity.name).map {
      (archive.string($0), reference($0))
    }
    var values: [String: PropertyList] = [
      "NSEntityName": archive.string(entity.name),
      "NSClassNameForEntity": archive.string(entity.className),
      "NSManagedObjectModel": root,
      "NSProperties": archive.add("NSMutableDictionary", entries: properties),
      "NSSubentities": archive.add("NSMutableDictionary", entries: children),
      "NSSuperentity": reference(entity.superentityName),
      "NSRenamingIdentifier": archive.string(entity.renamingIdentifier ?? entity.name),
      "NSVersionHashModifier": archive.string(entity.versionHashModifier),
      "NSUserInfo": archive.userInfo("NSDictionary", entity.userInfo),
    ]
    if entity.isAbstract { values["NSIsAbstract"] = .boolean(true) }
    if !entity.uniquenessConstraints.isEmpty {
      values["NSUniqueTuples"] = archive.lists("NSArray", entity.uniquenessConstraints)
    }
    if !entity.compoundIndexes.isEmpty {
      values["NSCompoundIndexes"] = archive.lists("NSArray", entity.compoundIndexes)
    }
    let indexes = fetchIndexes(of: entity)
    if !indexes.isEmpty {
      values["NSFetchIndexDescriptions"] = archive.add("NSMutableArray", elements: indexes)
    }
    archive.fill(reference(entity.name), "NSEntityDescription", values)
  }

  /// The fetch indexes that the compiler adds for single attributes, then those of the model.
  private mutating func fetchIndexes(of entity: Entity) -> [PropertyList] {
    guard !entity.fetchIndexes.isEmpty else { return [] }
    let twins = entity.fetchIndexes.filter { $0.isOfOneProperty && $0.hasTwin }
      .compactMap { $0.elements[0].propertyName }
    let marked = entity.attributes.filter { $0.isIndexed || twins.contains($0.name) }
      .map { FetchIndex(name: $0.name, elements: [.init(propertyName: $0.name)]) }
    return (marked + entity.fetchIndexes).map { write($0, of: entity.name) }
  }

  private mutating func write(_ index: FetchIndex, of entity: String) -> PropertyList {
    let reference = archive.reserve()
    var elements: [PropertyList] = []
    for (number, element) in index.elements.enumerated() {
      var values: [String: PropertyList] = [
        "NSPropertyName": archive.string(element.propertyName ?? "expression\(number + 1)"),
        "NSFetchIndexElementType": .integer(element.isRTree ? 1 : 0),
        "NSAscending": .boolean(element.isAscending), "NSFetchIndexDescription": reference,
      ]
      if let text = element.expressionText, let expression = try? Expression(parsing: text),
        let archived = archive.expression(expression)
      {
        values["NSIndexedProperty"] = archive.add(
          "NSExpressionDescription",
          [
            "NSExpression": archived, "NSPropertyName": values["NSPropertyName"] ?? .null,
            "NSEntity": self.reference(entity), "NSExpressionType": .integer(2000),
            "NSIsOptional": .boolean(true), "NSIsReadOnly": .boolean(true), "_P": .integer(0xF7),
            "NSRenamingIdentifier": values["NSPropertyName"] ?? .null,
          ])
      }
      elements.append(archive.add("NSFetchIndexElementDescription", values))
    }
    var predicate = KeyedArchiveWriter.null
    if let text = index.predicateText, let parsed = try? Predicate(parsing: text) {
      predicate = archive.predicate(parsed) ?? predicate
    }
    archive.fill(
      reference, "NSFetchIndexDescription",
      [
        "NSIndexName": archive.string(index.name), "NSEntity": self.reference(entity),
        "NSIndexElements": archive.add("NSMutableArray", elements: elements),
        "NSPartialIndexPredicate": predicate,
      ])
    return reference
  }

  // MARK: Properties

  /// The keys common to attributes and relationships, with the bits of `_P`.
  private mutating func common(
    _ property: some Property, of entity: PropertyList, bits: Int64
  ) -> [String: PropertyList] {
    var bits = bits | 0x31
    var values: [String: PropertyList] = [
      "NSPropertyName": archive.string(property.name), "NSEntity": entity,
      "NSRenamingIdentifier": archive.string(property.renamingIdentifier ?? property.name),
    ]
    if property.isOptional {
      bits |= 0x02
      values["NSIsOptional"] = .boolean(true)
    }
    if property.isTransient {
      bits |= 0x08
      values["NSIsTransient"] = .boolean(true)
    }
    if property.userInfo.isEmpty {
      bits |= 0x40
    } else {
      values["NSUserInfo"] = archive.userInfo("NSDictionary", property.userInfo)
    }
    if let modifier = property.versionHashModifier {
      values["NSVersionHashModifier"] = archive.string(modifier)
    } else {
      bits |= 0x80
    }
    values["_P"] = .integer(bits)
    return values
  }

  private mutating func write(_ attribute: Attribute, of entity: PropertyList) -> PropertyList {
    var values = common(attribute, of: entity, bits: attribute.isDerived ? 0x04 : 0)
    values["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
    values["NSAttributeValueClassName"] = archive.string(
      attribute.extras.attributes["customClassName"] ?? attribute.type.valueClassName)
    values["NSDefaultValue"] = defaultValue(of: attribute)
    values["NSValueTransformerName"] = archive.string(
      attribute.extras.attributes["valueTransformerName"])
    values["NSFlagsKey"] = .integer(
      (attribute.allowsExternalBinaryStorage ? 4 : 0)
        | (attribute.preservesValueInHistoryOnDeletion ? 16 : 0))
    if attribute.isIndexed { values["NSIsIndexed"] = .boolean(true) }
    if attribute.extras.attributes["allowsCloudEncryption"] == "YES" {
      values["NSAllowsCloudEncryption"] = .boolean(true)
    }
    let rules = attribute.valueRules.archivable
    if !rules.isEmpty, case .integer(let bits)? = values["_P"] {
      var predicates: [PropertyList] = []
      for rule in rules {
        if let predicate = archive.predicate(rule.predicate) { predicates.append(predicate) }
      }
      let codes = rules.map { archive.value(.integer(Int64($0.code.rawValue))) }
      values["NSValidationPredicates"] = archive.add("NSMutableArray", elements: predicates)
      values["NSValidationWarnings"] = archive.add("NSMutableArray", elements: codes)
      values["_P"] = .integer(bits & ~0x30)
    }
    var className = "NSAttributeDescription"
    if attribute.isDerived {
      className = "NSDerivedAttributeDescription"
      values["NSIsReadOnly"] = .boolean(true)
      values["NSFilteringPredicate"] = KeyedArchiveWriter.null
      let derivation = attribute.parsedDerivation
      // An unknown form is kept as a key path: without its text the attribute would have another hash.
      values["NSDerivationExpression"] =
        derivation?.expression.flatMap { archive.expression($0) }
        ?? derivation.flatMap { archive.expression(.keyPath(of: nil, [$0.canonicalText])) }
        ?? KeyedArchiveWriter.null
    } else if attribute.type == .composite {
      className = "NSCompositeAttributeDescription"
      let elements = model.composite(named: attribute.compositeName ?? "")?.attributes ?? []
      values["NSCompositeElements"] = archive.add(
        "NSArray", elements: elements.map { write($0, of: KeyedArchiveWriter.null) })
    }
    return archive.add(className, values)
  }

  private mutating func defaultValue(of attribute: Attribute) -> PropertyList {
    switch (attribute.type, attribute.storedDefault) {
    case (.date, .real(let seconds)): archive.add("NSDate", ["NS.time": .real(seconds)])
    case (.decimal, .real(let number)):
      attribute.defaultValue.flatMap { ArchivedDecimal($0) }
        .map { archive.add("NSDecimalNumberPlaceholder", $0.archived) }
        ?? archive.value(.real(number))
    case (.boolean, .integer(let number)): archive.value(.boolean(number != 0))
    case (_, .integer(let number)): archive.value(.integer(number))
    case (_, .real(let number)): archive.value(.real(number))
    case (.uri, .text(let address)):
      archive.add(
        "NSURL", ["NS.base": KeyedArchiveWriter.null, "NS.relative": archive.string(address)])
    case (_, .text(let text)): archive.string(text)
    default: KeyedArchiveWriter.null
    }
  }

  private mutating func write(_ relationship: Relationship, of entity: String) -> PropertyList {
    let reference =
      propertyReferences[PropertyID(entity: entity, name: relationship.name)] ?? archive.reserve()
    var values = common(
      relationship, of: self.reference(entity), bits: relationship.isOrdered ? 0x400 : 0)
    let inverse = model.inverse(of: relationship)
    values["NSDestinationEntity"] = self.reference(relationship.destinationName)
    values["_NSDestinationEntityName"] = archive.string(relationship.destinationName)
    values["NSInverseRelationship"] =
      inverse.flatMap {
        propertyReferences[PropertyID(entity: relationship.destinationName, name: $0.property.name)]
      }
      ?? KeyedArchiveWriter.null
    values["_NSInverseRelationshipName"] = archive.string(inverse?.property.name)
    values["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
    values["NSMinCount"] = .integer(Int64(relationship.minCount))
    values["NSMaxCount"] = .integer(Int64(relationship.maxCount))
    if relationship.isOrdered { values["NSIsOrdered"] = .boolean(true) }
    archive.fill(reference, "NSRelationshipDescription", values)
    return reference
  }
}

extension AttributeType {
  /// The class of an attribute's values, as compiled models name it.
  fileprivate var valueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .objectID: "NSManagedObjectID"
    case .composite: "NSDictionary"
    case .transformable, .undefined: nil
    }
  }
}
