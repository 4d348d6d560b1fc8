/// A place in a migration: so many steps of its engine into a hop.
public struct StepPosition: Sendable, Hashable, Comparable {
  /// Counted from 0.
  public var hop: Int
  public var step: Int

  public init(hop: Int, step: Int) {
    self.hop = hop
    self.step = step
  }

  public static func < (a: Self, b: Self) -> Bool {
    (a.hop, a.step) < (b.hop, b.step)
  }
}
