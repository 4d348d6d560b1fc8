internal import StrataBase
internal import StrataObjectModel

/// Keeps the values that an inferred mapping model would lose.
extension Splitter {
  /// Adds elements for the values of warnings that the destination can store.
  mutating func keepValues(_ warnings: [Finding]) {
    var moved: [String: [String]] = [:]
    for warning in warnings {
      // The values of copied objects are copied with them.
      let source = matching.sourceNames[warning.entity] ?? warning.entity
      guard let property = warning.property, !replaced.contains([source, ""]) else { continue }
      switch warning.lossRule {
      case .narrowedNumber(_, let type) where Self.splits(numbersTo: type): _ = replace(warning)
      case .unmatchedRename(let old, let new, _) where old == new: readd(new, in: warning.entity)
      case .unmatchedSplit(_, let parts): divide(property, of: warning.entity, into: parts)
      case .becameRelationship: link(property, of: warning.entity)
      case .removed(isRelationship: false):
        guard let again = sameName(property, of: warning.entity) else {
          moved[warning.entity, default: []].append(property)
          continue
        }
        readd(property, in: again)
      default: continue
      }
    }
    for (entity, attributes) in moved.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      move(attributes, of: entity)
    }
  }

  /// Whether a conversion to this type loses fractions or whole numbers, so it requires an intermediate
  /// version.
  static func splits(numbersTo type: AttributeType) -> Bool { type.wholeNumbers != nil }

  /// The destination entity that has an attribute of another type with the same name and its own identifier,
  /// from an earlier split.
  private func sameName(_ name: String, of entity: String) -> String? {
    guard let pair = pair(ofSource: entity), pair.attributes.added.contains(name) else {
      return nil
    }
    return pair.destination
  }

  private func pair(ofSource entity: String) -> ModelMatching.Pair? {
    matching.pairs.first { $0.source == entity && !$0.isIdentical }
  }

  private func isFree(_ name: String, in entity: String) -> Bool {
    let model = matching.source.model
    let family = model.lineageNames(of: entity) + model.descendantNames(of: entity)
    return !family.contains { owner in
      middle.entities.first { $0.name == owner }?.propertyNames.contains(name) == true
    }
  }

  private mutating func edit(_ entity: String, _ body: (inout Entity) -> Void) {
    guard let index = middle.entities.firstIndex(where: { $0.name == entity }) else { return }
    body(&middle.entities[index])
  }

  // MARK: Attributes

  /// An attribute whose renaming identifier distinguishes it from the source attribute with its name.
  private mutating func readd(_ name: String, in destination: String) {
    guard let pair = matching.pairs.first(where: { $0.destination == destination }),
      let old = matching.source.properties(of: pair.source).attribute(name),
      let new = matching.destination.properties(of: destination).attribute(name),
      old.declaringEntity == pair.source, new.declaringEntity == destination
    else { return }
    let newName = temporaryName(of: new.property)
    guard isFree(newName, in: pair.source),
      last.setIdentifier(newName, ofProperty: name, in: destination)
    else { return }
    edit(pair.source) { $0.attributes.append(Self.room(new.property, named: newName)) }
    replaced.insert([pair.source, name])
    copies.append(
      VersionChain.Copy(
        entity: pair.source,
        kind: .values(
          VersionChain.ValueCopy(
            attribute: name, type: old.property.type, newName: newName, newType: new.property.type))
      ))
  }

  /// A string that is split into several attributes.
  private mutating func divide(_ name: String, of entity: String, into parts: [String]) {
    guard let pair = pair(ofSource: entity),
      matching.source.properties(of: entity).attribute(name)?.property.type == .string
    else { return }
    let after = matching.destination.properties(of: pair.destination)
    let rooms = parts.compactMap { after.attribute($0) }
    guard rooms.count == parts.count, parts.allSatisfy({ isFree($0, in: entity) }),
      rooms.allSatisfy({ $0.declaringEntity == pair.destination })
    else { return }
    edit(entity) {
      $0.attributes += rooms.map { Self.room($0.property, named: $0.property.name) }
    }
    // An element that already has its final name in the intermediate model keeps it, regardless of its identifier.
    for part in parts { last.setIdentifier(part, ofProperty: part, in: pair.destination) }
    replaced.insert([entity, name])
    copies.append(VersionChain.Copy(entity: entity, kind: .parts(of: name, to: parts)))
  }

  // MARK: Objects

  /// An attribute that becomes a relationship of the same name: its values are copied to the objects of the
  /// relationship.
  private mutating func link(_ name: String, of entity: String) {
    guard let pair = pair(ofSource: entity),
      let old = matching.source.properties(of: entity).attribute(name)?.property,
      let relationship = matching.destination.properties(of: pair.destination).relationship(name),
      let attribute = attribute(for: old, in: relationship.property.destinationName)
    else { return }
    link(
      [VersionChain.LinkedCopy.Pair(old: name, new: attribute)], of: pair,
      by: relationship.property,
      declaredBy: relationship.declaringEntity)
  }

  /// The attribute of an entity for the values: the only one of their type, or the one with a matching name.
  private func attribute(for old: Attribute, in entity: String) -> String? {
    let known = matching.destination.properties(of: entity).attributes.map(\.property)
      .filter { $0.type == old.type && !$0.isDerived && $0.type != .composite }
    if known.count == 1 { return known[0].name }
    let named = known.filter { $0.name == old.name }
    return (named.isEmpty ? known.filter { $0.name == "name" } : named).first?.name
  }

  /// Attributes that move to a new entity, the destination of a new to-one relationship.
  private mutating func move(_ attributes: [String], of entity: String) {
    guard let pair = pair(ofSource: entity) else { return }
    let before = matching.source.properties(of: entity)
    let after = matching.destination.properties(of: pair.destination)
    let added = Set(matching.entities.added)
    for name in pair.relationships.added {
      guard let relationship = after.relationship(name), !relationship.property.isToMany,
        added.contains(relationship.property.destinationName)
      else { continue }
      let held = matching.destination.properties(of: relationship.property.destinationName)
      let pairs = attributes.filter { attribute in
        let old = before.attribute(attribute)?.property.type
        return old != nil && held.attribute(attribute)?.property.type == old
          && !replaced.contains([entity, attribute])
      }
      guard !pairs.isEmpty else { continue }
      link(
        pairs.map { VersionChain.LinkedCopy.Pair(old: $0, new: $0) }, of: pair,
        by: relationship.property, declaredBy: relationship.declaringEntity)
    }
  }

  /// Adds the entity if it is new, the relationship to it, and the copies.
  private mutating func link(
    _ attributes: [VersionChain.LinkedCopy.Pair], of pair: ModelMatching.Pair,
    by relationship: Relationship, declaredBy owner: String
  ) {
    let other = relationship.destinationName
    let inverse = matching.destination.model.inverse(of: relationship)?.property
    guard !relationship.isToMany, owner == pair.destination,
      inverse.map({ matching.destination.model[other]?.propertyNames.contains($0.name) == true })
        ?? true
    else { return }
    guard
      let target = matching.sourceNames[other].map({ knownEntity($0, attributes, other) })
        ?? newEntity(other)
    else { return }
    let name =
      isFree(relationship.name, in: pair.source)
      ? relationship.name : temporaryName(of: relationship)
    guard isFree(name, in: pair.source) else { return }
    let back = inverse.map { isFree($0.name, in: target) ? $0.name : temporaryName(of: $0) }
    var room = Self.room(relationship, named: name, to: target)
    (room.inverseName, room.inverseEntityName) = (back, back.map { _ in target })
    edit(pair.source) { $0.relationships.append(room) }
    last.setIdentifier(name, ofProperty: relationship.name, in: pair.destination)
    if let inverse, let back {
      var end = Self.room(inverse, named: back, to: pair.source)
      (end.inverseName, end.inverseEntityName) = (name, pair.source)
      edit(target) { $0.relationships.append(end) }
      last.setIdentifier(back, ofProperty: inverse.name, in: other)
    }
    for attribute in attributes { replaced.insert([pair.source, attribute.old]) }
    copies.append(
      VersionChain.Copy(
        entity: pair.source,
        kind: .linked(
          VersionChain.LinkedCopy(
            relationship: name, entity: target, attributes: attributes,
            isShared: inverse?.isToMany == true && attributes.count == 1))))
  }

  /// An existing entity that already has the attributes, by its source name.
  private func knownEntity(
    _ name: String, _ attributes: [VersionChain.LinkedCopy.Pair], _ destination: String
  ) -> String? {
    let known = matching.source.properties(of: name)
    let after = matching.destination.properties(of: destination)
    let hasAll = attributes.allSatisfy {
      known.attribute($0.new)?.property.type == after.attribute($0.new)?.property.type
    }
    return hasAll && matching.source.model[name]?.isAbstract == false ? name : nil
  }

  /// Adds a new entity of the destination to the intermediate model, without its relationships.
  private mutating func newEntity(_ name: String) -> String? {
    if middle.entities.contains(where: { $0.name == name }) {
      return matching.source.model[name] == nil ? name : nil
    }
    guard let wanted = matching.destination.model[name], !wanted.isAbstract,
      wanted.superentityName == nil,
      let index = last.entities.firstIndex(where: { $0.name == name })
    else { return nil }
    var entity = Self.room(wanted, named: name)
    entity.attributes = entity.attributes.filter { !$0.isDerived }
      .map { Self.room($0, named: $0.name) }
    entity.relationships = []
    entity.uniquenessConstraints = []
    middle.entities.append(entity)
    last.entities[index].renamingIdentifier = nil
    for attribute in entity.attributes {
      last.setIdentifier(attribute.name, ofProperty: attribute.name, in: name)
    }
    return name
  }
}
