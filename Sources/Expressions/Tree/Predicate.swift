/// A predicate, as filters, fetch requests and breakpoints use it.
///
/// ```swift
/// let predicate = try Predicate(parsing: "timeBudget > 5 and topicList.title matches '[a-h].*'")
/// predicate.text  // #"timeBudget > 5 AND topicList.title MATCHES "[a-h].*""#
/// ```
package indirect enum Predicate: Sendable, Hashable {
  /// `TRUEPREDICATE`, `FALSEPREDICATE`.
  case constant(Bool)
  case not(Predicate)
  /// Two or more.
  case and([Predicate])
  /// Two or more.
  case or([Predicate])
  case comparison(Comparison)
}

extension Predicate {
  /// The two sides of each of its comparisons, in order.
  package var operands: [Expression] {
    switch self {
    case .constant: []
    case .not(let operand): operand.operands
    case .and(let parts), .or(let parts): parts.flatMap(\.operands)
    case .comparison(let comparison): [comparison.left, comparison.right]
    }
  }
}

/// A comparison of two expressions.
package struct Comparison: Sendable, Hashable {
  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case lessThan = "<"
    case lessThanOrEqual = "<="
    case greaterThan = ">"
    case greaterThanOrEqual = ">="
    case equal = "=="
    case notEqual = "!="
    case matches = "MATCHES"
    case like = "LIKE"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case isIn = "IN"
    case contains = "CONTAINS"
    case between = "BETWEEN"
  }

  /// Whether any element of the left side must match, all of them, or the left side itself.
  package enum Modifier: Sendable, Hashable {
    case direct, any, all
  }

  package var left: Expression
  package var `operator`: Operator
  package var right: Expression
  package var modifier: Modifier
  /// `[c]`: case-insensitive.
  package var ignoresCase: Bool
  /// `[d]`: diacritic-insensitive.
  package var ignoresDiacritics: Bool

  package init(
    _ left: Expression, _ operator: Operator, _ right: Expression, modifier: Modifier = .direct,
    ignoresCase: Bool = false, ignoresDiacritics: Bool = false
  ) {
    self.left = left
    self.operator = `operator`
    self.right = right
    self.modifier = modifier
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
  }
}
