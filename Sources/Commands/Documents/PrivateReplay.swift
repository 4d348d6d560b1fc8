internal import StrataArchives
internal import StrataDiagnostics
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

  /// - Throws: What ends the replay as a whole: Ctrl-C, or no place for private files.
  func report(of document: SessionDocument) throws -> ReplayReport {
    var evaluator: CommandEvaluator?
    return try SessionReplay.run(document) { entry in
      try Interruption.check()
      if entry.startsFresh { evaluator = nil }
      let current = try evaluator ?? fresh()
      evaluator = current
      return current.evaluate(line: entry.command).answer
    }
  }

  private func fresh() throws -> CommandEvaluator {
    CommandEvaluator(
      session: try Session(
        replayingIn: folder, below: readable, mayWrite: mayWrite, depth: depth, on: written))
  }
}
