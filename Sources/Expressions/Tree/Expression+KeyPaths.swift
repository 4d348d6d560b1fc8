internal import StrataBase

extension Predicate {
  /// The key paths that it reads, each once, in order; without those on variables of its own.
  package var keyPaths: [Expression] {
    switch self {
    case .constant: []
    case .not(let operand): operand.keyPaths
    case .and(let parts), .or(let parts): parts.flatMap(\.keyPaths).uniqued
    case .comparison(let comparison):
      (comparison.left.keyPaths + comparison.right.keyPaths).uniqued
    }
  }
}

extension Expression {
  /// The key paths that it reads, each once, in order; without those on variables of its own.
  package var keyPaths: [Expression] {
    switch self {
    case .constant, .evaluatedObject, .variable, .fetch: []
    case .keyPath(of: let operand, _):
      switch operand {
      case nil, .variable?, .evaluatedObject?: [self]
      case let operand?: operand.keyPaths
      }
    case .function(_, on: let target, let arguments):
      ((target?.keyPaths ?? []) + arguments.flatMap(\.keyPaths)).uniqued
    case .collection(let elements): elements.flatMap(\.keyPaths).uniqued
    case .subquery(let collection, _, _): collection.keyPaths
    case .conditional(let predicate, let first, let second):
      (predicate.keyPaths + first.keyPaths + second.keyPaths).uniqued
    }
  }
}
