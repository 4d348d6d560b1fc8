/// The result of a replay, command by command.
///
/// ```swift
/// let document = try SessionDocument(reading: "samples\n#| Topics\n", form: .script)
/// let report = SessionReplay.run(document) { _ in Answer(RecordedOutput(text: "Flight")) }
/// for command in report.commands {
///   if let difference = command.verdict.difference { print(difference.unified()) }
/// }
/// ```
package struct ReplayReport: Sendable, Hashable {
  /// The commands, one for each entry of the document, in order.
  package let commands: [ReplayedCommand]

  /// All answers by index of the entry, for ``SessionDocument/recording(_:)``.
  package var outputs: [Int: RecordedOutput] {
    Dictionary(uniqueKeysWithValues: commands.enumerated().map { ($0, $1.answer.output) })
  }

  /// The new fingerprints of the document, by index of the entry, after some outputs are accepted.
  ///
  /// The fingerprint of an answer belongs to an output that matches the answer. If an answer is rejected or
  /// accepted in part, the document expects another answer with another fingerprint.
  ///
  /// - Parameter accepted: The accepted outputs, by the same index.
  package func digests(accepting accepted: [Int: RecordedOutput]) -> [Int: AnswerDigest] {
    Dictionary(
      uniqueKeysWithValues: commands.enumerated().compactMap { index, command in
        guard let digest = command.answer.digest, !command.entry.expectsAnyData,
          accepted[index] != nil || command.verdict.difference == nil,
          let expected = accepted[index] ?? command.entry.recorded,
          expected.compare(to: command.answer.output) == nil
        else { return nil }
        return (index, digest)
      })
  }

  /// The report of the same answers, compared with another recording of the same commands.
  package func compared(with document: SessionDocument) -> ReplayReport {
    precondition(document.entries.count == commands.count, "another document")
    return ReplayReport(
      commands: zip(document.entries, commands).map { ReplayedCommand($0, $1.answer) })
  }
}
