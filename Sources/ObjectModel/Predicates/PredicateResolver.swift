internal import StrataBase
package import StrataExpressions

extension ObjectModel {
  /// Checks a predicate against an entity before evaluation and converts its constants to stored values: a
  /// string compared with a date becomes that date, a string compared with a UUID becomes its bytes.
  ///
  /// ```swift
  /// try model1.resolved(Predicate(parsing: "dateCreated > '2024-01-31'"), for: "Topic").text
  /// // "dateCreated > 728352000.0"
  /// ```
  ///
  /// - Parameter store: The UUID of the store, of which URIs of objects must be; `nil` for any.
  /// - Throws: ``ExpressionError`` for an unknown key, incomparable values, or an operand of the wrong type.
  package func resolved(
    _ predicate: Predicate, for entity: String, in store: String? = nil
  ) throws(ExpressionError) -> Predicate {
    let resolver = PredicateResolver(
      model: self, object: .object(entity), variables: [:], store: store)
    return try resolver.resolve(predicate)
  }

  /// Checks an expression against an entity before evaluation and converts its constants to stored values.
  package func resolved(
    _ expression: Expression, for entity: String
  ) throws(ExpressionError) -> Expression {
    try resolved(expression, object: .object(entity), variables: [:]).expression
  }
}

extension ObjectModel {
  /// Checks the keys, functions and variables of an expression.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object; `nil` if its keys are not checked.
  ///   - variables: The known variables, with the entities of their objects; `nil` for any value.
  /// - Throws: ``ExpressionError``, as ``resolved(_:for:)-(Expression,_)``.
  package func check(
    _ expression: Expression, of entity: String?, variables: [String: String?]
  ) throws(ExpressionError) {
    func kind(_ entity: String?) -> ValueKind { entity.map { .object($0) } ?? .unknown }
    let resolver = PredicateResolver(
      model: self, object: kind(entity), variables: variables.mapValues(kind))
    _ = try resolver.resolve(expression)
  }

  /// Checks a predicate with variables and converts its constants to stored values.
  ///
  /// - Parameter entities: The entity of each variable's object; other variables can have any value.
  /// - Throws: ``ExpressionError``, as ``resolved(_:for:in:)``.
  package func resolved(
    _ predicate: Predicate, entities: [String: String]
  ) throws(ExpressionError) -> Predicate {
    var kinds: [String: ValueKind] = [:]
    for name in predicate.variables { kinds[name] = entities[name].map { .object($0) } ?? .unknown }
    return try resolved(predicate, object: .unknown, variables: kinds)
  }

  /// Checks a predicate with values of known kinds and converts its constants to stored values.
  ///
  /// - Throws: ``ExpressionError``, as ``resolved(_:for:in:)``.
  package func resolved(
    _ predicate: Predicate, object: ValueKind, variables: [String: ValueKind]
  ) throws(ExpressionError) -> Predicate {
    try PredicateResolver(model: self, object: object, variables: variables).resolve(predicate)
  }

  /// Checks an expression with values of known kinds and converts its constants to stored values.
  ///
  /// - Returns: The expression, and the kind of value that it returns.
  /// - Throws: ``ExpressionError``, as ``resolved(_:for:)-(Expression,_)``.
  package func resolved(
    _ expression: Expression, object: ValueKind, variables: [String: ValueKind]
  ) throws(ExpressionError) -> (expression: Expression, kind: ValueKind) {
    try PredicateResolver(model: self, object: object, variables: variables).resolve(expression)
  }

  /// The kind of value that an expression with known variables returns.
  ///
  /// - Throws: ``ExpressionError``, as ``resolved(_:for:)-(Expression,_)``.
  package func kind(
    of expression: Expression, variables: [String: ValueKind]
  ) throws(ExpressionError) -> ValueKind {
    try resolved(expression, object: .nothing, variables: variables).kind
  }
}

/// Resolves predicates and the kinds of their values.
struct PredicateResolver {
  let model: ObjectModel
  let object: ValueKind
  var variables: [String: ValueKind]
  var store: String?

