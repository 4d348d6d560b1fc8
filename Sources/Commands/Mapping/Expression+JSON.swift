internal import StrataExpressions
internal import StrataRendering

extension Expression {
  /// The expression as its text and its tree: `kind`, and the members of the kind.
  var json: JSONValue {
    .object([("text", .string(text)), ("tree", tree)])
  }

  private var tree: JSONValue {
    func node(_ kind: String, _ members: [(key: String, value: JSONValue)] = []) -> JSONValue {
      .object([("kind", .string(kind))] + members)
    }
    switch self {
    case .constant(let value): return node("constant", [("value", ShownValue(value).json)])
    case .evaluatedObject: return node("object")
    case .variable(let name): return node("variable", [("name", .string(name))])
    case .keyPath(of: let operand, let keys):
      return node(
        "keyPath",
        [
          ("of", operand?.tree ?? .null), ("keys", .array(keys.map { .string($0) })),
        ])
    case .function(let name, on: let target, let arguments):
      return node(
        "function",
        [
          ("name", .string(name)), ("target", target?.tree ?? .null),
          ("arguments", .array(arguments.map(\.tree))),
        ])
    case .collection(let elements):
      return node("collection", [("elements", .array(elements.map(\.tree)))])
    case .subquery(let collection, let variable, let predicate):
      return node(
        "subquery",
        [
          ("collection", collection.tree), ("variable", .string(variable)),
          ("predicate", .string(predicate.text)),
        ])
    case .conditional(let predicate, let first, let second):
      return node(
        "conditional",
        [("predicate", .string(predicate.text)), ("then", first.tree), ("else", second.tree)])
    case .fetch(let request, let context, let countOnly):
      return node(
        "fetch",
        [
          ("request", request.tree), ("context", context.tree), ("countOnly", .bool(countOnly)),
        ])
    }
  }
}
