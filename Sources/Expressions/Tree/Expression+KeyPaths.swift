internal import StrataBase

extension Predicate {
  /// The key paths that it reads, each once, in order; without those on variables of its own.
  package var keyPaths: [Expression] { operands.flatMap(\.keyPaths).uniqued }
}

extension Expression {
  /// The key paths that it reads, each once, in order; without those on variables of its own.
  package var keyPaths: [Expression] {
    switch self {
    case .fetch: []
    case .keyPath(of: nil, _), .keyPath(of: .variable?, _), .keyPath(of: .evaluatedObject?, _):
      [self]
    case .subquery(let collection, _, _): collection.keyPaths
    default: parts.flatMap(\.keyPaths).uniqued
    }
  }
}
