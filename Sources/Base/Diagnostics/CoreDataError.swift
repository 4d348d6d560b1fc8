/// An error number of Core Data, with which it refuses a store, a model or a value.
///
/// A case has the name of Core Data's constant without its prefix and suffix:
/// ``migrationMissingMappingModel`` is `NSMigrationMissingMappingModelError`.
///
/// ```swift
/// "no path (\(CoreDataError.migrationMissingMappingModel))"  // "no path (134140)"
/// ```
///
/// Source: `CoreDataErrors.h`; `Docs/Facts/inference.md`, section 6.
package enum CoreDataError: Int, CaseIterable, Sendable, Hashable, CustomStringConvertible {
  /// Cocoa's own: the file of an external value does not exist.
  case fileNoSuchFile = 4

  case managedObjectValidation = 1550
  case validationMissingMandatoryProperty = 1570
  case validationRelationshipLacksMinimumCount = 1580
  case validationRelationshipExceedsMaximumCount = 1590
  case validationRelationshipDeniedDelete = 1600
  case validationNumberTooLarge = 1610
  case validationNumberTooSmall = 1620
  case validationDateTooLate = 1630
  case validationDateTooSoon = 1640
  case validationStringTooLong = 1660
  case validationStringTooShort = 1670
  case validationStringPatternMatching = 1680

  case managedObjectReferentialIntegrity = 133000
  case managedObjectConstraintMerge = 133021

  case coreData = 134060
  case persistentStoreIncompatibleVersionHash = 134100
  case migration = 134110
  case migrationConstraintViolation = 134111
  case migrationMissingSourceModel = 134130
  case migrationMissingMappingModel = 134140
  case inferredMappingModel = 134190
  case managedObjectModelReferenceNotFound = 134504
  case stagedMigrationBackwardMigration = 134506

  /// The number: `134140`.
  package var description: String { "\(rawValue)" }
}
