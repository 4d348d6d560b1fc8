internal import StrataRendering

/// The result of checking an expectation.
struct ExpectationResult {
  /// Whether the condition is true.
  var holds: Bool
  /// The fact, as a sentence.
  var message: String
  /// The condition, as a sentence.
  var expected: String
  /// Details that show why the condition is false.
  var details: View = .nothing
}
