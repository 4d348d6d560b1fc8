internal import StrataBase

extension Predicate {
  /// Reads a predicate.
  ///
  /// - Throws: ``ExpressionError`` with the range.
  package init(parsing text: String) throws(ExpressionError) {
    var parser = try ExpressionParser(text)
    self = try parser.whole(\.predicate, "a comparison, such as == or CONTAINS")
  }
}

extension Expression {
  /// Reads an expression.
  ///
  /// - Throws: ``ExpressionError`` with the range.
  package init(parsing text: String) throws(ExpressionError) {
    var parser = try ExpressionParser(text)
    self = try parser.whole(\.expression, "an expression, not a comparison")
  }
}

extension Predicate {
  /// Whether a text is a predicate, or can become one if more is typed.
  package static func canBegin(with text: String) -> Bool {
    ExpressionParser.isMissingOnlyItsEnd(text) { () throws(ExpressionError) in
      _ = try Predicate(parsing: text)
    }
  }
}

extension Expression {
  /// Whether a text is an expression, or can become one if more is typed.
  package static func canBegin(with text: String) -> Bool {
    ExpressionParser.isMissingOnlyItsEnd(text) { () throws(ExpressionError) in
      _ = try Expression(parsing: text)
    }
  }
}

/// Parses the predicate language by precedence climbing.
///
/// A parenthesis may contain an expression or a predicate, which is only known after it; so both are parsed by the
/// same rules, and each operator states what it requires.
struct ExpressionParser {
  /// The parsed part, and its nesting depth.
  struct Node {
    var expression: Expression?
    var predicate: Predicate?
    var height: Int
    /// In UTF-8 bytes of the text.
    var range: Range<Int>
  }

  /// The maximum nesting depth of expressions, and of all code that walks them.
  static let depthLimit = 200
  /// The maximum length of a text in bytes.
  static let lengthLimit = 1 << 16

  let text: [UInt8]
  private let tokens: [ExpressionToken]
  private var tokenIndex = 0
  private var depth = 0

  init(_ text: String) throws(ExpressionError) {
    self.text = Array(text.utf8)
    guard self.text.count <= Self.lengthLimit else {
      throw ExpressionError(.tooLong(limit: Self.lengthLimit))
    }
    tokens = try ExpressionLexer.tokens(of: self.text)
  }

  mutating func whole<Result>(
    _ part: KeyPath<Node, Result?>, _ wanted: String
  ) throws(ExpressionError) -> Result {
    let node = try climb(Precedence.or)
    guard token.kind == .end else {
      throw expected("an operator or the end", fix: operatorHint)
    }
    guard let result = node[keyPath: part] else {
      // A missing comparison is reported at the end, a superfluous one at its position.
      throw error(.expected(wanted), node.predicate == nil ? token.range : node.range)
    }
    return result
  }

  /// Whether a text can be parsed, or would fail at its end.
  fileprivate static func isMissingOnlyItsEnd(
    _ text: String, _ parse: () throws(ExpressionError) -> Void
  ) -> Bool {
    do throws(ExpressionError) {
      try parse()
      return true
    } catch {
      return error.range?.lowerBound == text.utf8.count
    }
  }

  // MARK: Tokens

  var token: ExpressionToken { tokens[tokenIndex] }

  /// The kind of the next token.
  var peek: ExpressionToken.Kind? {
    tokenIndex + 1 < tokens.count ? tokens[tokenIndex + 1].kind : nil
  }

  mutating func advance() { tokenIndex = min(tokenIndex + 1, tokens.count - 1) }

  mutating func take(_ symbol: String) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func need(_ symbol: String) throws(ExpressionError) {
    guard take(symbol) else {
      let isList = symbol == ")" && token.kind == .symbol(",")
      throw expected("\"\(symbol)\"", fix: isList ? Self.listHint : nil)
    }
  }

  func expected(_ what: String, fix: String? = nil) -> ExpressionError {
    error(.expected(what, fix: fix), token.range)
  }

  private static let listHint = "write a list in braces: name IN {'a', 'b'}"

  /// The operator that a word was probably meant to be.
  private var operatorHint: String? {
    guard case .name(let word, _) = token.kind else { return nil }
    if word.uppercased() == "IS" { return "write == nil or != nil" }
    let operators = Comparison.Operator.allCases.map(\.rawValue) + ["AND", "OR"]
    return NearestName.of(word.uppercased(), in: operators).map(NearestName.question)
  }

  func error(_ problem: ExpressionError.Problem, _ range: Range<Int>) -> ExpressionError {
    ExpressionError(problem, at: range, in: text)
  }

  // MARK: Operators

