internal import StrataArchives
internal import StrataBase
internal import StrataNotebook

/// Runs the commands of a document in sessions that nobody else sees.
struct PrivateReplay: Sendable {
  /// What the document's paths are relative to.
  var folder: String
  /// Below which folders it may read: they are the same until it ends.
  var readable: ReadableFolders
  /// Whether it may change files there; else what it writes is seen by itself alone.
  var mayWrite = false
  /// How many documents replay one another, this one included.
  var depth = 1
  /// What the document that replays this one has written.
  var written: FileOverlay.Contents?
  /// The work of the command that replays: that of each document counts for it, on whatever thread.
  var outer = Work.current

  /// - Throws: What ends the replay as a whole: Ctrl-C, no place for private files, or ``BudgetSpent`` where the
  ///   commands together have spent the budget of a replay; then nothing of it is an answer.
  func report(of document: SessionDocument) throws -> ReplayReport {
    let work = Work(within: outer, isReplay: true)
    var evaluator: CommandEvaluator?
    return try Work.$current.withValue(work) {
      try SessionReplay.run(document) { entry in
        try Interruption.check()
        if entry.startsFresh { evaluator = nil }
        let current = try evaluator ?? fresh()
        evaluator = current
        let answer = current.evaluate(line: entry.command).answer
        do throws(BudgetSpent) {
          try work.check()
        } catch {
          var diagnostic = error.diagnostic
          diagnostic.location = Location(line: entry.line)
          throw diagnostic
        }
        return answer
      }
    }
  }

  private func fresh() throws -> CommandEvaluator {
    CommandEvaluator(
      session: try Session(
        replayingIn: folder, below: readable, mayWrite: mayWrite, depth: depth, on: written))
  }
}
