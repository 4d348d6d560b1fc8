internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The copies of attributes that a custom stage's migration removes, made by the steps before it.
struct StageCopies {
  /// The key paths to which values are copied, by removed attribute of a concrete entity.
  let targets: [Receipt.Property: Set<[String]>]

  init(_ hop: MigrationPlan.Hop) {
    let model = hop.from.model
    var targets: [Receipt.Property: Set<[String]>] = [:]
    for change in hop.stage?.will.changes ?? [] {
      for entity in [change.entity] + model.descendantNames(of: change.entity) {
        let removed = Set(model.allAttributes(of: entity).map(\.property.name))
          .subtracting(Self.keptAttributes(of: entity, hop))
        for copy in change.copies {
          for case let path in copy.sources where path.count == 1 && removed.contains(path[0]) {
            targets[Receipt.Property(entity: entity, name: path[0]), default: []]
              .insert(copy.target)
          }
        }
      }
    }
    self.targets = targets
  }

  private static func keptAttributes(
    of entity: String, _ hop: MigrationPlan.Hop
  ) -> Set<String> {
    let mappings = hop.entityMappings.filter { $0.sourceName == entity }
    return Set(
      mappings.flatMap(\.attributeMappings).flatMap { $0.expression?.pathsOfSource ?? [] }
        .compactMap(\.first))
  }

  /// Whether a warning is about the loss of an attribute that the stage copies.
  func isCopied(_ warning: Finding) -> Bool {
    targets.keys.contains { $0.entity == warning.entity && $0.name == warning.lostProperty }
  }

  /// The removed attributes with values that were not copied, determined after the steps.
  ///
  /// - Parameter unstored: The objects with numbers out of range, by destination attribute of the copies; they
  ///   are counted separately.
  func uncopied(
    in objects: StoreObjects, besides unstored: [Receipt.Property: Set<Int64>]
  ) throws -> [Finding] {
    var losses: [Finding] = []
    for (property, paths) in targets {
      let isUncopied = Predicate.and(
        [Self.value([property.name], .notEqual)]
          + paths.sorted { $0.lexicographicallyPrecedes($1) }.map { Self.value($0, .equal) })
      let counted = paths.filter { $0.count == 1 }.reduce(into: Set<Int64>()) { keys, path in
        let target = Receipt.Property(entity: property.entity, name: path[0])
        keys.formUnion(unstored[target] ?? [])
      }
      let keys = try objects.keys(of: property.entity, where: isUncopied).filter {
        !counted.contains($0)
      }
      guard !keys.isEmpty else { continue }
      losses.append(
        Finding(
          LossRule.removed(isRelationship: false), entity: property.entity, property: property.name,
          count: keys.count, keys: Array(keys.prefix(Loss.keyLimit))))
    }
    return losses.sorted { $0.lossSortKey < $1.lossSortKey }
  }

  /// A predicate that compares the value of a key path with nil.
  private static func value(
    _ path: [String], _ operator: Comparison.Operator
  ) -> Predicate {
    .comparison(Comparison(.keyPath(of: nil, path), `operator`, .constant(.null)))
  }
}
