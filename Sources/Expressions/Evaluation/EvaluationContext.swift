internal import StrataBase

/// The context in which expressions are evaluated: the object, the variables, and the time.
///
/// ```swift
/// let context = EvaluationContext(variables: ["minutes": .value(.integer(7))])
/// try context.holds(Predicate(parsing: "$minutes / 2 == 3"))  // true
/// ```
package struct EvaluationContext {
  /// The arithmetic of expressions.
  package enum Arithmetic: Sendable {
    /// Integers of 64 bits, and floating-point numbers: 0.1 + 0.2 is 0.30000000000000004, 7 / 2 is 3.
    case binary
    /// `+`, `-`, `*`, `/`, sums and averages compute in decimal numbers of 38 digits, as NSDecimalNumber
    /// does: 0.1 + 0.2 is 0.3, 7 / 2 is 3.5. Other functions compute as in ``binary``.
    case decimal
  }

  package var object: (any EvaluatedObject)?
  /// The variables by name, without the dollar sign.
  package var variables: [String: ExpressionValue]
  /// The value of `now()`, in seconds since 2001; constant in this context.
  package var now: Double
  package var arithmetic: Arithmetic { didSet { decimalComparisons = [] } }
  /// The comparisons of a predicate that compute in decimal numbers, while the others do not; reset with the arithmetic.
  package var decimalComparisons: Set<Comparison> = []
  let patterns: PatternCache
  let visits = VisitCounter()
  /// Whether this is the context of a SUBQUERY's predicate.
  private var isInSubquery = false
  /// The visits that an element of a nested SUBQUERY counts as: its predicate is evaluated for the product of the
  /// sizes, and takes as long as this number of visits.
  private static let nestedVisits = 40

  package init(
    object: (any EvaluatedObject)? = nil, variables: [String: ExpressionValue] = [:],
    now: Double = Moment.current, arithmetic: Arithmetic = .binary
  ) {
    self.object = object
    self.variables = variables
    self.now = now
    self.arithmetic = arithmetic
    patterns = PatternCache(visits)
  }

  /// The steps of regular expressions so far.
  package var patternSteps: Int { patterns.steps }

  /// The value of an expression.
  ///
  /// A key path over nil is nil; arithmetic with nil, or a division by zero, is nil. Integers do not overflow
  /// silently: a result of more than 64 bits is an error.
  ///
  /// - Throws: ``ExpressionError``, ``BudgetSpent``, and what the objects throw.
  package func value(of expression: Expression) throws -> ExpressionValue {
    try visits.evaluate { try evaluated(expression) }
  }

  private func evaluated(_ expression: Expression) throws -> ExpressionValue {
    switch expression {
    case .constant(let value): return .value(value)
    case .evaluatedObject: return object.map { .object($0) } ?? .null
    case .variable(let name):
      guard let value = variables[name] else {
        throw ExpressionError(.unknownVariable(name, known: variables.keys.sorted()))
      }
      return value
    case .keyPath(of: let operand, let keys):
      let start = try value(of: operand ?? .evaluatedObject)
      return try KeyPathWalk(arithmetic, visits).value(of: keys[...], from: start)
    case .function(let name, on: nil, let arguments):
      return try decimalResult(of: expression) ?? call(name, arguments)
    case .function(let selector, on: let target?, let arguments):
      return try method(selector, of: value(of: target), arguments)
    case .collection(let elements):
      return .collection(try elements.map { try value(of: $0) }, isOrdered: true)
    case .subquery(let collection, let variable, let predicate):
      return try subquery(value(of: collection), variable, predicate)
    case .conditional(let predicate, let first, let second):
      return try value(of: holds(predicate) ? first : second)
    case .fetch: throw ExpressionError(.notPossible("FETCH is only supported in mapping models"))
    }
  }

  private func call(_ name: String, _ arguments: [Expression]) throws -> ExpressionValue {
    let function = try ExpressionFunction.called(name, with: arguments)
    return try function.evaluate(arguments.map { try value(of: $0) }, self)
  }

  /// The methods that expressions may call; otherwise ``FUNCTION`` only calls those of a ``CallableObject``.
  private func method(
    _ selector: String, of target: ExpressionValue, _ arguments: [Expression]
  ) throws -> ExpressionValue {
    switch (selector, try arguments.map { try value(of: $0) }) {
    case ("valueForKey:", let arguments), ("valueForKeyPath:", let arguments):
      guard arguments.count == 1, case .value(.text(let path)) = arguments[0] else {
        throw ExpressionError(.wrongArgumentCount(function: selector, wanted: 1))
      }
      let keys = path.split(separator: ".").map(String.init)
      return try KeyPathWalk(arithmetic, visits).value(of: keys[...], from: target)
    case ("stringByAppendingString:", let arguments):
      guard arguments.count == 1, case .value(.text(let end)) = arguments[0],
        case .value(.text(let start)) = target
      else { return .null }
      return .value(.text(start + end))
    case (_, let arguments):
      guard case .object(let object) = target, let callable = object as? any CallableObject else {
        guard arguments.isEmpty, !selector.hasSuffix(":") else {
          throw ExpressionError(.unknownFunction(selector, near: nil))
        }
        return try KeyPathWalk(arithmetic, visits).value(of: [selector][...], from: target)
      }
      return try callable.call(selector, arguments)
    }
  }

  private func subquery(
    _ collection: ExpressionValue, _ variable: String, _ predicate: Predicate
  ) throws -> ExpressionValue {
    guard case .collection(let elements, let isOrdered) = collection else {
      guard collection.isNull else {
        throw ExpressionError(
          .wrongOperand(operator: "SUBQUERY", wanted: "a collection", found: collection.kind))
      }
      return .collection([], isOrdered: false)
    }
    var inner = self
    inner.isInSubquery = true
    let kept = try elements.filter { element in
      try visits.visit(isInSubquery ? Self.nestedVisits : 1)
      inner.variables[variable] = element
      return try inner.holds(predicate)
    }
    return .collection(kept, isOrdered: isOrdered)
  }
}
