package import StrataBase
package import StrataExpressions

/// A constraint of a model on the values of an attribute.
///
/// ```swift
/// var rating = Attribute(name: "rating", type: .integer16)
/// rating.extras.attributes["maxValueString"] = "10"
/// rating.valueRules  // [.maximum(.whole(10))]
/// ```
///
/// Source: `Docs/Facts/model-format.md`, section 2; real compiled models hold the same bounds as
/// predicates with Core Data's error codes.
package enum ValueRule: Sendable, Hashable {
  case minimum(NumberBound)
  case maximum(NumberBound)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case earliest(NumberBound)
  case latest(NumberBound)
  /// The length of a string in UTF-16 code units.
  case minimumLength(Int)
  case maximumLength(Int)
  /// A regular expression that must match the whole string.
  case pattern(String)

  /// Core Data's error code for a value that breaks the rule.
  package var code: CoreDataError {
    switch self {
    case .maximum: .validationNumberTooLarge
    case .minimum: .validationNumberTooSmall
    case .latest: .validationDateTooLate
    case .earliest: .validationDateTooSoon
    case .maximumLength: .validationStringTooLong
    case .minimumLength: .validationStringTooShort
    case .pattern: .validationStringPatternMatching
    }
  }

  /// The validation predicate in a compiled model.
  package var predicate: Predicate {
    let length = Expression.keyPath(of: nil, ["length"])
    func comparison(
      _ left: Expression, _ operation: Comparison.Operator, _ value: AttributeValue
    ) -> Predicate {
      .comparison(Comparison(left, operation, .constant(value)))
    }
    switch self {
    case .minimum(let bound), .earliest(let bound):
      return comparison(.evaluatedObject, .greaterThanOrEqual, bound.value)
    case .maximum(let bound), .latest(let bound):
      return comparison(.evaluatedObject, .lessThanOrEqual, bound.value)
    case .minimumLength(let bound):
      return comparison(length, .greaterThanOrEqual, .integer(Int64(bound)))
    case .maximumLength(let bound):
      return comparison(length, .lessThanOrEqual, .integer(Int64(bound)))
    case .pattern(let pattern): return comparison(.evaluatedObject, .matches, .text(pattern))
    }
  }

  /// Whether the archived form is known, which is so for bounds of numbers and lengths.
  var isArchivable: Bool {
    switch self {
    case .minimum, .maximum, .minimumLength, .maximumLength: true
    case .earliest, .latest, .pattern: false
    }
  }
}

extension Attribute {
  /// The constraints on the values that apply to the attribute's type.
  package var valueRules: [ValueRule] {
    var rules: [ValueRule] = []
    func number(_ key: String) -> NumberBound? {
      extras.attributes[key].flatMap { NumberBound($0) }
    }
    switch type {
    case _ where type.isNumber && type != .boolean:
      if let bound = number("minValueString") { rules.append(.minimum(bound)) }
      if let bound = number("maxValueString") { rules.append(.maximum(bound)) }
    case .date:
      if let bound = number("minDateTimeInterval") { rules.append(.earliest(bound)) }
      if let bound = number("maxDateTimeInterval") { rules.append(.latest(bound)) }
    case .string:
      if let bound = number("minValueString"), let length = Int(exactly: bound.real.rounded()) {
        rules.append(.minimumLength(length))
      }
      if let bound = number("maxValueString"), let length = Int(exactly: bound.real.rounded()) {
        rules.append(.maximumLength(length))
      }
      if let pattern = extras.attributes["regularExpressionString"], !pattern.isEmpty {
        rules.append(.pattern(pattern))
      }
    default: break
    }
    return rules
  }

  /// Reads a constraint from a validation predicate of a compiled model; other predicates are ignored.
  mutating func take(validation predicate: Predicate) {
    guard case .comparison(let comparison) = predicate,
      case .constant(let value) = comparison.right
    else { return }
    let isDate = type == .date
    switch comparison.left {
    case .evaluatedObject: break
    case .keyPath(of: nil, let path) where path == ["length"]: break
    default: return
    }
    let text: String
    switch value {
    case .integer(let number): text = String(number)
    case .real(let number): text = String(number)
    case .text(let pattern) where comparison.operator == .matches:
      extras.attributes["regularExpressionString"] = pattern
      return
    default: return
    }
    switch comparison.operator {
    case .greaterThanOrEqual:
      extras.attributes[isDate ? "minDateTimeInterval" : "minValueString"] = text
    case .lessThanOrEqual:
      extras.attributes[isDate ? "maxDateTimeInterval" : "maxValueString"] = text
    default: break
    }
  }
}

extension Attribute {
  /// Whether a compiled model that Strata writes lacks rules, because their archived form is not known.
  package var hasUnprovenRules: Bool { !valueRules.allSatisfy(\.isArchivable) }
}

extension [ValueRule] {
  var archivable: [ValueRule] { filter(\.isArchivable) }
}
