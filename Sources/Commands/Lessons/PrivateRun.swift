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
  mutating func restart() throws { evaluator = try replay.fresh() }

  /// Runs commands, and then looks at the session.
  ///
  /// - Throws: An error that ends the run: Ctrl-C, or ``BudgetSpent``.
  func after<Answer>(
    _ commands: some Sequence<SessionEntry>, _ look: (Session) -> Answer
  ) throws -> Answer {
    try Work.$current.withValue(work) {
      for entry in commands {
        try Interruption.check()
        _ = evaluator.evaluate(line: entry.command)
        try work.check()
      }
      return evaluator.session.access.whileReading { look(evaluator.session) }
    }
  }
}
