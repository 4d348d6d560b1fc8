internal import StrataBase

/// A managed object model that holds together: every name resolves, no hierarchy is a circle.
///
/// ```swift
/// let model = try ObjectModel(ModelDocument(readingXML: bytes))
/// model.versionHashes()["Topic"]?.hex  // "cb75b3e2…"
/// ```
package struct ObjectModel: Sendable {
  package let document: ModelDocument
  /// Every entity, by name in UTF-8 byte order.
  package let entities: [Entity]
  /// For each entity its superentity's place in `entities`.
  let parents: [Int?]
  /// For each entity its subentities' places, by name.
  let children: [[Int]]
  /// Whether any property may rest on a rule of the version hash that is not proven: most models have
  /// none, and need not be searched for one.
  let mayUseUnprovenRules: Bool
  private let places: [String: Int]
  private let compositePlaces: [String: Int]
  /// What was computed from this model already.
  package let memory = ModelMemory()

  /// How deep a hierarchy may be; the deepest known real one has 5 levels.
  static let hierarchyLimit = 100
  /// Properties of one entity; the largest known real one has 130.
  static let ownPropertyLimit = 3000
  /// Properties of all entities, inherited ones counted for each; the largest known real model has
  /// 2,000.
  static let propertyLimit = 50_000
  /// Whatever a reader of archives follows: properties, entries of dictionaries, elements of lists.
  static let partLimit = 200_000
  /// Bytes of the names of all properties, inherited ones counted for each, and of all texts in an
  /// archived model; the largest known real one has 55,000.
  static let textLimit = 8 << 20
  /// Composites inside composites, and elements of one composite attribute with all that nests in it.
  static let compositeDepthLimit = 16
  static let compositeElementLimit = 3000

  /// - Throws: ``ModelError`` for the first name that resolves to nothing, the first circle or the
  ///   first duplicate.
  package init(_ document: ModelDocument) throws(ModelError) {
    self.document = document
    entities = document.entities.sorted { $0.name.precedesInBytes($1.name) }
    var places: [String: Int] = [:]
    for (place, entity) in entities.enumerated() {
      guard places.updateValue(place, forKey: entity.name) == nil else {
        throw ModelError(.duplicateEntity(entity.name), line: entity.extras.line)
      }
    }
    self.places = places
    mayUseUnprovenRules = entities.contains { entity in
      entity.attributes.contains { $0.isDerived || $0.type == .composite }
        || entity.relationships.contains { $0.inverseName == $0.name }
    }
    compositePlaces = Dictionary(
      document.composites.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
    parents = try Self.parents(of: entities, places: places)
    var children: [[Int]] = Array(repeating: [], count: entities.count)
    for (place, parent) in parents.enumerated() {
      if let parent { children[parent].append(place) }
    }
    self.children = children
    try checkHierarchies()
    try checkCounts()
    try checkProperties()
    try checkRelationships()
    try checkConfigurations()
    try checkComposites()
  }

  /// The entity of this name.
  package subscript(name: String) -> Entity? {
    places[name].map { entities[$0] }
  }

  /// The place of the entity of this name in ``entities``.
  package func place(of name: String) -> Int? { places[name] }

  package var entityNames: [String] { entities.map(\.name) }

  private static func parents(
    of entities: [Entity], places: [String: Int]
  ) throws(ModelError) -> [Int?] {
    var parents: [Int?] = []
    for entity in entities {
      guard let name = entity.superentityName else {
        parents.append(nil)
        continue
      }
      guard let parent = places[name] else {
        throw ModelError(
          .unknownParent(name, near: NearestName.of(name, in: places.keys)), entity: entity.name,
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

  private func checkCounts() throws(ModelError) {
    var total = 0
    var nameSize = 0
    let ownNameSizes = entities.map { $0.propertyNames.reduce(0) { $0 + $1.utf8.count } }
    for (place, entity) in entities.enumerated() {
      guard entity.propertyCount <= Self.ownPropertyLimit else {
        throw ModelError(
          .tooMany("properties in one entity", limit: Self.ownPropertyLimit), entity: entity.name,
          line: entity.extras.line)
      }
      for ancestor in lineage(ofPlace: place) {
        total += entities[ancestor].propertyCount
        nameSize += ownNameSizes[ancestor]
      }
      guard total <= Self.propertyLimit else {
        throw ModelError(
          .tooMany("properties, inherited ones counted", limit: Self.propertyLimit),
          entity: entity.name, line: entity.extras.line)
      }
      guard nameSize <= Self.textLimit else {
        throw ModelError(
          .tooMany("bytes of property names, inherited ones counted", limit: Self.textLimit),
          entity: entity.name, line: entity.extras.line)
      }
    }
  }

  private func checkProperties() throws(ModelError) {
    for (place, entity) in entities.enumerated() {
      let ancestors = ancestors(ofPlace: place)
      // Sorted lists, as tools write them, need no set: that is a tenth of reading a model.
      if ancestors.isEmpty, entity.hasPlainlyDistinctNames {
        try checkRest(of: entity, place: place)
        continue
      }
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
      try checkRest(of: entity, place: place)
    }
  }

  private func checkRest(of entity: Entity, place: Int) throws(ModelError) {
    try checkConstraints(of: entity, place: place)
    for attribute in entity.attributes {
      try check(attribute, of: entity)
    }
  }

  private func checkConstraints(of entity: Entity, place: Int) throws(ModelError) {
    guard !entity.uniquenessConstraints.isEmpty else { return }
    let known = lineage(ofPlace: place).flatMap { entities[$0].propertyNames }
    for name in entity.uniquenessConstraints.joined() where !known.contains(name) {
      throw ModelError(
        .unknownConstraint(name, near: NearestName.of(name, in: known)), entity: entity.name,
        line: entity.extras.line)
    }
  }

  private func check(_ attribute: Attribute, of entity: Entity) throws(ModelError) {
    let problem: ModelError.Problem
    if attribute.isDerived, attribute.derivation == nil {
      problem = .missingDerivation
    } else if attribute.type == .undefined, !attribute.isTransient, !attribute.isDerived {
      problem = .undefinedType
    } else {
      return
    }
    throw ModelError(
      problem, entity: entity.name, property: attribute.name, line: attribute.extras.line)
  }

  private func checkRelationships() throws(ModelError) {
    for entity in entities {
      for relationship in entity.relationships {
        func problem(_ problem: ModelError.Problem) -> ModelError {
          ModelError(
            problem, entity: entity.name, property: relationship.name,
            line: relationship.extras.line)
        }
        let destinationName = relationship.destinationName
        guard let destination = places[destinationName] else {
          throw problem(
            .unknownDestination(
              destinationName, near: NearestName.of(destinationName, in: places.keys)))
        }
        guard let name = relationship.inverseName else { continue }
        let owners = lineage(ofPlace: destination)
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
      for member in configuration.entityNames where places[member] == nil {
        throw ModelError(
          .unknownMember(member, near: NearestName.of(member, in: places.keys)),
          entity: configuration.name, line: configuration.extras.line)
      }
    }
  }

  private func checkComposites() throws(ModelError) {
    var known: [String: Int] = [:]
    for entity in entities {
      for attribute in entity.attributes where attribute.type == .composite {
        _ = try elementCount(of: attribute, within: [], known: &known, entity: entity.name)
      }
    }
  }

  /// How many elements a composite attribute has with all that nests in it; each type is counted once.
  private func elementCount(
    of attribute: Attribute, within open: [String], known: inout [String: Int], entity: String
  ) throws(ModelError) -> Int {
    func problem(_ problem: ModelError.Problem) -> ModelError {
      ModelError(
        problem, entity: entity, property: attribute.name, line: attribute.extras.line)
    }
    let name = attribute.compositeName ?? ""
    if let count = known[name] { return count }
    guard let composite = composite(named: name) else {
      throw problem(
        .unknownComposite(name, near: NearestName.of(name, in: document.composites.map(\.name))))
    }
    guard !open.contains(name) else { throw problem(.cyclicComposite(name)) }
    guard open.count < Self.compositeDepthLimit else {
      throw problem(.tooMany("composites inside composites", limit: Self.compositeDepthLimit))
    }
    var count = 0
    for element in composite.attributes {
      count +=
        element.type == .composite
        ? try elementCount(of: element, within: open + [name], known: &known, entity: entity) : 1
      guard count <= Self.compositeElementLimit else {
        throw problem(.tooMany("elements in a composite", limit: Self.compositeElementLimit))
      }
    }
    known[name] = count
    return count
  }

  package func composite(named name: String) -> CompositeType? {
    compositePlaces[name].map { document.composites[$0] }
  }

  /// The attributes that a store holds for an attribute: itself, or its composite's elements, in their
  /// order and however deep. Each is named by its key path: `place.street`.
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

  /// By the key paths of what a store holds for them, the attributes that an entity has or inherits.
  package func attributesByStoredName(of entity: String) -> [String: Attribute] {
    storedAttributes(of: entity).mapValues(\.owner)
  }

  /// The attribute that an entity has or inherits and of which a store keeps something under a key path, and what it
  /// keeps.
  package func storedAttribute(
    _ path: String, of entity: String
  ) -> (owner: Attribute, stored: Attribute)? {
    storedAttributes(of: entity)[path]
  }

  private func storedAttributes(
    of entity: String
  ) -> [String: (owner: Attribute, stored: Attribute)] {
    place(of: entity).map { memory.value { StoredAttributesByEntity(self) }.attributes[$0] } ?? [:]
  }

  /// The key paths of what a store holds for an attribute.
  package func storedNames(of attribute: Attribute) -> [String] {
    storedAttributes(of: attribute).map(\.name)
  }
}

extension Attribute {
  /// What follows the name of a composite attribute in the key path of an element: `.street` of
  /// `place.street`; empty for the attribute itself.
  package func elementPath(in attribute: String) -> Substring { name.dropFirst(attribute.count) }
}

extension ObjectModel: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    a.memory === b.memory || a.document == b.document
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(document) }
}
