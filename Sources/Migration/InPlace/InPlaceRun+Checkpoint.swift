internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Checkpoints inside the transaction of a run.
extension InPlaceRun {
  package struct Checkpoint {
    fileprivate var number: Int
    fileprivate var pending: MigrationStep?
    fileprivate var report: MigrationReport
    fileprivate var origins: StageOrigins
    fileprivate var changed: (before: ChangedObjects, after: ChangedObjects)
    fileprivate var mark: EventNumber
    /// Whether the store already had the new model.
    fileprivate var isReread: Bool
  }

  package mutating func keepCheckpoint(_ number: Int) throws -> Checkpoint {
    try quietly { run in try run.before?.reader.store.connection.setSavepoint(number) }
    return Checkpoint(
      number: number, pending: pending, report: report, origins: origins, changed: changed,
      mark: mark, isReread: after != nil)
  }

  package var hasCheckpoints: Bool {
    before?.reader.store.connection.isInTransaction == true
  }

  package mutating func goBack(to checkpoint: Checkpoint) throws {
    try quietly { run in
      run.after = nil
      run.failure.error = nil
      try run.before?.reader.store.connection.goBack(toSavepoint: checkpoint.number)
      (run.pending, run.report) = (checkpoint.pending, checkpoint.report)
      (run.origins, run.changed) = (checkpoint.origins, checkpoint.changed)
      run.mark = checkpoint.mark
      if checkpoint.isReread {
        run.after = try run.before.map { HeldReader(try $0.reader.reread(by: run.hop.to.model)) }
      }
    }
    _ = log?.takeReceived()
  }
}
