internal import StrataBase

extension ExpressionNumber {
  /// `nil` if it does not fit in a Decimal.
  var decimal: DecimalNumber? {
    switch self {
    case .integer(let number): DecimalNumber(number)
    case .real(let number): DecimalNumber(number)
    }
  }
}

extension EvaluationContext {
  /// The operations that use decimal numbers; every other function uses binary ones.
  private static let decimalOperations:
    [String: @Sendable (DecimalNumber, DecimalNumber) -> DecimalNumber?] = [
      "add:to:": { $0.adding($1) },
      "from:subtract:": { $0.subtracting($1) },
      "multiply:by:": { $0.multiplied(by: $1) },
      "divide:by:": { $0.divided(by: $1) },
    ]

  /// The result of an operation in decimal numbers, which are rounded to a stored value only after all enclosing
  /// operations; `nil` for any other expression.
  ///
  /// - Throws: ``ExpressionError/Problem/decimalOverflow(_:)`` if an operand or the result does not fit in a Decimal.
  func decimalResult(of expression: Expression) throws -> ExpressionValue? {
    guard arithmetic == .decimal, case .function(let name, on: nil, let arguments) = expression,
      Self.decimalOperations[name] != nil, arguments.count == 2
    else { return nil }
    return try decimal(of: expression, for: name).map { .value($0.value) } ?? .null
  }

  /// - Parameter outer: The enclosing operation.
  /// - Returns: `nil` for a nil value.
  private func decimal(of expression: Expression, for outer: String) throws -> DecimalNumber? {
    if case .function(let name, on: nil, let arguments) = expression, arguments.count == 2,
      let operation = Self.decimalOperations[name]
    {
      let first = try decimal(of: arguments[0], for: name)
      let second = try decimal(of: arguments[1], for: name)
      guard let first, let second, name != "divide:by:" || !second.isZero else { return nil }
      guard let result = operation(first, second) else { throw overflow(name) }
      return result
    }
    guard let number = try ExpressionFunction.number(value(of: expression), for: outer) else {
      return nil
    }
    guard let decimal = number.decimal else { throw overflow(outer) }
    return decimal
  }

  /// - Parameter target: The key path of a method call may end in a sum.
  fileprivate static func isArithmetic(_ name: String, _ target: Expression?) -> Bool {
    target == nil
      ? decimalOperations[name] != nil || name == "sum:" || name == "average:"
      : name == "valueForKeyPath:"
  }

  private func overflow(_ name: String) -> ExpressionError {
    ExpressionError(.decimalOverflow(ExpressionFunction.symbol(of: name)))
  }
}

extension Expression {
  /// Whether it has an operation whose result ``EvaluationContext/Arithmetic`` decides.
  package var hasArithmetic: Bool {
    switch self {
    case .keyPath(of: _, let keys) where keys.contains("@sum") || keys.contains("@avg"): true
    case .function(let name, on: let target, _)
    where EvaluationContext.isArithmetic(name, target):
      true
    default: parts.contains(where: \.hasArithmetic)
    }
  }
}

extension Predicate {
  /// Whether it has an operation whose result ``EvaluationContext/Arithmetic`` decides.
  package var hasArithmetic: Bool { operands.contains(where: \.hasArithmetic) }
}
