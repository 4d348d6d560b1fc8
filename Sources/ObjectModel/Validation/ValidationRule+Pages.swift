package import StrataBase

extension ValidationRule {
  package static let pages: [RulePage] = [
    RulePage(
      "missing", "Required property without a value",
      """
      Core Data refuses to save the object, and pass 3 of a migration fails, with \
      \(CoreDataError.validationMissingMandatoryProperty).
      """
    ),
    RulePage(
      "unset", "Required attribute that is NULL in the store",
      """
      The attribute has a default value, or is a number that may be NaN, so Core Data may have saved such an object. \
      Validation fails only when the object is changed.
      """),
    RulePage(
      "wrongType", "Value of the wrong type",
      "The column holds a value that the attribute type cannot have; Core Data did not write it."),
    RulePage(
      "rule", "Bound, length or pattern of an attribute",
      "The model bounds the value, and Core Data refuses to save an object outside of the bounds."),
    RulePage(
      "unmatched", "Pattern that is not evaluated",
      """
      Matching the value takes too long, or that of several others did. Whether Core Data would save the object is not \
      known. Simplify the pattern in the model.
      """),
    RulePage(
      "tooFew", "Too few related objects",
      """
      The relationship has fewer objects than its minimum count; Core Data refuses to save with \
      \(CoreDataError.validationRelationshipLacksMinimumCount).
      """
    ),
    RulePage(
      "tooMany", "Too many related objects",
      """
      The relationship has more objects than its maximum count; Core Data refuses to save with \
      \(CoreDataError.validationRelationshipExceedsMaximumCount).
      """
    ),
    RulePage(
      "deleteDenied", "Deletion that a relationship denies",
      """
      The delete rule of the relationship is Deny, and it still has objects that are not deleted too. Core Data \
      refuses to save with \(CoreDataError.validationRelationshipDeniedDelete).
      """),
    RulePage(
      "dangling", "Relationship to an object that does not exist",
      """
      The column holds a key without a row. The fault cannot be fulfilled: reading a property of that object \
      raises \(CoreDataError.managedObjectReferentialIntegrity).
      """),
    RulePage(
      "danglingOneWay", "One-way relationship to a deleted object",
      """
      Without an inverse, Core Data does not clear the key when the object is deleted. It may have saved \
      such a store.
      """),
    RulePage(
      "ownerMissing", "Object whose owner was deleted",
      """
      A to-many relationship without an inverse keeps the owner's key in the row of each object, and Core Data \
      does not clear it when the owner is deleted.
      """),
    RulePage(
      "brokenInverse", "One-to-one relationship that is set at one end only",
      "Each end of a one-to-one relationship has its own column; here the two columns disagree."),
    RulePage(
      "lostData", "Missing file of external binary data",
      "The row names a file that does not exist in the support folder beside the store."),
    RulePage(
      "notUnique", "Duplicate values that must be unique",
      """
      Another object has the same values of a uniqueness constraint; saving fails with \
      \(CoreDataError.managedObjectConstraintMerge).
      """
    ),
    RulePage(
      "wrongEntityNumber", "Entity number that does not match the key",
      """
      If the destination of a to-one relationship has subentities, a second column records the entity number of \
      the object. Core Data looks the object up by that number.
      """),
    RulePage(
      "noOrderKey", "Ordered relationship without a position",
      "Core Data writes a position for each object of an ordered relationship."),
    RulePage(
      "repeatedOrderKey", "Two objects at one position",
      "The order of these objects in the relationship is undefined."),
    RulePage(
      "noVersion", "Object without a version number",
      "Core Data counts the changes of each object in Z_OPT, from 1, to detect conflicts."),
    RulePage(
      "joinRowsWithoutObjects", "Join table rows without objects",
      "Neither of the two keys has a row; Core Data deletes such rows with their objects."),
    RulePage(
      "joinRowsWithoutKeys", "Join table rows without a key",
      """
      A row of a join table has the keys of two objects. A row with NULL instead of one is no link: a migration in \
      place keeps it, and a migration in three passes does not copy it.
      """),
    RulePage(
      "repeatedJoinRows", "Repeated join table rows",
      """
      The two keys of a row are the primary key of a join table, so that two objects are connected once. These rows are \
      possible only if the table has lost its primary key. A migration in place keeps them, and a migration in three \
      passes stops, since the new store would have fewer rows.
      """),
    RulePage(
      "highestKey", "Highest primary key is too low",
      "Core Data assigns the next key from Z_MAX, so it would use a key twice."),
    RulePage(
      "documentHighestKey", "Highest key of a binary store is too low",
      """
      The header of a binary store contains the highest assigned key. No known store has a higher key; how Core \
      Data reads a store with a higher key has not been verified.
      """),
    RulePage(
      "trailingBytes", "Trailing bytes in a binary store",
      """
      The metadata is the last part of a binary store, and every known store ends with it. Strata ignores the \
      bytes after it; whether Core Data does has not been verified.
      """),
    RulePage(
      "noEntityRow", "Entity without a row in Z_PRIMARYKEY",
      "Core Data keeps a row for each entity, with its number and the number of its parent."),
    RulePage(
      "wrongParent", "Wrong parent in Z_PRIMARYKEY",
      "Z_SUPER is the entity number of the parent entity, or 0 if there is none."),
    RulePage(
      "rowOfNoEntity", "Row of Z_PRIMARYKEY without an entity",
      "An in-place migration may have left the row. It is harmless."),
    RulePage(
      "unknownEntity", "Rows of an unknown entity",
      "No entity that has objects of its own has this entity number in this table. Core Data does not read such rows."
    ),
    RulePage(
      "keysOutOfRange", "Primary keys out of range",
      "Core Data assigns keys from 1 up. Strata does not migrate a store with other keys."),
  ]
}
