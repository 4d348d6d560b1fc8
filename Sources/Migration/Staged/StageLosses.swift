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

  /// - Parameter key: The key of the object; `nil` for an object that the stage creates.
  mutating func note(_ rule: LossRule, of attribute: String, _ entity: String, _ key: Int64?) {
    let property = Receipt.Property(entity: entity, name: attribute)
    numbers[Target(property: property, rule: rule), default: Receipt.Affected()]
      .add(Receipt.Affected(count: 1, keys: key.map { [$0] } ?? []))
  }

  /// Notes values of an object that nothing continues after an attribute is set.
  mutating func noteReplaced(
    _ count: Int, _ attribute: String, of entity: String, _ key: Int64
  ) {
    replaced[Receipt.Property(entity: entity, name: attribute), default: Receipt.Affected()]
      .add(Receipt.Affected(count: count, keys: [key]))
  }

  mutating func add(_ other: StageLosses) {
    for (target, affected) in other.numbers {
      numbers[target, default: Receipt.Affected()].add(affected)
    }
    for (property, affected) in other.replaced {
      replaced[property, default: Receipt.Affected()].add(affected)
    }
  }
}

extension MigrationReport {
  /// Adds the losses of a stage to those of the corresponding destination attributes; where several attributes continue
  /// one, to those of the first.
  ///
  /// - Parameter isBefore: Whether the stage set attributes of the source model.
  mutating func note(_ losses: StageLosses, of hop: MigrationPlan.Hop, isBefore: Bool) {
    func continued(_ property: Receipt.Property) -> Receipt.Property? {
      guard isBefore else { return property }
      let copies = hop.copies(of: property.entity).filter { $0.old.name == property.name }
      return copies.map { PropertyID(entity: $0.entity, name: $0.new.name) }.min()
    }
    func source(_ property: Receipt.Property) -> String? {
      guard !isBefore else { return property.entity }
      return hop.entityMappings.filter { $0.destinationName == property.entity }
        .compactMap(\.sourceName).min()
    }
    for (target, affected) in losses.numbers {
      note(
        NumberLoss(
          attribute: continued(target.property) ?? target.property, rule: target.rule,
          sourceEntity: source(target.property), affected: affected))
    }
    for (property, affected) in losses.replaced {
      if let continued = continued(property) {
        replaced[continued, default: Receipt.Affected()].add(affected)
      } else {
        uncopied.append(
          Finding(
            LossRule.removed(isRelationship: false), entity: property.entity,
            property: property.name, count: affected.count, keys: affected.keys))
      }
    }
  }
}
