extension Predicate {
  /// The free variables, without their dollar signs.
  package var variables: Set<String> {
    switch self {
    case .constant: []
    case .not(let operand): operand.variables
    case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.variables) }
    case .comparison(let comparison):
      comparison.left.variables.union(comparison.right.variables)
    }
  }
}

extension Expression {
  /// The free variables, without their dollar signs.
  package var variables: Set<String> {
    switch self {
    case .constant, .evaluatedObject: []
    case .variable(let name): [name]
    case .keyPath(of: let operand, _): operand?.variables ?? []
    case .function(_, on: let target, let arguments):
      arguments.reduce(into: target?.variables ?? []) { $0.formUnion($1.variables) }
    case .collection(let elements):
      elements.reduce(into: []) { $0.formUnion($1.variables) }
    case .subquery(let collection, let variable, let predicate):
      collection.variables.union(predicate.variables.subtracting([variable]))
    case .conditional(let predicate, let first, let second):
      predicate.variables.union(first.variables).union(second.variables)
    case .fetch(let request, let context, _): request.variables.union(context.variables)
    }
  }
}

extension Predicate {
  /// Whether a key or `SELF` refers to the object for which the predicate is evaluated.
  package var refersToObject: Bool {
    switch self {
    case .constant: false
    case .not(let operand): operand.refersToObject
    case .and(let parts), .or(let parts): parts.contains(where: \.refersToObject)
    case .comparison(let comparison):
      comparison.left.refersToObject || comparison.right.refersToObject
    }
  }
}

extension Expression {
  /// Whether a key or `SELF` refers to the object for which the expression is evaluated.
  package var refersToObject: Bool {
    switch self {
    case .constant, .variable: false
    case .evaluatedObject: true
    case .keyPath(of: let operand, _): operand?.refersToObject ?? true
    case .function(_, on: let target, let arguments):
      target?.refersToObject == true || arguments.contains(where: \.refersToObject)
    case .collection(let elements): elements.contains(where: \.refersToObject)
    // The keys of its predicate refer to the object as well, those of its variable do not.
    case .subquery(let collection, _, let predicate):
      collection.refersToObject || predicate.refersToObject
    case .conditional(let predicate, let first, let second):
      predicate.refersToObject || first.refersToObject || second.refersToObject
    case .fetch(let request, let context, _):
      request.refersToObject || context.refersToObject
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
