internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// The numbers of a stage that attributes cannot store unchanged: they are converted as in any migration, and
/// counted.
struct UnfitNumbers: Sendable, Hashable {
  struct Target: Sendable, Hashable {
    /// The attribute of a concrete entity that was set to the number.
    var property: Receipt.Property
    var rule: LossRule
  }

  private(set) var counts: [Target: Receipt.Affected] = [:]
  /// The objects for which NULL is stored, by attribute.
  private(set) var unstored: [Receipt.Property: Set<Int64>] = [:]

  /// - Parameter key: The key of the object; `nil` for an object that the stage creates.
  mutating func note(
    _ rule: LossRule, of attribute: String, _ entity: String, _ key: Int64?, isStored: Bool
  ) {
    let property = Receipt.Property(entity: entity, name: attribute)
    counts[Target(property: property, rule: rule), default: Receipt.Affected()]
      .add(Receipt.Affected(count: 1, keys: key.map { [$0] } ?? []))
    if let key, !isStored { unstored[property, default: []].insert(key) }
  }

  mutating func add(_ other: UnfitNumbers) {
    for (target, affected) in other.counts {
      counts[target, default: Receipt.Affected()].add(affected)
    }
    unstored.merge(other.unstored) { $0.union($1) }
  }
}

extension MigrationReport {
  /// Adds the numbers of a stage to the counts of the corresponding destination attributes; where several attributes
  /// continue one, to those of the first.
  ///
  /// - Parameter isBefore: Whether the stage set attributes of the source model.
  mutating func note(_ numbers: UnfitNumbers, of hop: MigrationPlan.Hop, isBefore: Bool) {
    for (target, affected) in numbers.counts {
      let (entity, name) = (target.property.entity, target.property.name)
      let mappings = hop.entityMappings.filter {
        (isBefore ? $0.sourceName : $0.destinationName) == entity
      }
      let continued = isBefore ? mappings.flatMap { $0.destinations(of: name, in: hop) }.min() : nil
      note(
        NumberLoss(
          attribute: continued ?? target.property, rule: target.rule,
          sourceEntity: isBefore ? entity : mappings.compactMap(\.sourceName).min(),
          affected: affected))
    }
    if isBefore {
      for (property, keys) in numbers.unstored { unstored[property, default: []].formUnion(keys) }
    }
  }
}

extension EntityMapping {
  /// The destination attributes of a source attribute.
  fileprivate func destinations(of name: String, in hop: MigrationPlan.Hop) -> [PropertyID] {
    guard let entity = destinationName else { return [] }
    let copied = CopiedAttributes(self, from: hop.from.model, to: hop.to.model)
    return attributeMappings.flatMap { property in
      (copied.pairs(property) ?? []).filter { $0.old.name == name }
        .map { PropertyID(entity: entity, name: $0.new.name) }
    }
  }
}
