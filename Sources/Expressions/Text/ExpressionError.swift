/// What is wrong with an expression or predicate, and where in its text.
package struct ExpressionError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    /// Something else belongs here: what, and how it is mended where that can be told.
    case expected(String, fix: String? = nil)
    /// A word of the language where a key might have been meant.
    case reservedWord(String)
    /// `a NOT IN b`, as SQL has it.
    case misplacedNot
    case unclosedQuote
    case numberTooLarge
    /// `%@` and its kin, which only an application fills in.
    case placeholder
    case tooDeep(limit: Int)
    case tooLong(limit: Int)
    case unknownFunction(String, near: String?)
    case wrongArgumentCount(function: String, wanted: Int)
    /// A key that an entity does not have.
    case unknownKey(String, of: String, near: String?)
    /// A key that only an entity below has: which.
    case keyOfSubentity(String, of: String, below: String)
    /// A key that follows one which leads to no object.
    case keyOfValue(String, after: String)
    case unknownVariable(String, known: [String])
    /// Values of these kinds are never equal or ordered; the word is one that stands in the text.
    case incomparable(String, String, word: String?)
    /// The operator wants another kind of value.
    case wrongOperand(operator: String, wanted: String, found: String)
    /// A text that stands for something else, and cannot.
    case badText(String, wanted: String)
    /// A property that no store holds, and what it is.
    case unstored(String, kind: String)
    /// A path over a to-many relationship where one value is compared, and its last key.
    case manyValues(String, path: String, operator: String)
    case badPattern(String)
    /// A pattern that goes on for too long.
    case patternTooSlow(String)
    case notANumber(String)
    /// The operation gives an integer of more than 64 bits.
    case integerOverflow(String)
    /// No Decimal holds an operand or the result of the operation.
    case decimalOverflow(String)
    /// A part of the language that has no meaning where it stands.
    case notPossible(String)
  }

  package var problem: Problem
  /// The text, as far as it is known.
  package var text: String?
  /// In UTF-8 bytes of the text.
  package var range: Range<Int>?

  /// Whether the text at fault came up while values were computed: it may be one of a store, and is told
  /// only where it stands in what was typed.
  package var isOfValue = false

  package init(_ problem: Problem) {
    self.problem = problem
  }

  /// An error over a value.
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

  /// The same error with its place: where a text has the name that is in it.
  ///
  /// ```swift
  /// ExpressionError(.unknownKey("contnet", of: "Topic", near: nil)).placed(in: "contnet == 1").range
  /// // 0..<7
  /// ```
  package func placed(in text: String) -> ExpressionError {
    guard self.text == nil, let culprit else { return self }
    var placed = self
    placed.text = text
    let tokens = (try? ExpressionLexer.tokens(of: Array(text.utf8))) ?? []
    placed.range = tokens.first { $0.keyword == culprit || $0.word == culprit }?.range
    return placed
  }
}

extension ExpressionError {
  /// The word that is at fault.
  private var culprit: String? {
    switch problem {
    case .unknownKey(let word, _, _), .keyOfSubentity(let word, _, _), .keyOfValue(let word, _),
      .unknownVariable(let word, _),
      .badPattern(let word), .patternTooSlow(let word), .notANumber(let word),
      .unknownFunction(let word, _), .wrongArgumentCount(let word, _),
      .wrongOperand(let word, _, _), .manyValues(let word, _, _), .unstored(let word, _),
      .badText(let word, _), .integerOverflow(let word), .decimalOverflow(let word):
      word
    case .incomparable(_, _, let word): word
    case .expected, .misplacedNot, .reservedWord, .unclosedQuote, .numberTooLarge, .placeholder,
      .tooDeep,
      .tooLong,
      .notPossible:
      nil
    }
  }
}

extension ExpressionToken {
  /// Operators that are written in two ways.
  private static let canonicalSymbols = ["=": "==", "<>": "!=", "=<": "<=", "=>": ">="]

  /// What the token says, without the marks that tell its kind.
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
