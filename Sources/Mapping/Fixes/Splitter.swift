internal import StrataBase
internal import StrataObjectModel

/// Builds the intermediate model, and the last model with the renaming identifiers that refer to it.
struct Splitter {
  let matching: ModelMatching
  var middle: ModelDocument
  var last: ModelDocument
  var copies: [VersionChain.Copy] = []
  /// The elements of the source that are removed after copying: an entity, an attribute, or a relationship to a
  /// removed entity.
  var replaced: Set<[String]> = []
  /// Destination entities that are created anew, with their names in the intermediate model.
  private var renewed: [String: String] = [:]
  private var usedNames: Set<String>
  /// The names and identifiers used in the source.
  private let sourceNames: Set<String>

  init(_ matching: ModelMatching) {
    self.matching = matching
    middle = matching.source.model.document
    last = matching.destination.model.document
    sourceNames = Self.names(in: matching.source.model)
    usedNames = sourceNames.union(Self.names(in: matching.destination.model))
  }

  private static func names(in model: ObjectModel) -> Set<String> {
    model.entities.reduce(into: []) { names, entity in
      names.formUnion([entity.name, entity.renamingIdentifier ?? entity.name])
      names.formUnion(entity.propertyNames)
      names.formUnion(entity.attributes.compactMap(\.renamingIdentifier))
      names.formUnion(entity.relationships.compactMap(\.renamingIdentifier))
    }
  }

  /// Adds elements for all obstacles; `false` if one cannot be split.
  mutating func split(_ obstacles: [Finding]) -> Bool {
    let model = matching.destination.model
    for obstacle in obstacles {
      guard case .mergedHierarchies = obstacle.inferenceRule else { continue }
      for name in model.familyNames(of: obstacle.entity) {
        renewed[name] = fresh("Tmp\(name)")
      }
    }
    for name in renewed.keys.sorted() { renew(name) }
    for obstacle in obstacles {
      switch obstacle.inferenceRule {
      case .mergedHierarchies: continue
      case .incompatibleTypes:
        guard renewed[obstacle.entity] != nil || replace(obstacle) else { return false }
      default: return false
      }
    }
    return true
  }

  mutating func fresh(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !usedNames.insert(candidate).inserted {
      candidate = "\(name)\(number)"
      number += 1
    }
    return candidate
  }

  /// A name in the intermediate model for a property whose name is used there: its renaming identifier if that
  /// is unused, as in an earlier split.
  mutating func temporaryName(of property: some Property) -> String {
    if let identifier = property.renamingIdentifier, identifier != property.name,
      !sourceNames.contains(identifier)
    {
      return identifier
    }
    return freshTemporary(property.name)
  }

  private mutating func freshTemporary(_ name: String) -> String {
    fresh("tmp" + name.prefix(1).uppercased() + name.dropFirst())
  }

  // MARK: Attributes

  /// Adds an attribute of the new type next to the old one.
  mutating func replace(_ obstacle: Finding) -> Bool {
    guard let name = obstacle.property,
      let wanted = matching.destination.properties(of: obstacle.entity).attribute(name),
      wanted.property.type != .composite
    else { return false }
    let newName = temporaryName(of: wanted.property)
    let room = Self.room(wanted.property, named: newName)
    let family = matching.destination.model.familyNames(of: wanted.declaringEntity)
    var owners: [(entity: String, attribute: Attribute)] = []
    for pair in matching.pairs where family.contains(pair.destination) {
      guard let oldName = pair.attributes.pairs.first(where: { $0.destination == name })?.source,
        let old = matching.source.properties(of: pair.source).attribute(oldName)
      else { continue }
      if !owners.contains(where: { $0.entity == old.declaringEntity }) {
        owners.append((old.declaringEntity, old.property))
      }
    }
    for (owner, old) in owners {
      let ancestors = matching.source.model.ancestorNames(of: owner)
      guard !owners.contains(where: { ancestors.contains($0.entity) }) else { continue }
      guard let index = middle.entities.firstIndex(where: { $0.name == owner }) else {
        return false
      }
      middle.entities[index].attributes.append(room)
      replaced.insert([owner, old.name])
      copies.append(
        VersionChain.Copy(
          entity: owner,
          kind: .values(
            VersionChain.ValueCopy(
              attribute: old.name, type: old.type, newName: newName, newType: room.type))))
    }
    return last.setIdentifier(newName, ofProperty: name, in: wanted.declaringEntity)
  }

  // MARK: Entities

  /// Adds an entity of the new hierarchy with its temporary name and its relationships.
  private mutating func renew(_ name: String) {
    guard let newName = renewed[name], let wanted = matching.destination.model[name] else { return }
    var entity = Self.room(wanted, named: newName)
    entity.superentityName = entity.superentityName.flatMap { renewed[$0] }
    entity.relationships = entity.relationships.compactMap { relate($0, of: name) }
    let kept = Set(entity.propertyNames)
    entity.uniquenessConstraints.removeAll { !$0.allSatisfy(kept.contains) }
    middle.entities.append(entity)
    if let index = last.entities.firstIndex(where: { $0.name == name }) {
      last.entities[index].renamingIdentifier = newName
    }
    if let old = matching.sourceNames[name] {
      replaced.insert([old, ""])
      copies.append(VersionChain.Copy(entity: old, kind: .objects(to: newName)))
    }
  }

  /// A relationship in the intermediate model; `nil` if its destination does not exist yet.
  private mutating func relate(_ relationship: Relationship, of entity: String) -> Relationship? {
    var relationship = relationship
    relationship.extras.line = 0
    relationship.inverseEntityName = nil
    if let other = renewed[relationship.destinationName] {
      relationship.destinationName = other
      relationship.inverseEntityName = relationship.inverseName.map { _ in other }
      return relationship
    }
    guard let other = matching.sourceNames[relationship.destinationName] else { return nil }
    let inverse = matching.destination.model.inverse(of: relationship)
    relationship.destinationName = other
    relationship.inverseName = nil
    guard let inverse,
      let owner = matching.sourceNames[inverse.declaringEntity],
      let index = middle.entities.firstIndex(where: { $0.name == owner })
    else { return relationship }
    let name = inverse.property.name
    var back = Self.room(
      inverse.property, named: freshTemporary(name), to: renewed[entity] ?? entity)
    (back.inverseName, back.inverseEntityName) = (relationship.name, back.destinationName)
    middle.entities[index].relationships.append(back)
    for pair in matching.pairs where pair.source == owner {
      if let old = pair.relationships.pairs.first(where: { $0.destination == name })?.source {
        replaced.insert([owner, old])
      }
      if pair.isIdentical { replaced.insert([owner, name]) }
    }
    relationship.inverseName = back.name
    relationship.inverseEntityName = other
    last.setIdentifier(back.name, ofProperty: name, in: inverse.declaringEntity)
    return relationship
  }
}
