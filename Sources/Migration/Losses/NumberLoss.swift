package import StrataBase
package import StrataMapping

/// Numbers that an attribute of the new store does not hold unchanged.
///
/// Each is counted once, at the attribute that gets it: the source object can be continued by several entities, and
/// an object that a policy or a stage creates has none.
package struct NumberLoss: Sendable, Hashable {
  /// The attribute of the destination model.
  package var attribute: PropertyID
  package var rule: LossRule
  /// The entity of the source objects; `nil` if there are none.
  package var sourceEntity: String?
  /// The numbers, and the keys of the first source objects.
  package var affected: Receipt.Affected

  /// The numbers as a finding at the attribute, in the source entity.
  package var finding: Finding {
    Finding(
      rule, entity: sourceEntity ?? attribute.entity, property: attribute.name,
      count: affected.count, keys: affected.keys)
  }

  /// The key by which the losses of a report are sorted.
  var sortKey: String { finding.lossSortKey }
}
