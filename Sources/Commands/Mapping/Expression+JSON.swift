internal import StrataExpressions
internal import StrataRendering

extension Expression {
  /// The expression as its text and its tree: `kind`, and the members of the kind.
  var json: JSONValue { ["text": text, "tree": tree] }

  private var tree: JSONValue {
    switch self {
    case .constant(let value): ["kind": "constant", "value": ShownValue(value).json]
    case .evaluatedObject: ["kind": "object"]
    case .variable(let name): ["kind": "variable", "name": name]
    case .keyPath(of: let operand, let keys):
      ["kind": "keyPath", "of": operand?.tree, "keys": keys]
    case .function(let name, on: let target, let arguments):
      [
        "kind": "function", "name": name, "target": target?.tree,
        "arguments": arguments.map(\.tree),
      ]
    case .collection(let elements): ["kind": "collection", "elements": elements.map(\.tree)]
    case .subquery(let collection, let variable, let predicate):
      [
        "kind": "subquery", "collection": collection.tree, "variable": variable,
        "predicate": predicate.text,
      ]
    case .conditional(let predicate, let first, let second):
      [
        "kind": "conditional", "predicate": predicate.text, "then": first.tree,
        "else": second.tree,
      ]
    case .fetch(let request, let context, let countOnly):
      [
        "kind": "fetch", "request": request.tree, "context": context.tree, "countOnly": countOnly,
      ]
    }
  }
}
