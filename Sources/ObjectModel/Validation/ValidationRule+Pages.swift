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
      The attribute has a default value, or is a number that may be NaN, so Core Data may have saved the object so. \
      It refuses the object only when the object is changed.
      """),
    RulePage(
      "wrongType", "Value of the wrong type",
      "The column holds a value that the attribute type cannot have; Core Data did not write it."),
    RulePage(
      "rule", "Bound, length or pattern of an attribute",
      "The model bounds the value, and Core Data refuses to save an object outside of the bounds."),
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
      "dangling", "Relationship to an object that does not exist",
      """
      The column holds a key without a row. The fault cannot be fulfilled: reading a property of that object \
      raises \(CoreDataError.managedObjectReferentialIntegrity).
      """),
    RulePage(
      "danglingOneWay", "One-way relationship to a deleted object",
      """
      Without an inverse, Core Data does not clear the key when the object is deleted. It may have saved the \
      store so.
      """),
    RulePage(
      "ownerMissing", "Object of an owner that was deleted",
      """
      A to-many relationship without an inverse keeps the owner's key in the row of each object, and Core Data \
      does not clear it when the owner is deleted.
      """),
    RulePage(
      "brokenInverse", "One-to-one relationship without the other end",
      "Each end of a one-to-one relationship has a column of its own; here they disagree."),
    RulePage(
      "lostData", "Missing file of external binary data",
      "The row names a file that does not exist in the support folder beside the store."),
    RulePage(
      "notUnique", "Values that must be unique",
      """
      Another object has the same values of a uniqueness constraint; saving fails with \
      \(CoreDataError.managedObjectConstraintMerge).
      """
    ),
    RulePage(
      "wrongEntityNumber", "Entity number that does not fit the key",
      """
      Where a to-one relationship may lead to objects of several entities, a second column records the entity \
      number. Core Data looks for the object under that number.
      """),
    RulePage(
      "noOrderKey", "Ordered relationship without a position",
      "Core Data writes a position for each object of an ordered relationship."),
    RulePage(
      "repeatedOrderKey", "Two objects at one position",
      "The order of these objects in the relationship is undefined."),
    RulePage(
      "noVersion", "Object without a version",
      "Core Data counts the changes of each object in Z_OPT, from 1, to detect conflicts."),
    RulePage(
      "joinRowsWithoutObjects", "Join table rows without objects",
      "Neither of the two keys has a row; Core Data deletes such rows with their objects."),
    RulePage(
      "highestKey", "Highest primary key is too low",
      "Core Data takes the next key from Z_MAX, and would use a key twice."),
    RulePage(
      "documentHighestKey", "Highest key of a binary store is too low",
      """
      The header of a binary store has the highest key handed out. In every known store no key is higher; what \
      Core Data does where one is, no file shows.
      """),
    RulePage(
      "trailingBytes", "Bytes behind the end of a binary store",
      """
      The metadata is the last part of a binary store, and in every known store it ends with the file. Strata \
      ignores what follows; whether Core Data does is unproven.
      """),
    RulePage(
      "noEntityRow", "Entity without a row in Z_PRIMARYKEY",
      "Core Data keeps a row for each entity, with its number and the number of its parent."),
    RulePage(
      "wrongParent", "Wrong parent in Z_PRIMARYKEY",
      "Z_SUPER is the entity number of the parent entity, and 0 where there is none."),
    RulePage(
      "rowOfNoEntity", "Row of Z_PRIMARYKEY without an entity",
      "A migration in place may have left it. It does no harm."),
    RulePage(
      "unknownEntity", "Rows of an unknown entity",
      "No entity of the model has this entity number in this table. Core Data does not read such rows."
    ),
    RulePage(
      "keysOutOfRange", "Primary keys out of range",
      "Core Data gives keys from 1 up. Strata does not migrate a store with other keys."),
  ]
}
