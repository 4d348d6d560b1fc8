internal import StrataBase
internal import StrataMigration

/// A run of any kind, with checkpoints for going back.
protocol HopDriver: AnyObject {
  var pending: MigrationStep? { get }
  var report: MigrationReport { get }
  func step() throws -> [TraceEvent]
  /// Saves the state to return to.
  func keepCheckpoint() throws
  var hasCheckpoints: Bool { get }
  /// - Parameter index: The index of a checkpoint; later checkpoints are discarded.
  func goBack(toCheckpoint index: Int) throws
}

final class RunDriver<Run: MigrationRun & ~Copyable>: HopDriver {
  var run: Run
  private var checkpoints: [Run.Checkpoint] = []

  init(_ run: consuming Run) { self.run = run }

  var pending: MigrationStep? { run.pending }
  var report: MigrationReport { run.report }
  var hasCheckpoints: Bool { run.hasCheckpoints }
  func step() throws -> [TraceEvent] { try run.step() }

  func keepCheckpoint() throws {
    checkpoints.append(try run.keepCheckpoint(checkpoints.count + 1))
  }

  func goBack(toCheckpoint index: Int) throws {
    try run.goBack(to: checkpoints[index])
    checkpoints.removeSubrange((index + 1)...)
  }
}
