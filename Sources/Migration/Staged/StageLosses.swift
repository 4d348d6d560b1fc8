internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// What the objects of a stage lose: numbers that attributes cannot store unchanged, which are converted as in any
/// migration, and values that others replace.
struct StageLosses: Sendable, Hashable {
  struct Target: Sendable, Hashable {
    /// The attribute of a concrete entity that was set to the number.
    var property: Receipt.Property
    var rule: LossRule
  }

  private(set) var numbers: [Target: Receipt.Affected] = [:]
  private(set) var replaced: [Receipt.Property: Receipt.Affected] = [:]
  /// The objects for which NULL is stored, by attribute.
  private(set) var unstored: [Receipt.Property: Set<Int64>] = [:]

  /// - Parameter key: The key of the object; `nil` for an object that the stage creates.
  mutating func note(
    _ rule: LossRule, of attribute: String, _ entity: String, _ key: Int64?, isStored: Bool
  ) {
    let property = Receipt.Property(entity: entity, name: attribute)
    numbers[Target(property: property, rule: rule), default: Receipt.Affected()]
      .add(Receipt.Affected(count: 1, keys: key.map { [$0] } ?? []))
    if let key, !isStored { unstored[property, default: []].insert(key) }
  }

  /// Notes a value of an object that another one replaces.
  mutating func noteReplaced(_ attribute: String, of entity: String, _ key: Int64) {
    replaced[Receipt.Property(entity: entity, name: attribute), default: Receipt.Affected()]
      .add(Receipt.Affected(count: 1, keys: [key]))
  }

  mutating func add(_ other: StageLosses) {
    for (target, affected) in other.numbers {
      numbers[target, default: Receipt.Affected()].add(affected)
    }
    for (property, affected) in other.replaced {
      replaced[property, default: Receipt.Affected()].add(affected)
    }
    unstored.merge(other.unstored) { $0.union($1) }
  }
}

extension MigrationReport {
  /// Adds the losses of a stage to those of the corresponding destination attributes; where several attributes continue
  /// one, to those of the first.
  ///
  /// - Parameter isBefore: Whether the stage set attributes of the source model.
  mutating func note(_ losses: StageLosses, of hop: MigrationPlan.Hop, isBefore: Bool) {
    func mappings(_ property: Receipt.Property) -> [EntityMapping] {
      hop.entityMappings.filter {
        (isBefore ? $0.sourceName : $0.destinationName) == property.entity
      }
    }
    /// The attribute itself if nothing continues it.
    func continued(_ property: Receipt.Property) -> Receipt.Property {
      guard isBefore else { return property }
      return mappings(property).flatMap { $0.destinations(of: property.name, in: hop) }.min()
        ?? property
    }
    for (target, affected) in losses.numbers {
      note(
        NumberLoss(
          attribute: continued(target.property), rule: target.rule,
          sourceEntity: isBefore
            ? target.property.entity : mappings(target.property).compactMap(\.sourceName).min(),
          affected: affected))
    }
    for (property, affected) in losses.replaced {
      replaced[continued(property), default: Receipt.Affected()].add(affected)
    }
    if isBefore {
      for (property, keys) in losses.unstored { unstored[property, default: []].formUnion(keys) }
    }
  }
}

extension MigrationPlan.Hop {
  /// The attributes whose values a change of the stage loses where it replaces them: what was there before, and what no
  /// statement up to then computes a value from.
  ///
  /// - Parameter index: The index among the changes before and after the migration.
  func replacedAttributes(ofChange index: Int) -> Set<String> {
    let (before, after) = (stage?.will.changes ?? [], stage?.did.changes ?? [])
    let (change, isBefore) = ((before + after)[index], index < before.count)
    let model = isBefore ? from.model : to.model
    let family = [change.entity] + model.descendantNames(of: change.entity)
    // By the name of an attribute after the migration, its names before.
    var origins: [String: Set<String>] = [:]
    for mapping in entityMappings
    where (isBefore ? mapping.sourceName : mapping.destinationName).map(family.contains) == true {
      for (old, new) in mapping.copiedPairs(in: self) {
        origins[new.name, default: []].insert(old.name)
      }
    }
    let kept = origins.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    func read(_ verbs: [PolicyScript.Verb]) -> Set<String> {
      Set(verbs.flatMap { $0.attributesOfObject(orOf: "source") })
    }
    /// What only an attribute gets that the migration removes does not continue.
    func readBefore(_ changes: some Sequence<StageChange>) -> Set<String> {
      read(
        changes.flatMap(\.verbs).filter { verb in
          verb.values.isEmpty || verb.values.contains { kept.contains($0.attribute) }
        })
    }
    guard !isBefore else { return change.attributes.subtracting(readBefore(before[...index])) }
    let source = readBefore(before)
    let destination = read(after[...(index - before.count)].flatMap(\.verbs))
    return change.attributes.filter { name in
      origins[name].map(source.isDisjoint) == true && !destination.contains(name)
    }
  }
}

extension EntityMapping {
  /// The copied attributes, with those that continue them.
  fileprivate func copiedPairs(in hop: MigrationPlan.Hop) -> [CopiedAttributes.Pair] {
    let copied = CopiedAttributes(self, from: hop.from.model, to: hop.to.model)
    return attributeMappings.flatMap { copied.pairs($0) ?? [] }
  }

  /// The destination attributes of a source attribute.
  fileprivate func destinations(of name: String, in hop: MigrationPlan.Hop) -> [PropertyID] {
    guard let entity = destinationName else { return [] }
    return copiedPairs(in: hop).filter { $0.old.name == name }
      .map { PropertyID(entity: entity, name: $0.new.name) }
  }
}
