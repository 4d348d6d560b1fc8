/// A position in a migration: a hop and the number of its completed steps.
package struct StepPosition: Sendable, Hashable, Comparable {
  /// Starting at 0.
  package var hop: Int
  package var step: Int

  package static func < (a: Self, b: Self) -> Bool {
    (a.hop, a.step) < (b.hop, b.step)
  }
}
