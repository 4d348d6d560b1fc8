/// How far apart checkpoints are: near enough that going back by one object is at once, and few enough that
/// going on costs little.
///
/// Spacing by time is no limit: whatever lies between, going back leads to the same place.
///
/// SQLite looks through all savepoints for each page that it writes: after a hundred, the distance doubles.
package struct CheckpointSpacing: Sendable {
  /// Of work between two checkpoints.
  private var seconds: Double
  /// Where it goes by steps: tests try every distance.
  private let steps: Int?
  private var count = 0

  private static let doublingCount = 100

  package static let standard = CheckpointSpacing(seconds: 0.1, steps: nil)

  /// A checkpoint after so many steps.
  package static func every(_ steps: Int) -> CheckpointSpacing {
    CheckpointSpacing(seconds: 0, steps: steps)
  }

  private init(seconds: Double, steps: Int?) {
    self.seconds = seconds
    self.steps = steps
  }

  /// Whether it is time for one.
  ///
  /// - Parameter elapsed: Since the last one.
  mutating func isDue(after elapsed: Duration, steps count: Int) -> Bool {
    guard steps.map({ count >= $0 }) ?? (elapsed > .seconds(seconds)) else { return false }
    self.count += 1
    if self.count % Self.doublingCount == 0 { seconds *= 2 }
    return true
  }
}
