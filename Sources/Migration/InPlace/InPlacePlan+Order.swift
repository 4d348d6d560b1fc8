internal import StrataSQLite
internal import StrataStore

extension InPlacePlan {
  /// Each step of a migration and its successor.
  ///
  /// Triggers are dropped before a stage changes the old store, and the app's own triggers are created after a
  /// stage changes the new one. Validation follows the last row change and precedes the creation of indexes.
  func successors(for stage: MigrationStage?) -> [MigrationStep: MigrationStep] {
    let (will, did) = (stage?.will.changes.count ?? 0, stage?.did.changes.count ?? 0)
    let indices = statements.indices
    let first = indices.prefix { statements[$0].phase == .dropTriggers }
    let last = indices.reversed().prefix { statements[$0].phase == .restore }.reversed()
    let middle = indices.dropFirst(first.count).dropLast(last.count)
    let rows = middle.prefix { statements[$0].phase < .index }
    func steps(_ indices: some Sequence<Int>) -> [MigrationStep] {
      indices.filter { !isDoneBefore($0) }.map { .statement($0) }
    }
    let order: [[MigrationStep]] = [
      [.beginHop], steps(first), (0..<will).map { .stageChange($0) }, steps(rows), [.validate],
      steps(middle.dropFirst(rows.count)), (will..<will + did).map { .stageChange($0) },
      steps(last), [.endHop, .commit],
    ]
    let all = order.flatMap { $0 }
    return Dictionary(uniqueKeysWithValues: zip(all, all.dropFirst()))
  }

  // MARK: Statements in one step

  /// The statements of the step that begins at a statement.
  func statements(at index: Int) -> ArraySlice<InPlaceStatement> {
    statements[index..<(endsOfRuns[index] ?? index + 1)]
  }

  /// Whether a statement belongs to the step of an earlier statement.
  private func isDoneBefore(_ index: Int) -> Bool { indicesInRuns.contains(index) }

  /// Consecutive schema changes are one step, because reporting each of them would require reading the whole
  /// schema each time.
  ///
  /// - Returns: The end indexes of such sequences, by their first index.
  static func runs(of statements: [InPlaceStatement]) -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var index = 0
    while index < statements.count {
      let first = statements[index]
      let end =
        statements[index...].firstIndex {
          !$0.changesSchema || $0.item != nil || $0.phase != first.phase
        } ?? statements.count
      if end - index > SQLiteConnection.schemaChangeLimit { ends[index] = end }
      index = max(end, index + 1)
    }
    return ends
  }
}
