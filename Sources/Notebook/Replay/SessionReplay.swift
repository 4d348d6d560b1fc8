/// Evaluates the commands of a document again and compares.
public enum SessionReplay {
  /// Hands every command to `evaluate`, in order, and compares what it answers with what was
  /// recorded.
  ///
  /// ```swift
  /// let report = SessionReplay.run(document) { RecordedOutput(text: "you said \($0)") }
  /// ```
  ///
  /// A command that fails is one that answers with an exit status. What `evaluate` throws ends the
  /// replay.
  public static func run(
    _ document: SessionDocument, evaluate: (String) throws -> RecordedOutput
  ) rethrows -> ReplayReport {
    ReplayReport(
      results: try document.entries.map { entry in
        let actual = try evaluate(entry.command)
        return ReplayReport.Result(
          entry: entry, actual: actual, verdict: verdict(entry.recorded, actual))
      })
  }

  private static func verdict(
    _ recorded: RecordedOutput?, _ actual: RecordedOutput
  ) -> ReplayReport.Verdict {
    guard let recorded else { return .notRecorded }
    return recorded.compare(to: actual).map { .differs($0) } ?? .same
  }
}
