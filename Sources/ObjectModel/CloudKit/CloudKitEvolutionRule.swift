package import StrataBase

/// A change that a schema deployed to CloudKit does not allow: the schema only grows.
package enum CloudKitEvolutionRule: FindingRule {
  /// The cloud keeps it; old apps go on reading and writing it.
  case removed
  /// For the cloud the old one stays and a new one appears; old apps see none of the new values.
  case renamed(from: String)
  /// A field keeps its type for ever.
  case retyped(from: String, to: String)
  /// A relationship that holds one reference cannot hold several, nor the other way round.
  case recounted(isToMany: Bool)
  /// It leads to records of another type.
  case retargeted(from: String, to: String)
  /// No longer written, although records hold it.
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
      "\(isToMany ? "to-one becomes to-many" : "to-many becomes to-one"); the deployed form stays"
    case .retargeted(let old, let new): "its destination becomes \(new) instead of \(old)"
    case .becameTransient: "is no longer stored; records keep the last value"
    }
  }

  /// What to do instead, so that the schema only grows.
  var fix: String {
    switch self {
    case .removed: "keep it, optional, and stop using it"
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
      "A deployed record type or field cannot be removed. Keep the element, optional, and stop using it."
    ),
    RulePage(
      "renamed", "Element is renamed",
      """
      CloudKit knows no renaming: the old field stays and a new one appears. Older apps continue to use the \
      old one. Keep both, and copy the values.
      """),
    RulePage(
      "retyped", "Attribute has another type",
      "A deployed field keeps its type. Add an attribute of the new type, and copy the values."),
    RulePage(
      "recounted", "Relationship changes between to-one and to-many",
      "A deployed relationship keeps its form. Add a new relationship, and connect the objects again."
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
