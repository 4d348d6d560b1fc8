internal import StrataSQLite
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
    func steps(_ places: some Sequence<Int>) -> [MigrationStep] {
      places.filter { !isDoneBefore($0) }.map { .statement($0) }
    }
    let order: [[MigrationStep]] = [
      [.beginHop], steps(first), (0..<will).map { .stageChange($0) }, steps(rows), [.validate],
      steps(middle.dropFirst(rows.count)), (will..<will + did).map { .stageChange($0) },
      steps(last), [.endHop, .commit],
    ]
    let all = order.flatMap { $0 }
    return Dictionary(uniqueKeysWithValues: zip(all, all.dropFirst()))
  }

  // MARK: Statements that are done at once

  /// The statements of the step that begins with one of them.
  func statements(at place: Int) -> ArraySlice<InPlaceStatement> {
    statements[place..<(endsOfRuns[place] ?? place + 1)]
  }

  /// Whether a statement belongs to the step of one that comes before it.
  private func isDoneBefore(_ place: Int) -> Bool { placesInRuns.contains(place) }

  /// Many changes of the schema in a row are one step: what each of them changes could be told only by reading
  /// the whole schema each time.
  ///
  /// - Returns: The ends of such runs, by their first places.
  static func runs(of statements: [InPlaceStatement]) -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var place = 0
    while place < statements.count {
      let first = statements[place]
      let end =
        statements[place...].firstIndex {
          !$0.changesSchema || $0.item != nil || $0.phase != first.phase
        } ?? statements.count
      if end - place > SQLiteConnection.schemaChangeLimit { ends[place] = end }
      place = max(end, place + 1)
    }
    return ends
  }
}
