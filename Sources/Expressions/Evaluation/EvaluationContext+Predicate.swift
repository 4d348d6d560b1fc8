internal import StrataBase

extension EvaluationContext {
  /// Whether a predicate is true for the object. There is no third value: a comparison with nil is false, unless it
  /// compares to nil.
  ///
  /// - Throws: ``ExpressionError``, ``BudgetSpent``, and errors of the objects.
  package func holds(_ predicate: Predicate) throws -> Bool {
    try visits.evaluate { try isTrue(predicate) }
  }

  private func isTrue(_ predicate: Predicate) throws -> Bool {
    switch predicate {
    case .constant(let value): value
    case .not(let operand): try !isTrue(operand)
    case .and(let parts): try parts.allSatisfy { try isTrue($0) }
    case .or(let parts): try parts.contains { try isTrue($0) }
    case .comparison(let comparison):
      decimalComparisons.isEmpty
        ? try holds(comparison) : try choosingArithmetic(for: comparison).holds(comparison)
    }
  }

  private func choosingArithmetic(for comparison: Comparison) -> EvaluationContext {
    var context = self
    context.arithmetic = decimalComparisons.contains(comparison) ? .decimal : .binary
    // For the comparisons in it.
    context.decimalComparisons = decimalComparisons
    return context
  }

  private func holds(_ comparison: Comparison) throws -> Bool {
    var left = try value(of: comparison.left)
    var right = try value(of: comparison.right)
    left = left.converted(from: comparison.left, besides: right)
    right = right.converted(from: comparison.right, besides: left)
    // A relationship of nil has no elements.
    let elements = left.isNull ? [] : left.flattened
    try visits.visit(elements.count)
    switch comparison.modifier {
    case .direct: return try fits(left, right, comparison)
    case .any: return try elements.contains { try fits($0, right, comparison) }
    case .all: return try elements.allSatisfy { try fits($0, right, comparison) }
    }
  }

  private func fits(
    _ left: ExpressionValue, _ right: ExpressionValue, _ comparison: Comparison
  ) throws -> Bool {
    let (left, right) = (folded(left, comparison), folded(right, comparison))
    switch comparison.operator {
    case .equal: return left.equals(right)
    case .notEqual: return !left.equals(right)
    case .lessThan: return left.isAscending(to: right) ?? false
    case .greaterThan: return right.isAscending(to: left) ?? false
    case .lessThanOrEqual: return right.isAscending(to: left).map { !$0 } ?? false
    case .greaterThanOrEqual: return left.isAscending(to: right).map { !$0 } ?? false
    case .between:
      guard case .collection(let bounds, _) = right, bounds.count == 2 else {
        throw ExpressionError(
          .wrongOperand(operator: "BETWEEN", wanted: "two bounds", found: right.kind))
      }
      return bounds[0].isAscending(to: left) != nil && bounds[1].isAscending(to: left) != nil
        && !(left.isAscending(to: bounds[0]) ?? true) && !(bounds[1].isAscending(to: left) ?? true)
    case .isIn: return try isIn(left, right, comparison)
    case .contains: return try isIn(right, left, comparison)
    case .beginsWith, .endsWith, .like, .matches:
      guard case .value(.text(let text)) = left else {
        if left.isNull { return false }
        throw wrongOperand(comparison, left)
      }
      guard case .value(.text(let pattern)) = right else {
        if right.isNull { return false }
        throw wrongOperand(comparison, right)
      }
      switch comparison.operator {
      case .beginsWith: return text.utf8.starts(with: pattern.utf8)
      case .endsWith: return text.utf8.reversed().starts(with: pattern.utf8.reversed())
      case .like: return try patterns.isLike(text, pattern)
      default:
        return try patterns.matches(text, pattern, ignoresCase: comparison.ignoresCase)
      }
    }
  }

  private func isIn(
    _ element: ExpressionValue, _ whole: ExpressionValue, _ comparison: Comparison
  ) throws -> Bool {
    switch (element, whole) {
    case (_, .collection(let elements, _)):
      try visits.visit(elements.count)
      return elements.contains { $0.equals(element) }
    case (.value(.text(let part)), .value(.text(let text))):
      return TextMatching.contains(text, part)
    case (_, .value(.null)), (.value(.null), _): return false
    default: throw wrongOperand(comparison, whole)
    }
  }

  private func wrongOperand(_ comparison: Comparison, _ found: ExpressionValue) -> ExpressionError {
    let isList = [.isIn, .contains].contains(comparison.operator)
    return ExpressionError(
      .wrongOperand(
        operator: comparison.operator.rawValue, wanted: isList ? "a collection or text" : "text",
        found: found.kind))
  }

  /// The text folded by the options; a regular expression is not folded.
  private func folded(_ value: ExpressionValue, _ comparison: Comparison) -> ExpressionValue {
    guard comparison.ignoresCase || comparison.ignoresDiacritics else { return value }
    switch value {
    case .value(.text(let text)):
      return .value(
        .text(
          TextMatching.folded(
            text, case: comparison.ignoresCase && comparison.operator != .matches,
            diacritics: comparison.ignoresDiacritics)))
    case .collection(let elements, let isOrdered):
      return .collection(elements.map { folded($0, comparison) }, isOrdered: isOrdered)
    default: return value
    }
  }
}
