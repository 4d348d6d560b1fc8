package import StrataBase

/// The reason for the end of a movement, and its events.
package struct StepStop: Sendable {
  package enum Reason: Sendable {
    /// The goal was reached.
    case arrived
    /// Before or after the step that breakpoints wait for, and after one that has changed watched values.
    case hits([Hit], changes: [Change])
    /// The next step fails: the stepper is before it; a breakpoint may have waited for the error.
    case failed(Diagnostic, breakpoint: Int?)
    /// Ctrl-C.
    case interrupted
    /// The migration is complete; the value is whether objects are invalid in the new model.
    case end(isRefused: Bool)
  }

  /// A breakpoint that stops the stepper.
  package struct Hit: Sendable {
    package var breakpoint: Breakpoint
    package var why: String
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
  /// The units that the movement has not passed, of several.
  package var rest: StepGoal?

  /// The maximum number of events in a stop.
  static let eventLimit = 20
}

extension StepStop.Reason {
  /// This reason with the breakpoints that were hit and the values that have changed at the same place.
  func and(_ other: StepStop.Reason?) -> StepStop.Reason {
    guard case .hits(let hits, let changes) = self,
      case .hits(let otherHits, let otherChanges)? = other
    else { return self }
    return .hits(hits + otherHits, changes: changes + otherChanges)
  }
}
