internal import StrataBase
internal import StrataMigration

/// A run with the checkpoints to which it can go back, whatever kind it is of.
protocol HopDriver: AnyObject {
  var pending: MigrationStep? { get }
  var report: MigrationReport { get }
  func step() throws -> [TraceEvent]
  /// Keeps what is needed to come back here.
  func keepCheckpoint() throws
  /// - Parameter index: That of a checkpoint, in the order in which they were kept; later ones are gone.
  func goBack(toCheckpoint index: Int) throws
}

final class RunDriver<Run: MigrationRun & ~Copyable>: HopDriver {
  var run: Run
  private var checkpoints: [Run.Checkpoint] = []

  init(_ run: consuming Run) { self.run = run }

  var pending: MigrationStep? { run.pending }
  var report: MigrationReport { run.report }
  func step() throws -> [TraceEvent] { try run.step() }

  func keepCheckpoint() throws {
    checkpoints.append(try run.keepCheckpoint(checkpoints.count + 1))
  }

  func goBack(toCheckpoint index: Int) throws {
    try run.goBack(to: checkpoints[index])
    checkpoints.removeSubrange((index + 1)...)
  }
}
