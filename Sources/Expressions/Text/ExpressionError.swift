/// An error in an expression or predicate, with its range in the text.
package struct ExpressionError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    /// A syntax error: what was expected, and a fix if there is one.
    case expected(String, fix: String? = nil)
    /// A reserved word where a key was probably meant.
    case reservedWord(String)
    /// `a NOT IN b`, as in SQL.
    case misplacedNot
    case unclosedQuote
    case numberTooLarge
    /// A placeholder such as `%@`, which only an application can replace.
    case placeholder
    case tooDeep(limit: Int)
    case tooLong(limit: Int)
    case unknownFunction(String, near: String?)
    case wrongArgumentCount(function: String, wanted: Int)
    /// A key that an entity does not have.
    case unknownKey(String, of: String, near: String?)
    /// A word compared with a text, which an entity does not have as a key.
    case unquotedText(String, of: String)
    /// A date without quotes, which is a difference of numbers: `2026-03-15`.
    case unquotedDate(String)
    /// A key that only a subentity has.
    case keyOfSubentity(String, of: String, below: String)
    /// A key after a key whose value is not an object.
    case keyOfValue(String, after: String)
    case unknownVariable(String, known: [String])
    /// Values of these kinds cannot be compared; the word is one of the text.
    case incomparable(String, String, word: String?)
    /// An operand of the wrong kind.
    case wrongOperand(operator: String, wanted: String, found: String)
    /// A text that cannot be converted to another type.
    case badText(String, wanted: String)
    /// A property that is not stored, and its kind.
    case unstored(String, kind: String)
    /// A path over a to-many relationship where a single value is required, and its last key.
    case manyValues(String, path: String, operator: String)
    case badPattern(String)
    /// A pattern that takes too long to match.
    case patternTooSlow(String)
    case notANumber(String)
    /// The integer result of the operation does not fit in 64 bits.
    case integerOverflow(String)
    /// An operand or the result of the operation does not fit in a Decimal.
    case decimalOverflow(String)
    /// A part of the language that is not supported here.
    case notPossible(String)
  }

  package var problem: Problem
  /// The text, if known.
  package var text: String?
  /// The range in UTF-8 bytes of the text.
  package var range: Range<Int>?

  /// Whether the text is a computed value: it may come from a store, and is only shown if it is part of the typed
  /// text.
  package var isOfValue = false

  package init(_ problem: Problem) {
    self.problem = problem
  }

  /// An error about a value.
  package static func ofValue(_ problem: Problem) -> ExpressionError {
    var error = ExpressionError(problem)
    error.isOfValue = true
    return error
  }

  init(_ problem: Problem, at range: Range<Int>, in text: [UInt8]) {
    self.problem = problem
    self.range = range
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// This error with its range: the position of its name in a text.
  ///
  /// ```swift
  /// ExpressionError(.unknownKey("contnet", of: "Topic", near: nil)).located(in: "contnet == 1").range
  /// // 0..<7
  /// ```
  package func located(in text: String) -> ExpressionError {
    guard self.text == nil, let culprit else { return self }
    var located = self
    located.text = text
    let tokens = (try? ExpressionLexer.tokens(of: Array(text.utf8))) ?? []
    // A pattern is a text, however much it looks like a symbol.
    let texts = isAboutText ? tokens.first { $0.kind == .text(culprit) } : nil
    located.range =
      (texts ?? tokens.first { $0.keyword == culprit || $0.word == culprit })?.range
    return located
  }
}

extension ExpressionError {
  private var isAboutText: Bool {
    switch problem {
    case .badPattern, .patternTooSlow, .badText: true
    default: false
    }
  }

  /// The word that the error is about.
  package var culprit: String? {
    switch problem {
    case .unknownKey(let word, _, _), .unquotedText(let word, _), .keyOfSubentity(let word, _, _),
      .keyOfValue(let word, _),
      .unknownVariable(let word, _),
      .badPattern(let word), .patternTooSlow(let word), .notANumber(let word),
      .unknownFunction(let word, _), .wrongArgumentCount(let word, _),
      .wrongOperand(let word, _, _), .manyValues(let word, _, _), .unstored(let word, _),
      .badText(let word, _), .integerOverflow(let word), .decimalOverflow(let word):
      word
    case .incomparable(_, _, let word): word
    case .unquotedDate(let date): String(date.prefix { $0 != "-" })
    case .expected, .misplacedNot, .reservedWord, .unclosedQuote, .numberTooLarge, .placeholder,
      .tooDeep,
      .tooLong,
      .notPossible:
      nil
    }
  }
}

extension ExpressionToken {
  /// Operators with two spellings.
  private static let canonicalSymbols = ["=": "==", "<>": "!=", "=<": "<=", "=>": ">="]

  /// The content of the token, without the marks of its kind.
  fileprivate var word: String? {
    switch kind {
    case .text(let word), .name(let word, _), .functionName(let word),
      .collectionOperator(let word), .variable(let word):
      word
    case .symbol(let symbol): Self.canonicalSymbols[symbol] ?? symbol
    case .integer, .real, .end: nil
    }
  }
}
