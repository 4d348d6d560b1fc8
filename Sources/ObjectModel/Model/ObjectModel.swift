internal import StrataBase

/// A consistent managed object model: every name resolves, and the hierarchy has no cycles.
///
/// ```swift
/// let bytes = try FileBytes.read("Topics.xcdatamodeld/Model1.xcdatamodel/contents")
/// let model = try ObjectModel(ModelDocument(reading: bytes))
/// model.versionHashes()["Topic"]?.hex  // "cb75b3e2…"
/// ```
package struct ObjectModel: Sendable {
  package private(set) var document: ModelDocument
  /// Every entity, by name in UTF-8 byte order.
  package let entities: [Entity]
  /// For each entity, what other models may contain too; `nil` if it was read with the rest of its file.
  let sharedEntities: [SharedEntity?]
  /// For each entity, the index of its superentity in `entities`.
  let parents: [Int?]
  /// For each entity, the indexes of its subentities, by name.
  let children: [[Int]]
  /// Whether a property may depend on an unverified rule of the version hash; most models have none and need no
  /// search.
  let mayUseUnprovenRules: Bool
  private let entityIndices: [String: Int]
  private let compositeIndices: [String: Int]
  /// The cache of values computed from this model.
  package let memory = ModelMemory()

  /// The maximum depth of a hierarchy; the deepest known one has 5 levels.
  static let hierarchyLimit = 100
  /// The maximum number of properties of one entity; the largest known one has 130.
  static let ownPropertyLimit = 3000
  /// The maximum number of properties of all entities, including inherited ones; the largest known model has
  /// 2,000.
  static let propertyLimit = 50_000
  /// The maximum number of objects that a reader of archives follows: properties, entries of dictionaries,
  /// elements of lists.
  static let partLimit = 200_000
  /// The maximum number of bytes of all property names, including inherited ones, and of all strings in an
  /// archived model; the largest known model has 55,000.
  static let textLimit = 8 << 20
  /// The maximum depth of nested composites, and the maximum number of elements of one composite attribute,
  /// including nested ones.
  static let compositeDepthLimit = 16
  static let compositeElementLimit = 3000

  /// - Throws: ``ModelError`` for the first unresolved name, the first cycle or the first duplicate.
  package init(_ document: ModelDocument) throws(ModelError) {
    try self.init(document, sharing: [:])
  }

  /// - Parameter shared: The entities that other models may contain too, by name.
  init(_ document: ModelDocument, sharing shared: [String: SharedEntity]) throws(ModelError) {
    self.document = document
    entities = document.entities.sorted { $0.name.precedesInBytes($1.name) }
    sharedEntities = entities.map { shared[$0.name] }
    var entityIndices: [String: Int] = [:]
    for (index, entity) in entities.enumerated() {
      guard entityIndices.updateValue(index, forKey: entity.name) == nil else {
        throw ModelError(.duplicateEntity(entity.name), line: entity.extras.line)
      }
    }
    self.entityIndices = entityIndices
    let traits = zip(entities, sharedEntities).map { $1?.traits ?? EntityTraits($0) }
    mayUseUnprovenRules = traits.contains(where: \.mayUseUnprovenRules)
    compositeIndices = Dictionary(first: document.composites.enumerated().map { ($1.name, $0) })
    parents = try Self.parents(of: entities, entityIndices: entityIndices)
    var children: [[Int]] = Array(repeating: [], count: entities.count)
    for (index, parent) in parents.enumerated() {
      if let parent { children[parent].append(index) }
    }
    self.children = children
    try checkHierarchies()
    try checkCounts(traits)
    try checkProperties(traits)
    try checkRelationships()
    try checkConfigurations()
    try checkCompositeTypes()
    if traits.contains(where: \.hasComposites) { try checkComposites() }
  }

  /// The same model, read from the file at this path.
  func located(at path: String) -> ObjectModel {
    var model = self
    model.document.origin.path = path
    return model
  }

  /// The entity with this name.
  package subscript(name: String) -> Entity? {
    entityIndices[name].map { entities[$0] }
  }

  /// The index of the entity with this name in ``entities``.
  package func index(ofEntity name: String) -> Int? { entityIndices[name] }

  package var entityNames: [String] { entities.map(\.name) }

  private static func parents(
    of entities: [Entity], entityIndices: [String: Int]
  ) throws(ModelError) -> [Int?] {
    var parents: [Int?] = []
    for entity in entities {
      guard let name = entity.superentityName else {
        parents.append(nil)
        continue
      }
      guard let parent = entityIndices[name] else {
        throw ModelError(
          .unknownParent(name, near: NearestName.of(name, in: entityIndices.keys)),
          entity: entity.name,
          line: entity.extras.line)
      }
      parents.append(parent)
    }
    return parents
  }

  private func checkHierarchies() throws(ModelError) {
    for start in entities.indices {
      var path = [start]
      while let parent = parents[path[path.count - 1]] {
        if let repeated = path.firstIndex(of: parent) {
          let circle = (path[repeated...] + [parent]).map { entities[$0].name }
          throw ModelError(
            .cyclicParents(circle), entity: entities[parent].name,
            line: entities[parent].extras.line)
        }
        guard path.count < Self.hierarchyLimit else {
          throw ModelError(
            .tooDeepHierarchy(limit: Self.hierarchyLimit), entity: entities[start].name,
            line: entities[start].extras.line)
        }
        path.append(parent)
      }
    }
  }

  private func checkCounts(_ traits: [EntityTraits]) throws(ModelError) {
    var total = 0
    var nameSize = 0
    for (index, entity) in entities.enumerated() {
      guard traits[index].propertyCount <= Self.ownPropertyLimit else {
        throw ModelError(
          .tooMany("properties in one entity", limit: Self.ownPropertyLimit), entity: entity.name,
          line: entity.extras.line)
      }
      for ancestor in lineage(ofEntityAt: index) {
        total += traits[ancestor].propertyCount
        nameSize += traits[ancestor].nameSize
      }
      guard total <= Self.propertyLimit else {
        throw ModelError(
          .tooMany("properties, including inherited ones", limit: Self.propertyLimit),
          entity: entity.name, line: entity.extras.line)
      }
      guard nameSize <= Self.textLimit else {
        throw ModelError(
          .tooMany("bytes of property names, including inherited ones", limit: Self.textLimit),
          entity: entity.name, line: entity.extras.line)
      }
    }
  }

  private func checkProperties(_ traits: [EntityTraits]) throws(ModelError) {
    for (index, entity) in entities.enumerated() {
      let ancestors = ancestors(ofEntityAt: index)
      if !ancestors.isEmpty || !traits[index].hasPlainlyDistinctNames {
        try checkNames(of: entity, ancestors)
      }
      try checkConstraints(of: entity, index: index)
      if !traits[index].hasSoundAttributes {
        for attribute in entity.attributes { try check(attribute, of: entity) }
      }
    }
  }

  private func checkNames(of entity: Entity, _ ancestors: ArraySlice<Int>) throws(ModelError) {
    var names = Set<String>(minimumCapacity: entity.propertyCount)
    for name in entity.propertyNames where !names.insert(name).inserted {
      throw ModelError(
        .duplicateProperty(name), entity: entity.name, property: name, line: entity.extras.line)
    }
    for ancestor in ancestors {
      for name in entities[ancestor].propertyNames where names.contains(name) {
        throw ModelError(
          .overriddenProperty(name, ancestor: entities[ancestor].name), entity: entity.name,
          property: name, line: entity.extras.line)
      }
    }
  }

  private func checkConstraints(of entity: Entity, index: Int) throws(ModelError) {
    guard !entity.uniquenessConstraints.isEmpty else { return }
    guard entity.uniquenessConstraints.allSatisfy({ !$0.isEmpty }) else {
      throw ModelError(.emptyConstraint, entity: entity.name, line: entity.extras.line)
    }
    let known = lineage(ofEntityAt: index).flatMap { entities[$0].propertyNames }
    for name in entity.uniquenessConstraints.joined() where !known.contains(name) {
      throw ModelError(
        .unknownConstraint(name, near: NearestName.of(name, in: known)), entity: entity.name,
        line: entity.extras.line)
    }
  }

  private func check(_ attribute: Attribute, of entity: Entity) throws(ModelError) {
    guard let problem = attribute.problem else { return }
    throw ModelError(
      problem, entity: entity.name, property: attribute.name, line: entity.line(of: attribute))
  }

  private func checkRelationships() throws(ModelError) {
    for entity in entities {
      for relationship in entity.relationships {
        func problem(_ problem: ModelError.Problem) -> ModelError {
          ModelError(
            problem, entity: entity.name, property: relationship.name,
            line: entity.line(of: relationship))
        }
        let destinationName = relationship.destinationName
        guard let destination = entityIndices[destinationName] else {
          throw problem(
            .unknownDestination(
              destinationName, near: NearestName.of(destinationName, in: entityIndices.keys)))
        }
        guard let name = relationship.inverseName else { continue }
        let owners = lineage(ofEntityAt: destination)
        guard owners.contains(where: { entities[$0].hasRelationship(named: name) }) else {
          let known = owners.flatMap { entities[$0].relationships.map(\.name) }
          throw problem(
            .unknownInverse(name, of: destinationName, near: NearestName.of(name, in: known)))
        }
      }
    }
  }

  private func checkConfigurations() throws(ModelError) {
    var names: Set<String> = []
    for configuration in document.configurations {
      guard names.insert(configuration.name).inserted else {
        throw ModelError(
          .duplicateConfiguration(configuration.name), line: configuration.extras.line)
      }
      for member in configuration.entityNames where entityIndices[member] == nil {
        throw ModelError(
          .unknownMember(member, near: NearestName.of(member, in: entityIndices.keys)),
          entity: configuration.name, line: configuration.extras.line)
      }
    }
  }

  private func checkCompositeTypes() throws(ModelError) {
    var names: Set<String> = []
    for composite in document.composites {
      guard names.insert(composite.name).inserted else {
        throw ModelError(.duplicateComposite(composite.name), line: composite.extras.line)
      }
      var elements: Set<String> = []
      for element in composite.attributes {
        let problem =
          elements.insert(element.name).inserted
          ? element.problem : .duplicateProperty(element.name)
        guard let problem else { continue }
        throw ModelError(
          problem, entity: composite.name, property: element.name,
          line: composite.line(of: element))
      }
    }
  }

  private func checkComposites() throws(ModelError) {
    var known: [String: Int] = [:]
    for entity in entities {
      for attribute in entity.attributes where attribute.type == .composite {
        _ = try elementCount(
          of: attribute, within: [], known: &known, entity: entity.name,
          line: entity.line(of: attribute))
      }
    }
  }

  /// The number of elements of a composite attribute, including nested ones; each type is counted once.
  private func elementCount(
    of attribute: Attribute, within open: [String], known: inout [String: Int], entity: String,
    line: Int
  ) throws(ModelError) -> Int {
    func problem(_ problem: ModelError.Problem) -> ModelError {
      ModelError(problem, entity: entity, property: attribute.name, line: line)
    }
    let name = attribute.compositeName ?? ""
    if let count = known[name] { return count }
    guard let composite = composite(named: name) else {
      throw problem(
        .unknownComposite(name, near: NearestName.of(name, in: document.composites.map(\.name))))
    }
    guard !open.contains(name) else { throw problem(.cyclicComposite(name)) }
    guard open.count < Self.compositeDepthLimit else {
      throw problem(.tooMany("levels of nested composites", limit: Self.compositeDepthLimit))
    }
    var count = 0
    for element in composite.attributes {
      count +=
        element.type == .composite
        ? try elementCount(
          of: element, within: open + [name], known: &known, entity: entity,
          line: composite.line(of: element)) : 1
      guard count <= Self.compositeElementLimit else {
        throw problem(.tooMany("elements in a composite", limit: Self.compositeElementLimit))
      }
    }
    known[name] = count
    return count
  }

  package func composite(named name: String) -> CompositeType? {
    compositeIndices[name].map { document.composites[$0] }
  }

  /// The stored attributes of an attribute: itself, or the elements of its composite type in order, including
  /// nested ones. Each is named by its key path: `place.street`.
  package func storedAttributes(of attribute: Attribute) -> [Attribute] {
    guard attribute.type == .composite,
      let composite = composite(named: attribute.compositeName ?? "")
    else { return [attribute] }
    return composite.attributes.flatMap { storedAttributes(of: $0) }.map { element in
      var named = element
      named.name = "\(attribute.name).\(element.name)"
      return named
    }
  }

  /// The own and inherited attributes of an entity that are not transient, in order, as ``storedAttributes(of:)``.
  package func allStoredAttributes(of entity: String) -> [Attribute] {
    allAttributes(of: entity).map(\.property).filter { !$0.isTransient }
      .flatMap { storedAttributes(of: $0) }
  }

  /// The own and inherited attributes of an entity, by the key paths of their stored attributes.
  package func attributesByStoredName(of entity: String) -> [String: Attribute] {
    storedAttributes(of: entity).mapValues(\.owner)
  }

  /// The own or inherited attribute with a stored attribute at a key path, and that stored attribute.
  package func storedAttribute(
    _ path: String, of entity: String
  ) -> (owner: Attribute, stored: Attribute)? {
    storedAttributes(of: entity)[path]
  }

  private func storedAttributes(
    of entity: String
  ) -> [String: (owner: Attribute, stored: Attribute)] {
    index(ofEntity: entity).map { memory.value { StoredAttributesByEntity(self) }.attributes[$0] }
      ?? [:]
  }

  /// The key paths of the stored attributes of an attribute.
  package func storedNames(of attribute: Attribute) -> [String] {
    storedAttributes(of: attribute).map(\.name)
  }
}

extension Attribute {
  /// The part of an element's key path after the name of the composite attribute: `.street` for `place.street`;
  /// empty for the attribute itself.
  package func elementPath(in attribute: String) -> Substring { name.dropFirst(attribute.count) }
}

extension String {
  /// Whether it is a key path, or that of an element below it: `place.street` below `place`.
  package func isPath(atOrBelow path: String) -> Bool { self == path || hasPrefix(path + ".") }

  /// Whether an attribute of this name is read by a key path, also if a key of its value follows, such as `length`.
  package func isRead(by path: String) -> Bool {
    isPath(atOrBelow: path) || !isEmpty && path.hasPrefix(self + ".")
  }
}

extension ObjectModel: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    a.memory === b.memory || a.document == b.document
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(document) }
}
