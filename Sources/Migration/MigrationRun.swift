package import StrataBase
package import StrataSQLite

/// One hop of a migration, as a state machine that is driven by the caller.
///
/// ``pending`` is the next step; ``step()`` performs it and returns the events. Continuing, single-stepping,
/// breakpoints, progress and cancellation are loops around these two. Nothing is printed.
///
/// ```swift
/// func finish(_ run: inout some MigrationRun & ~Copyable) throws {
///   while run.pending != nil { for event in try run.step() { print(event.kind) } }
/// }
/// ```
package protocol MigrationRun: ~Copyable {
  var hop: MigrationPlan.Hop { get }
  /// The next step; `nil` at the end.
  var pending: MigrationStep? { get }
  var report: MigrationReport { get }
  /// The log of its statements.
  var log: StatementLog? { get }

  /// Performs the ``pending`` step. An error ends the run, unless it is restored to a checkpoint.
  mutating func step() throws -> [TraceEvent]

  /// The state of a run at a checkpoint.
  associatedtype Checkpoint

  /// Creates a checkpoint: an SQLite savepoint and the state of the run.
  ///
  /// - Parameter number: Must be higher than the numbers of existing checkpoints.
  mutating func keepCheckpoint(_ number: Int) throws -> Checkpoint

  /// Whether it can return to its checkpoints: SQLite discards them when a statement that writes is interrupted.
  var hasCheckpoints: Bool { get }

  /// Restores a checkpoint: stores, associations, policies and the report. The checkpoint is kept; later ones
  /// are removed.
  mutating func goBack(to checkpoint: Checkpoint) throws
}

extension MigrationRun where Self: ~Copyable {
  /// Performs an action without logging its statements.
  package mutating func quietly<Result>(
    _ body: (inout Self) throws -> Result
  ) rethrows -> Result {
    guard let log else { return try body(&self) }
    let was = log.mute()
    defer { log.unmute(was) }
    return try body(&self)
  }
}
