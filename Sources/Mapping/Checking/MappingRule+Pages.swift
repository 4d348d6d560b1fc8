package import StrataBase

extension MappingRule {
  package static let pages: [RulePage] = [
    RulePage(
      "unknownSource", "Unknown source entity",
      "The entity mapping names a source entity that the source model does not have."),
    RulePage(
      "unknownDestination", "Unknown destination entity",
      "The entity mapping names a destination entity that the destination model does not have."),
    RulePage(
      "staleHash", "Mapping model is out of date",
      """
      A compiled mapping model records the version hashes of its entities. Core Data chooses a mapping model \
      only if all of them match those of the two models. A model was changed after the mapping model was created: \
      open the mapping model in Xcode and save it, or create it again.
      """),
    RulePage(
      "unmappedSource", "Source entity without an entity mapping",
      """
      If the destination model has the entity too, Core Data does not choose the mapping model. If an app \
      chooses it, the objects of the entity are lost.
      """),
    RulePage(
      "unmappedDestination", "New entity without an entity mapping",
      "The migration creates no objects of it. This is correct unless a policy is to create some."),
    RulePage(
      "unknownProperty", "Unknown property",
      "The destination entity does not have the property; the migration fails."),
    RulePage(
      "wrongList", "Attribute mapped as a relationship, or the reverse",
      "A mapping model lists attribute mappings and relationship mappings separately."),
    RulePage(
      "missingProperty", "Property without a mapping",
      "The property gets its default value, or nil."),
    RulePage(
      "missingValue", "Required property without a value",
      """
      Nothing gives the property a value, and validation fails with \
      \(CoreDataError.validationMissingMandatoryProperty) in pass 3.
      """),
    RulePage(
      "mayBeMissing", "Required property that may be nil",
      """
      The value comes from an optional source property. Source objects without it fail in pass 3 with \
      \(CoreDataError.validationMissingMandatoryProperty).
      """),
    RulePage(
      "notThrough", "Relationship to source objects",
      """
      A relationship mapping must return destination objects, through the entity mapping that creates them; \
      this one returns the source objects.
      """),
    RulePage(
      "withoutSource", "Key path without an object",
      "In a value expression the source object is `$source`; a key path alone has no object."),
    RulePage(
      "leftBehind", "Source attribute is not copied",
      """
      The source has an attribute of the same name, and the entity mapping gives the destination attribute its \
      default value. The values are lost.
      """),
    RulePage(
      "badExpression", "Value expression cannot be evaluated",
      "The migration fails at the first object. `help expressions` lists what an expression may contain."
    ),
    RulePage(
      "unfitting", "Value of the wrong type",
      "The attribute does not accept the type of the value; the migration fails at the first object."
    ),
    RulePage(
      "severalForOne", "Several objects for a to-one relationship",
      "Only one of them is kept. Choose it in a policy."),
    RulePage(
      "decidedByPolicy", "Default value that a policy must replace",
      """
      Without its policy the entity mapping would fail. Values are checked after the methods of the policy are \
      called; a value that is still invalid stops the migration.
      """),
    RulePage(
      "unknownMapping", "Unknown entity mapping",
      "A relationship mapping names an entity mapping that the mapping model does not have."),
    RulePage(
      "wrongMapping", "Entity mapping creates objects of another entity",
      """
      A relationship mapping names an entity mapping that creates objects of another entity than the \
      destination of the relationship. If that entity mapping reads none of the source objects, its association \
      table has no objects for them: Core Data runs the mapping model, and only the inverse sets links.
      """),
    RulePage(
      "wrongSources", "Entity mapping with other source objects",
      """
      A relationship mapping names an entity mapping whose source entity differs from that of the objects that the \
      expression returns; it finds no destination objects and sets no links. If the inverse is mapped, it sets them.
      """),
    RulePage(
      "badFilter", "Filter cannot be evaluated",
      "The filter of an entity mapping is a predicate for the source object; it is used without `$source`."
    ),
    RulePage(
      "customSource", "Source expression that is not a filter",
      """
      Core Data migrates the objects that the source expression of an entity mapping gives. Strata does so for the \
      usual fetch of the source entity, with its predicate, and does not migrate with any other.
      """),
    RulePage(
      "gap", "Objects that no filter accepts",
      """
      No entity mapping accepts some objects of the entity; these are lost. The examples match none of the \
      filters.
      """),
    RulePage(
      "diverted", "Objects that only migrate to another entity",
      "Only entity mappings to other entities accept these objects."),
    RulePage(
      "overlap", "Objects that several filters accept",
      "Each of these objects is created once by every entity mapping that accepts it."),
  ]
}
