public import StrataDiagnostics

/// Why a mapping model cannot be inferred, or what an inferred one fails at, loses or leaves out.
public enum InferenceRule: FindingRule {
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
  /// Objects of the entity itself have no place any more.
  case becameAbstract

  // MARK: Something is lost
  /// A to-many relationship becomes to-one: all but one object are lost.
  case narrowedCount
  /// A number type that holds less than the one before.
  case narrowedNumber(from: String, to: String)
  /// A property that is removed with its values.
  case lostProperty
  /// An entity that is removed with its objects.
  case lostEntity
  /// Unordered from now on.
  case lostOrder
  /// Kept in memory only, from now on.
  case becameTransient
  /// An attribute whose name a relationship has now, or the other way round.
  case becameRelationship(destination: String)
  case becameAttribute
  /// The relationship leads to an entity that nothing of the old destination becomes.
  case retargeted(from: String, to: String)
  /// An element is removed, and one with like properties added.
  case unmatchedRename(of: String, to: String, score: RenameScore)
  /// An attribute is removed, and several that together look like it are added.
  case unmatchedSplit(of: String, into: [String])

  // MARK: Something is not what it seems
  /// Only its hash modifier has changed: the meaning of values that are copied as they are.
  case copiedUnchanged
  /// So far kept in memory only: every object begins with the default.
  case becamePersistent
  /// Computed from other values, which is not done for rows that are there.
  case notComputed

  public static let domain = "inference"

  public var severity: Diagnostic.Severity {
    switch self {
    case .ambiguousIdentifier, .rivalIdentifiers, .incompatibleTypes, .mergedHierarchies: .error
    case .copiedUnchanged, .becamePersistent, .notComputed: .note
    default: .warning
    }
  }

  /// 134190 where inference fails, 134110 and 134111 where the migration would.
  ///
  /// Source: facts on inference, section 6.
  public var code: Int? {
    switch self {
    case .ambiguousIdentifier, .rivalIdentifiers, .incompatibleTypes, .mergedHierarchies: 134190
    case .missingDefault: 134110
    case .newConstraint: 134111
    case .missingDestination: 1570
    default: nil
    }
  }

  /// What is wrong; Core Data's own words where they are known.
  public var reason: String {
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
    case .becameAbstract: "becomes abstract; its own objects are lost"
    case .narrowedCount: "to-many becomes to-one: all objects but one are lost"
    case .narrowedNumber(let old, "Boolean"):
      "\(old) becomes Boolean; numbers other than 0 and 1 are stored as true"
    case .narrowedNumber(let old, let new): "\(old) becomes \(new); not every number fits"
    case .lostProperty: "is removed; its values are lost"
    case .lostEntity: "is removed; its objects are lost"
    case .lostOrder: "no longer ordered; the order is lost"
    case .becameTransient: "no longer stored; its values are lost"
    case .becameRelationship(let destination):
      "becomes a relationship to \(destination); its values are lost"
    case .becameAttribute: "becomes an attribute; its links are lost"
    case .retargeted(let old, let new):
      "its destination becomes \(new), and no \(old) becomes one; its links are lost"
    case .unmatchedRename(let old, let new, _) where old == new:
      "is removed and added again, because its renaming identifier names another element; its values are lost"
    case .unmatchedRename(let old, let new, _):
      "\(old) is removed and \(new) is added; if this is a rename, the values are lost"
    case .unmatchedSplit(_, let parts):
      "is removed, and \(parts.joined(separator: " and ")) are added; if it is split, the values are lost"
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
  public var inferenceRule: InferenceRule? { rule as? InferenceRule }

  init(_ rule: InferenceRule, entity: String, property: String? = nil) {
    self.init(rule, at: FindingPlace(entity: entity, property: property))
  }
}

/// How much speaks for a rename that nobody declared.
public struct RenameScore: Sendable, Hashable {
  /// 0 to 1, in hundredths.
  public var value: Double
  /// What speaks for it, in words.
  public var evidence: [String]

  init(_ value: Double, _ evidence: [String]) {
    self.value = (min(1, value) * 100).rounded() / 100
    self.evidence = evidence
  }
}
