internal import StrataBase

/// The last events of a migration, statements left out.
struct EventLog: Sendable {
  private(set) var events: [TraceEvent] = []

  /// The number of events kept; older events are removed when there are twice as many.
  static let limit = 500

  mutating func add(_ event: TraceEvent) {
    if events.count >= 2 * Self.limit { events.removeFirst(events.count - Self.limit) }
    events.append(event)
  }

  /// The last events, independent of how the position was reached.
  func last(_ count: Int) -> [TraceEvent] { events.suffix(min(count, Self.limit)) }
}
