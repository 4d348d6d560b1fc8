internal import StrataDiagnostics
internal import StrataObjectModel
internal import StrataValues

/// Finds everything that stands in the way of inference, and everything that its success hides.
///
/// Source: facts on inference, sections 1, 4 and 5.
struct ObstacleFinder {
  let matching: ModelMatching
  private(set) var obstacles: [Finding] = []
  private(set) var warnings: [Finding] = []
  /// What was said of an inherited property, to say it once: where it is declared.
  private var told: Set<Finding> = []
  private var budget = RenameProposal.Budget()

  init(_ matching: ModelMatching) {
    self.matching = matching
  }

  private var source: ObjectModel { matching.source.model }
  private var destination: ObjectModel { matching.destination.model }

  // MARK: Obstacles

  mutating func findObstacles() {
    note(matching.entities.ambiguous, entity: nil)
    findMergedHierarchies()
    for pair in matching.pairs where !pair.isIdentical {
      note(pair.attributes.ambiguous, entity: pair.destination)
      note(pair.relationships.ambiguous, entity: pair.destination)
      let before = matching.source.properties(of: pair.source)
      let after = matching.destination.properties(of: pair.destination)
      for (old, new) in pair.attributes.pairs {
        guard let old = before.attribute(old), let new = after.attribute(new) else { continue }
        findTypeObstacles(old.property, new, entity: pair.destination)
      }
    }
  }

  private mutating func findTypeObstacles(
    _ old: Attribute, _ new: Declared<Attribute>, entity: String
  ) {
    if old.type != new.property.type {
      guard !old.type.isNumber || !new.property.type.isNumber else { return }
      tell(
        .incompatibleTypes(from: old.type.name, to: new.property.type.name), of: new,
        entity: entity, asObstacle: true)
    } else if old.type == .composite {
      let before = source.storedAttributes(of: old)
      for leaf in destination.storedAttributes(of: new.property) {
        let path = leaf.elementPath(in: new.property.name)
        guard let same = before.first(where: { $0.elementPath(in: old.name) == path }),
          same.type != leaf.type,
          !same.type.isNumber || !leaf.type.isNumber
        else { continue }
        tell(
          .incompatibleTypes(from: same.type.name, to: leaf.type.name), of: new,
          named: leaf.name, entity: entity, asObstacle: true)
      }
    }
  }

  private mutating func note(_ ambiguous: [NameMatching.Ambiguity], entity: String?) {
    for element in ambiguous {
      let reason: InferenceRule =
        element.rivals.isEmpty
        ? .ambiguousIdentifier(sources: element.sources)
        : .rivalIdentifiers(others: element.rivals, source: element.sources.first ?? "")
      let obstacle = Finding(
        reason, entity: entity ?? element.destination,
        property: entity == nil ? nil : element.destination)
      guard let entity, let declared = declaration(of: element.destination, entity) else {
        obstacles.append(obstacle)
        continue
      }
      var original = obstacle
      original.place.entity = declared
      if told.insert(original).inserted { obstacles.append(original) }
    }
  }

  private func declaration(of property: String, _ entity: String) -> String? {
    let known = matching.destination.properties(of: entity)
    return known.attribute(property)?.declaringEntity
      ?? known.relationship(property)?.declaringEntity
  }

  /// Entities without a common ancestor in the source must not get one in the destination.
  private mutating func findMergedHierarchies() {
    var roots: [String: Set<String>] = [:]
    for pair in matching.pairs {
      roots[destination.rootName(of: pair.destination), default: []]
        .insert(source.rootName(of: pair.source))
    }
    for (root, merged) in roots.sorted(by: { $0.key.precedesInBytes($1.key) })
    where merged.count > 1 {
      obstacles.append(
        Finding(
          .mergedHierarchies(roots: merged.sorted { $0.precedesInBytes($1) }), entity: root))
    }
  }

  // MARK: Warnings

