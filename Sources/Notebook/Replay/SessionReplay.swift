/// Evaluates the commands of a document again and compares.
public enum SessionReplay {
  /// Hands every command to `evaluate`, in order, and compares what it answers with what was
  /// recorded.
  ///
  /// ```swift
  /// let report = SessionReplay.run(document) { entry in
  ///   SessionAnswer(RecordedOutput(text: "you said \(entry.command)"))
  /// }
  /// ```
  ///
  /// A command that fails is one that answers with an exit status. What `evaluate` throws ends the
  /// replay.
  public static func run(
    _ document: SessionDocument, evaluate: (SessionEntry) throws -> SessionAnswer
  ) rethrows -> ReplayReport {
    ReplayReport(
      results: try document.entries.map { entry in
        let answer = try evaluate(entry)
        return ReplayReport.Result(
          entry: entry, actual: answer.output, digest: answer.digest,
          isFailure: answer.isFailure, isMetExpectation: answer.isMetExpectation,
          dependsOnTime: answer.dependsOnTime,
          verdict: verdict(entry, answer))
      })
  }

  private static func verdict(
    _ entry: SessionEntry, _ answer: SessionAnswer
  ) -> ReplayReport.Verdict {
    guard let recorded = entry.recorded else { return .notRecorded }
    guard let difference = recorded.compare(to: answer.output) else { return .same }
    guard let before = entry.digest, let now = answer.digest else {
      return .differs(difference, nil)
    }
    return .differs(difference, before == now ? .wording : .answer)
  }
}
