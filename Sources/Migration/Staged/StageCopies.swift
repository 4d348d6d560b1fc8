internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The attributes that a custom stage's migration removes, and whose values the steps before it copy.
struct StageCopies {
  /// The removed attributes of concrete entities.
  private let removed: Set<Receipt.Property>

  init(_ hop: MigrationPlan.Hop) {
    let model = hop.from.model
    var removed: Set<Receipt.Property> = []
    for change in hop.stage?.will.changes ?? [] {
      let copied = Set(
        change.copies.flatMap(\.sources).map { $0.joined(separator: ".") })
      for entity in [change.entity] + model.descendantNames(of: change.entity) {
        let names = copied.intersection(model.allStoredAttributes(of: entity).map(\.name))
          .subtracting(hop.copies(of: entity).map(\.old.name))
        removed.formUnion(names.map { Receipt.Property(entity: entity, name: $0) })
      }
    }
    self.removed = removed
  }

  /// Whether a warning is about the loss of an attribute that the stage copies.
  func isCopied(_ warning: Finding) -> Bool {
    removed.contains { $0.entity == warning.entity && $0.name == warning.lostProperty }
  }

  /// The removed attributes with values that nothing continues, determined after the steps.
  func uncopied(in objects: StoreObjects, _ origins: StageOrigins) throws -> [Finding] {
    var losses: [Finding] = []
    for property in removed {
      let isPresent = Predicate.comparison(
        Comparison(.keyPath(of: nil, [property.name]), .notEqual, .constant(.null)))
      let entity = origins[property.entity]
      let keys = try objects.keys(of: property.entity, where: isPresent).filter {
        !entity.continues(property.name, of: $0)
      }
      guard !keys.isEmpty else { continue }
      losses.append(
        Finding(
          LossRule.removed(isRelationship: false), entity: property.entity, property: property.name,
          count: keys.count, keys: Array(keys.prefix(Loss.keyLimit))))
    }
    return losses.sorted { $0.lossSortKey < $1.lossSortKey }
  }
}
