internal import StrataExpressions
public import StrataObjectModel
internal import StrataValues

extension Inference {
  /// Infers the mapping model from one model to another.
  ///
  /// ```swift
  /// Inference(from: first, to: second).mapping?.entityMappings.map(\.name)
  /// // ["IEM_Copy_TopicList", "IEM_Transform_Topic"]
  /// ```
  ///
  /// Source: facts on inference, sections 1 to 5.
  public init(from source: ObjectModel, to destination: ObjectModel) {
    var inferrer = Inferrer(source: source, destination: destination)
    let mapping = inferrer.infer()
    self.init(
      mapping: inferrer.obstacles.isEmpty ? mapping : nil, obstacles: inferrer.obstacles,
      warnings: inferrer.warnings)
  }
}

/// Finds the entity mappings of two models, and everything that stands in the way.
private struct Inferrer {
  let source: ObjectModel
  let destination: ObjectModel
  let sourceHashes: [String: VersionHash]
  let destinationHashes: [String: VersionHash]
  let matching: NameMatching
  /// Destination entity to source entity.
  let sourceNames: [String: String]
  private(set) var obstacles: [Obstacle] = []
  private(set) var warnings: [Obstacle] = []

  init(source: ObjectModel, destination: ObjectModel) {
    self.source = source
    self.destination = destination
    sourceHashes = source.versionHashes()
    destinationHashes = destination.versionHashes()
    matching = NameMatching(from: source, to: destination)
    sourceNames = Dictionary(
      uniqueKeysWithValues: matching.pairs.map { ($0.destination, $0.source) })
  }

  mutating func infer() -> MappingModel {
    for (name, sources) in matching.ambiguous {
      obstacles.append(Obstacle(.ambiguousIdentifier(sources: sources), entity: name))
    }
    checkHierarchies()
    var mappings: [EntityMapping] = []
    for (old, new) in matching.pairs { mappings.append(paired(old, new)) }
    for name in matching.added {
      mappings.append(
        EntityMapping(
          name: "IEM_Add_\(name)", kind: .add, destinationName: name,
          destinationHash: destinationHashes[name],
          attributeMappings: destination.allAttributes(of: name)
            .map { PropertyMapping(name: $0.property.name, expression: nil) },
          relationshipMappings: destination.allRelationships(of: name)
            .map { PropertyMapping(name: $0.property.name, expression: nil) }))
    }
    for name in matching.removed {
      mappings.append(
        EntityMapping(
          name: "IEM_Remove_\(name)", kind: .remove, sourceName: name,
          sourceHash: sourceHashes[name], attributeMappings: [], relationshipMappings: []))
      if let heir = heir(of: name) {
        warnings.append(Obstacle(.unmatchedRename(of: name, to: heir), entity: heir))
      } else {
        warnings.append(Obstacle(.lostEntity, entity: name))
      }
    }
    return MappingModel(entityMappings: mappings)
  }

  private mutating func paired(_ old: String, _ new: String) -> EntityMapping {
    let isSame = old == new && sourceHashes[old] == destinationHashes[new]
    let attributes = attributeMappings(old, new)
    let relationships = relationshipMappings(old, new)
    return EntityMapping(
      name: mappingName(of: new), kind: isSame ? .copy : .transform, sourceName: old,
      destinationName: new, sourceHash: sourceHashes[old],
      destinationHash: destinationHashes[new], attributeMappings: attributes,
      relationshipMappings: relationships)
  }

  private func mappingName(of destinationName: String) -> String {
    guard let old = sourceNames[destinationName] else { return "IEM_Add_\(destinationName)" }
    let isSame =
      old == destinationName && sourceHashes[old] == destinationHashes[destinationName]
    return "IEM_\(isSame ? "Copy" : "Transform")_\(destinationName)"
  }

  private mutating func attributeMappings(_ old: String, _ new: String) -> [PropertyMapping] {
    let before = source.allAttributes(of: old).filter { !$0.property.isTransient }
    let after = destination.allAttributes(of: new).filter { !$0.property.isTransient }
    let matching = NameMatching(properties: before.map(\.property), after.map(\.property))
    note(matching.ambiguous, entity: new)
    var mappings: [PropertyMapping] = []
    for attribute in after.map(\.property) {
      let pair = matching.pairs.first { $0.destination == attribute.name }
      guard let pair,
        let origin = before.first(where: { $0.property.name == pair.source })?.property
      else {
        if needsDefault(attribute) {
          warnings.append(Obstacle(.missingDefault, entity: new, property: attribute.name))
        }
        mappings.append(PropertyMapping(name: attribute.name, expression: nil))
        continue
      }
      check(origin, against: attribute, entity: new)
      mappings.append(
        PropertyMapping(
          name: attribute.name, expression: .keyPath(of: .variable("source"), [origin.name])))
    }
    noteLikelyRenames(matching, before.map(\.property), after.map(\.property), entity: new)
    noteLost(matching.removed, of: old, declaredIn: before)
    return mappings
  }

