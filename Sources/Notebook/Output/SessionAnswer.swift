/// What evaluating a command gave.
public struct SessionAnswer: Sendable, Hashable {
  public var output: RecordedOutput
  /// The fingerprint of the data behind the output, where it has any.
  public var digest: AnswerDigest?

  /// Whether it is wrong whatever was recorded.
  public var isFailure = false
  /// Whether it is an expectation that is met, which needs no recorded output to be right.
  public var isMetExpectation = false
  /// Whether it would be another on a faster machine, or at another time: no document may record it.
  public var dependsOnTime = false

  public init(_ output: RecordedOutput, digest: AnswerDigest? = nil) {
    self.output = output
    self.digest = digest
  }
}
