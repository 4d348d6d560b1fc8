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
