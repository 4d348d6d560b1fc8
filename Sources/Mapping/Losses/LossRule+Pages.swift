package import StrataBase

extension LossRule {
  package static let pages: [RulePage] = [
    RulePage(
      "removedEntity", "Entity is removed",
      """
      Nothing is created from its objects: they are lost. If it was renamed, set the renaming identifier of the \
      new entity to the old name. To turn the objects into others, write a mapping model.
      """),
    RulePage(
      "unreadEntity", "No entity mapping reads the entity",
      """
      The destination has the entity too, but the mapping model has no entity mapping for it. Core Data does not \
      choose such a mapping model; if an app chooses it, the objects are lost. Add an entity mapping.
      """),
    RulePage(
      "becameAbstract", "Entity becomes abstract",
      """
      An abstract entity has no objects of its own. Those that exist are lost, unless a mapping model turns \
      them into objects of a subentity.
      """),
    RulePage(
      "removed", "Property is removed",
      """
      Its values or links are lost. If it was renamed, set the renaming identifier of the new property to the \
      old name. To keep the values elsewhere, write a mapping model. With a store, `plan` and \
      `migrate --dry-run` count what is lost.
      """),
    RulePage(
      "unread", "No property mapping reads the property",
      """
      Source and destination have a property of this name, and the mapping model gives the destination other \
      values or none. If this is not intended, set its value expression to `$source.` and the name.
      """),
    RulePage(
      "becameTransient", "Property becomes transient",
      """
      A transient property is not stored. The stored values are lost in the migration.
      """),
    RulePage(
      "becameRelationship", "Attribute becomes a relationship",
      """
      Inference never maps an attribute to a relationship, even with the same name: the values are lost. \
      A policy can create an object for each distinct value.
      """),
    RulePage(
      "becameAttribute", "Relationship becomes an attribute",
      """
      Inference never maps a relationship to an attribute, even with the same name: the links are lost. \
      A value expression can copy a value of the destination object.
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
      "narrowedNumber", "Number type with a smaller range",
      """
      Numbers outside the new range are not stored; fractions are truncated. With a store, `plan` and \
      `migrate --dry-run` count such values, and `--strict` refuses to lose them.
      """),
    RulePage(
      "truncated", "Fractions are truncated",
      "A number becomes a whole number: the fraction is lost, rounding toward zero."),
    RulePage(
      "rounded", "Numbers are rounded",
      """
      Double and Float hold 53 binary digits: an integer beyond 9007199254740992 may be rounded. Keep the \
      type, or convert the numbers to text.
      """),
    RulePage(
      "outOfRange", "Number outside the new type's range",
      """
      NULL is stored, or the default value of a required attribute. A Boolean stores every number other than 0 \
      as true.
      """),
    RulePage(
      "narrowed", "To-many relationship becomes to-one",
      """
      One of several objects is kept: the first in the order of the relationship, or by primary key. The other \
      links are lost; the objects remain. Which object Core Data keeps is not documented.
      """),
    RulePage(
      "exclusive", "Destination objects can no longer be shared",
      """
      Several objects had the same destination object, and the new model allows one: its inverse is to-one, or it is \
      to-many without an inverse, where the row of each object has the key of its owner. One link is kept, the others \
      are lost; the objects remain. Which one Core Data keeps is not documented. To keep all, make the inverse to-many.
      """),
    RulePage(
      "ownInverse", "To-one relationship becomes its own inverse",
      """
      Each object is linked with one other, in both directions. Of the links of an object one is kept, \
      if the object at its other end keeps it too: chains lose links. Which ones Core Data keeps is not documented.
      """),
    RulePage(
      "overruled", "Inverse continues another relationship",
      """
      Two relationships that were no inverses become the inverse of each other, but have links of their own. Both get \
      the links of the end whose entity and name come first in the new model; those that only the other end had are lost. In a store \
      whose two directions agree there are none. Which ones Core Data keeps is not documented.
      """),
    RulePage(
      "narrowerDestination", "Relationship has a narrower destination",
      """
      Objects of some entities were destinations and are not any more: their entity has another parent, or the \
      destination is now a subentity. The links to them are lost; the objects remain. A relationship without an \
      inverse has no other end that would report it.
      """),
    RulePage(
      "unordered", "Relationship is no longer ordered",
      """
      The links are kept; their order is lost. To keep it, store a position in an attribute. The same happens if a \
      mapping model sets only the inverse of an ordered relationship: map the relationship itself.
      """),
    RulePage(
      "retargeted", "Relationship has an unrelated destination",
      """
      No object of the old destination becomes an object of the new one, so no link is kept. Connect the \
      objects in a policy.
      """),
    RulePage(
      "acrossParts", "Links between parts of a divided mapping model",
      """
      Each mapping model runs with a migration manager of its own, whose association tables know only the objects that \
      this mapping model reads. A link to an object that another part creates is lost. Put both entities into the same \
      part, or connect the objects in a policy.
      """),
  ]
}
