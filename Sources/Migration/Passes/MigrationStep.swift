package import StrataBase

/// What a migration run does next, as a value: breakpoints look at it before it happens.
package enum MigrationStep: Sendable, Hashable {
  case beginHop
  /// Of several mapping models that are migrated one after the other, the one at this index; a hop with
  /// one has no such step.
  case beginPart(Int)
  case beginPass(Pass)
  case beginEntityMapping(String, pass: Pass)
  /// The objects at these places of the entity mapping: of the source in pass 1, of the destination in
  /// pass 2.
  case objects(Range<Int>, mapping: String, pass: Pass)
  case endEntityMapping(String, pass: Pass)
  case endPass(Pass)
  /// The statement at this index of a migration in place.
  case statement(Int)
  /// The change at this index among those that a stage makes before and after its migration.
  case stageChange(Int)
  /// What the new model does not allow is looked for.
  case validate
  case endPart(Int)
  /// All that is missing in the store is written, and it is checked.
  case endHop
  /// What was done becomes the store; until here it can be taken back.
  case commit
}
