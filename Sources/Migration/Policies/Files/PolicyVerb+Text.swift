internal import StrataBase
internal import StrataExpressions

extension PolicyScript.Statement {
  /// The statement in its canonical form; the pass is named where it is not the statement's default.
  package var text: String {
    call == verb.calls[0] ? verb.text : "in \(call.rawValue): \(verb.text)"
  }
}

extension PolicyScript.Verb {
  /// The statement in its canonical form, without its pass.
  package var text: String {
    switch self {
    case .skip(let condition): "skip when \(condition.text)"
    case .oneDestination(let expression): "one destination for each \(expression.text)"
    case .set(let name, let expression): "set \(name) = \(expression.text)"
    case .split(let expression, let mark, let names):
      "split \(expression.text) at \(Expression.constant(.text(mark)).text) into \(names.joined(separator: ", "))"
    case .join(let expressions, let mark, let name):
      "join \(expressions.map(\.text).joined(separator: ", ")) with \(Expression.constant(.text(mark)).text) into \(name)"
    case .relate(let name, let search): "set \(name) = \(search.text)"
    case .keepFirst(let name, let keys, let isAscending):
      "keep first \(name.map { "of \($0) " } ?? "")by \(keys.joined(separator: "."))"
        + (isAscending ? "" : " descending")
    case .require(let condition, let message):
      "require \(condition.text), \"\(message.map(\.text).joined())\""
    case .make(let search): search.text
    case .delete(let condition): "delete when \(condition.text)"
    }
  }

  /// The key paths that the statement reads.
  var operands: [Expression] {
    switch self {
    case .oneDestination(let expression): [expression]
    case .require(let condition, _): condition.keyPaths
    default: expressions.flatMap(\.keyPaths)
    }
  }

  /// The expressions that the statement evaluates; a predicate is the condition of one.
  var expressions: [Expression] {
    func condition(_ predicate: Predicate) -> Expression {
      .conditional(predicate, .constant(.null), .constant(.null))
    }
    return switch self {
    case .skip(let predicate), .delete(let predicate): [condition(predicate)]
    case .oneDestination(let expression): [expression]
    case .set(_, let expression), .split(let expression, _, _): [expression]
    case .join(let expressions, _, _): expressions
    case .relate(_, let search), .make(let search): search.allValues.map(\.value)
    case .require(let predicate, let message):
      [condition(predicate)]
        + message.compactMap { if case .value(let expression, _) = $0 { expression } else { nil } }
    case .keepFirst: []
    }
  }
}

extension PolicyScript.Search {
  fileprivate var text: String {
    let others = values.map { "\($0.attribute) = \($0.value.text)" }.joined(separator: ", ")
    let suffix = others.isEmpty ? "" : " with \(others)"
    guard let key else { return "create \(entity)\(suffix)" }
    return
      "\(creates ? "find or create" : "find") \(entity) where \(key.attribute) == \(key.value.text)\(suffix)"
  }
}

extension PolicyScript.MessagePart {
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .value(let expression, _): "\\(\(expression.text))"
    }
  }
}
