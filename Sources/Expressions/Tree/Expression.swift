package import StrataBase

/// An expression of the predicate language, as mapping models, fetch requests and derived attributes
/// hold it.
///
/// ```swift
/// try Expression(parsing: "$source.content.length * 0.2").text  // "$source.content.length * 0.2"
/// ```
package indirect enum Expression: Sendable, Hashable {
  case constant(AttributeValue)
  /// `SELF`: the evaluated object.
  case evaluatedObject
  /// `$source`, `$manager`, … without the dollar sign.
  case variable(String)
  /// A key path from an operand; without one, from the object itself. Collection operators are keys too: `["pages",
  /// "@count"]`.
  case keyPath(of: Expression?, [String])
  /// A function of the fixed table (`now:`, `multiply:by:` …), or, with a target, a method of it:
  /// `FUNCTION($manager, "selector:", …)`.
  case function(String, on: Expression? = nil, arguments: [Expression])
  /// `{1, 2, 3}`.
  case collection([Expression])
  /// `SUBQUERY(collection, $variable, predicate)`: the elements for which the predicate is true.
  case subquery(Expression, variable: String, Predicate)
  /// `TERNARY(predicate, expression, expression)`.
  case conditional(Predicate, Expression, Expression)
  /// `FETCH(request, context, countOnly)`.
  case fetch(request: Expression, context: Expression, countOnly: Bool)
}

extension Expression {
  /// The expressions directly in it, in order, and the operands of its predicates.
  var parts: [Expression] {
    switch self {
    case .constant, .evaluatedObject, .variable: []
    case .keyPath(of: let operand, _): [operand].compactMap(\.self)
    case .function(_, on: let target, let arguments): [target].compactMap(\.self) + arguments
    case .collection(let elements): elements
    case .subquery(let collection, _, let predicate): [collection] + predicate.operands
    case .conditional(let predicate, let first, let second): predicate.operands + [first, second]
    case .fetch(let request, let context, _): [request, context]
    }
  }

  /// Its ``parts`` with the same variables: those of a predicate in `SUBQUERY` have one more.
  package var knownParts: [Expression] {
    if case .subquery(let collection, _, _) = self { [collection] } else { parts }
  }
}

extension Expression {
  /// The expressions of which one gives the value: the branches of a conditional and of those in it, otherwise the
  /// expression itself.
  package var outcomes: [Expression] {
    if case .conditional(_, let first, let second) = self {
      first.outcomes + second.outcomes
    } else {
      [self]
    }
  }
}

extension Expression {
  static let powerPrecedence = 8

  /// The infix operators, by the function that each represents.
  ///
  /// Core Data's archives have no operators: `a * b` is a call of `multiply:by:`.
  static let operators: [String: (symbol: String, precedence: Int)] = [
    "union:with:": ("UNION", 1), "intersect:with:": ("INTERSECT", 1), "minus:with:": ("MINUS", 1),
    "bitwiseOr:with:": ("|", 2), "bitwiseXor:with:": ("^", 3), "bitwiseAnd:with:": ("&", 4),
    "leftshift:by:": ("<<", 5), "rightshift:by:": (">>", 5), "add:to:": ("+", 6),
    "from:subtract:": ("-", 6), "multiply:by:": ("*", 7), "divide:by:": ("/", 7),
    "raise:toPower:": ("**", powerPrecedence),
  ]
}
