package import StrataBase
package import StrataExpressions

/// Chooses the arithmetic of an expression: decimal if it reads or sets a Decimal attribute, otherwise binary.
///
/// ```swift
/// let choice = ArithmeticChoice(variables: ["source": .init(model: model2, entity: "Topic")])
/// try choice.arithmetic(of: Expression(parsing: "$source.timeBudget * 0.1"), givenTo: .decimal)  // .decimal
/// ```
package struct ArithmeticChoice {
  /// The entity of an object in which key paths start.
  package struct Start {
    package var model: ObjectModel
    package var entity: String

    package init(model: ObjectModel, entity: String) {
      self.model = model
      self.entity = entity
    }
  }

  private let object: Start?
  private let variables: [String: Start]

  package init(object: Start? = nil, variables: [String: Start] = [:]) {
    self.object = object
    self.variables = variables
  }

  /// - Parameter type: The type of the attribute that is set to the value.
  package func arithmetic(
    of expression: Expression, givenTo type: @autoclosure () -> AttributeType? = nil
  ) -> EvaluationContext.Arithmetic {
    guard expression.hasArithmetic else { return .binary }
    if type() == .decimal { return .decimal }
    var finder = DecimalFinder(object: object, variables: variables)
    _ = finder.visit(expression)
    return finder.hasFound ? .decimal : .binary
  }

  /// Whether the two sides of a comparison compute in decimals.
  package func isDecimal(_ comparison: Comparison) -> Bool {
    guard Predicate.comparison(comparison).hasArithmetic else { return false }
    var finder = DecimalFinder(object: object, variables: variables, isOfPredicate: true)
    finder.visit(.comparison(comparison))
    return finder.comparisons.contains(comparison)
  }

  /// Chooses the arithmetic of each comparison of a predicate by what it reads itself.
  package func choose(for predicate: Predicate, in context: inout EvaluationContext) {
    context.arithmetic = .binary
    guard predicate.hasArithmetic else { return }
    var finder = DecimalFinder(object: object, variables: variables, isOfPredicate: true)
    finder.visit(predicate)
    context.decimalComparisons = finder.comparisons
  }
}

/// Searches the attributes that an expression reads for Decimal ones.
private struct DecimalFinder {
  let object: ArithmeticChoice.Start?
  var variables: [String: ArithmeticChoice.Start]
  /// Whether the comparisons are told apart; otherwise what one of them reads is read by the expression around it.
  var isOfPredicate = false
  var hasFound = false
  /// The comparisons that read a Decimal attribute.
  var comparisons: Set<Comparison> = []

  mutating func visit(_ predicate: Predicate) {
    switch predicate {
    case .constant: break
    case .not(let operand): visit(operand)
    case .and(let parts), .or(let parts): for part in parts { visit(part) }
    case .comparison(let comparison):
      let outer = hasFound
      hasFound = false
      _ = visit([comparison.left, comparison.right])
      if hasFound { comparisons.insert(comparison) }
      hasFound = isOfPredicate ? outer : outer || hasFound
    }
  }

  /// - Returns: The entity of the resulting objects; `nil` if the result is not an object.
  mutating func visit(_ expression: Expression) -> ArithmeticChoice.Start? {
    switch expression {
    case .constant: return nil
    case .evaluatedObject: return object
    case .variable(let name): return variables[name]
    case .keyPath(of: let operand, let keys):
      return walk(keys[...], from: visit(operand ?? .evaluatedObject))
    case .function(let name, on: let target?, let arguments):
      let start = visit(target)
      switch (name, arguments.first) {
      case ("valueForKey:", .constant(.text(let path))),
        ("valueForKeyPath:", .constant(.text(let path))):
        return walk(path.split(separator: ".").map(String.init)[...], from: start)
      case (_, nil): return walk([name], from: start)
      default: return visit(arguments)
      }
    // Collection functions return elements of their first argument.
    case .function(_, on: nil, let elements), .collection(let elements): return visit(elements)
    case .subquery(let collection, let variable, let predicate):
      let start = visit(collection)
      let outer = variables
      variables[variable] = start
      visit(predicate)
      variables = outer
      return start
    case .conditional(let predicate, let first, let second):
      visit(predicate)
      return visit([first, second])
    case .fetch(let request, let context, _): return visit([request, context])
    }
  }

  private mutating func visit(_ expressions: [Expression]) -> ArithmeticChoice.Start? {
    var first: ArithmeticChoice.Start?
    for expression in expressions {
      let start = visit(expression)
      first = first ?? start
    }
    return first
  }

  private mutating func walk(
    _ keys: ArraySlice<String>, from start: ArithmeticChoice.Start?
  ) -> ArithmeticChoice.Start? {
    guard let start else { return nil }
    let keys = keys.drop { $0.hasPrefix("@") }
    guard let key = keys.first else { return start }
    if let relationship = start.model.relationship(key, of: start.entity)?.property {
      return walk(
        keys.dropFirst(),
        from: ArithmeticChoice.Start(model: start.model, entity: relationship.destinationName))
    }
    // An element of a composite attribute is stored under its path.
    let paths = keys.indices.map { keys[...$0].joined(separator: ".") }
    let type = paths.lazy.compactMap { start.model.storedType(of: $0, in: start.entity) }.first
    if type == .decimal { hasFound = true }
    return nil
  }
}

extension ObjectModel {
  /// The type of an attribute of an entity, or of an element of a composite attribute; `nil` for an unknown
  /// name.
  package func storedType(of name: String, in entity: String) -> AttributeType? {
    for attribute in allAttributes(of: entity) {
      for leaf in storedAttributes(of: attribute.property) where leaf.name == name {
        return leaf.type
      }
    }
    return nil
  }
}
