package import StrataBase

/// A change that a deployed CloudKit schema does not allow; only additions are allowed.
package enum CloudKitEvolutionRule: FindingRule {
  /// An element is removed; the deployed schema keeps it, and older apps continue to use it.
  case removed
  /// An element is renamed; CloudKit keeps the old one and adds a new one, whose values older apps do not see.
  case renamed(from: String)
  /// An attribute changes its type; the type of a deployed field cannot change.
  case retyped(from: String, to: String)
  /// A relationship changes between to-one and to-many.
  case recounted(isToMany: Bool)
  /// The destination of a relationship changes to another record type.
  case retargeted(from: String, to: String)
  /// A property is no longer written, although existing records contain it.
  case becameTransient

  package static let domain = "cloudkit"

  package var severity: Diagnostic.Severity { .error }

  package var reason: String {
    switch self {
    case .removed: "is removed; the deployed schema keeps it, and older apps continue to use it"
    case .renamed(let old):
      "is renamed from \(old); CloudKit keeps \(old) and adds a new field, whose values older apps do not see"
    case .retyped(let old, let new):
      "\(old) becomes \(new); a deployed field keeps its type"
    case .recounted(let isToMany):
      "\(isToMany ? "to-one becomes to-many" : "to-many becomes to-one"); a deployed relationship cannot change"
    case .retargeted(let old, let new): "its destination becomes \(new) instead of \(old)"
    case .becameTransient: "is no longer stored; records keep the last value"
    }
  }

  /// The advice: how to replace the change by an addition.
  var fix: String {
    switch self {
    case .removed: "make it optional, keep it, and stop using it"
    case .renamed: "keep the old one, add the new one, and copy the values"
    case .retyped: "add a new attribute of the new type, and copy the values"
    case .recounted, .retargeted: "add a new relationship, and connect the objects again"
    case .becameTransient: "keep it stored, or leave it in the model unused"
    }
  }
}

extension CloudKitEvolutionRule {
  package static let pages: [RulePage] = [
    RulePage(
      "removed", "Element is removed",
      "A deployed record type or field cannot be removed. Make the element optional, keep it, and stop using it."
    ),
    RulePage(
      "renamed", "Element is renamed",
      """
      CloudKit does not support renaming: the old field stays and a new one is added. Older apps continue to use \
      the old one. Keep both, and copy the values.
      """),
    RulePage(
      "retyped", "Attribute has another type",
      "A deployed field keeps its type. Add an attribute of the new type, and copy the values."),
    RulePage(
      "recounted", "Relationship changes between to-one and to-many",
      "A deployed relationship stays to-one or to-many. Add a new relationship, and connect the objects again."
    ),
    RulePage(
      "retargeted", "Relationship has another destination",
      "A deployed reference keeps its record type. Add a new relationship, and connect the objects again."
    ),
    RulePage(
      "becameTransient", "Stored property becomes transient",
      "Records keep the last value. Leave the property stored, or leave it in the model unused."),
  ]
}
