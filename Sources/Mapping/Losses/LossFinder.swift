package import StrataBase
internal import StrataExpressions
package import StrataObjectModel

/// Finds the losses of inferred and written entity mappings from the models.
///
/// Values that a policy may read are not reported; without its key paths, these are all.
///
/// ```swift
/// let entityMappings = Inference(from: model4, to: model5).mapping?.entityMappings ?? []
/// LossFinder(from: model4, to: model5, by: [entityMappings]).losses.map(\.finding.location.description)
/// // ["Topic.presenterEmail", "Topic.presenterName"]
/// ```
package struct LossFinder {
  package private(set) var losses: [Loss] = []
  private let source: ObjectModel
  private let destination: ObjectModel
  /// The entity mappings that create objects, by the names of their source entities.
  private let mappings: [String: [EntityMapping]]
  /// The key paths that known policies read.
  private let policyReads: [EntityMapping: Set<[String]>]
  /// The cached effects of the entity mappings of source entities.
  private var uses: [String: Use] = [:]
  /// The mapping models that run one after the other, and their names.
  private let parts: [[EntityMapping]]
  private let partNames: [String]
  private let continuation: EntityContinuation
  private let isInferred: Bool
  /// The destination relationships that have a value.
  private lazy var mappedEnds = MappedEnds(parts.joined(), to: destination)
  private lazy var continuedEnds = ContinuedEnds(
    entityMappings: parts.flatMap(\.self), named: isInferred ? [] : parts.flatMap(\.self),
    source: source, destination: destination)
  /// The cached entities that a relationship loses, by the relationship and its new destination.
  private var knownLeft: [Ends: [String]] = [:]
  /// The indexes of the losses, by finding, to report each inherited property once.
  private var lossIndices: [Finding: Int] = [:]

  private struct Ends: Hashable {
    var old: PropertyID
    var destination: String
  }

  /// The effects of the entity mappings of a source entity.
  private struct Use {
    var mappings: [(mapping: EntityMapping, copied: CopiedAttributes)]
    /// `nil` if unknown.
    var read: ReadPaths?
  }

  /// The losses of inference.
  init(_ matching: ModelMatching, by mapping: MappingModel) {
    self.init(
      from: matching.source.model, to: matching.destination.model, by: [mapping.entityMappings],
      besides: matching.keptEntities, isInferred: true)
  }

  /// - Parameters:
  ///   - parts: The entity mappings of each mapping model.
  ///   - names: The names of the mapping models.
  ///   - kept: Source entities without losses.
  ///   - policyReads: The key paths of the source objects that the policies of entity mappings read in addition to
  ///     them, if they are known.
  ///   - isInferred: Whether the mapping model is inferred.
  package init(
    from source: ObjectModel, to destination: ObjectModel, by parts: [[EntityMapping]],
    named names: [String] = [], besides kept: Set<String> = [],
    policyReads: [EntityMapping: Set<[String]>] = [:], isInferred: Bool = false
  ) {
    (self.source, self.destination) = (source, destination)
    self.policyReads = policyReads
    (self.parts, partNames) = (parts, names)
    let mappings = parts.flatMap(\.self)
    self.mappings = Dictionary(
      grouping: mappings.filter { $0.sourceName != nil && $0.destinationName != nil },
      by: { $0.sourceName ?? "" })
    continuation = EntityContinuation(mappings, from: source, to: destination)
    self.isInferred = isInferred
    for entity in source.entityNames
    where !kept.contains(entity) && source[entity]?.isAbstract == false {
      find(in: entity)
    }
  }

  private mutating func find(in entity: String) {
    let continued = mappings[entity] ?? []
    guard let first = continued.first?.destinationName else {
      let rule = destination[entity] == nil ? LossRule.removedEntity : .unreadEntity
      return add(rule, .objects, at: entity, nil, of: entity, nil)
    }
    let isKept = continued.contains { mapping in
      mapping.destinationName.flatMap { destination[$0] }?.isAbstract != true
    }
    guard isKept else { return add(.becameAbstract, .objects, at: first, nil, of: entity, nil) }
    findUnread(of: entity, continued)
    for (mapping, copied) in use(of: entity).mappings {
      findNarrowedNumbers(mapping, copied, entity)
      findNarrowedLinks(mapping, entity)
    }
  }

  private mutating func use(of entity: String) -> Use {
    if let known = uses[entity] { return known }
    let copying = (mappings[entity] ?? []).map {
      (mapping: $0, copied: CopiedAttributes($0, from: source, to: destination))
    }
    let use = Use(mappings: copying, read: ReadPaths(copying, policyReads))
    uses[entity] = use
    return use
  }

  /// An equal finding of another entity, or of another entity mapping with a filter, only adds a source of the lost
  /// data.
  ///
  /// - Parameter mappings: The entity mappings whose objects have the loss; empty for all objects.
  private mutating func add(
    _ rule: LossRule, _ kind: Loss.Kind, at entity: String, _ property: String?,
    of sourceEntity: String, _ sourceProperty: String?, by mappings: [EntityMapping] = []
  ) {
    let finding = Finding(rule, at: FindingLocation(entity: entity, property: property))
    let filters = mappings.compactMap(\.filter)
    let source = Loss.Source(
      entity: sourceEntity, property: sourceProperty,
      filters: filters.count == mappings.count ? filters : [])
    if let index = lossIndices[finding] {
      if !losses[index].sources.contains(source) { losses[index].sources.append(source) }
    } else {
      lossIndices[finding] = losses.count
      losses.append(Loss(kind: kind, finding: finding, sources: [source]))
    }
  }

  // MARK: Unread properties

  private mutating func findUnread(of entity: String, _ continued: [EntityMapping]) {
    guard let read = use(of: entity).read else { return }
    let destinations = Set(continued.compactMap(\.destinationName))
    // The lost elements of a composite attribute that is kept are listed.
    let mapped = Set(
      continued.flatMap(\.attributeMappings).flatMap { $0.expression?.pathsOfSource ?? [] }
        .compactMap(\.first))
    for attribute in source.allAttributes(of: entity) where !attribute.property.isTransient {
      let leaves = source.storedNames(of: attribute.property)
      let unread = leaves.filter { !read.contains($0) }
      for leaf in unread {
        let name = mapped.contains(attribute.property.name) ? leaf : attribute.property.name
        add(
          unreadRule(name, destinations, isRelationship: false), .values,
          at: place(of: leaf, declaredBy: attribute.declaringEntity, readBy: entity), name,
          of: entity, leaf, by: continued)
      }
    }
    for relationship in source.allRelationships(of: entity)
    where !relationship.property.isTransient && !read.contains(relationship.property.name) {
      let name = relationship.property.name
      let ends = mappedEnds
      let unset = destinations.sorted().lazy.compactMap { ends.unsetEnd(named: name, of: $0) }.first
      if let own = unset {
        add(
          .unread(isRelationship: true), .linksOfObjects, at: own.declaringEntity, name, of: entity,
          name)
        continue
      }
      guard let inverse = readInverse(of: relationship, by: destinations) else {
        let isOfOthers =
          readInverse(of: relationship, by: nil) != nil
          || isRead(name, declaredBy: relationship.declaringEntity, besides: entity)
        add(
          unreadRule(name, destinations, isRelationship: true),
          isOfOthers ? .linksOfObjects : .links,
          at: isOfOthers ? entity : relationship.declaringEntity, name, of: entity, name)
        continue
      }
      // The links of the inverse have no order.
      let ordered = destinations.lazy.flatMap(destination.allRelationships).first {
        $0.property.isOrdered && $0.property.isToMany
          && inverse.contains($0.property.inverseName ?? "")
      }
      if relationship.property.isOrdered, relationship.property.isToMany, let ordered {
        add(
          .unordered(isMapped: false), .order, at: ordered.declaringEntity, ordered.property.name,
          of: entity, name, by: continued)
      }
    }
  }

  /// The entity of which the loss of an inherited property is reported: that which declares it if none of its entities
  /// keeps it.
  private mutating func place(
    of property: String, declaredBy owner: String, readBy entity: String
  ) -> String {
    isRead(property, declaredBy: owner, besides: entity) ? entity : owner
  }

  /// Whether another entity keeps an inherited property.
  private mutating func isRead(
    _ property: String, declaredBy owner: String, besides entity: String
  ) -> Bool {
    for other in source.familyNames(of: owner) where other != entity && mappings[other] != nil {
      if use(of: other).read?.contains(property) == true { return true }
    }
    return false
  }

  /// The loss rule of an unread property, by the destination element with its name.
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

  /// The names of the destination relationships that read the other end of a relationship, which keeps its links; `nil` if
  /// none does. They are empty if it may be read in any way.
  ///
  /// - Parameter entities: The entities of the new objects, which may no longer be destinations of the other end; `nil`
  ///   for any.
  private mutating func readInverse(
    of relationship: Declared<Relationship>, by entities: Set<String>?
  ) -> Set<String>? {
    guard let inverse = source.inverse(of: relationship.property)?.property.name else { return nil }
    let other = relationship.property.destinationName
    for entity in source.familyNames(of: other) where mappings[entity] != nil {
      let use = use(of: entity)
      guard use.read?.contains(inverse) != false else { continue }
      let readers = use.mappings.flatMap { mapping, _ in
        mapping.relationshipMappings.filter {
          $0.expression?.pathsOfSource?.contains([inverse]) == true
        }.map { (name: $0.name, entity: mapping.destinationName ?? "") }
      }
      let fitting = readers.filter { reader in
        guard let end = destination.relationship(reader.name, of: reader.entity) else {
          return false
        }
        guard let entities else { return true }
        return !entities.isDisjoint(
          with: destination.familyNames(of: end.property.destinationName))
      }
      if fitting.isEmpty, !readers.isEmpty { continue }
      return Set(fitting.map(\.name))
    }
    return nil
  }

  // MARK: Conversions

  private mutating func findNarrowedNumbers(
    _ mapping: EntityMapping, _ copied: CopiedAttributes, _ entity: String
  ) {
    guard let name = mapping.destinationName else { return }
    for property in mapping.attributeMappings {
      for (old, new) in copied.pairs(property) ?? []
      where old.type.isNumber && new.type.isNumber && !new.type.holds(old.type) {
        let declared = destination.attribute(property.name, of: name)?.declaringEntity ?? name
        add(
          .narrowedNumber(from: old.type, to: new.type), .numbers(new.type), at: declared,
          new.name, of: entity, old.name, by: [mapping])
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
        self.add(
          rule, kind, at: new.declaringEntity, property.name, of: entity, key, by: [mapping])
      }
      let (before, after) = (old.property, new.property)
      if !continuation.isContinued(from: before.destinationName, to: after.destinationName) {
        add(.retargeted(from: before.destinationName, to: after.destinationName), .links)
      } else if let part = otherPart(for: entity, before, after), !isOfFirstEnd(new) {
        add(.acrossParts(to: after.destinationName, part: part), .links)
      } else if !after.isToMany, destination.isOwnInverse(after, declaredBy: new.declaringEntity),
        !source.isOwnInverse(before, declaredBy: old.declaringEntity)
      {
        add(.ownInverse, .unpaired)
      } else if let others = overruling(new) {
        add(.overruled(by: others), .unpaired)
      } else {
        if before.isToMany, !after.isToMany {
          add(.narrowed, .others)
        } else if before.isToMany, before.isOrdered, !after.isOrdered {
          add(.unordered(isMapped: true), .order)
        }
        if source.isShared(before), !destination.isShared(after), !mapsOtherEnd(before, after) {
          add(.exclusive, .shared)
        }
        let others = entitiesLeft(by: old, to: after.destinationName)
        if !others.isEmpty {
          add(
            .narrowerDestination(to: after.destinationName, without: others), .linksTo(Set(others)))
        }
      }
    }
  }

  /// The names of the source relationships whose links replace those of a destination relationship.
  private mutating func overruling(_ end: Declared<Relationship>) -> [String]? {
    guard destination.inverse(of: end.property)?.precedes(end) == true else { return nil }
    let names = continuedEnds.overruling(end).map(\.qualifiedName).sorted()
    return names.isEmpty ? nil : names
  }

  /// Whether the inverse of a relationship is continued by that of the new one, so that its losses are found there.
  private mutating func mapsOtherEnd(_ before: Relationship, _ after: Relationship) -> Bool {
    guard let old = source.inverse(of: before)?.property.name,
      let new = destination.inverse(of: after)
    else { return false }
    return mappedEnds.copies(old, to: new)
  }

  /// The source entities at the other end of a relationship whose objects are kept, but become objects that the new
  /// relationship does not take. Where nothing reads the inverse, its loss is found there.
  private mutating func entitiesLeft(
    by old: Declared<Relationship>, to new: String
  ) -> [String] {
    let ends = Ends(old: old.id, destination: new)
    if let known = knownLeft[ends] { return known }
    let inverse = source.inverse(of: old.property)?.property.name
    let taken = Set(destination.familyNames(of: new))
    var left: [String] = []
    for other in source.familyNames(of: old.property.destinationName)
    where source[other]?.isAbstract == false {
      let created = (mappings[other] ?? []).compactMap(\.destinationName)
      guard !created.isEmpty, !created.contains(where: taken.contains) else { continue }
      if let inverse, use(of: other).read?.contains(inverse) == false { continue }
      left.append(other)
    }
    left.sort()
    knownLeft[ends] = left
    return left
  }

  /// The part that creates the objects at the other end of a relationship, if no part that reads the objects of
  /// the entity does.
  private func otherPart(
    for entity: String, _ before: Relationship, _ after: Relationship
  ) -> String? {
    guard parts.count > 1 else { return nil }
    let family = destination.familyNames(of: after.destinationName)
    let creating = parts.indices.filter { index in
      parts[index].contains { mapping in
        mapping.destinationName.map(family.contains) == true
          && mapping.sourceName.map { source.isRelated($0, to: before.destinationName) } == true
      }
    }
    let isReading = creating.contains { index in
      parts[index].contains { $0.sourceName == entity && $0.destinationName != nil }
    }
    guard !isReading, let first = creating.first else { return nil }
    return partNames.indices.contains(first) ? partNames[first] : "part \(first + 1)"
  }

  /// Whether the links of a relationship are already reported for its mapped inverse.
  private mutating func isOfFirstEnd(_ end: Declared<Relationship>) -> Bool {
    guard let inverse = destination.inverse(of: end.property), inverse.precedes(end) else {
      return false
    }
    return mappedEnds.contains(inverse)
  }
}

extension AttributeType {
  /// Whether this type can represent every number of another type.
  package func holds(_ other: AttributeType) -> Bool {
    switch self {
    case other: true
    // A Double has a greater range.
    case .decimal: other != .double
    case .double: [.boolean, .integer16, .integer32, .float].contains(other)
    case .float: [.boolean, .integer16].contains(other)
    case .integer64: [.boolean, .integer16, .integer32].contains(other)
    case .integer32: [.boolean, .integer16].contains(other)
    case .integer16: other == .boolean
    default: false
    }
  }
}
