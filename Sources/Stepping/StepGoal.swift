/// How far a movement goes, if nothing stops it.
package enum StepGoal: Sendable, Hashable {
  /// To the beginning of the next object or statement, entity mapping, pass or hop; so many times.
  case unit(StepUnit, count: Int)
  /// To the end of the entity mapping that is under way; in place, of the hop.
  case endOfMapping
  case toEnd
}