  func resolve(_ predicate: Predicate) throws(ExpressionError) -> Predicate {
    switch predicate {
    case .constant: return predicate
    case .not(let operand): return .not(try resolve(operand))
    case .and(let parts):
      return .and(try parts.map { (part) throws(ExpressionError) in try resolve(part) })
    case .or(let parts):
      return .or(try parts.map { (part) throws(ExpressionError) in try resolve(part) })
    case .comparison(let comparison): return .comparison(try resolve(comparison))
    }
  }

  // MARK: Comparisons

  private func resolve(_ comparison: Comparison) throws(ExpressionError) -> Comparison {
    var (left, leftKind) = try resolve(keyed(comparison.left, against: comparison.right))
    var (right, rightKind) = try resolve(right: comparison, besides: leftKind)
    if comparison.modifier != .direct {
      leftKind = leftKind.element
    } else if leftKind.isMany, comparison.operator != .contains {
      throw ExpressionError(
        .manyValues(
          Self.lastKey(of: left) ?? "", path: left.text, operator: comparison.operator.rawValue))
    }
    switch comparison.operator {
    case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
      .between, .isIn, .contains:
      for (kind, other) in [(leftKind, comparison.right), (rightKind, comparison.left)]
      where kind.element == .date {
        if let date = other.unquotedDate { throw ExpressionError(.unquotedDate(date)) }
      }
      let isText = leftKind == .text && rightKind == .text
      // A string with a key represents an object; the resolved constant is the key's number.
      let kinds = Set([leftKind.element, rightKind.element].map(\.isObject))
      if kinds == [true, false], Set([leftKind.element, rightKind.element]).contains(.text) {
        var resolved = comparison
        resolved.left = try converted(left, leftKind, to: rightKind.element)
        resolved.right = try converted(right, rightKind, to: leftKind.element)
        return resolved
      }
      let (plainLeft, plainRight) = (left, right)
      left = try converted(left, leftKind, to: rightKind.element)
      right = try converted(right, rightKind, to: leftKind.element)
      // What was resolved once is not resolved again: a key in a SUBQUERY is a number by now.
      if left != plainLeft { leftKind = leftKind.replacingText(by: rightKind.element) }
      if right != plainRight { rightKind = rightKind.replacingText(by: leftKind.element) }
      let mayHold = [.between, .isIn, .contains].contains(comparison.operator) && !isText
      try check(
        comparison.operator, left, comparison.modifier == .direct ? leftKind : leftKind.element,
        right, rightKind, isList: mayHold)
    case .matches, .like, .beginsWith, .endsWith:
      for kind in [leftKind, rightKind] where ![.text, .unknown, .nothing].contains(kind) {
        throw ExpressionError(
          .wrongOperand(
            operator: comparison.operator.rawValue, wanted: "text", found: kind.description))
      }
      if comparison.operator == .matches { try checkPattern(right) }
    }
    var resolved = comparison
    (resolved.left, resolved.right) = (left, right)
    return resolved
  }

  private func resolve(
    right comparison: Comparison, besides leftKind: ValueKind
  ) throws(ExpressionError) -> (Expression, kind: ValueKind) {
    do throws(ExpressionError) {
      return try resolve(keyed(comparison.right, against: comparison.left))
    } catch {
      guard leftKind == .text, case .unknownKey(let key, let owner, near: nil) = error.problem,
        comparison.right == .keyPath(of: nil, [key])
      else { throw error }
      throw ExpressionError(.unquotedText(key, of: owner))
    }
  }

  /// The key of an object, `p9`, as a string: in a comparison with an object it needs no quotes.
  private func keyed(_ expression: Expression, against other: Expression) -> Expression {
    switch expression {
    case .keyPath(of: nil, let keys):
      guard keys.count == 1, TextualValue.object(keys[0]) != nil,
        (try? resolve(expression)) == nil, let kind = try? resolve(other).kind,
        kind.element.isObject
      else { return expression }
      return .constant(.text(keys[0]))
    case .collection(let elements): return .collection(elements.map { keyed($0, against: other) })
    default: return expression
    }
  }

