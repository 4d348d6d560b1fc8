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
    let (name, path) = (planned.name, planned.path)
    let target = try target(newStore, from: path, in: session)
    let form = StoreForm(of: path)
    let isConverted = form != (NewStoreFile.isXML(target) ? .xml : .sqlite)
    let objects = "the same objects in another kind of store"
    guard !dryRun else {
      return Outcome(
        .line(
          StyledText("nothing to migrate", .good)
            + StyledText(
              "; \(newStore) would \(isConverted ? "have \(objects)" : "be a copy"): \(name) is at \(planned.target.name) already"
            )),
        payload: MigrationPayload(outcome: .copied, dryRun: true, store: newStore),
        warnings: planned.problems)
    }
    do {
      try Interruption.inOrder {
        let model = planned.target.model
        guard isConverted || form != .xml else {
          return try XMLStore(reading: path).database.write(to: target, replacing: force)
        }
        try NewStoreFile(path: target, replacing: force).create(of: model) { staged in
          let store = try session.open(path, among: [model])
          if migration.strict.contains(.values) { try session.checkNothingRounded() }
          guard session.isAtomicStore(path) else { return try store.copyWhole(to: staged) }
          let (uuid, others) = (store.metadata.uuid, store.metadata.others)
          var copy = try NewStore(path: staged, model: model, uuid: uuid)
          copy.metadata.others.merge(others) { own, _ in own }
          try copy.copy(StoreReader(store, model: model))
          try copy.finish()
        }
      }
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(target))
    }
    return Outcome(
      .line(
        StyledText("nothing to migrate", .good)
          + StyledText(
            "; \(newStore) \(isConverted ? "has \(objects)" : "is a copy"): \(name) is at \(planned.target.name) already"
          )),
      payload: MigrationPayload(outcome: .copied, dryRun: false, store: newStore),
      warnings: planned.problems)
  }
}
