/// Evaluates the commands of a document again and compares the answers.
package enum SessionReplay {
  /// Calls `evaluate` for every command, in order, and compares its answer with the recorded one.
  ///
  /// ```swift
  /// let document = try SessionDocument(reading: "samples\n", form: .script)
  /// let report = SessionReplay.run(document) { entry in
  ///   Answer(RecordedOutput(text: "you said \(entry.command)"))
  /// }
  /// ```
  ///
  /// A failed command returns an answer with an exit status. An error thrown by `evaluate` ends the replay.
  package static func run(
    _ document: SessionDocument, evaluate: (SessionEntry) throws -> Answer
  ) rethrows -> ReplayReport {
    ReplayReport(commands: try document.entries.map { ReplayedCommand($0, try evaluate($0)) })
  }
}
