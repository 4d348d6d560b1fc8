internal import StrataBase

/// The last events of a migration, statements left out.
struct EventLog: Sendable {
  private(set) var events: [TraceEvent] = []

  /// Events that are kept; twice as many before the older ones go.
  static let limit = 500

  mutating func add(_ event: TraceEvent) {
    if events.count >= 2 * Self.limit { events.removeFirst(events.count - Self.limit) }
    events.append(event)
  }

  /// The last of them, which are the same whatever way led here.
  func last(_ count: Int) -> [TraceEvent] { events.suffix(min(count, Self.limit)) }
}
