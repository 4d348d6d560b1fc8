internal import StrataBase

/// What happened in one call of a policy.
struct PolicyCallResult {
  /// How many source objects became something, or were made a part of it.
  var associated = 0
  /// How many destinations of relationships were set.
  var related = 0
  /// Empty where nobody listens to single objects.
  var events: [TraceEvent.Kind] = []
}
