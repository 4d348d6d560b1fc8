package import StrataBase

extension InferenceRule {
  package static let pages: [RulePage] = [
    RulePage(
      "ambiguousIdentifier", "Renaming identifier matches several elements",
      """
      Core Data pairs the elements of two versions by their renaming identifiers; an element without one uses \
      its name. Here one element of the new version matches several of the old one, and Core Data does not \
      choose. Give each element a renaming identifier of its own.
      """),
    RulePage(
      "rivalIdentifiers", "Several elements have the same renaming identifier",
      """
      Two elements of the new version name the same element of the old one. Only one can replace it. Remove \
      the renaming identifier from the other, or change it.
      """),
    RulePage(
      "incompatibleTypes", "Attribute types are incompatible",
      """
      Inference converts numbers to numbers and otherwise copies values of an unchanged type. For any other \
      change of type, write a mapping model with a value expression or a policy, or add a new attribute and \
      copy the values between two steps.
      """),
    RulePage(
      "mergedHierarchies", "Entities of several tables become one hierarchy",
      """
      All entities of a hierarchy share one table. Entities without a common ancestor in the old version have \
      different tables, and inference cannot merge them. Keep the hierarchies separate, or write a mapping model.
      """),
    RulePage(
      "missingDefault", "Required attribute without a default value",
      """
      The models allow inference, but Core Data then saves rows in which a required attribute has no value, \
      and the migration fails with \(CoreDataError.migration). Give the attribute a default value, or make it \
      optional.
      """),
    RulePage(
      "missingDestination", "Required relationship without objects",
      """
      Existing objects get no destination object. They migrate, and the first save of such an object fails \
      with \(CoreDataError.validationMissingMandatoryProperty). Make the relationship optional, or \
      connect the objects in a policy.
      """),
    RulePage(
      "newConstraint", "New uniqueness constraint",
      """
      Rows that share the values of the constraint make the migration fail with \
      \(CoreDataError.migrationConstraintViolation). Remove duplicates before the migration, in a policy, or with `keep first` in a policy file.
      """),
    RulePage(
      "unhashedRename", "Derived attribute is renamed without a new hash",
      """
      The name of a derived attribute is not hashed. Where nothing else of its entity changes, Core Data opens a store \
      without migrating the table, which has a column of the old name alone: fetching objects fails. Strata's \
      migration renames the column. For stores in the field, give the entity a version hash modifier.
      """),
    RulePage(
      "copiedUnchanged", "Only the hash modifier differs",
      """
      The version hash differs, although the stored data does not, so stores must be migrated. The values are \
      copied unchanged. If their meaning has changed, convert them in a mapping model.
      """),
    RulePage(
      "becamePersistent", "Transient property becomes persistent",
      """
      Nothing was stored before, so every object gets the default value, and no link. Compute the values, or \
      connect the objects, in a policy or in the app after the migration.
      """),
    RulePage(
      "notComputed", "Derived attribute is not computed",
      """
      Core Data computes a derived attribute when it saves an object. After a migration by a mapping model, \
      existing objects have no value until they are saved again.
      """),
  ]
}
