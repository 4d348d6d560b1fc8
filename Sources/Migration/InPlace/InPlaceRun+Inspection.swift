package import StrataBase
internal import StrataObjectModel
package import StrataStore

/// What somebody sees who looks at a run between two steps. Nothing of it changes the run, and no listener
/// hears of it.
extension InPlaceRun {
  /// The statement that comes next.
  package var upcomingStatement: InPlaceStatement? {
    if case .statement(let index) = pending { plan.statements[index] } else { nil }
  }

  /// The change of a stage that comes next, in words.
  package var upcomingChange: String? {
    guard case .stageChange(let index) = pending else { return nil }
    return (changesBefore + changesAfter)[index].words
  }

  /// How many changes the stage makes before and after the migration.
  package var changeCount: Int { changesBefore.count + changesAfter.count }

  /// Whether the store can be read by the new model already.
  package var isAtNewModel: Bool { after != nil }

  /// The store as it is so far: by the new model as soon as it is at it, before by the old one.
  package mutating func storeObjects() throws -> StoreObjects? {
    try quietly { run in
      guard let before = run.before else { return nil }
      let model = run.after == nil ? run.hop.from.model : run.hop.to.model
      return StoreObjects(try before.reader.reread(by: model))
    }
  }

  /// Runs a query that a user has typed in the store as it is.
  ///
  /// - Returns: The names of the columns.
  package mutating func query(
    _ sql: String, _ body: ([AttributeValue]) -> Bool
  ) throws -> [String] {
    try quietly { run in
      guard let before = run.before else { return [] }
      return try before.reader.store.query(sql, body)
    }
  }
}
