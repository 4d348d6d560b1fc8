package import StrataBase
package import StrataObjectModel

/// A way out of an obstacle, or of what a warning warns of.
package struct Remedy: Sendable, Hashable {
  package enum Means: Sendable, Hashable {
    /// Edits of the destination model.
    case edits([ModelEdit])
    /// Versions in between, each inferable from the last.
    case split
    /// A mapping model: its value expressions and policies.
    case mappingModel
    /// Nothing that a tool could do.
    case advice
  }

  package var words: String
  package var means: Means
  /// What trying it on a copy has shown: verified where inference then succeeds.
  package var proof: Fix.Proof
  /// What speaks for it, where it is a guess.
  package var score: RenameScore?

  init(
    _ words: String, _ means: Means = .advice, proof: Fix.Proof = .untried,
    score: RenameScore? = nil
  ) {
    self.words = words
    self.means = means
    self.proof = proof
    self.score = score
  }

  /// A version in which old and new values both exist.
  static let split = Remedy(
    "split the migration into steps, between which the app copies the values", .split)

  /// A stage that converts numbers as inference does, until its line is changed.
  static let splitNumbers = Remedy(
    "split the migration into steps, and convert the numbers otherwise in the stage", .split)
}
