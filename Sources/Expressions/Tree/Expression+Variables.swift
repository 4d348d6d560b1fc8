extension Predicate {
  /// The free variables, without their dollar signs.
  package var variables: Set<String> {
    operands.reduce(into: []) { $0.formUnion($1.variables) }
  }

  /// Whether a key or `SELF` refers to the object for which the predicate is evaluated.
  package var refersToObject: Bool { operands.contains(where: \.refersToObject) }
}

extension Expression {
  /// The free variables, without their dollar signs.
  package var variables: Set<String> {
    switch self {
    case .variable(let name): [name]
    case .subquery(let collection, let variable, let predicate):
      collection.variables.union(predicate.variables.subtracting([variable]))
    default: parts.reduce(into: []) { $0.formUnion($1.variables) }
    }
  }

  /// Whether a key or `SELF` refers to the object for which the expression is evaluated. In a subquery's predicate keys
  /// refer to it as well, those of its variable do not.
  package var refersToObject: Bool {
    switch self {
    case .evaluatedObject, .keyPath(of: nil, _): true
    default: parts.contains(where: \.refersToObject)
    }
  }
}

extension Predicate {
  /// The same about `SELF`, if it reads nothing but the object that a variable stands for; otherwise `nil`.
  ///
  /// `$source.age > 3` becomes `age > 3`.
  package func about(_ variable: String) -> Predicate? {
    func all(_ parts: [Predicate]) -> [Predicate]? {
      let found = parts.compactMap { $0.about(variable) }
      return found.count == parts.count ? found : nil
    }
    switch self {
    case .constant: return self
    case .not(let operand): return operand.about(variable).map { .not($0) }
    case .and(let parts): return all(parts).map { .and($0) }
    case .or(let parts): return all(parts).map { .or($0) }
    case .comparison(var comparison):
      guard let left = comparison.left.about(variable),
        let right = comparison.right.about(variable)
      else { return nil }
      (comparison.left, comparison.right) = (left, right)
      return .comparison(comparison)
    }
  }
}

extension Expression {
  fileprivate func about(_ variable: String) -> Expression? {
    func all(_ parts: [Expression]) -> [Expression]? {
      let found = parts.compactMap { $0.about(variable) }
      return found.count == parts.count ? found : nil
    }
    switch self {
    case .constant: return self
    case .variable(variable): return .evaluatedObject
    case .keyPath(of: .variable(variable), let keys): return .keyPath(of: nil, keys)
    case .function(let name, on: nil, let arguments):
      return all(arguments).map { .function(name, arguments: $0) }
    case .collection(let elements): return all(elements).map { .collection($0) }
    default: return nil
    }
  }
}
