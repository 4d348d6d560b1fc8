/// The numbers of objects of a leap, see ``Stepper/leap(atMost:ignoringBreakpoints:)``.
package struct LeapSizes: Sendable {
  /// Fewer objects are migrated one by one.
  package var least: Int
  /// About as many objects as are migrated between two checkpoints.
  package var most: Int

  package static let standard = LeapSizes(least: 50, most: 100_000)

  package init(least: Int, most: Int) { (self.least, self.most) = (max(1, least), max(1, most)) }
}
