internal import StrataBase

extension ExpressionParser {
  /// A primary expression: a literal, a variable, a key path, a call, or an expression in brackets.
  mutating func primary() throws(ExpressionError) -> Node {
    let start = token.range.lowerBound
    switch token.kind {
    case .integer(let number):
      advance()
      // As larger ones, which have no 64 bits.
      let value = Int64(exactly: number).map { AttributeValue.integer($0) } ?? .real(Double(number))
      return leaf(.constant(value), from: start)
    case .real(let number):
      advance()
      return leaf(.constant(.real(number)), from: start)
    case .text(let text):
      advance()
      return leaf(.constant(.text(text)), from: start)
    case .variable(let name):
      advance()
      return leaf(.variable(name), from: start)
    case .symbol("("):
      advance()
      var inner = try climb(Precedence.or)
      try need(")")
      inner.range = start..<token.range.lowerBound
      return inner
    case .symbol("{"):
      advance()
      return try collection(from: start)
    case .functionName(let name):
      advance()
      return try call(name, from: start)
    case .collectionOperator: return try keyPath(from: start)
    case .name(_, isKey: true): return try keyPath(from: start)
    case .name(let name, isKey: false):
      if let keyword = token.keyword { return try self.keyword(keyword, from: start) }
      guard let next = peek, next == .symbol("(") else { return try keyPath(from: start) }
      advance()
      return try call(name, from: start)
    case .symbol, .end: throw expected("an expression")
    }
  }

  private mutating func keyPath(from start: Int) throws(ExpressionError) -> Node {
    var keys = [try key()]
    while take(".") { keys.append(try key()) }
    return leaf(.keyPath(of: nil, keys), from: start)
  }

  private mutating func keyword(_ word: String, from start: Int) throws(ExpressionError) -> Node {
    let constants: [String: AttributeValue] = [
      "NIL": .null, "NULL": .null, "TRUE": .integer(1), "YES": .integer(1), "FALSE": .integer(0),
      "NO": .integer(0),
    ]
    if let value = constants[word] {
      advance()
      return leaf(.constant(value), from: start)
    }
    switch word {
    case "SELF":
      advance()
      return leaf(.evaluatedObject, from: start)
    case "TRUEPREDICATE", "FALSEPREDICATE":
      advance()
      return try node(predicate: .constant(word == "TRUEPREDICATE"), above: [], from: start)
    case "SUBQUERY", "TERNARY", "FUNCTION", "FETCH", "CAST":
      advance()
      try need("(")
      let node = try form(word, from: start)
      try need(")")
      return node
    default: throw error(.reservedWord(word), token.range)
    }
  }

  private mutating func form(_ word: String, from start: Int) throws(ExpressionError) -> Node {
    switch word {
    case "SUBQUERY":
      let collection = try argument()
      try need(",")
      guard case .variable(let variable) = token.kind else { throw expected("a variable") }
      advance()
      try need(",")
      let predicate = try predicateArgument()
      return try node(
        .subquery(collection.expression, variable: variable, predicate.predicate),
        above: [collection.node, predicate.node], from: start)
    case "TERNARY":
      let predicate = try predicateArgument()
      try need(",")
      let first = try argument()
      try need(",")
      let second = try argument()
      return try node(
        .conditional(predicate.predicate, first.expression, second.expression),
        above: [predicate.node, first.node, second.node], from: start)
    case "FETCH":
      let request = try argument()
      try need(",")
      let context = try argument()
      try need(",")
      let countOnly = try argument()
      guard case .constant(.integer(let flag)) = countOnly.expression else {
        throw error(.expected("YES or NO"), countOnly.node.range)
      }
      return try node(
        .fetch(request: request.expression, context: context.expression, countOnly: flag != 0),
        above: [request.node, context.node], from: start)
    case "CAST":
      let value = try argument()
      try need(",")
      let type = try argument()
      return try node(
        .function(
          "castObject:toType:", on: nil, arguments: [value.expression, type.expression]),
        above: [value.node, type.node], from: start)
    default:
      let target = try argument()
      try need(",")
      guard case .text(let selector) = token.kind else {
        throw expected("the name of a method, in quotes")
      }
      advance()
      var arguments: [Expression] = []
      var nodes = [target.node]
      while take(",") {
        let next = try argument()
        arguments.append(next.expression)
        nodes.append(next.node)
      }
      return try node(
        .function(selector, on: target.expression, arguments: arguments), above: nodes, from: start)
    }
  }

  private mutating func predicateArgument() throws(ExpressionError) -> (
    predicate: Predicate, node: Node
  ) {
    let node = try climb(Precedence.or)
    guard let predicate = node.predicate else {
      throw error(.expected("a comparison"), node.range)
    }
    return (predicate, node)
  }

  private mutating func call(_ name: String, from start: Int) throws(ExpressionError) -> Node {
    try need("(")
    let (arguments, nodes) = try list(until: ")")
    return try node(
      .function(name, on: nil, arguments: arguments), above: nodes, from: start)
  }

  private mutating func collection(from start: Int) throws(ExpressionError) -> Node {
    let (elements, nodes) = try list(until: "}")
    return try node(.collection(elements), above: nodes, from: start)
  }

  private mutating func list(
    until end: String
  ) throws(ExpressionError) -> (elements: [Expression], nodes: [Node]) {
    var elements: [Expression] = []
    var nodes: [Node] = []
    if take(end) { return ([], []) }
    repeat {
      let element = try argument()
      elements.append(element.expression)
      nodes.append(element.node)
    } while take(",")
    guard take(end) else { throw expected("\",\" or \"\(end)\"") }
    return (elements, nodes)
  }
}
