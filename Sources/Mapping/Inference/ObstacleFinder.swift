internal import StrataBase
internal import StrataObjectModel

/// Finds all obstacles of inference, and the risks of a successful inference; ``LossFinder`` finds the losses.
///
/// Source: `Docs/Facts/inference.md`, sections 1, 4 and 5.
struct ObstacleFinder {
  let matching: ModelMatching
  private(set) var obstacles: [Finding] = []
  private(set) var risks: [Finding] = []
  /// The findings about inherited properties, by declaring entity, to report each once.
  private var seen: Set<Finding> = []

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
        guard let first = before.attributeIndex(old), let second = after.attributeIndex(new),
          before.attributeTypes[first] != after.attributeTypes[second]
            || after.attributeTypes[second] == .composite
        else { continue }
        findTypeObstacles(
          before.attributes[first].property, after.attributes[second], entity: pair.destination)
      }
    }
  }

  private mutating func findTypeObstacles(
    _ old: Attribute, _ new: Declared<Attribute>, entity: String
  ) {
    if old.type != new.property.type {
      guard !old.type.isNumber || !new.property.type.isNumber else { return }
      add(
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
        add(
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
      original.location.entity = declared
      if seen.insert(original).inserted { obstacles.append(original) }
    }
  }

  private func declaration(of property: String, _ entity: String) -> String? {
    let known = matching.destination.properties(of: entity)
    return known.attribute(property)?.declaringEntity
      ?? known.relationship(property)?.declaringEntity
  }

  /// Finds entities without a common ancestor in the source that get one in the destination.
  private mutating func findMergedHierarchies() {
    guard destination.entities.contains(where: { $0.superentityName != nil }) else { return }
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

  // MARK: Risks

  mutating func findRisks() {
    for pair in matching.pairs {
      findEntityRisks(pair)
      guard !pair.isIdentical else { continue }
      findAttributeRisks(pair)
      findRelationshipRisks(pair)
    }
  }

  private mutating func findEntityRisks(_ pair: ModelMatching.Pair) {
    guard let old = source[pair.source], let new = destination[pair.destination],
      !new.uniquenessConstraints.isEmpty
    else { return }
    let names = matching.sourceNames(
      of: pair, \.attributes,
      allNames: matching.destination.properties(of: new.name).attributes.map(\.property.name))
    let known = Set(old.uniquenessConstraints.map { Set($0) })
    for constraint in new.uniquenessConstraints
    where !known.contains(Set(constraint.map { names[$0] ?? $0 })) {
      risks.append(Finding(.newConstraint(constraint), entity: new.name))
    }
  }

  private mutating func findAttributeRisks(_ pair: ModelMatching.Pair) {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    let names = matching.sourceNames(of: pair, \.attributes, allNames: [])
    for new in after.attributes {
      let attribute = new.property
      guard let old = names[attribute.name].flatMap({ before.attribute($0) })?.property else {
        if before.transient.contains(attribute.name) {
          add(.becamePersistent, of: new, entity: pair.destination)
        }
        if needsDefault(attribute) {
          add(.missingDefault(isNew: true), of: new, entity: pair.destination)
        }
        if attribute.isDerived { add(.notComputed, of: new, entity: pair.destination) }
        continue
      }
      if old.isOptional, needsDefault(attribute) {
        add(.missingDefault(isNew: false), of: new, entity: pair.destination)
      }
      if attribute.isDerived, old.derivation != attribute.derivation {
        add(.notComputed, of: new, entity: pair.destination)
      }
      if old.type == attribute.type,
        old.versionHashModifier != attribute.versionHashModifier, !attribute.isDerived
      {
        add(.copiedUnchanged, of: new, entity: pair.destination)
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

  private mutating func findRelationshipRisks(_ pair: ModelMatching.Pair) {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    let names = matching.sourceNames(of: pair, \.relationships, allNames: [])
    for new in after.relationships {
      let relationship = new.property
      // A to-many relationship can be empty if its min count is 0.
      let isNeeded =
        !relationship.isOptional && (!relationship.isToMany || relationship.minCount > 0)
      guard let old = names[relationship.name].flatMap({ before.relationship($0) })?.property
      else {
        if before.transient.contains(relationship.name) {
          add(.becamePersistent, of: new, entity: pair.destination)
        }
        if isNeeded { add(.missingDestination(isNew: true), of: new, entity: pair.destination) }
        continue
      }
      if old.isOptional, isNeeded {
        add(.missingDestination(isNew: false), of: new, entity: pair.destination)
      }
    }
  }

  // MARK: Reporting

  /// Reports a finding about a property at its declaring entity, once for all subentities that inherit it; if
  /// the declaring entity is not affected, at the first affected one.
  private mutating func add<Member>(
    _ reason: InferenceRule, of member: Declared<Member>, named name: String? = nil,
    entity: String, asObstacle: Bool = false
  ) {
    let original = Finding(
      reason, entity: member.declaringEntity, property: name ?? member.property.name)
    guard seen.insert(original).inserted else { return }
    if asObstacle { obstacles.append(original) } else { risks.append(original) }
  }
}
