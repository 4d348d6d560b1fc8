internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite

/// The state of a running command.
///
/// A command that runs others, such as `run`, has its own context, which is replaced by theirs while they
/// run.
struct CommandContext {
  /// The session's folder when the command began.
  let folder: String
  /// The migration in the stepper when the command began.
  let stepped: PlannedMigration?
  /// The number of private writes of the session when the command began.
  let earlierPrivateWrites: Int
  let trace: TraceLines
  /// The observer of the command's SQL statements, passed to every store that it opens.
  let statements: StatementLog?
  /// The change that the command makes in the session.
  var change: SessionChange?
  /// The warnings about files next to the stores that it read; `nil` if an earlier command has given them.
  var warnings: StoreWarnings? = StoreWarnings()
  /// The version hashes of each store that it has read.
  var readings: [[String: VersionHash]] = []
  /// The typed paths, with the paths of their files.
  var typedPaths: [String: String] = [:]
  /// The command that does the same again, if this one was interrupted after it has moved the stepper: its arguments and
  /// answer are recorded instead.
  var repeatable: (arguments: [String], outcome: Outcome)?
  /// The number of unmet expectations, including those of documents that it ran.
  var unfulfilledCount = 0

  init(of command: any StrataCommand, in session: Session) {
    folder = session.folder
    stepped = session.stepping?.planned
    earlierPrivateWrites = session.privateWrites
    trace = TraceLines(
      show: command.output.json ? nil : session.showTrace,
      keeps: !command.output.json && (session.keepsAnswers || session.showTrace == nil))
    statements = session.statementLog(showing: trace)
  }
}

extension Session {
  /// Runs a command in a context and returns the updated context. The enclosing command takes over the hashes
  /// that were read and the number of unmet expectations.
  func whileRunning<Answer>(
    _ context: CommandContext, _ work: () -> Answer
  ) -> (answer: Answer, context: CommandContext) {
    let outer = running
    running = context
    let answer = work()
    let ended = running ?? context
    running = outer
    running?.readings += ended.readings
    running?.unfulfilledCount += ended.unfulfilledCount
    return (answer, ended)
  }
}

extension Session {
  /// The outcome of a shell command that loads or edits, with a note that nothing of that remains.
  func tellingWhatEnds(with outcome: Outcome) -> Outcome {
    guard !keepsAnswers, let change = running?.change else { return outcome }
    var note = Diagnostic(
      id: "session.endsAtOnce", severity: .note,
      what: "this ends with the command: a shell keeps no state between commands",
      fix: "start `strata`, or name the files in each command")
    if case .tried = change {
      note.what = "no file is changed: the edited copy ends with the command"
      note.fix =
        "`try REF KEY VALUE --write` changes the file, or start `strata`, where the copy is kept"
    }
    var outcome = outcome
    outcome.warnings.append(note)
    return outcome
  }
}
