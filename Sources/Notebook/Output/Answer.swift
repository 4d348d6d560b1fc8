/// The answer of a command: the part that a document records, and the facts that a replay needs.
package struct Answer: Sendable, Hashable {
  /// The result of an expectation.
  package enum Expectation: Sendable, Hashable {
    case fulfilled, unfulfilled
  }

  /// The answer as plain text, and the exit status.
  package var output: RecordedOutput
  /// The fingerprint of the data behind the output, if any.
  package var digest: AnswerDigest?
  /// The result of an expectation, or of a command that ran a document with an unfulfilled expectation.
  package var expectation: Expectation?
  /// Whether it depends on the speed of the machine or the time; then it is not recorded.
  package var dependsOnTime = false
  /// Whether it may contain values of a store, which reports omit.
  package var showsValues = false

  package init(_ output: RecordedOutput = RecordedOutput(), digest: AnswerDigest? = nil) {
    self.output = output
    self.digest = digest
  }
}
