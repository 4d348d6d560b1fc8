package import StrataBase

/// The reason for the end of a movement, and its events.
package struct StepStop: Sendable {
  package enum Reason: Sendable {
    /// The goal was reached.
    case arrived
    /// Before or after the step that a breakpoint waits for.
    case breakpoint(Breakpoint, why: String)
    /// Watched values have changed.
    case watch([Change])
    /// The next step fails: the stepper is before it; a breakpoint may have waited for the error.
    case failed(Diagnostic, breakpoint: Int?)
    /// Ctrl-C.
    case interrupted
    /// The migration is complete; the value is whether objects are invalid in the new model.
    case end(isRefused: Bool)
  }

  /// The change of a watched value.
  package struct Change: Sendable {
    package var watchpoint: Watchpoint
    package var before: WatchedValue
    package var now: WatchedValue
    /// The number of further objects with a change.
    package var otherCount = 0
  }

  package var reason: Reason
  /// The last events of the movement.
  package var events: [TraceEvent]
  /// The number of all its events.
  package var eventCount: Int

  /// The maximum number of events in a stop.
  static let eventLimit = 20
}
