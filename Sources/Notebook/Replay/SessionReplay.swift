/// Evaluates the commands of a document again and compares.
package enum SessionReplay {
  /// Hands every command to `evaluate`, in order, and compares what it answers with what was
  /// recorded.
  ///
  /// ```swift
  /// let report = SessionReplay.run(document) { entry in
  ///   Answer(RecordedOutput(text: "you said \(entry.command)"))
  /// }
  /// ```
  ///
  /// A command that fails is one that answers with an exit status. What `evaluate` throws ends the
  /// replay.
  package static func run(
    _ document: SessionDocument, evaluate: (SessionEntry) throws -> Answer
  ) rethrows -> ReplayReport {
    ReplayReport(commands: try document.entries.map { ReplayedCommand($0, try evaluate($0)) })
  }
}
