/// What a model must keep to be mirrored to CloudKit; a store of one that breaks a rule does not load (134060).
///
/// Source: facts on the migration process, section 9, whose first four texts were seen in the wild, and on
/// the demonstrations, section 4.
public enum CloudKitRule: Sendable, Hashable, CaseIterable {
  case attributeNeedsDefault
  case relationshipMustBeOptional
  case relationshipNeedsInverse
  case noUniquenessConstraints
  case noOrderedRelationships
  case noDenyRule
  case noUndefinedAttributes
  case noObjectIDAttributes

  /// Core Data's own text where it is known.
  public var words: String {
    switch self {
    case .attributeNeedsDefault:
      "CloudKit integration requires that all attributes be optional, or have a default value set"
    case .relationshipMustBeOptional:
      "CloudKit integration requires that all relationships be optional"
    case .relationshipNeedsInverse:
      "CloudKit integration requires that all relationships have an inverse"
    case .noUniquenessConstraints: "CloudKit integration does not support unique constraints"
    case .noOrderedRelationships: "CloudKit keeps no order: relationships must be unordered"
    case .noDenyRule: "CloudKit cannot refuse a deletion: no relationship may have the rule Deny"
    case .noUndefinedAttributes: "an attribute of undefined type has no record field"
    case .noObjectIDAttributes: "an object's own identifier has no record field"
    }
  }

  public var mend: String {
    switch self {
    case .attributeNeedsDefault: "make it optional, or give it a default value"
    case .relationshipMustBeOptional: "make it optional"
    case .relationshipNeedsInverse: "add the inverse"
    case .noUniquenessConstraints:
      "take the constraint away, and look for duplicates after an import"
    case .noOrderedRelationships: "make it unordered, and keep the order in an attribute"
    case .noDenyRule: "choose another delete rule, and ask before the deletion"
    case .noUndefinedAttributes: "give it a type"
    case .noObjectIDAttributes: "store an identifier of your own, a UUID for example"
    }
  }
}
