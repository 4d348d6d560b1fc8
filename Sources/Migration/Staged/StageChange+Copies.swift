internal import StrataExpressions

extension StageChange {
  /// A value that a change sets, in an attribute of the object or of a linked object.
  struct Copy {
    /// The key path of the attribute from the object.
    var target: [String]
    /// The entity of the linked object; `nil` for the object itself.
    var entity: String?
    /// The key paths of the object from which the value is computed.
    var sources: Set<[String]>
    /// Whether it is only looked for in linked objects, and set in none.
    var isSearched = false
  }

  var copies: [Copy] { verbs.flatMap(\.copies) }

  /// Whether it creates objects or links.
  var createsObjects: Bool {
    verbs.contains { if case .relate = $0 { true } else { false } }
  }
}

extension PolicyScript.Verb {
  /// The values that the statement sets.
  var copies: [StageChange.Copy] {
    guard case .relate(let relationship, let search) = self else {
      return values.map {
        .init(target: [$0.attribute], sources: Set($0.expressions.flatMap(\.pathsOfObject)))
      }
    }
    return search.allValues.map {
      .init(
        target: [relationship, $0.attribute], entity: search.entity,
        sources: $0.value.pathsOfObject, isSearched: !search.creates)
    }
  }
}

extension Expression {
  /// The key paths of the object, or after `$source`, in all parts of the expression.
  fileprivate var pathsOfObject: Set<[String]> {
    switch self {
    case .keyPath(of: nil, let keys), .keyPath(of: .variable("source"), let keys): [keys]
    case .keyPath(of: let operand?, _): operand.pathsOfObject
    case .function(_, let target, let arguments):
      Set((arguments + (target.map { [$0] } ?? [])).flatMap(\.pathsOfObject))
    case .collection(let elements): Set(elements.flatMap(\.pathsOfObject))
    case .conditional(_, let first, let second):
      first.pathsOfObject.union(second.pathsOfObject)
    default: []
    }
  }
}
