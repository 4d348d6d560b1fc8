package import StrataBase
package import StrataSQLite

/// One hop of a migration as a state machine that its caller drives.
///
/// ``pending`` says what comes next, ``step()`` does it and returns what happened. Continuing, single
/// steps, breakpoints, progress and cancelling are loops around these two. Nothing is printed, and no
/// thread is started.
///
/// ```swift
/// while run.pending != nil { for event in try run.step() { show(event) } }
/// ```
package protocol MigrationRun: ~Copyable {
  var hop: MigrationPlan.Hop { get }
  /// What ``step()`` does next; `nil` when all is done.
  var pending: MigrationStep? { get }
  var report: MigrationReport { get }
  /// Hears of the statements that it runs.
  var log: StatementLog? { get }

  /// Does what ``pending`` says. A step that throws ends the run, unless it goes back to a checkpoint.
  mutating func step() throws -> [TraceEvent]

  /// What a run was at one place.
  associatedtype Checkpoint

  /// Keeps what is needed to come back here: SQLite's pages in a savepoint, and what the run knows.
  ///
  /// - Parameter number: Higher than those of the checkpoints that are kept already.
  mutating func keepCheckpoint(_ number: Int) throws -> Checkpoint

  /// Makes everything as it was there: stores, associations, policies, report. The checkpoint stays, later
  /// ones are gone.
  mutating func goBack(to checkpoint: Checkpoint) throws
}

extension MigrationRun where Self: ~Copyable {
  /// Does something of which no listener is to hear.
  package mutating func quietly<Result>(
    _ body: (inout Self) throws -> Result
  ) rethrows -> Result {
    guard let log else { return try body(&self) }
    let was = log.mute()
    defer { log.unmute(was) }
    return try body(&self)
  }
}
