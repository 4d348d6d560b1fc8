package import StrataArchives
internal import StrataBase
internal import StrataExpressions

extension ModelDocument {
  /// Reads an archived model: a `.mom`, or what a store caches in `Z_MODELCACHE`.
  ///
  /// A subentity repeats the properties that it inherits; they are declared where the topmost
  /// ancestor has them.
  ///
  /// - Throws: ``ArchiveError`` if the archive is damaged, ``ModelError`` if it does not contain a model.
  ///
  /// Source: `Docs/Facts/model-format.md`, section 4; every real archived model is read in the
  /// tests and hashes as its store says.
  package init(archive: KeyedArchive) throws {
    let root = try archive.root()
    guard root.className == "NSManagedObjectModel" else {
      throw ModelError(.notAModel(found: root.className ?? root.value.kind))
    }
    self.init()
    let entries = try root.entries("NSEntities").sorted { $0.key.precedesInBytes($1.key) }
    var reader = ModelArchiveReader()
    var textSize = 0
    for (name, object) in entries {
      try append(reader.entity(object, name: name), countingTexts: &textSize)
    }
    composites = reader.composites.sorted { $0.name.precedesInBytes($1.name) }
    for (name, members) in try root.entries("NSConfigurations") {
      let names = try members.elements().compactMap { try $0.string("NSEntityName") }
      configurations.append(
        ModelConfiguration(name: name, entityNames: names.sorted { $0.precedesInBytes($1) }))
    }
    configurations.sort { $0.name.precedesInBytes($1.name) }
    versionIdentifiers = Set(
      try root.elements("NSVersionIdentifiers").compactMap { $0.value.string })
    // No property uses one: a damaged one is no reason not to read the model.
    let requests = (try? root.entries("NSFetchRequestTemplates")) ?? []
    let fetched = entities.flatMap { entity in
      entity.fetchedProperties.map { "\(entity.name).\($0.name)" }
    }
    origin.unreadFetchRequests = (requests.map(\.key) + fetched).sorted { $0.precedesInBytes($1) }
    extras.attributes = Self.xcodeAttributes
  }
}

/// Reads the entities of one archived model.
private struct ModelArchiveReader {
  /// The composite types read so far; an archive stores them inside the attributes that use them.
  private(set) var composites: [CompositeType] = []
  /// Properties, elements, entries, names and expressions read so far: an archive can share objects among all
  /// entities, or contain cycles, so the objects to read can far exceed its size.
  private var partCount = 0
  /// Counts the parts of all derivations together.
  private var derivations = ArchivedExpressionReader()
  /// The names of all properties of each entity, by the entity's index in the archive.
  private var propertyNames: [Int: Set<String>] = [:]

  mutating func entity(_ object: ArchivedObject, name key: String) throws -> Entity {
    guard object.className == "NSEntityDescription" else {
      throw Self.unexpected("an entity", object)
    }
    let name = try object.string("NSEntityName") ?? key
    var entity = Entity(name: name)
    let parent = try object.object("NSSuperentity")
    entity.superentityName = try parent?.string("NSEntityName")
    entity.isAbstract = try object.flag("NSIsAbstract")
    entity.className = try object.string("NSClassNameForEntity")
    entity.renamingIdentifier = try Self.renamingIdentifier(object, of: name)
    entity.versionHashModifier = try object.string("NSVersionHashModifier")
    entity.userInfo = try userInfo(object)
    let inherited = try parent.map { try names(of: $0) } ?? []
    for (key, property) in try entries(object, "NSProperties") where !inherited.contains(key) {
      try add(property, named: key, to: &entity)
    }
    entity.attributes.sort { $0.name.precedesInBytes($1.name) }
    entity.relationships.sort { $0.name.precedesInBytes($1.name) }
    entity.uniquenessConstraints = try lists(object, "NSUniqueTuples")
    for index in try elements(object, "NSFetchIndexDescriptions") {
      entity.fetchIndexes.append(try fetchIndex(index))
    }
    entity.fetchIndexes.sort { $0.name.precedesInBytes($1.name) }
    Self.pairTwins(&entity)
    // The compiler writes fetch indexes in the old form too.
    let compound = try lists(object, "NSCompoundIndexes")
    if entity.fetchIndexes.isEmpty { entity.compoundIndexes = compound }
    return entity
  }

  private mutating func fetchIndex(_ object: ArchivedObject) throws -> FetchIndex {
    var index = FetchIndex(name: try object.string("NSIndexName") ?? "")
    if let predicate = try object.object("NSPartialIndexPredicate") {
      index.predicateText = try Predicate(archived: predicate).text
    }
    for element in try elements(object, "NSIndexElements") {
      var indexed = FetchIndex.Element(
        propertyName: try element.string("NSPropertyName"),
        isRTree: try element.integer("NSFetchIndexElementType") == 1,
        isAscending: try element.flag("NSAscending"))
      if let property = try element.object("NSIndexedProperty"),
        let expression = try property.object("NSExpression")
      {
        indexed.propertyName = nil
        indexed.expressionText = try Expression(archived: expression).text
      }
      index.elements.append(indexed)
    }
    return index
  }

