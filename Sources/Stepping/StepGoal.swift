/// The end of a movement, unless something stops it earlier.
package enum StepGoal: Sendable, Hashable {
  /// The beginning of the nth next object or statement, entity mapping, pass or hop.
  case unit(StepUnit, count: Int)
  /// The end of the current entity mapping; in place, of the hop.
  case endOfMapping
  case toEnd

  /// Whether it counts single objects.
  var isOfSteps: Bool { if case .unit(.step, _) = self { true } else { false } }
}
