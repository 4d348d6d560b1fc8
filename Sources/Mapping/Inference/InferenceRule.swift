package import StrataBase

/// A reason why a mapping model cannot be inferred, or a risk of an inferred one.
package enum InferenceRule: FindingRule {
  // MARK: Inference fails
  /// The renaming identifier of this element matches several elements of the source.
  case ambiguousIdentifier(sources: [String])
  /// Other elements of the destination have the same source element.
  case rivalIdentifiers(others: [String], source: String)
  case incompatibleTypes(from: String, to: String)
  /// Entities of two hierarchies become one hierarchy.
  case mergedHierarchies(roots: [String])

  // MARK: The migration may fail
  /// A required attribute without a default value: new, or optional before.
  case missingDefault(isNew: Bool)
  /// A required relationship: new, or optional before.
  case missingDestination(isNew: Bool)
  /// A new uniqueness constraint, which existing data can violate.
  case newConstraint([String])
  /// A derived attribute of an entity with equal hashes has another name, and so another column.
  case unhashedRename(of: String)

  // MARK: Unexpected results
  /// Only the hash modifier has changed; the values are copied unchanged.
  case copiedUnchanged
  /// A transient property becomes persistent: every object gets the default value, or no link.
  case becamePersistent(isRelationship: Bool)
  /// A derived attribute, which is not computed for existing rows.
  case notComputed

  package static let domain = "inference"

  package var severity: Diagnostic.Severity {
    switch self {
    case .ambiguousIdentifier, .rivalIdentifiers, .incompatibleTypes, .mergedHierarchies: .error
    case .copiedUnchanged, .becamePersistent, .notComputed: .note
    default: .warning
    }
  }

  /// Whether inference fails, or only the migration.
  ///
  /// Source: `Docs/Facts/inference.md`, section 6.
  package var code: CoreDataError? {
    switch self {
    case .ambiguousIdentifier, .rivalIdentifiers, .incompatibleTypes, .mergedHierarchies:
      .inferredMappingModel
    case .missingDefault: .migration
    case .newConstraint: .migrationConstraintViolation
    case .missingDestination: .validationMissingMandatoryProperty
    default: nil
    }
  }

  /// The message; Core Data's own text if it is known.
  package var reason: String {
    switch self {
    case .ambiguousIdentifier(let sources):
      "its renaming identifier matches several source elements: \(Self.list(sources))"
    case .rivalIdentifiers(let others, let source):
      "its renaming identifier names \(source), and so does that of \(Self.list(others))"
    case .incompatibleTypes(let old, let new):
      "Source and destination attribute types are incompatible: \(old) -> \(new)"
    case .mergedHierarchies(let roots):
      "Cannot merge multiple root entity source tables into one destination entity root table: "
        + Self.list(roots)
    case .missingDefault(isNew: true):
      "new, required and without a default value; the migration fails if there is any row"
    case .missingDefault(isNew: false):
      "becomes required and has no default value; the migration fails if any row has no value"
    case .missingDestination(isNew: true):
      "new and required; existing objects have no destination object, and cannot be saved again"
    case .missingDestination(isNew: false):
      "becomes required; objects without a destination object cannot be saved again"
    case .newConstraint(let properties):
      "\(properties.joined(separator: ", ")) becomes unique; the migration fails if rows share a value"
    case .unhashedRename(let old):
      "renamed from \(old), which changes no hash: Core Data does not migrate the entity, and finds no column of the new name when it fetches objects"
    case .copiedUnchanged:
      "only its hash modifier differs; the values are copied unchanged"
    case .becamePersistent(let isRelationship):
      "was transient; every object gets \(isRelationship ? "no link" : "the default value")"
    case .notComputed:
      "is derived; Core Data computes the value of an existing object when it saves that object"
    }
  }

  /// A list of names, shortened if it is long.
  private static func list(_ names: [String]) -> String {
    names.count <= 8
      ? names.joined(separator: ", ") : names.prefix(6).joined(separator: ", ") + ", …"
  }
}

extension Finding {
  /// The inference rule of the finding; `nil` if it has another rule.
  package var inferenceRule: InferenceRule? { rule as? InferenceRule }

  init(_ rule: InferenceRule, entity: String, property: String? = nil) {
    self.init(rule, at: FindingLocation(entity: entity, property: property))
  }
}