  /// A larger number binds tighter.
  enum Precedence {
    static let or = 1
    static let and = 2
    static let not = 3
    static let comparison = 4
    /// The precedences of ``Expression/operators`` follow.
    static let expression = 5
  }

  /// Parses operators of at least this precedence.
  mutating func climb(_ lowest: Int) throws(ExpressionError) -> Node {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw error(.tooDeep(limit: Self.depthLimit), token.range)
    }
    var left = try prefix()
    while true {
      if lowest <= Precedence.or, isOr {
        left = try chain(left, while: \.isOr, tighterThan: Precedence.or) { .or($0) }
      } else if lowest <= Precedence.and, isAnd {
        left = try chain(left, while: \.isAnd, tighterThan: Precedence.and) { .and($0) }
      } else if lowest <= Precedence.comparison, let found = comparisonOperator {
        left = try comparison(left, found, modifier: .direct)
      } else if let (name, precedence) = binaryOperator, lowest <= precedence {
        let symbol = token.range
        let first = try operand(left, of: symbol)
        advance()
        // The power operator is right-associative.
        let right = try climb(name == "raise:toPower:" ? precedence : precedence + 1)
        let second = try operand(right, of: symbol)
        left = try node(
          .function(name, on: nil, arguments: [first, second]), above: [left, right])
      } else if token.keyword == "NOT", left.expression != nil {
        throw error(.misplacedNot, token.range)
      } else {
        return left
      }
    }
  }

  private var isOr: Bool { token.keyword == "OR" || token.kind == .symbol("||") }
  private var isAnd: Bool { token.keyword == "AND" || token.kind == .symbol("&&") }

  private mutating func chain(
    _ first: Node, while isOperator: KeyPath<Self, Bool>, tighterThan precedence: Int,
    _ compound: ([Predicate]) -> Predicate
  ) throws(ExpressionError) -> Node {
    var nodes = [first]
    var parts = [try predicate(first)]
    while self[keyPath: isOperator] {
      advance()
      let next = try climb(precedence + 1)
      nodes.append(next)
      parts.append(try predicate(next))
    }
    return try node(predicate: compound(parts), above: nodes)
  }

  private func predicate(_ node: Node) throws(ExpressionError) -> Predicate {
    guard let predicate = node.predicate else {
      throw error(.expected("a comparison"), token.kind == .end ? token.range : node.range)
    }
    return predicate
  }

  private func operand(
    _ node: Node, of symbol: Range<Int>
  ) throws(ExpressionError) -> Expression {
    guard let expression = node.expression else {
      throw error(.expected("an expression on both sides"), symbol)
    }
    return expression
  }

  private var binaryOperator: (name: String, precedence: Int)? {
    let symbol: String
    switch token.kind {
    case .symbol(let text): symbol = text
    case .name: symbol = token.keyword ?? ""
    default: return nil
    }
    guard let name = Self.functions[symbol], let known = Expression.operators[name] else {
      return nil
    }
    return (name, Precedence.expression - 1 + known.precedence)
  }

  private static let functions = Dictionary(
    Expression.operators.map { ($0.value.symbol, $0.key) }, uniquingKeysWith: { $1 })

  // MARK: Comparisons

  private var comparisonOperator: Comparison.Operator? {
    switch token.kind {
    case .symbol("="): .equal
    case .symbol("=<"): .lessThanOrEqual
    case .symbol("=>"): .greaterThanOrEqual
    case .symbol("<>"): .notEqual
    case .symbol(let symbol): Comparison.Operator(rawValue: symbol)
    default: token.keyword.flatMap(Comparison.Operator.init)
    }
  }

  private mutating func comparison(
    _ left: Node, _ found: Comparison.Operator, modifier: Comparison.Modifier
  ) throws(ExpressionError) -> Node {
    let symbol = token.range
    let first = try operand(left, of: symbol)
    advance()
    var (ignoresCase, ignoresDiacritics) = (false, false)
    // `[cd]` directly follows the operator, where nothing else can.
    if take("[") {
      guard case .name(let letters, _) = token.kind, letters.allSatisfy("cdnCDN".contains) else {
        throw expected("c, d or n", fix: "write [c] to ignore case, [d] diacritics, [cd] both")
      }
      ignoresCase = letters.lowercased().contains("c")
      ignoresDiacritics = letters.lowercased().contains("d")
      advance()
      try need("]")
    }
    let right = try climb(Precedence.expression)
    return try node(
      predicate: .comparison(
        Comparison(
          first, found, try operand(right, of: symbol), modifier: modifier,
          ignoresCase: ignoresCase,
          ignoresDiacritics: ignoresDiacritics)), above: [left, right])
  }

  // MARK: Prefixes

  private mutating func prefix() throws(ExpressionError) -> Node {
    let start = token.range.lowerBound
    if token.keyword == "NOT" || token.kind == .symbol("!") {
      advance()
      let operand = try climb(Precedence.not)
      return try node(predicate: .not(predicate(operand)), above: [operand], from: start)
    }
    if let keyword = token.keyword, ["ANY", "SOME", "ALL", "NONE"].contains(keyword) {
      let word = token.range
      advance()
      guard comparisonOperator == nil, token.kind != .symbol(".") else {
        throw error(.reservedWord(keyword), word)
      }
      let left = try climb(Precedence.expression)
      guard let found = comparisonOperator else { throw expected("a comparison") }
      let node = try comparison(left, found, modifier: keyword == "ALL" ? .all : .any)
      guard keyword == "NONE" else { return node }
      return try self.node(predicate: .not(predicate(node)), above: [node], from: start)
    }
    if take("~") {
      let operand = try climb(Precedence.expression - 1 + Expression.powerPrecedence)
      guard let expression = operand.expression else {
        throw error(.expected("an expression"), operand.range)
      }
      return try node(
        .function("onesComplement:", on: nil, arguments: [expression]), above: [operand],
        from: start)
    }
    if take("-") {
      switch token.kind {
      case .integer(let magnitude):
        advance()
        let isWhole = magnitude <= Int64.max.magnitude + 1
        return try postfix(
          leaf(
            .constant(
              isWhole
                ? .integer(Int64(truncatingIfNeeded: 0 &- magnitude)) : .real(-Double(magnitude))),
            from: start))
      case .real(let number):
        advance()
        return try postfix(leaf(.constant(.real(-number)), from: start))
      default:
        // It is printed as `0 - (…)`, whose parenthesis counts too.
        depth += 1
        defer { depth -= 1 }
        let operand = try climb(Precedence.expression - 1 + Expression.powerPrecedence)
        guard let expression = operand.expression else {
          throw error(.expected("an expression"), operand.range)
        }
        return try node(
          .function(
            "from:subtract:", on: nil, arguments: [.constant(.integer(0)), expression]),
          above: [operand], from: start)
      }
    }
    return try postfix(primary())
  }

  /// Keys and indexes after an operand.
  private mutating func postfix(_ operand: Node) throws(ExpressionError) -> Node {
    var operand = operand
    while true {
      if token.kind == .symbol(".") {
        guard let expression = operand.expression else { throw expected("an operator") }
        var keys: [String] = []
        while take(".") { keys.append(try key()) }
        operand = try node(.keyPath(of: expression, keys), above: [operand])
      } else if let expression = operand.expression, take("[") {
        if case .name(let name, isKey: false) = token.kind, peek == .symbol("]"),
          let function = Expression.indexNames.first(where: { $0.value == name.uppercased() })
        {
          advance()
          operand = try node(
            .function(function.key, on: nil, arguments: [expression]), above: [operand])
        } else {
          let index = try argument()
          operand = try node(
            .function(
              "objectFrom:withIndex:", on: nil, arguments: [expression, index.expression]),
            above: [operand, index.node])
        }
        try need("]")
      } else {
        return operand
      }
    }
  }

  mutating func key() throws(ExpressionError) -> String {
    switch token.kind {
    case .name(let name, _), .collectionOperator(let name):
      advance()
      return name
    default: throw expected("a key")
    }
  }

  /// An expression up to a comma or bracket.
  mutating func argument() throws(ExpressionError) -> (expression: Expression, node: Node) {
    let node = try climb(Precedence.or)
    guard let expression = node.expression else {
      throw error(.expected("an expression, not a comparison"), node.range)
    }
    return (expression, node)
  }

  // MARK: Nodes

  func leaf(_ expression: Expression, from start: Int) -> Node {
    Node(
      expression: expression, height: 1,
      range: start..<tokens[max(0, tokenIndex - 1)].range.upperBound)
  }

  func node(
    _ expression: Expression? = nil, predicate: Predicate? = nil, above nodes: [Node],
    from start: Int? = nil
  ) throws(ExpressionError) -> Node {
    let height = 1 + (nodes.map(\.height).max() ?? 0)
    let start = start ?? nodes.first?.range.lowerBound ?? token.range.lowerBound
    let range = start..<max(start, tokens[max(0, tokenIndex - 1)].range.upperBound)
    guard height <= Self.depthLimit else { throw error(.tooDeep(limit: Self.depthLimit), range) }
    return Node(expression: expression, predicate: predicate, height: height, range: range)
  }
}
