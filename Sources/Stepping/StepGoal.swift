/// The end of a movement, unless something stops it earlier.
package enum StepGoal: Sendable, Hashable {
  /// The beginning of the nth next object or statement, entity mapping, pass or hop.
  case unit(StepUnit, count: Int)
  /// The end of the current entity mapping; in place, of the hop.
  case endOfMapping
  case toEnd

  /// The number of units to pass.
  var count: Int { if case .unit(_, let count) = self { count } else { 1 } }

  /// The goal that remains of several units; `nil` if none is left, or there was only one.
  ///
  /// - Parameter left: The number of units that have not been passed.
  func rest(_ left: Int) -> StepGoal? {
    guard case .unit(let unit, let count) = self, count > 1, left > 0 else { return nil }
    return .unit(unit, count: left)
  }

  /// Whether it counts single objects.
  var isOfSteps: Bool { if case .unit(.step, _) = self { true } else { false } }
}
