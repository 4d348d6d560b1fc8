internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStepping
internal import StrataStore

/// A migration that is run step by step in a session.
final class SteppingSession {
  let stepper: Stepper
  /// The arguments of `debug`, with which `commit` runs the migration.
  let migration: MigrationArguments
  /// The plan made when the stepper started.
  let planned: PlannedMigration
  /// The name of the store in output.
  var name: String { planned.name }
  let traceFile: TraceFile?
  /// Whether saved answers contain values: those of built-in samples are not private.
  var revealsValues: Bool { Session.isOfSample(planned.source.model) }
  /// The state of the store when the stepper started.
  private let original: StoreWatch
  /// The time at which it started, see ``Moment``.
  let moment = Moment.current
  /// The header shown last; an unchanged header is not repeated.
  var shownHeader: StepLocation.Header?

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

  /// - Throws: ``Diagnostic`` if the store has changed since the stepper started.
  func checkUnchanged() throws {
    do {
      try original.check()
    } catch StoreError.changedMeanwhile {
      throw Diagnostic(
        id: "step.storeChanged", what: "\(name) has changed since `debug` began",
        fix: "`abandon`, then start again: the result may differ from what was shown")
    }
  }
}

extension Session {
  /// The current stepping session.
  ///
  /// - Throws: ``Diagnostic`` if there is none.
  func steppingSession() throws(Diagnostic) -> SteppingSession {
    guard let stepping else {
      throw Diagnostic(
        id: "step.notDebugging", what: "no migration is being stepped through",
        fix: isInLesson
          ? "`debug <store> --to <model>` starts one; `lesson next` continues the lesson"
          : "`debug <store> --to <model>` starts one")
    }
    return stepping
  }

  /// Moves the stepper forward, sends the events to all observers, and returns the new position.
  ///
  /// - Parameter asJSON: Whether the answer is JSON, which has the details of events.
  func move(_ goal: StepGoal, asJSON: Bool) throws -> Outcome {
    let stepping = try steppingSession()
    let stepper = stepping.stepper
    listen(to: stepper)
    // Details take longer than the work of a step.
    stepper.hasDetails =
      goal == .unit(.step, count: 1) || asJSON || trace.migration > 2 || stepping.traceFile != nil
    stepper.reportsEachObject = trace.migration >= 2 || stepping.traceFile != nil
    defer { progress?.end() }
    let stop = stepper.move(goal) { receive($0, stepping.traceFile) }
    stepping.traceFile?.flush()
    return try outcome(of: stop, in: stepping, asJSON: asJSON, StopView(stop, stepping))
  }

  /// The answer of a movement. If Ctrl-C ended it, where it did depends on the machine: what is recorded is `goto`.
  private func outcome(
    of stop: StepStop?, in stepping: SteppingSession, asJSON: Bool, _ view: StopView
  ) throws -> Outcome {
    guard case .interrupted? = stop?.reason else { return view.outcome }
    let outcome = view.outcome
    running?.repeatable = (
      ["goto", "\(stepping.stepper.mark)"] + (asJSON ? ["--json"] : []),
      try StopView(nil, stepping, hasMoved: true).outcome
    )
    return outcome
  }

  /// Goes back, or to a mark or an event.
  ///
  /// - Parameters:
  ///   - asJSON: Whether the answer is JSON.
  ///   - work: The movement; it gives the events of one forward to the closure, if there is one, and returns whether it
  ///     has arrived.
  func goBack(
    asJSON: Bool,
    _ work: (_ stepper: Stepper, _ receive: ((TraceEvent) -> Void)?) throws -> Bool
  ) throws -> Outcome {
    let stepping = try steppingSession()
    listen(to: stepping.stepper)
    let from = stepping.stepper.position
    var (isDone, stop) = (false, StepStop?.none)
    // A trace has every event; otherwise what is passed is not shown.
    stepping.stepper.hasDetails = stepping.traceFile != nil
    var hasWritten = false
    do {
      isDone = try work(
        stepping.stepper,
        stepping.traceFile.map { file in
          { [isRevealed = trace.isRevealed] event in
            file.write(event, revealing: isRevealed)
            hasWritten = true
          }
        })
    } catch {
      stop = stepping.stepper.stopped(by: error)
    }
    if stepping.stepper.position < from || hasWritten && stepping.stepper.position == from {
      stepping.traceFile?.write(["event": "wentBack", "mark": stepping.stepper.mark])
    }
    stepping.traceFile?.flush()
    var outcome = try outcome(
      of: stop, in: stepping, asJSON: asJSON, StopView(stop, stepping, hasMoved: true))
    if !isDone, stop == nil { outcome.status = .no }
    return outcome
  }

  private func listen(to stepper: Stepper) {
    (stepper.detail, stepper.reportsOwn) = (trace.detail, trace.reportsOwn)
  }

  /// Discards the current stepping session and its files.
  func abandonStepping() throws {
    let file = stepping?.traceFile
    stepping = nil
    try file?.close()
  }
}
