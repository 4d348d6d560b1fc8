package import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
package import StrataStore

/// Inspection of a run between two steps. It does not change the run, and its statements are not logged.
extension InPlaceRun {
  /// The next statement.
  package var upcomingStatement: InPlaceStatement? {
    if case .statement(let index) = pending { plan.statements[index] } else { nil }
  }

  /// The description of a stage's next change.
  package var upcomingChange: String? {
    guard case .stageChange(let index) = pending else { return nil }
    return (changesBefore + changesAfter)[index].text
  }

  /// The number of changes that the stage makes before and after the migration.
  package var changeCount: Int { changesBefore.count + changesAfter.count }

  /// Whether neither model describes the rows: tables are being replaced, or rows already have the entity numbers of the
  /// new model.
  package var isBetweenModels: Bool {
    // The rows are validated before the indexes of the new model are created.
    guard after == nil, case .statement(let index) = pending else { return false }
    let (before, after) = (plan.layoutBefore.entityNumbers, plan.layoutAfter.entityNumbers)
    let renumbers = hop.entityMappings.contains { mapping in
      guard let source = mapping.sourceName, let destination = mapping.destinationName else {
        return false
      }
      return before[source] != after[destination]
    }
    return plan.statements[..<index].contains { statement in
      statement.phase == .setAside || renumbers && [.fill, .number].contains(statement.phase)
    }
  }

  /// The current store, read with the new model if all statements have run, otherwise with the old one.
  package mutating func storeObjects() throws -> StoreObjects? {
    try quietly { run in
      guard let before = run.before else { return nil }
      let isMigrated = run.after != nil || run.pending == .validate
      let model = isMigrated ? run.hop.to.model : run.hop.from.model
      return StoreObjects(try before.reader.reread(by: model))
    }
  }

  /// Runs a user's query on the current store.
  ///
  /// - Returns: The names of the columns.
  package mutating func query(
    _ sql: String, _ body: ([AttributeValue]) -> Bool
  ) throws -> [String] {
    try quietly { run in
      guard let before = run.before else { return [] }
      return try before.reader.store.connection.query(sql, body)
    }
  }
}
