internal import StrataBase
internal import StrataMigration
internal import StrataRendering
internal import StrataSQLite
internal import StrataStepping
internal import StrataStore

/// A migration that is being stepped through, in a session.
final class SteppingSession {
  let stepper: Stepper
  /// What was asked for, which `commit` does for real.
  let migration: MigrationArguments
  /// The way as it was found when the stepper began.
  let planned: PlannedMigration
  /// The store as it is shown.
  var name: String { planned.name }
  let traceFile: TraceFile?
  /// The store as it was when the stepper began.
  private let original: StoreWatch
  /// What was shown last: what has not changed is not said again.
  var shownPlace: StepPlace.Header?

  init(
    _ stepper: Stepper, _ migration: MigrationArguments, _ planned: PlannedMigration,
    original: StoreWatch, traceFile: TraceFile?
  ) {
    self.stepper = stepper
    self.migration = migration
    self.planned = planned
    self.original = original
    self.traceFile = traceFile
  }

  /// - Throws: ``Diagnostic`` where the store has changed since the stepper began.
  func checkUnchanged() throws {
    do {
      try original.check()
    } catch StoreError.changedMeanwhile {
      throw Diagnostic(
        id: "step.storeChanged", what: "\(name) has changed since `debug` began",
        fix: "`abandon`, and begin again: what was seen here may not be what would happen")
    }
  }
}

extension Session {
  /// The migration that is being stepped through.
  ///
  /// - Throws: ``Diagnostic`` where there is none.
  func steppingSession() throws(Diagnostic) -> SteppingSession {
    guard let stepping else {
      throw Diagnostic(
        id: "step.notDebugging", what: "no migration is being stepped through",
        fix: "`debug <store> --to <model>` begins")
    }
    return stepping
  }

  /// Goes on in the stepper, tells everybody who listens, and says where it stands.
  func move(_ goal: StepGoal) throws -> Outcome {
    let stepping = try steppingSession()
    let stepper = stepping.stepper
    listen(to: stepper)
    defer { progress?.end() }
    let stop = stepper.move(goal) { hear($0, stepping.traceFile) }
    stepping.traceFile?.flush()
    return try StopView(stop, stepping).outcome
  }

  /// Goes back, or to a place with a name or a number.
  func goBack(_ work: (Stepper) throws -> Bool) throws -> Outcome {
    let stepping = try steppingSession()
    listen(to: stepping.stepper)
    let from = stepping.stepper.position
    let isDone = try work(stepping.stepper)
    if stepping.stepper.position < from {
      stepping.traceFile?.write(
        .object([("event", "wentBack"), ("mark", .integer(Int64(stepping.stepper.mark)))]))
      stepping.traceFile?.flush()
    }
    var outcome = try StopView(nil, stepping, hasMoved: true).outcome
    if !isDone { outcome.status = .no }
    return outcome
  }

  private func listen(to stepper: Stepper) {
    (stepper.detail, stepper.tellsOwn) = (trace.detail, trace.tellsOwn)
  }

  /// Forgets the migration that is being stepped through; nothing of it stays.
  func abandonStepping() throws {
    let file = stepping?.traceFile
    stepping = nil
    try file?.close()
  }
}
