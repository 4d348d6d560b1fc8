internal import StrataObjectModel
internal import StrataSQLite

/// What belongs to a running command and ends with it.
///
/// A command that runs others, such as `run`, has a context of its own: theirs take its place one after the other.
struct CommandContext {
  /// The session's folder when the command began.
  let folder: String
  /// The migration that was being stepped through when the command began.
  let stepped: PlannedMigration?
  /// How much had been written that only this session sees, when the command began.
  let earlierPrivateWrites: Int
  let trace: TraceLines
  /// Hears of the command's statements: every store that it opens gets it.
  let statements: StatementLog?
  /// What the command changes in the session.
  var change: SessionChange?
  /// What it has found beside the stores that it read; `nil` where an earlier command has warned of them.
  var warnings: StoreWarnings? = StoreWarnings()
  /// Of each store that it has read, the hashes of its model.
  var readings: [[String: VersionHash]] = []
  /// The paths that it was given, with the files they mean.
  var typedPaths: [String: String] = [:]
  /// How many expectations were not met, those of documents that it ran included.
  var unmetCount = 0

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
  /// Does a command's work in a context, and returns what has become of the context. The command that runs this one
  /// learns what was read and what was not met.
  func whileRunning<Answer>(
    _ context: CommandContext, _ work: () -> Answer
  ) -> (answer: Answer, context: CommandContext) {
    let outer = running
    running = context
    let answer = work()
    let ended = running ?? context
    running = outer
    running?.readings += ended.readings
    running?.unmetCount += ended.unmetCount
    return (answer, ended)
  }
}
