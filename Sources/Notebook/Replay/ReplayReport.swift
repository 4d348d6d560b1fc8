/// What a replay found, command by command.
///
/// ```swift
/// for command in report.commands {
///   if let difference = command.verdict.difference { print(difference.unified()) }
/// }
/// ```
package struct ReplayReport: Sendable, Hashable {
  /// In the order of the document's entries, as many as these.
  package let commands: [ReplayedCommand]

  /// Every answer by index of the entry, for ``SessionDocument/recording(_:)``.
  package var outputs: [Int: RecordedOutput] {
    Dictionary(uniqueKeysWithValues: commands.enumerated().map { ($0, $1.answer.output) })
  }

  /// The fingerprints to keep in the document, by index of the entry, when it takes some outputs.
  ///
  /// An answer's fingerprint belongs to the output that it fits. Where an answer is refused, or taken in
  /// part, the document still expects another one, whose fingerprint is not that of this answer.
  ///
  /// - Parameter taken: The outputs that the document takes, by the same index.
  package func digests(taking taken: [Int: RecordedOutput]) -> [Int: AnswerDigest] {
    Dictionary(
      uniqueKeysWithValues: commands.enumerated().compactMap { index, command in
        guard let digest = command.answer.digest,
          let expected = taken[index] ?? command.entry.recorded,
          expected.compare(to: command.answer.output) == nil
        else { return nil }
        return (index, digest)
      })
  }

  /// The same answers compared with another recording of the same commands.
  package func compared(with document: SessionDocument) -> ReplayReport {
    precondition(document.entries.count == commands.count, "another document")
    return ReplayReport(
      commands: zip(document.entries, commands).map { ReplayedCommand($0, $1.answer) })
  }
}