  mutating func findWarnings() {
    for pair in matching.pairs {
      findEntityWarnings(pair)
      guard !pair.isIdentical else { continue }
      findAttributeWarnings(pair)
      findRelationshipWarnings(pair)
      findLosses(pair)
    }
    // An abstract entity has no objects of its own to lose.
    for name in matching.entities.removed where source[name]?.isAbstract != true {
      if let heir = RenameProposal.heir(of: name, in: matching, budget: &budget) {
        warnings.append(
          Finding(
            .unmatchedRename(of: name, to: heir.name, score: heir.score), entity: heir.name))
      } else {
        warnings.append(Finding(.lostEntity, entity: name))
      }
    }
  }

  private mutating func findEntityWarnings(_ pair: ModelMatching.Pair) {
    guard let old = source[pair.source], let new = destination[pair.destination] else { return }
    if !old.isAbstract, new.isAbstract {
      warnings.append(Finding(.becameAbstract, entity: new.name))
    }
    for constraint in new.uniquenessConstraints {
      let names = matching.sourceNames(
        of: pair, \.attributes,
        allNames: matching.destination.properties(of: new.name).attributes.map(\.property.name))
      let before = constraint.map { names[$0] ?? $0 }
      guard !old.uniquenessConstraints.contains(where: { Set($0) == Set(before) }) else { continue }
      warnings.append(Finding(.newConstraint(constraint), entity: new.name))
    }
  }

  private mutating func findAttributeWarnings(_ pair: ModelMatching.Pair) {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    let names = matching.sourceNames(of: pair, \.attributes, allNames: [])
    for new in after.attributes {
      let attribute = new.property
      guard let old = names[attribute.name].flatMap({ before.attribute($0) })?.property else {
        if before.transient.contains(attribute.name) {
          tell(.becamePersistent, of: new, entity: pair.destination)
        }
        if needsDefault(attribute) {
          tell(.missingDefault(isNew: true), of: new, entity: pair.destination)
        }
        if attribute.isDerived { tell(.notComputed, of: new, entity: pair.destination) }
        continue
      }
      if old.isOptional, needsDefault(attribute) {
        tell(.missingDefault(isNew: false), of: new, entity: pair.destination)
      }
      findElementWarnings(old, new, pair)
      if old.type.isNumber, attribute.type.isNumber, !attribute.type.holds(old.type) {
        tell(
          .narrowedNumber(from: old.type.name, to: attribute.type.name), of: new,
          entity: pair.destination)
      }
      if attribute.isDerived, old.derivation != attribute.derivation {
        tell(.notComputed, of: new, entity: pair.destination)
      }
      if old.type == attribute.type,
        old.versionHashModifier != attribute.versionHashModifier, !attribute.isDerived
      {
        tell(.copiedUnchanged, of: new, entity: pair.destination)
      }
    }
  }

  /// Elements of a composite attribute go on under their names alone: no source shows that Core Data follows
  /// their renaming identifiers.
  private mutating func findElementWarnings(
    _ old: Attribute, _ new: Declared<Attribute>, _ pair: ModelMatching.Pair
  ) {
    guard old.type == .composite, new.property.type == .composite else { return }
    let after = destination.storedAttributes(of: new.property)
    let before = matching.source.properties(of: pair.source).attribute(old.name)
    for leaf in source.storedAttributes(of: old) {
      let path = leaf.elementPath(in: old.name)
      guard let same = after.first(where: { $0.elementPath(in: new.property.name) == path }) else {
        if let before { tell(.lostProperty, of: before, named: leaf.name, entity: pair.source) }
        continue
      }
      if leaf.type.isNumber, same.type.isNumber, !same.type.holds(leaf.type) {
        tell(
          .narrowedNumber(from: leaf.type.name, to: same.type.name), of: new, named: same.name,
          entity: pair.destination)
      }
    }
  }

  private func needsDefault(_ attribute: Attribute) -> Bool {
    guard attribute.type == .composite else {
      return !attribute.isOptional && !attribute.isDerived && attribute.defaultValue == nil
    }
    return destination.storedAttributes(of: attribute).contains {
      !$0.isOptional && $0.defaultValue == nil
    }
  }