  private func needsDefault(_ attribute: Attribute) -> Bool {
    !attribute.isOptional && !attribute.isDerived && attribute.defaultValue == nil
      && attribute.type != .composite
  }

  private mutating func check(_ old: Attribute, against new: Attribute, entity: String) {
    if old.type != new.type {
      guard old.type.isNumber, new.type.isNumber else {
        obstacles.append(
          Obstacle(
            .incompatibleTypes(from: old.type.name, to: new.type.name), entity: entity,
            property: new.name))
        return
      }
      if new.type.numberWidth < old.type.numberWidth {
        warnings.append(
          Obstacle(
            .narrowedNumber(from: old.type.name, to: new.type.name), entity: entity,
            property: new.name))
      }
    }
    if old.isOptional, needsDefault(new) {
      warnings.append(Obstacle(.missingDefault, entity: entity, property: new.name))
    }
  }

  private mutating func relationshipMappings(_ old: String, _ new: String) -> [PropertyMapping] {
    let before = source.allRelationships(of: old).filter { !$0.property.isTransient }
    let after = destination.allRelationships(of: new).filter { !$0.property.isTransient }
    let matching = NameMatching(properties: before.map(\.property), after.map(\.property))
    note(matching.ambiguous, entity: new)
    noteLost(matching.removed, of: old, declaredIn: before)
    return after.map(\.property).map { relationship in
      let pair = matching.pairs.first { $0.destination == relationship.name }
      guard let pair,
        let origin = before.first(where: { $0.property.name == pair.source })?.property
      else { return PropertyMapping(name: relationship.name, expression: nil) }
      if origin.isToMany, !relationship.isToMany {
        warnings.append(Obstacle(.narrowedCount, entity: new, property: relationship.name))
      }
      if origin.isOrdered, !relationship.isOrdered {
        warnings.append(Obstacle(.lostOrder, entity: new, property: relationship.name))
      }
      return PropertyMapping(
        name: relationship.name,
        expression: .function(
          "destinationInstancesForEntityMappingNamed:sourceInstances:", on: .variable("manager"),
          arguments: [
            .constant(.text(mappingName(of: relationship.destinationName))),
            .keyPath(of: .variable("source"), [origin.name]),
          ]))
    }
  }

  private mutating func note(
    _ ambiguous: [(destination: String, sources: [String])], entity: String
  ) {
    for (name, sources) in ambiguous {
      obstacles.append(
        Obstacle(.ambiguousIdentifier(sources: sources), entity: entity, property: name))
    }
  }

  /// A property is lost where it is declared; subentities need not say it again.
  private mutating func noteLost<Member>(
    _ names: [String], of entity: String, declaredIn members: [Declared<Member>]
  ) {
    for name in names {
      let owner = members.first { $0.property.name == name }?.declaringEntity
      let isTold = warnings.contains { $0.property == name && $0.entity == owner }
      let looksRenamed = warnings.contains { warning in
        if case .unmatchedRename(name, _) = warning.reason { return warning.entity == entity }
        return false
      }
      guard !looksRenamed, owner == entity || !isTold else { continue }
      warnings.append(Obstacle(.lostProperty, entity: entity, property: name))
    }
  }

  /// One removed and one added attribute of the same type look like a rename without identifier.
  private mutating func noteLikelyRenames(
    _ matching: NameMatching, _ before: [Attribute], _ after: [Attribute], entity: String
  ) {
    for added in matching.added {
      guard let new = after.first(where: { $0.name == added }) else { continue }
      let like = matching.removed.filter { name in
        before.first { $0.name == name }?.type == new.type
      }
      if like.count == 1,
        matching.added.count(where: { name in
          after.first { $0.name == name }?.type == new.type
        }) == 1
      {
        warnings.append(
          Obstacle(.unmatchedRename(of: like[0], to: added), entity: entity, property: added))
      }
    }
  }

  /// The added entity that has most of a removed one's properties.
  private func heir(of name: String) -> String? {
    let old = Set(source[name]?.propertyNames ?? [])
    guard !old.isEmpty else { return nil }
    return matching.added.first { added in
      let shared = old.intersection(destination[added]?.propertyNames ?? []).count
      return shared * 2 > old.count
    }
  }

  /// Entities without a common ancestor in the source must not get one in the destination.
  private mutating func checkHierarchies() {
    var roots: [String: Set<String>] = [:]
    for entity in destination.entities {
      guard let old = sourceNames[entity.name] else { continue }
      roots[destination.rootName(of: entity.name), default: []].insert(source.rootName(of: old))
    }
    for (root, merged) in roots.sorted(by: { $0.key < $1.key }) where merged.count > 1 {
      obstacles.append(Obstacle(.mergedHierarchies(roots: merged.sorted()), entity: root))
    }
  }
}

extension AttributeType {
  /// How much a number type holds, to tell a narrowing.
  fileprivate var numberWidth: Int {
    switch self {
    case .boolean: 1
    case .integer16: 16
    case .integer32: 32
    case .float: 33
    case .double: 53
    case .integer64: 64
    case .decimal: 128
    default: 0
    }
  }
}
