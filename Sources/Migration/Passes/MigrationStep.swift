package import StrataBase

/// A step of a migration run, as a value that breakpoints inspect before it is performed.
package enum MigrationStep: Sendable, Hashable {
  case beginHop
  /// The mapping model at an index, if a hop has several.
  case beginPart(Int)
  case beginPass(Pass)
  case beginEntityMapping(String, pass: Pass)
  /// The objects at these indexes of the entity mapping: source objects in pass 1, destination objects in pass
  /// 2.
  case objects(Range<Int>, mapping: String, pass: Pass)
  case endEntityMapping(String, pass: Pass)
  case endPass(Pass)
  /// The statement at this index of a migration in place.
  case statement(Int)
  /// The stage's change at this index, before or after the migration.
  case stageChange(Int)
  /// Validation with the new model.
  case validate
  case endPart(Int)
  /// The remaining parts of the store are written, and it is checked.
  case endHop
  /// The commit; before it, the migration can be rolled back.
  case commit
}
