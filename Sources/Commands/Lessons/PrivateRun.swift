internal import StrataBase
internal import StrataNotebook

/// A private session in which commands run one after the other, and that is looked at between them. All commands share one
/// budget.
struct PrivateRun {
  private let replay: PrivateReplay
  private var evaluator: CommandEvaluator
  private let work: Work

  /// - Throws: An error if there is no room for private files.
  init(_ replay: PrivateReplay) throws {
    self.replay = replay
    evaluator = try replay.fresh()
    work = Work(within: replay.outer, isReplay: true)
  }

  /// Continues in a new session.
  private mutating func restart() throws { evaluator = try replay.fresh() }

  /// Runs a command.
  ///
  /// - Returns: Its error, unless the document expects it: `line 12: no such file`.
  /// - Throws: An error that ends the run: Ctrl-C, or ``BudgetSpent``.
  mutating func run(_ entry: SessionEntry) throws -> String? {
    try Work.$current.withValue(work) {
      try Interruption.check()
      if entry.startsFresh { try restart() }
      let evaluation = evaluator.evaluate(line: entry.command)
      try work.check()
      guard evaluation.status >= .failed, !evaluation.isExpected(by: entry) else { return nil }
      let error = evaluation.diagnostics.split(separator: "\n").first ?? "the command fails"
      return "line \(entry.line): \(error)"
    }
  }

  /// Looks at the session between commands.
  func look<Answer>(_ look: (Session) throws -> Answer) throws -> Answer {
    try Work.$current.withValue(work) {
      let answer = try evaluator.session.access.whileReading { try look(evaluator.session) }
      try work.check()
      return answer
    }
  }
}
