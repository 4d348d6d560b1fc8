internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The attributes that a custom stage's migration removes, and whose values the steps before it copy.
struct StageCopies {
  /// The key paths that get copies, by removed attribute of a concrete entity.
  private let targets: [Receipt.Property: Set<[String]>]

  init(_ hop: MigrationPlan.Hop) {
    let model = hop.from.model
    var targets: [Receipt.Property: Set<[String]>] = [:]
    for change in hop.stage?.will.changes ?? [] {
      for entity in [change.entity] + model.descendantNames(of: change.entity) {
        let removed = Set(model.allStoredAttributes(of: entity).map(\.name))
          .subtracting(hop.copies(of: entity).map(\.old.name))
        for copy in change.copies {
          for name in copy.sources.map({ $0.joined(separator: ".") }) where removed.contains(name) {
            targets[Receipt.Property(entity: entity, name: name), default: []].insert(copy.target)
          }
        }
      }
    }
    self.targets = targets
  }

  /// Whether a warning is about the loss of an attribute that the stage copies.
  func isCopied(_ warning: Finding) -> Bool {
    targets.keys.contains { $0.entity == warning.entity && $0.name == warning.lostProperty }
  }

  /// The removed attributes with values that nothing continues, determined after the steps.
  ///
  /// A target that had the value before continues it too: a step can be repeated.
  func uncopied(in objects: StoreObjects, _ origins: StageOrigins) throws -> [Finding] {
    var losses: [Finding] = []
    for (property, paths) in targets {
      let value = Expression.keyPath(of: nil, property.name.split(separator: ".").map(String.init))
      let isPresent = Predicate.comparison(Comparison(value, .notEqual, .constant(.null)))
      let isCopied = Predicate.or(
        paths.map { .comparison(Comparison(.keyPath(of: nil, $0), .equal, value)) })
      let entity = origins[property.entity]
      let keys = try objects.keys(of: property.entity, where: isPresent).filter { key in
        guard !entity.continues(property.name, of: key) else { return false }
        let context = EvaluationContext(object: objects.object(key, of: property.entity))
        return try !context.holds(isCopied)
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
