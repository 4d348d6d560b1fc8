internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// What the steps before a custom stage's migration copy out of attributes that the migration removes.
struct StageCopies {
  /// By removed attribute of a concrete entity, the key paths that its values are copied to.
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

  /// Whether a warning says of an attribute that it is lost, and the stage copies it.
  func isCopied(_ warning: Finding) -> Bool {
    targets.keys.contains { $0.entity == warning.entity && $0.name == warning.lostProperty }
  }

  /// The removed attributes of which some values are copied nowhere, asked when the steps are done.
  ///
  /// - Parameter unstored: By attribute that gets copies, the objects whose number does not fit: they are counted
  ///   as such.
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

  /// Whether there is a value behind a key path, or none.
  private static func value(
    _ path: [String], _ operator: Comparison.Operator
  ) -> Predicate {
    .comparison(Comparison(.keyPath(of: nil, path), `operator`, .constant(.null)))
  }
}
