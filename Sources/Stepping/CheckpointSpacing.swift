/// The distance between checkpoints: short enough to go back by one object immediately, long enough that
/// moving forward costs little.
///
/// Spacing by time does not affect the result: going back always restores the same state.
///
/// SQLite checks all savepoints for each page that it writes: after a hundred savepoints, the distance doubles.
package struct CheckpointSpacing: Sendable {
  /// The seconds of work between two checkpoints.
  private var seconds: Double
  /// The number of steps between checkpoints, for tests.
  private let steps: Int?
  private var count = 0

  private static let doublingCount = 100

  package static let standard = CheckpointSpacing(seconds: 0.1, steps: nil)

  /// A checkpoint after a fixed number of steps.
  package static func every(_ steps: Int) -> CheckpointSpacing {
    CheckpointSpacing(seconds: 0, steps: steps)
  }

  /// Whether a checkpoint is due.
  ///
  /// - Parameter elapsed: The time since the last checkpoint.
  mutating func isDue(after elapsed: Duration, steps count: Int) -> Bool {
    guard steps.map({ count >= $0 }) ?? (elapsed > .seconds(seconds)) else { return false }
    self.count += 1
    if self.count % Self.doublingCount == 0 { seconds *= 2 }
    return true
  }
}