  /// The compiler lists an index of one attribute twice: under its own name, and under the attribute's name,
  /// which represents the attribute's `indexed` flag.
  private static func pairTwins(_ entity: inout Entity) {
    let twins = Set(
      entity.fetchIndexes.filter { $0.isOfOneProperty && $0.name == $0.elements[0].propertyName }
        .map(\.name))
    entity.fetchIndexes.removeAll { $0.isOfOneProperty && twins.contains($0.name) }
    for index in entity.fetchIndexes.indices where entity.fetchIndexes[index].isOfOneProperty {
      let name = entity.fetchIndexes[index].elements[0].propertyName ?? ""
      entity.fetchIndexes[index].hasTwin = twins.contains(name)
    }
    // Flags that only result from fetch indexes are redundant.
    let fetched = Set(
      entity.fetchIndexes.filter { $0.elements.count == 1 }
        .compactMap { $0.elements[0].propertyName })
    for index in entity.attributes.indices {
      let name = entity.attributes[index].name
      if fetched.contains(name) { entity.attributes[index].isIndexed = false }
      if twins.contains(name), !fetched.contains(name) {
        entity.attributes[index].isIndexed = true
      }
    }
  }

  private mutating func elements(
    _ object: ArchivedObject, _ key: String
  ) throws -> [ArchivedObject] {
    let elements = try object.elements(key)
    try countParts(elements.count)
    return elements
  }

  private mutating func entries(
    _ object: ArchivedObject, _ key: String
  ) throws -> [(key: String, value: ArchivedObject)] {
    let entries = try object.entries(key)
    try countParts(entries.count)
    return entries
  }

  private mutating func lists(_ object: ArchivedObject, _ key: String) throws -> [[String]] {
    var lists: [[String]] = []
    for list in try elements(object, key) {
      let names = try list.elements()
      try countParts(names.count)
      lists.append(names.compactMap { $0.value.string })
    }
    return lists
  }

  private mutating func countParts(_ count: Int) throws {
    partCount += count
    guard partCount <= ObjectModel.partLimit else {
      throw ModelError(.tooMany("parts", limit: ObjectModel.partLimit))
    }
  }

  private mutating func names(of entity: ArchivedObject) throws -> Set<String> {
    if let known = propertyNames[entity.index] { return known }
    let names = Set(try entries(entity, "NSProperties").map(\.key))
    propertyNames[entity.index] = names
    return names
  }

  private mutating func add(
    _ object: ArchivedObject, named name: String, to entity: inout Entity
  ) throws {
    switch object.className {
    case "NSAttributeDescription", "NSDerivedAttributeDescription",
      "NSCompositeAttributeDescription":
      entity.attributes.append(try attribute(object, named: name, depth: 0))
    case "NSRelationshipDescription":
      entity.relationships.append(try relationship(object, named: name))
    case "NSFetchedPropertyDescription":
      entity.fetchedProperties.append(FetchedProperty(name: name))
    case "NSExpressionDescription":
      // Represents an index on an expression, not a property of the entity.
      break
    case "_NSPropertyDescriptionProxy":
      guard let underlying = try object.object("NSUnderlyingProperty"),
        underlying.className != object.className
      else { throw Self.unexpected("a property", object) }
      try add(underlying, named: name, to: &entity)
    default:
      throw Self.unexpected("a property", object)
    }
  }

  private mutating func attribute(
    _ object: ArchivedObject, named name: String, depth: Int
  ) throws -> Attribute {
    let number = try object.integer("NSAttributeType") ?? 0
    guard let type = Int32(exactly: number).flatMap(AttributeType.init(rawValue:)) else {
      throw ModelError(
        .badValue(
          key: "NSAttributeType", value: String(number), wanted: "a known attribute type",
          near: nil), property: name)
    }
    var attribute = Attribute(name: name, type: type)
    try takeCommon(object, into: &attribute)
    let flags = try object.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    attribute.isIndexed = try object.flag("NSIsIndexed")
    attribute.defaultValue = try Self.defaultValue(object, type: type)
    attribute.extras.attributes["valueTransformerName"] = try object.string(
      "NSValueTransformerName")
    if try object.flag("NSAllowsCloudEncryption") {
      attribute.extras.attributes["allowsCloudEncryption"] = "YES"
    }
    for predicate in try elements(object, "NSValidationPredicates") {
      // Forms that occur in no known file are ignored.
      if let predicate = try? Predicate(archived: predicate) {
        attribute.take(validation: predicate)
      }
    }
    if let derivation = try object.object("NSDerivationExpression") {
      attribute.isDerived = true
      attribute.hasFilteringPredicate = try object.object("NSFilteringPredicate") != nil
      attribute.derivation =
        try (try? derivations.expression(derivation))?.text
        ?? expression(derivation, depth: 0).text
    }
    if type == .composite {
      attribute.compositeName = try composite(
        of: object, attribute: name, depth: depth)
    }
    return attribute
  }

