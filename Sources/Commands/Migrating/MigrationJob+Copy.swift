internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

extension MigrationJob {
  /// Copies a store that is already at the model to the path of the new store.
  func copy(
    _ planned: PlannedMigration, to newStore: String, in session: Session
  ) throws -> Outcome {
    let (name, path, model) = (planned.name, planned.path, planned.target.model)
    let target =
      try dryRun
      ? rehearsedTarget(newStore, from: path, in: session)
      : target(newStore, from: path, in: session)
    let form = StoreForm(of: path)
    let isConverted = form != (NewStoreFile.isXML(target) ? .xml : .sqlite)
    do {
      let losses =
        try isConverted && form == .sqlite
        ? ConversionLosses(session.open(path, among: [model]), model: model) : ConversionLosses()
      let refused = losses.counts.amounts(in: migration.strict)
      guard refused.isEmpty else {
        let reason = losses.counts.sentence(of: migration.strict)
        return Outcome(
          .line(
            StyledText("refused by --strict: \(reason)", .error)
              + StyledText("; \(name) is unchanged")),
          json: MigrationVerdict.refused.json(
            dryRun: dryRun, store: name, ["refused": LossCounts.json(refused)]),
          status: dryRun ? .no : .failed,
          warnings: planned.problems + losses.warnings(of: newStore, from: name, dryRun: true))
      }
      if isConverted, migration.strict.contains(.values), session.isAtomicStore(path) {
        _ = try session.open(path, among: [model])
        try session.checkNothingRounded()
      }
      if dryRun {
        if isConverted, NewStoreFile.isXML(target) {
          // Some values cannot be written.
          _ = try NewStoreFile.document(of: model) {
            try write(path, of: model, to: $0, in: session)
          }
        }
      } else {
        try Interruption.inOrder {
          guard isConverted || form != .xml else {
            return try XMLStore(reading: path).database.write(to: target, replacing: force)
          }
          try NewStoreFile(path: target, replacing: force).create(
            of: model, keepingKeys: form == .binary
          ) { staged in
            try write(path, of: model, to: staged, in: session)
          }
        }
      }
      return Outcome(
        .line(
          StyledText("nothing to migrate", .good)
            + StyledText(
              "; \(newStore) \(isNow(isConverted)): \(name) is at \(planned.target.name) already")),
        json: MigrationVerdict.copied.json(
          dryRun: dryRun, store: newStore, losses: Receipt.Losses(objects: losses.rowCount),
          ["leftOut": losses.notes.isEmpty ? nil : losses.notes]),
        warnings: try planned.problems + session.warningOfPendingScripts(of: path)
          + losses.warnings(of: newStore, from: name, dryRun: dryRun)
          + roundedDates(planned, in: session))
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(target))
    }
  }

  /// What the new store is, or would be.
  private func isNow(_ isConverted: Bool) -> String {
    isConverted
      ? "\(dryRun ? "would have" : "has") the same objects in another kind of store"
      : dryRun ? "would be a copy" : "is a copy"
  }

  /// Writes a store as a SQLite store with the same objects.
  private func write(
    _ path: String, of model: ObjectModel, to staged: String, in session: Session
  ) throws {
    let store = try session.open(path, among: [model])
    guard session.isAtomicStore(path) else { return try store.copyWhole(to: staged) }
    let (uuid, others) = (store.metadata.uuid, store.metadata.others)
    var copy = try NewStore(path: staged, model: model, uuid: uuid)
    copy.metadata.others.merge(others) { own, _ in own }
    try copy.copy(StoreReader(store, model: model))
    try copy.finish()
  }
}