  private func check(
    _ operation: Comparison.Operator, _ left: Expression, _ leftKind: ValueKind,
    _ right: Expression, _ rightKind: ValueKind, isList: Bool
  ) throws(ExpressionError) {
    if isList {
      let list = operation == .contains ? leftKind : rightKind
      guard list.depth == 1 || [.unknown, .nothing].contains(list) else {
        throw ExpressionError(
          .wrongOperand(
            operator: operation.rawValue,
            wanted: operation == .between ? "two bounds, {1, 5}" : "a collection or two texts",
            found: list.description))
      }
    } else if rightKind.isMany {
      throw ExpressionError(
        .wrongOperand(
          operator: operation.rawValue, wanted: "one value on the right",
          found: "a collection"))
    }
    let isOrdering = [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between]
      .contains(operation)
    if isOrdering, case .object = leftKind.element {
      throw ExpressionError(
        .wrongOperand(
          operator: operation.rawValue, wanted: "values that can be ordered",
          found: leftKind.element.description))
    }
    // Each element of a literal list is checked.
    if case .collection(let elements) = right, operation != .contains {
      for element in elements {
        let kind = try resolve(element).kind
        guard leftKind.element.isComparable(to: kind) else {
          throw incomparable(left, leftKind, element, kind, operation)
        }
      }
    }
    guard leftKind.element.isComparable(to: rightKind.element) else {
      throw incomparable(left, leftKind, right, rightKind, operation)
    }
  }

  private func incomparable(
    _ left: Expression, _ leftKind: ValueKind, _ right: Expression, _ rightKind: ValueKind,
    _ operation: Comparison.Operator
  ) -> ExpressionError {
    ExpressionError(
      .incomparable(
        "\(left.text), which is \(leftKind.element.description),",
        "\(right.text), which is \(rightKind.element.description)",
        word: Self.lastKey(of: left) ?? Self.lastKey(of: right) ?? operation.rawValue))
  }

  private static func lastKey(of expression: Expression) -> String? {
    guard case .keyPath(of: _, let keys) = expression else { return nil }
    return keys.last { !$0.hasPrefix("@") }
  }

  /// A string constant converted to the date or UUID with which it is compared; lists are converted element by
  /// element.
  private func converted(
    _ expression: Expression, _ kind: ValueKind, to wanted: ValueKind
  ) throws(ExpressionError) -> Expression {
    guard kind.element == .text || kind == .many(.unknown),
      wanted == .date || wanted == .uuid || wanted.isObject
    else { return expression }
    switch expression {
    case .constant(.text(let text)):
      if case .object(let entity) = wanted {
        let object = try Self.known(TextualValue.object(text), text, "a key such as p17")
        guard model.canBe(object.entity, entity) else {
          throw ExpressionError(.badText(text, wanted: wanted.description))
        }
        guard store == nil || [nil, store].contains(object.store) else {
          throw ExpressionError(.badText(text, wanted: "an object of this store"))
        }
        return .constant(.integer(object.key))
      }
      if wanted == .uuid {
        return try .constant(.bytes(Self.known(TextualValue.uuid(text), text, "a UUID")))
      }
      return try .constant(
        .real(Self.known(TextualValue.date(text), text, "a date such as 2024-01-31T12:00:00Z")))
    case .collection(let elements):
      return .collection(
        try elements.map { (element) throws(ExpressionError) in
          try converted(element, try resolve(element).kind, to: wanted)
        })
    default: return expression
    }
  }

  private static func known<Value>(
    _ value: Value?, _ text: String, _ wanted: String
  ) throws(ExpressionError) -> Value {
    guard let value else { throw ExpressionError(.badText(text, wanted: wanted)) }
    return value
  }

  private func checkPattern(_ expression: Expression) throws(ExpressionError) {
    guard case .constant(.text(let pattern)) = expression else { return }
    guard RegularExpressionText.isValid(pattern) else {
      throw ExpressionError(.badPattern(pattern))
    }
  }
}

extension Expression {
  /// The date that was meant by a difference of three numbers, or in a list of them.
  fileprivate var unquotedDate: String? {
    func difference(_ expression: Expression) -> (Expression, Int64)? {
      guard case .function("from:subtract:", on: nil, let operands) = expression,
        operands.count == 2, case .constant(.integer(let number)) = operands[1]
      else { return nil }
      return (operands[0], number)
    }
    if case .collection(let elements) = self {
      return elements.lazy.compactMap(\.unquotedDate).first
    }
    guard let (rest, day) = difference(self), let (first, month) = difference(rest),
      case .constant(.integer(let year)) = first, 1000...9999 ~= year, 1...12 ~= month,
      1...31 ~= day
    else { return nil }
    return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }
}