  /// Registers the elements of a composite attribute as a type of their own and returns its name: the
  /// attribute's, with a number appended if a composite with other elements has that name.
  private mutating func composite(
    of object: ArchivedObject, attribute: String, depth: Int
  ) throws -> String {
    guard depth < 16 else { throw ModelError(.cyclicComposite(attribute), property: attribute) }
    var elements: [Attribute] = []
    for element in try self.elements(object, "NSCompositeElements") {
      let name = try element.string("NSPropertyName") ?? ""
      elements.append(try self.attribute(element, named: name, depth: depth + 1))
    }
    var name = attribute
    var number = 1
    while let existing = composites.first(where: { $0.name == name }) {
      if existing.attributes == elements { return name }
      number += 1
      name = "\(attribute)\(number)"
    }
    composites.append(CompositeType(name: name, attributes: elements))
    return name
  }

  private mutating func relationship(
    _ object: ArchivedObject, named name: String
  ) throws -> Relationship {
    let destination = try object.object("NSDestinationEntity")?.string("NSEntityName")
    var relationship = Relationship(
      name: name,
      destinationName: try destination ?? object.string("_NSDestinationEntityName") ?? "")
    try takeCommon(object, into: &relationship)
    let maxCount = try object.integer("NSMaxCount") ?? 0
    relationship.isToMany = maxCount != 1
    relationship.declaredMaxCount =
      relationship.isToMany ? Relationship.declaredMaxCount(archived: maxCount) : nil
    relationship.minCount = Int(clamping: try object.integer("NSMinCount") ?? 0)
    relationship.isOrdered = try object.flag("NSIsOrdered")
    let rule = Int(clamping: try object.integer("NSDeleteRule") ?? 1)
    relationship.deleteRule = Relationship.DeleteRule(rawValue: rule) ?? .nullify
    let inverse = try object.object("NSInverseRelationship")
    relationship.inverseName =
      try inverse?.string("NSPropertyName") ?? object.string("_NSInverseRelationshipName")
    // Xcode writes both or none.
    relationship.inverseEntityName =
      relationship.inverseName == nil ? nil : relationship.destinationName
    return relationship
  }

  private mutating func takeCommon(
    _ object: ArchivedObject, into property: inout some Property
  ) throws {
    property.isOptional = try object.flag("NSIsOptional")
    property.isTransient = try object.flag("NSIsTransient")
    property.renamingIdentifier = try Self.renamingIdentifier(object, of: property.name)
    property.versionHashModifier = try object.string("NSVersionHashModifier")
    property.userInfo = try userInfo(object)
  }

  /// A compiled model always writes the renaming identifier; one that equals the name is redundant.
  private static func renamingIdentifier(
    _ object: ArchivedObject, of name: String
  ) throws -> String? {
    let identifier = try object.string("NSRenamingIdentifier")
    return identifier == name ? nil : identifier
  }

  private mutating func userInfo(_ object: ArchivedObject) throws -> [UserInfoEntry] {
    try entries(object, "NSUserInfo")
      .compactMap { entry in
        entry.value.value.string.map { UserInfoEntry(key: entry.key, value: $0) }
      }
      .sorted { $0.key.precedesInBytes($1.key) }
  }

  /// The default value in the format of an XML model.
  private static func defaultValue(
    _ object: ArchivedObject, type: AttributeType
  ) throws -> String? {
    if type == .date {
      let seconds = try object.object("NSDefaultValue")?.plain("NS.time")
      guard case .real(let number)? = seconds else { return nil }
      return String(number)
    }
    // A URL is written with the address that it is relative to, of which there is none.
    if type == .uri, let address = try object.object("NSDefaultValue")?.string("NS.relative") {
      return address
    }
    if let decimal = try object.object("NSDefaultValue"), decimal.isDecimal {
      return try decimal.decimalText()
    }
    switch try object.plain("NSDefaultValue") {
    case .boolean(let flag)?: return flag ? "YES" : "NO"
    case .integer(let number)?:
      return type == .boolean ? (number != 0 ? "YES" : "NO") : String(number)
    case .real(let number)?: return String(number)
    case .string(let text)?: return text
    default: return nil
    }
  }

  /// The expressions of derived attributes that cannot be parsed again: key paths of any text, and functions of them.
  private mutating func expression(
    _ object: ArchivedObject, depth: Int
  ) throws -> Expression {
    try countParts(1)
    guard depth < 16 else { throw Self.unexpected("a short expression", object) }
    switch object.className {
    case "NSKeyPathExpression":
      guard let specifier = try object.elements("NSArguments").first else {
        throw Self.unexpected("a key path", object)
      }
      return try expression(specifier, depth: depth + 1)
    case "NSKeyPathSpecifierExpression":
      let path = try object.string("NSKeyPath") ?? ""
      return .keyPath(of: nil, [path])
    case "NSFunctionExpression":
      var arguments: [Expression] = []
      for argument in try object.elements("NSArguments") {
        arguments.append(try expression(argument, depth: depth + 1))
      }
      return .function(try object.string("NSSelectorName") ?? "", arguments: arguments)
    default: throw Self.unexpected("a key path or a function", object)
    }
  }

  private static func unexpected(_ wanted: String, _ object: ArchivedObject) -> ArchiveError {
    .unexpectedObject(wanted: wanted, found: object.className ?? object.value.kind)
  }
}
