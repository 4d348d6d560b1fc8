package import StrataBase

extension Finding {
  /// The loss rule of the finding; `nil` if it has another rule.
  package var lossRule: LossRule? { rule as? LossRule }

  /// The lost property of the source; `nil` if the finding is about an entity or not about a whole property.
  package var lostProperty: String? {
    guard let lossRule, lossRule.isOfElement, property != nil else { return nil }
    if case .unmatchedRename(let old, _, _) = lossRule { return old }
    return property
  }

  /// The sort key of losses.
  package var lossSortKey: String { "\(entity).\(property ?? "") \(rule)" }

  init(_ loss: LossRule, entity: String, property: String? = nil) {
    self.init(loss, at: FindingLocation(entity: entity, property: property))
  }

  /// - Parameters:
  ///   - count: The number of lost values, links or objects.
  ///   - keys: The keys of the first objects with losses.
  package init(_ rule: LossRule, entity: String, property: String, count: Int, keys: [Int64]) {
    self.init(
      rule, at: FindingLocation(entity: entity, property: property),
      evidence: FindingEvidence(count: count, unit: .value, keys: keys))
  }
}
