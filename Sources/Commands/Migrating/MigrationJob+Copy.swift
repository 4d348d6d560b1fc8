internal import StrataDiagnostics
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

extension MigrationJob {
  /// Copies a store that is at the model already to where the migrated one was to be.
  func copy(
    _ planned: PlannedMigration, to newStore: String, in session: Session
  ) throws -> Outcome {
    let (name, path) = (planned.name, planned.path)
    let target = try target(newStore, from: path, in: session)
    do {
      try Interruption.inOrder {
        try StoreFile.create(at: target, replacing: force) { staged in
          try session.open(path).copyWhole(to: staged)
        }
      }
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(target))
    }
    return Outcome(
      .line(
        StyledText("nothing to migrate", .good)
          + StyledText("; \(newStore) is a copy: \(name) is at \(planned.target.name) already")),
      payload: MigrationPayload(outcome: .copied, dryRun: false, store: newStore),
      warnings: planned.problems)
  }
}
