package import StrataBase
package import StrataObjectModel

/// A fix for an obstacle or a warning.
package struct Remedy: Sendable, Hashable {
  package enum Means: Sendable, Hashable {
    /// Edits of the destination model.
    case edits([ModelEdit])
    /// Intermediate versions, each inferable from the previous one.
    case split
    /// A mapping model: its value expressions and policies.
    case mappingModel
    /// Advice that cannot be applied automatically.
    case advice
  }

  package var text: String
  package var means: Means
  /// The result of a trial on a copy: verified if inference then succeeds.
  package var proof = Fix.Proof.untried
  /// The score and the evidence of a guess; `nil` if it is not one.
  package var score: RenameScore?

  init(_ text: String, _ means: Means = .advice, score: RenameScore? = nil) {
    self.text = text
    self.means = means
    self.score = score
  }

  /// An intermediate version in which old and new values both exist.
  static let split = Remedy(
    "split the migration into steps, and copy the values between them in the app", .split)

  /// A stage that converts numbers like inference, until its line is edited.
  static let splitNumbers = Remedy(
    "split the migration into steps, and convert the numbers in a custom stage", .split)
}
