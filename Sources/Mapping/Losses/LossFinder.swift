internal import StrataDiagnostics
internal import StrataExpressions
package import StrataObjectModel
package import StrataValues

/// Finds what entity mappings lose, by the models alone: for inference and mapping models alike.
///
/// What a policy does is not known: nothing is said of what it may read.
///
/// ```swift
/// LossFinder(from: first, to: second, by: mapping.entityMappings).losses
/// // Topic.presenterName is removed; its values are lost
/// ```
package struct LossFinder {
  package private(set) var losses: [Loss] = []
  private let source: ObjectModel
  private let destination: ObjectModel
  /// By the names of their source entities.
  private let mappings: [String: [EntityMapping]]
  private let read: [String: ReadPaths]
  /// Source entities by the destination entities that their objects become.
  private let origins: [String: Set<String>]
  /// What was said of an inherited property, to say it once: where it is declared.
  private var places: [Finding: Int] = [:]

  package init(
    from source: ObjectModel, to destination: ObjectModel, by mappings: [EntityMapping]
  ) {
    (self.source, self.destination) = (source, destination)
    let taking = Dictionary(
      grouping: mappings.filter { $0.sourceName != nil }, by: { $0.sourceName ?? "" })
    self.mappings = taking
    read = taking.compactMapValues { ReadPaths($0, from: source, to: destination) }
    origins = Dictionary(grouping: mappings, by: { $0.destinationName ?? "" }).mapValues {
      Set($0.compactMap(\.sourceName))
    }
    for entity in source.entityNames where source[entity]?.isAbstract == false { find(in: entity) }
  }

  private mutating func find(in entity: String) {
    let continued = (mappings[entity] ?? []).filter { $0.destinationName != nil }
    guard let first = continued.first?.destinationName else {
      let rule = destination[entity] == nil ? LossRule.removedEntity : .unreadEntity
      return add(rule, .objects, at: entity, nil, of: entity, nil)
    }
    let isKept = continued.contains { mapping in
      mapping.destinationName.flatMap { destination[$0] }?.isAbstract != true
    }
    guard isKept else { return add(.becameAbstract, .objects, at: first, nil, of: entity, nil) }
    findUnread(of: entity, continued)
    for mapping in continued {
      findNarrowedNumbers(mapping, entity)
      findNarrowedLinks(mapping, entity)
    }
  }

  /// The same finding of another entity only adds where to look.
  private mutating func add(
    _ rule: LossRule, _ kind: Loss.Kind, at entity: String, _ property: String?,
    of sourceEntity: String, _ sourceProperty: String?
  ) {
    let finding = Finding(rule, at: FindingPlace(entity: entity, property: property))
    let source = Loss.Source(entity: sourceEntity, property: sourceProperty)
    if let place = places[finding] {
      if !losses[place].sources.contains(source) { losses[place].sources.append(source) }
    } else {
      places[finding] = losses.count
      losses.append(Loss(kind: kind, finding: finding, sources: [source]))
    }
  }

  // MARK: Properties that nothing reads

  private mutating func findUnread(of entity: String, _ continued: [EntityMapping]) {
    guard let read = read[entity] else { return }
    let destinations = Set(continued.compactMap(\.destinationName))
    // Of a composite attribute that goes on without some elements, those are listed.
    let goingOn = Set(
      continued.flatMap(\.attributeMappings).flatMap { $0.expression?.pathsOfSource ?? [] }
        .compactMap(\.first))
    for attribute in source.allAttributes(of: entity) where !attribute.property.isTransient {
      let leaves = source.storedNames(of: attribute.property)
      let unread = leaves.filter { !read.contains($0) }
      for leaf in unread {
        let name = goingOn.contains(attribute.property.name) ? leaf : attribute.property.name
        add(
          unreadRule(name, destinations, isRelationship: false), .values,
          at: attribute.declaringEntity, name, of: entity, leaf)
      }
    }
    for relationship in source.allRelationships(of: entity)
    where !relationship.property.isTransient && !read.contains(relationship.property.name)
      && !isInverseRead(of: relationship)
    {
      let name = relationship.property.name
      add(
        unreadRule(name, destinations, isRelationship: true), .links,
        at: relationship.declaringEntity, name, of: entity, name)
    }
  }

  /// What the destination has under the name of a property that nothing reads.
  private func unreadRule(
    _ name: String, _ destinations: Set<String>, isRelationship: Bool
  ) -> LossRule {
    for entity in destinations {
      if let attribute = destination.attribute(name, of: entity)?.property {
        guard !attribute.isTransient else {
          return .becameTransient(isRelationship: isRelationship)
        }
        return isRelationship ? .becameAttribute : .unread(isRelationship: false)
      }
      if let relationship = destination.relationship(name, of: entity)?.property {
        guard !relationship.isTransient else {
          return .becameTransient(isRelationship: isRelationship)
        }
        return isRelationship
          ? .unread(isRelationship: true)
          : .becameRelationship(destination: relationship.destinationName)
      }
    }
    return .removed(isRelationship: isRelationship)
  }

  /// Links are kept by the other end, where that is read.
  private func isInverseRead(of relationship: Declared<Relationship>) -> Bool {
    guard let inverse = source.inverse(of: relationship.property) else { return false }
    let other = relationship.property.destinationName
    return ([other] + source.descendantNames(of: other)).contains { entity in
      mappings[entity]?.contains { $0.destinationName != nil } == true
        && read[entity]?.contains(inverse.property.name) != false
    }
  }

  // MARK: Conversions

  private mutating func findNarrowedNumbers(_ mapping: EntityMapping, _ entity: String) {
    let copied = CopiedAttributes(mapping, from: source, to: destination)
    guard let name = mapping.destinationName else { return }
    for property in mapping.attributeMappings {
      for (old, new) in copied.pairs(property) ?? []
      where old.type.isNumber && new.type.isNumber && !new.type.holds(old.type) {
        let declared = destination.attribute(property.name, of: name)?.declaringEntity ?? name
        add(
          .narrowedNumber(from: old.type, to: new.type), .numbers(new.type), at: declared,
          new.name, of: entity, old.name)
      }
    }
  }

  // MARK: Relationships

  private mutating func findNarrowedLinks(_ mapping: EntityMapping, _ entity: String) {
    guard let name = mapping.destinationName else { return }
    for property in mapping.relationshipMappings {
      guard let paths = property.expression?.pathsOfSource, paths.count == 1,
        let path = paths.first, path.count == 1, let key = path.first,
        let old = source.relationship(key, of: entity),
        let new = destination.relationship(property.name, of: name)
      else { continue }
      func add(_ rule: LossRule, _ kind: Loss.Kind) {
        self.add(rule, kind, at: new.declaringEntity, property.name, of: entity, key)
      }
      let (before, after) = (old.property, new.property)
      if !leadsOn(from: before.destinationName, to: after.destinationName) {
        add(.retargeted(from: before.destinationName, to: after.destinationName), .links)
      } else if before.isToMany, !after.isToMany {
        add(.narrowed, .others)
      } else if before.isToMany, before.isOrdered, !after.isOrdered {
        add(.unordered, .order)
      }
    }
  }

  /// Whether objects of the one entity, or of one above or below it, become such of the other.
  private func leadsOn(from old: String, to new: String) -> Bool {
    let family = [new] + destination.descendantNames(of: new)
    return family.contains { name in
      (origins[name] ?? []).contains { origin in
        origin == old || source.ancestorNames(of: origin).contains(old)
          || source.ancestorNames(of: old).contains(origin)
      }
    }
  }
}

extension AttributeType {
  /// Whether every number of another number type has its place in this one.
  package func holds(_ other: AttributeType) -> Bool {
    switch self {
    case other, .decimal: true
    case .double: [.boolean, .integer16, .integer32, .float].contains(other)
    case .float: [.boolean, .integer16].contains(other)
    case .integer64: [.boolean, .integer16, .integer32].contains(other)
    case .integer32: [.boolean, .integer16].contains(other)
    case .integer16: other == .boolean
    default: false
    }
  }
}
