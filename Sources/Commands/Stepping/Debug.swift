internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStepping
internal import StrataStore

/// `debug STORE --to MODEL`
struct Debug: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "debug", abstract: "Runs a migration step by step, forward and backward.",
    discussion: """
      The migration runs in a private folder: the store is only read and does not change before `commit`. \
      `step` runs one object or statement, `next` an entity mapping, `pass` a pass, `hop` a migration from \
      one version to the next; `continue` runs to a breakpoint or the end, `back` goes back by the same units, \
      `goto` goes to a mark or an event. `where`, `explain`, `state`, `source`, `destination`, `associations`, `eval` \
      and `sql` inspect the current state. See `help stepping`.
      """)
  static let examples = [
    CommandExample(
      "stop at some objects", "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "debug lists.sqlite --to sample:Topics/Model2", "step 2", "source", "back", "abandon"),
    CommandExample(
      "statement by statement", "create lists.sqlite --model sample:Topics/Model2 --rows 2",
      "debug lists.sqlite --to sample:Topics/Model3", "next", "continue", "commit"),
  ]

  @OptionGroup var migration: MigrationArguments
  @Flag(help: "Overwrite the file of --trace-json.") var force = false
  @OptionGroup var traceOptions: TraceOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !force || traceOptions.file != nil else {
      throw ValidationError("--force requires --trace-json")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    if let stepping = session.stepping {
      throw Diagnostic(
        id: "step.debugging", what: "the migration of \(stepping.name) is being stepped through",
        fix: "`abandon` discards it, `restart` starts again")
    }
    let planned = try session.plan(migration)
    if let refusal = session.stagesNeedSQLite(planned, by: migration, hasOutput: false) {
      throw refusal
    }
    guard !planned.plan.hops.isEmpty else {
      return Outcome(
        .line("nothing to step through: \(planned.name) is at \(planned.target.name) already"),
        json: ["hops": 0], status: .no)
    }
    guard planned.pending == nil else {
      throw Diagnostic(
        id: "step.pendingStage", what: "a staged migration of \(planned.name) was interrupted",
        fix: "`migrate` with the same stages finishes it first")
    }
    let original = try StoreWatch(planned.path)
    let stepper = try session.stepper(of: planned, withoutPolicies: migration.withoutPolicy)
    let stepping = SteppingSession(
      stepper, migration, planned, original: original,
      traceFile: try session.traceFile(
        traceOptions, force: force, beside: planned.path,
        revealing: migration.reveal))
    session.stepping = stepping
    for event in stepper.lastEvents(.max) { session.receive(event, stepping.traceFile) }
    stepping.traceFile?.flush()
    var outcome = try StopView(nil, stepping).outcome
    outcome.warnings =
      planned.problems
      + planned.plan.faults(planned.policies, isStepped: true)
      + (session.keepsAnswers ? [] : [Self.endsAtOnce])
    return outcome
  }

  private static let endsAtOnce = Diagnostic(
    id: "step.endsAtOnce", severity: .warning,
    what: "the stepper ends with this command: a shell keeps no state between commands",
    fix: "start `strata`, or put the commands in a script: `strata run <file>`")
}

extension Session {
  /// A stepper at the beginning of a migration, which has at least one hop.
  func stepper(of planned: PlannedMigration, withoutPolicies: Bool) throws -> Stepper {
    let first = planned.plan.hops[0].from.model
    let path = planned.path
    if let store = try atomicStore(path) { warnOfUnprovenParts(of: store, path, model: first) }
    let setup = StepperSetup(
      hops: planned.plan.hops, policies: planned.policies, withoutPolicies: withoutPolicies,
      // The session owns the stepper, so the stepper must not retain the session.
      open: { [unowned self] in try openAgain(path, model: first) },
      runScripts: { [unowned self] stage, isBefore, path in
        let scripts = StageScriptRunner(session: self, isRehearsal: true)
        _ = try isBefore ? scripts.begin(stage, path) : scripts.finish(stage, path)
      })
    do {
      return try Stepper(setup)
    } catch let error as StoreError {
      throw error.diagnostic.located(in: planned.name)
    }
  }
}
