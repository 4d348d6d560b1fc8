package import StrataBase

/// Why a movement ended, and what happened on the way.
package struct StepStop: Sendable {
  package enum Reason: Sendable {
    /// It went as far as was asked.
    case arrived
    /// In front of what a breakpoint waits for, or right behind it.
    case breakpoint(Breakpoint, why: String)
    /// Values that are watched have changed.
    case watch([Change])
    /// The next step cannot be done: the stepper stands in front of it; a breakpoint may have waited for it.
    case failed(Diagnostic, breakpoint: Int?)
    /// Ctrl-C.
    case interrupted
    /// There is nothing left to do; whether the new model refuses what is there.
    case end(isRefused: Bool)
  }

  /// What has become of a value that is watched.
  package struct Change: Sendable {
    package var watchpoint: Watchpoint
    package var before: WatchedValue
    package var now: WatchedValue
  }

  package var reason: Reason
  /// The last events on the way.
  package var events: [TraceEvent]
  /// How many events there were.
  package var eventCount: Int

  /// Events that a stop tells of.
  static let eventLimit = 20
}
