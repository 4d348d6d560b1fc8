/// The score of a probable rename without a renaming identifier.
package struct RenameScore: Sendable, Hashable {
  /// From 0 to 1, rounded to hundredths.
  package var value: Double
  /// The descriptions of the evidence.
  package var evidence: [String]

  init(_ value: Double, _ evidence: [String]) {
    self.value = (min(1, value) * 100).rounded() / 100
    self.evidence = evidence
  }
}
