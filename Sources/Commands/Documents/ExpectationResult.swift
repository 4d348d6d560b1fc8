internal import StrataRendering

/// The answer to an expectation.
struct ExpectationResult {
  /// Whether the condition is true.
  var holds: Bool
  /// The fact, in a sentence.
  var words: String
  /// The condition, in a sentence.
  var expected: String
  /// What helps to see why it is not true.
  var details: View = .nothing
}
