package import StrataBase

/// Why a mapping model cannot be inferred, or what an inferred one fails at or leaves out.
package enum InferenceRule: FindingRule {
  // MARK: Inference fails
  /// The renaming identifier of this element fits several elements of the source.
  case ambiguousIdentifier(sources: [String])
  /// Other elements of the destination claim the same element of the source.
  case rivalIdentifiers(others: [String], source: String)
  case incompatibleTypes(from: String, to: String)
  /// Entities of two hierarchies become one hierarchy.
  case mergedHierarchies(roots: [String])

  // MARK: The migration may fail
  /// A required attribute without a default value: new, or so far optional.
  case missingDefault(isNew: Bool)
  /// A required relationship: new, or so far optional.
  case missingDestination(isNew: Bool)
  /// Unique from now on, which the data may not be.
  case newConstraint([String])

  // MARK: Something is not what it seems
  /// Only its hash modifier has changed: the meaning of values that are copied as they are.
  case copiedUnchanged
  /// So far kept in memory only: every object begins with the default.
  case becamePersistent
  /// Computed from other values, which is not done for rows that are there.
  case notComputed

  package static let domain = "inference"

  package var severity: Diagnostic.Severity {
    switch self {
    case .ambiguousIdentifier, .rivalIdentifiers, .incompatibleTypes, .mergedHierarchies: .error
    case .copiedUnchanged, .becamePersistent, .notComputed: .note
    default: .warning
    }
  }

  /// Whether it is inference that fails, or the migration.
  ///
  /// Source: facts on inference, section 6.
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

  /// What is wrong; Core Data's own words where they are known.
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
    case .copiedUnchanged:
      "only its hash modifier differs; the values are copied unchanged"
    case .becamePersistent: "was transient; every object gets the default value"
    case .notComputed:
      "is derived; Core Data computes the value of an existing object when it saves that object"
    }
  }

  /// Names, of very many the first.
  private static func list(_ names: [String]) -> String {
    names.count <= 8
      ? names.joined(separator: ", ") : names.prefix(6).joined(separator: ", ") + ", …"
  }
}

extension Finding {
  /// The rule of inference; `nil` where it is of something else.
  package var inferenceRule: InferenceRule? { rule as? InferenceRule }

  init(_ rule: InferenceRule, entity: String, property: String? = nil) {
    self.init(rule, at: FindingPlace(entity: entity, property: property))
  }
}
