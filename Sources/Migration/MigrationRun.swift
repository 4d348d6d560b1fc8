public import StrataTraceEvents

/// One hop of a migration as a state machine that its caller drives.
///
/// ``pending`` says what comes next, ``step()`` does it and returns what happened. Continuing, single
/// steps, breakpoints, progress and cancelling are loops around these two. Nothing is printed, and no
/// thread is started.
///
/// ```swift
/// while run.pending != nil { for event in try run.step() { show(event) } }
/// ```
public protocol MigrationRun: ~Copyable {
  var hop: MigrationPlan.Hop { get }
  /// What ``step()`` does next; `nil` when all is done.
  var pending: MigrationStep? { get }
  var report: MigrationReport { get }

  /// Does what ``pending`` says; a step that throws ends the run.
  mutating func step() throws -> [TraceEvent]
}
