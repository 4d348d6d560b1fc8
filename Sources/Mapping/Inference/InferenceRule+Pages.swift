public import StrataDiagnostics

extension InferenceRule {
  public static let pages: [RulePage] = [
    RulePage(
      "ambiguousIdentifier", "Renaming identifier matches several elements",
      """
      Core Data pairs the elements of two versions by their renaming identifiers; an element without one uses \
      its name. Here one element of the new version matches several of the old one, and Core Data refuses to \
      choose. Give each element a renaming identifier of its own.
      """),
    RulePage(
      "rivalIdentifiers", "Several elements have the same renaming identifier",
      """
      Two elements of the new version name the same element of the old one. Only one can continue it. Remove \
      the renaming identifier from the other, or change it.
      """),
    RulePage(
      "incompatibleTypes", "Attribute types are incompatible",
      """
      Inference converts numbers to numbers and otherwise copies values of an unchanged type. For any other \
      change of type, write a mapping model with a value expression or a policy, or add a new attribute and \
      copy the values in between.
      """),
    RulePage(
      "mergedHierarchies", "Entities of several tables become one hierarchy",
      """
      All entities of a hierarchy share one table. Entities without a common ancestor in the old version have \
      different tables, and inference cannot merge them. Keep the hierarchies apart, or write a mapping model.
      """),
    RulePage(
      "missingDefault", "Required attribute without a default value",
      """
      The models allow inference, but Core Data then saves rows in which a required attribute has no value, \
      and the migration fails with 134110. Give the attribute a default value, or make it optional.
      """),
    RulePage(
      "missingDestination", "Required relationship without objects",
      """
      Existing objects get no destination object. They migrate, and the first save of such an object fails \
      with 1570. Make the relationship optional, or connect the objects in a policy.
      """),
    RulePage(
      "newConstraint", "New uniqueness constraint",
      """
      Rows that share the values of the constraint make the migration fail with 134111. Remove duplicates \
      before the migration, in a policy, or with `keep first` in a policy file.
      """),
    RulePage(
      "becameAbstract", "Entity becomes abstract",
      """
      An abstract entity has no objects of its own. Those that exist are lost, unless a mapping model turns \
      them into objects of a subentity.
      """),
    RulePage(
      "narrowedCount", "To-many relationship becomes to-one",
      """
      Of several objects one is kept: the first in the order of the relationship, or by primary key. The other \
      links are lost; the objects stay. Which object Core Data keeps is not documented.
      """),
    RulePage(
      "narrowedNumber", "Number type with a smaller range",
      """
      Numbers outside the new range are not stored; fractions are truncated. `migrate --dry-run` counts such \
      values, and `--strict` refuses to lose them.
      """),
    RulePage(
      "lostProperty", "Property is removed",
      """
      Its values or links are lost. If it was renamed, set the renaming identifier of the new property to the \
      old name. To keep the values elsewhere, write a mapping model.
      """),
    RulePage(
      "lostEntity", "Entity is removed",
      """
      Its objects are lost. If it was renamed, set the renaming identifier of the new entity to the old name. \
      To turn the objects into others, write a mapping model.
      """),
    RulePage(
      "lostOrder", "Relationship is no longer ordered",
      """
      The objects stay related; their order is lost. To keep it, store a position in an attribute.
      """),
    RulePage(
      "becameTransient", "Property becomes transient",
      """
      A transient property is not stored. The stored values are lost in the migration.
      """),
    RulePage(
      "becameRelationship", "Attribute becomes a relationship",
      """
      An attribute and a relationship never continue each other, even with the same name: the values are lost. \
      A policy can create an object for each distinct value.
      """),
    RulePage(
      "becameAttribute", "Relationship becomes an attribute",
      """
      An attribute and a relationship never continue each other, even with the same name: the links are lost. \
      A value expression can copy a value of the destination object.
      """),
    RulePage(
      "retargeted", "Relationship has an unrelated destination",
      """
      No object of the old destination becomes an object of the new one, so no link can survive. Connect the \
      objects in a policy.
      """),
    RulePage(
      "unmatchedRename", "Possible rename without a renaming identifier",
      """
      One element is removed and a similar one is added. Without a renaming identifier Core Data treats them \
      as unrelated, and the values are lost. Set the renaming identifier of the new one to the old name.
      """),
    RulePage(
      "unmatchedSplit", "Possible split of an attribute",
      """
      One attribute is removed and several are added that together resemble it. Inference cannot split values. \
      Write a mapping model with a policy.
      """),
    RulePage(
      "copiedUnchanged", "Only the hash modifier differs",
      """
      The version hash differs although nothing stored does, so stores must be migrated. The values are \
      copied unchanged. If their meaning has changed, convert them in a mapping model.
      """),
    RulePage(
      "becamePersistent", "Transient property becomes persistent",
      """
      Nothing was stored before, so every object gets the default value. Compute the values in a policy, or \
      in the app after the migration.
      """),
    RulePage(
      "notComputed", "Derived attribute is not computed",
      """
      Core Data computes a derived attribute when it saves an object. After a migration by a mapping model, \
      existing objects have no value until they are saved again.
      """),
  ]
}
