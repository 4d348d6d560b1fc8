internal import StrataStore

extension InPlacePlan {
  /// Every step of a migration with the one that follows it.
  ///
  /// Triggers go before the changes that a stage makes to the old store, and those of the app's own come
  /// behind its changes to the new one. What the new model refuses is looked for when the rows are there,
  /// before any index is made.
  func successors(for stage: MigrationStage?) -> [MigrationStep: MigrationStep] {
    let (will, did) = (stage?.will.changes.count ?? 0, stage?.did.changes.count ?? 0)
    let places = statements.indices
    let first = places.prefix { statements[$0].phase == .dropTriggers }
    let last = places.reversed().prefix { statements[$0].phase == .restore }.reversed()
    let middle = places.dropFirst(first.count).dropLast(last.count)
    let rows = middle.prefix { statements[$0].phase < .index }
    func steps(_ places: some Sequence<Int>) -> [MigrationStep] { places.map { .statement($0) } }
    let order: [[MigrationStep]] = [
      [.beginHop], steps(first), (0..<will).map { .stageChange($0) }, steps(rows), [.validate],
      steps(middle.dropFirst(rows.count)), (will..<will + did).map { .stageChange($0) },
      steps(last), [.endHop, .commit],
    ]
    let all = order.flatMap { $0 }
    return Dictionary(uniqueKeysWithValues: zip(all, all.dropFirst()))
  }
}
