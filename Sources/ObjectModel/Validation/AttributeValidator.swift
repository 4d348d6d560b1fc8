package import StrataBase
internal import StrataExpressions

/// Validates the values of one attribute as Core Data does before saving.
///
/// ```swift
/// var rating = Attribute(name: "rating", type: .integer16)
/// rating.extras.attributes["maxValueString"] = "10"
/// AttributeValidator(rating).problem(of: .integer(11))  // .rule(.maximum(.whole(10)))
/// ```
package struct AttributeValidator {
  private let attribute: Attribute
  private let rules: [ValueRule]
  private var context = EvaluationContext()
  /// The number of slow matches after which a pattern is no longer evaluated.
  private let patience = Patience()

  private final class Patience {
    var left = 3
  }

  /// The number of steps on one string after which a match is slow: about 0.1 seconds.
  private static let slowSteps = 10_000_000

  package init(_ attribute: Attribute) {
    self.attribute = attribute
    rules = attribute.valueRules
  }

  /// The first validation error of a value; derived attributes are not validated.
  package func problem(of value: AttributeValue) -> ValidationRule? {
    guard !attribute.isDerived else { return nil }
    guard value != .null else { return attribute.isOptional ? nil : .missing }
    guard attribute.type.holds(value) else { return .wrongType(wanted: attribute.type.name) }
    for rule in rules {
      if let problem = problem(of: value, by: rule) { return problem }
    }
    return nil
  }

  private func problem(of value: AttributeValue, by rule: ValueRule) -> ValidationRule? {
    if case (.pattern(let pattern), .text(let text)) = (rule, value) {
      return matches(text, pattern).map { $0 ? nil : .rule(rule) } ?? .unmatched(pattern)
    }
    return fits(value, rule) ? nil : .rule(rule)
  }

  private func fits(_ value: AttributeValue, _ rule: ValueRule) -> Bool {
    switch (rule, value) {
    case (.minimum(let bound), _), (.earliest(let bound), _): !bound.isAbove(value)
    case (.maximum(let bound), _), (.latest(let bound), _): !bound.isBelow(value)
    case (.minimumLength(let bound), .text(let text)): text.utf16.count >= bound
    case (.maximumLength(let bound), .text(let text)): text.utf16.count <= bound
    default: true
    }
  }

  /// `nil` if that takes too long; an invalid regular expression matches nothing.
  private func matches(_ text: String, _ pattern: String) -> Bool? {
    guard patience.left > 0 else { return nil }
    let question = Predicate.comparison(
      Comparison(.constant(.text(text)), .matches, .constant(.text(pattern))))
    let before = context.patternSteps
    defer { if context.patternSteps - before > Self.slowSteps { patience.left -= 1 } }
    do {
      return try context.holds(question)
    } catch let error as ExpressionError {
      if case .patternTooSlow = error.problem { return nil }
      return false
    } catch {
      return nil
    }
  }
}

extension AttributeType {
  /// Whether a column of the type can contain this value.
  package func holds(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (_, .null): true
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    case (.integer64, .integer): true
    case (.boolean, .integer(let number)): number == 0 || number == 1
    case (.decimal, .real(let number)): number == 0 || Self.decimalMagnitudes ~= number.magnitude
    case (.decimal, .integer), (.double, .integer), (.float, .integer), (.date, .integer): true
    case (.double, .real(let number)), (.float, .real(let number)), (.date, .real(let number)):
      !number.isNaN
    // NSDecimalNumber.notANumber is stored as text in a DECIMAL column.
    case (.decimal, .text(let text)): text.lowercased() == "nan"
    case (.string, .text), (.uri, .text): true
    case (.uuid, .bytes(let bytes)): bytes.count == 16
    case (.binary, .bytes), (.transformable, .bytes): true
    default: false
    }
  }
  /// The magnitudes of the numbers other than 0 that an `NSDecimalNumber` can have: mantissas of 128 bits, and
  /// exponents from -128 to 127.
  package static let decimalMagnitudes = 1e-128...3.402823669209385e165
}
