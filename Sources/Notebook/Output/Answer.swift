/// What a command answered: what a document may record of it, and what a replay must know besides.
package struct Answer: Sendable, Hashable {
  /// What became of an expectation.
  package enum Expectation: Sendable, Hashable {
    case met, unmet
  }

  /// The answer as plain text, and the exit status.
  package var output: RecordedOutput
  /// The fingerprint of the data behind the output, where it has any.
  package var digest: AnswerDigest?
  /// Of a command that expects something, or has run a document in which something was not met.
  package var expectation: Expectation?
  /// Whether it would be another on a faster machine, or at another time: no document may record it.
  package var dependsOnTime = false
  /// Whether values of a store may be in it, which reports leave out.
  package var showsValues = false

  package init(_ output: RecordedOutput = RecordedOutput(), digest: AnswerDigest? = nil) {
    self.output = output
    self.digest = digest
  }
}
