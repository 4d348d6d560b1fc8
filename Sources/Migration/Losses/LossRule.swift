public import StrataDiagnostics
public import StrataValues

/// Values or links of a property that a migration loses, in the objects that have them.
public enum LossRule: FindingRule {
  /// No entity mapping reads the property.
  case removed(isRelationship: Bool)
  /// A number becomes a whole one.
  case truncated(to: AttributeType)
  /// A number that the new type does not hold: nothing is stored, or the default value of a required
  /// attribute. Of a Boolean, a number other than 0 and 1: true is stored.
  case outOfRange(AttributeType)
  /// A to-many relationship becomes to-one, and leads to several objects.
  case narrowed
  /// An ordered relationship is no longer ordered, and leads to several objects.
  case unordered

  public static let domain = "loss"

  public var severity: Diagnostic.Severity { .warning }

  public var reason: String {
    switch self {
    case .removed: "is lost"
    case .truncated(let type): "is truncated to \(type.name)"
    case .outOfRange(.boolean): "is neither 0 nor 1 and is stored as true"
    case .outOfRange(let type): "does not fit \(type.name)"
    case .narrowed: "keeps one of several objects"
    case .unordered: "loses its order"
    }
  }

  public static let pages: [RulePage] = [
    RulePage(
      "removed", "Values or links of a removed property",
      """
      No entity mapping reads the property. If it was renamed, set the renaming identifier of the new property; to \
      keep the values elsewhere, write a mapping model.
      """),
    RulePage(
      "truncated", "Fractions are truncated",
      "A number becomes a whole number: the fraction is lost, rounding toward zero."),
    RulePage(
      "outOfRange", "Number outside the new type's range",
      """
      Nothing is stored, or the default value of a required attribute. A Boolean stores every number other than 0 \
      as true.
      """),
    RulePage(
      "narrowed", "Several objects for a to-one relationship",
      "The first object is kept, in the order of the relationship or by primary key; the other links are lost."
    ),
    RulePage(
      "unordered", "Order of a relationship",
      "The objects stay related; their order is lost. To keep it, store a position in an attribute."
    ),
  ]
}

extension Finding {
  /// - Parameters:
  ///   - count: How many objects lose something.
  ///   - keys: Those of the first.
  init(_ rule: LossRule, entity: String, property: String, count: Int, keys: [Int64]) {
    self.init(
      rule, at: FindingPlace(entity: entity, property: property),
      evidence: FindingEvidence(count: count, keys: keys))
  }

  /// The rule of losses; `nil` where it is of something else.
  public var lossRule: LossRule? { rule as? LossRule }

  /// How many first keys a loss has.
  static let lossKeyLimit = 3

  /// Losses stand in the order of these, whoever found them first.
  var lossSortKey: String { "\(entity).\(property ?? "") \(rule)" }
}

extension LossRule {
  public var isOfNumbers: Bool {
    switch self {
    case .truncated, .outOfRange: true
    case .removed, .narrowed, .unordered: false
    }
  }
}
