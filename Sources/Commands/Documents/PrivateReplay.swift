internal import StrataArchives
internal import StrataBase
internal import StrataNotebook

/// Runs the commands of a document in private sessions.
struct PrivateReplay: Sendable {
  /// The folder to which the document's paths are relative.
  var folder: String
  /// The folders that it may read; they do not change during the replay.
  var readable: ReadableFolders
  /// Whether it may change files there; otherwise its files are visible only to itself.
  var mayWrite = false
  /// The number of nested replays, including this one.
  var depth = 1
  /// The files written by the document that replays this one.
  var written: FileOverlay.Contents?
  /// The work counter of the `replay` command; the work of all documents is added to it, on any thread.
  var outer = Work.current

  /// - Throws: An error that ends the whole replay: Ctrl-C, no room for private files, or ``BudgetSpent`` if
  ///   the commands exceed the budget of a replay; then there is no answer.
  ///
  /// - Parameter note: Receives each command after it has run; `nil` for a line that is none.
  func report(
    of document: SessionDocument, noting note: (ExecutedCommand?) -> Void = { _ in }
  ) throws -> ReplayReport {
    let work = Work(within: outer, isReplay: true)
    var evaluator: CommandEvaluator?
    return try Work.$current.withValue(work) {
      try SessionReplay.run(document) { entry in
        try Interruption.check()
        if entry.startsFresh { evaluator = nil }
        let current = try evaluator ?? fresh()
        evaluator = current
        let evaluation = current.evaluate(line: entry.command)
        note(evaluation.executed)
        do throws(BudgetSpent) {
          try work.check()
        } catch {
          var diagnostic = error.diagnostic
          diagnostic.location = Location(line: entry.line)
          throw diagnostic
        }
        return evaluation.answer
      }
    }
  }

  /// A new session for the commands of a document.
  func fresh() throws -> CommandEvaluator {
    CommandEvaluator(
      session: try Session(
        replayingIn: folder, below: readable, mayWrite: mayWrite, depth: depth, on: written))
  }
}
