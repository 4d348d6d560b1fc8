internal import StrataBase

/// The result of one call of a policy.
struct PolicyCallResult {
  /// The number of source objects that were migrated or merged into an object.
  var associated = 0
  /// The number of destination objects that were set.
  var related = 0
  /// The events; empty if events of single objects are not requested.
  var events: [TraceEvent.Kind] = []
  /// The details of the last event of the call, or of the event that follows it.
  var details: [TraceEvent.Kind] = []

  var all: [TraceEvent.Kind] { events + details }
}
