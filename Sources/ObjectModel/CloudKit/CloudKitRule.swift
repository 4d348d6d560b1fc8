package import StrataBase

/// A rule for models that are mirrored to CloudKit; a store of a model that breaks a rule does not load.
///
/// Source: `Docs/Facts/migration-process.md`, section 9, the first four messages are Core Data's own; facts on the
/// demonstrations, section 4.
package enum CloudKitRule: FindingRule, CaseIterable {
  case attributeNeedsDefault
  case relationshipMustBeOptional
  case relationshipNeedsInverse
  case noUniquenessConstraints
  case noOrderedRelationships
  case noDenyRule
  case noUndefinedAttributes
  case noObjectIDAttributes

  package static let domain = "cloudkit"

  package var severity: Diagnostic.Severity { .error }

  /// A store of a model that breaks a rule does not load.
  package var code: CoreDataError? { .coreData }

  /// Core Data's own message if it is known.
  package var reason: String {
    switch self {
    case .attributeNeedsDefault:
      "CloudKit integration requires that all attributes be optional, or have a default value set"
    case .relationshipMustBeOptional:
      "CloudKit integration requires that all relationships be optional"
    case .relationshipNeedsInverse:
      "CloudKit integration requires that all relationships have an inverse"
    case .noUniquenessConstraints: "CloudKit integration does not support unique constraints"
    case .noOrderedRelationships:
      "CloudKit does not store an order: relationships must be unordered"
    case .noDenyRule:
      "CloudKit cannot deny a deletion: relationships must not have the delete rule Deny"
    case .noUndefinedAttributes: "an attribute of undefined type has no record field"
    case .noObjectIDAttributes: "an attribute of type ObjectID has no record field"
    }
  }

  var fix: String {
    switch self {
    case .attributeNeedsDefault: "make it optional, or give it a default value"
    case .relationshipMustBeOptional: "make it optional"
    case .relationshipNeedsInverse: "add the inverse"
    case .noUniquenessConstraints:
      "remove the constraint, and look for duplicates after an import"
    case .noOrderedRelationships: "make it unordered, and store a position in an attribute"
    case .noDenyRule: "choose another delete rule, and check before deleting"
    case .noUndefinedAttributes: "give it a type"
    case .noObjectIDAttributes: "store an identifier of your own, such as a UUID"
    }
  }
}

extension CloudKitRule {
  package static let pages: [RulePage] = [
    RulePage(
      "attributeNeedsDefault", "Required attribute without a default value",
      "Records arrive one property at a time, so each attribute must be optional or have a default value."
    ),
    RulePage(
      "relationshipMustBeOptional", "Required relationship",
      "Related records arrive in any order, so a relationship may be empty at first."),
    RulePage(
      "relationshipNeedsInverse", "Relationship without an inverse",
      "CloudKit stores a relationship at one end; Core Data needs the inverse to keep both ends consistent."
    ),
    RulePage(
      "noUniquenessConstraints", "Uniqueness constraint",
      "Two devices may add the same value offline, so CloudKit cannot enforce uniqueness. Merge duplicates in the app."
    ),
    RulePage(
      "noOrderedRelationships", "Ordered relationship",
      "References in CloudKit have no order. Store a position in an attribute."),
    RulePage(
      "noDenyRule", "Delete rule Deny",
      "Another device may delete the record first, so a deletion cannot be denied."),
    RulePage(
      "noUndefinedAttributes", "Attribute of undefined type",
      "A record field needs a type. Give the attribute one, or make it transient."),
    RulePage(
      "noObjectIDAttributes", "Attribute of type ObjectID",
      "Object identifiers differ on each device. Store an identifier of your own, such as a UUID."),
  ]
}