  private mutating func findRelationshipWarnings(_ pair: ModelMatching.Pair) {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    let names = matching.sourceNames(of: pair, \.relationships, allNames: [])
    for new in after.relationships {
      let relationship = new.property
      // What may be empty says its least count: a to-many one with none is content with nothing.
      let isNeeded =
        !relationship.isOptional && (!relationship.isToMany || relationship.minCount > 0)
      guard let old = names[relationship.name].flatMap({ before.relationship($0) })?.property
      else {
        if before.transient.contains(relationship.name) {
          tell(.becamePersistent, of: new, entity: pair.destination)
        }
        if isNeeded { tell(.missingDestination(isNew: true), of: new, entity: pair.destination) }
        continue
      }
      if old.isOptional, isNeeded {
        tell(.missingDestination(isNew: false), of: new, entity: pair.destination)
      }
      if old.isToMany, !relationship.isToMany {
        tell(.narrowedCount, of: new, entity: pair.destination)
      } else if old.isOrdered, !relationship.isOrdered {
        tell(.lostOrder, of: new, entity: pair.destination)
      }
      if !leadsOn(from: old.destinationName, to: relationship.destinationName) {
        tell(
          .retargeted(from: old.destinationName, to: relationship.destinationName), of: new,
          entity: pair.destination)
      }
    }
  }

  /// Whether objects of the one entity, or of one above or below it, become such of the other.
  private func leadsOn(from old: String, to new: String) -> Bool {
    let family = [new] + destination.descendantNames(of: new)
    return family.contains { name in
      guard let origin = matching.sourceNames[name] else { return false }
      return origin == old || source.ancestorNames(of: origin).contains(old)
        || source.ancestorNames(of: old).contains(origin)
    }
  }

  private mutating func findLosses(_ pair: ModelMatching.Pair) {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    let proposals = RenameProposal.all(for: pair, in: matching, budget: &budget)
    for name in pair.attributes.removed {
      guard let old = before.attribute(name) else { continue }
      if after.transient.contains(name) {
        tell(.becameTransient, of: old, entity: pair.source)
      } else if let new = after.relationship(name) {
        tell(
          .becameRelationship(destination: new.property.destinationName), of: old,
          entity: pair.source)
      } else if let split = RenameProposal.split(
        of: old.property, pair, in: matching, budget: &budget)
      {
        tell(.unmatchedSplit(of: name, into: split), of: old, entity: pair.source)
      } else if let rename = proposals.first(where: { $0.source == name }),
        let new = after.attribute(rename.destination)
      {
        tell(
          .unmatchedRename(of: name, to: rename.destination, score: rename.score), of: new,
          entity: pair.destination)
      } else {
        tell(.lostProperty, of: old, entity: pair.source)
      }
    }
    for name in pair.relationships.removed {
      guard let old = before.relationship(name) else { continue }
      if after.transient.contains(name) {
        tell(.becameTransient, of: old, entity: pair.source)
      } else if after.attribute(name) != nil {
        tell(.becameAttribute, of: old, entity: pair.source)
      } else if let rename = proposals.first(where: { $0.source == name }),
        let new = after.relationship(rename.destination)
      {
        tell(
          .unmatchedRename(of: name, to: rename.destination, score: rename.score), of: new,
          entity: pair.destination)
      } else {
        tell(.lostProperty, of: old, entity: pair.source)
      }
    }
  }

  // MARK: Telling

  /// Says something of a property where it is declared, once for all subentities that inherit it; where the
  /// declaring entity itself is not affected, of the first that is.
  private mutating func tell<Member>(
    _ reason: InferenceRule, of member: Declared<Member>, named name: String? = nil,
    entity: String, asObstacle: Bool = false
  ) {
    let original = Finding(
      reason, entity: member.declaringEntity, property: name ?? member.property.name)
    guard told.insert(original).inserted else { return }
    if asObstacle { obstacles.append(original) } else { warnings.append(original) }
  }
}

extension AttributeType {
  /// Whether every number of another number type has its place in this one.
  fileprivate func holds(_ other: AttributeType) -> Bool {
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
