/// A place in a migration: so many steps of its engine into a hop.
package struct StepPosition: Sendable, Hashable, Comparable {
  /// Counted from 0.
  package var hop: Int
  package var step: Int

  package init(hop: Int, step: Int) {
    self.hop = hop
    self.step = step
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.hop, a.step) < (b.hop, b.step)
  }
}
