package import StrataBase

extension ExpressionError: DiagnosticError {
  package var diagnostic: Diagnostic {
    let (id, what, fix) = words
    var diagnostic = Diagnostic(id: "expression." + id, what: what, fix: fix)
    if let text, let range {
      diagnostic.excerpt = Excerpt(text: text, range: range)
    }
    return diagnostic
  }

  /// A text at fault; of one that nobody has typed, its length alone.
  private func shown(_ text: String) -> String {
    isOfValue && range == nil ? "a \(AttributeValue.text(text).summary)" : "\"\(text)\""
  }

  private var words: (id: String, what: String, fix: String?) {
    switch problem {
    case .expected(let what, let fix): ("syntax", "here belongs \(what)", fix)
    case .misplacedNot:
      (
        "misplacedNot", "NOT stands before a comparison, not in it",
        "write NOT in front: NOT name IN {'a', 'b'}"
      )
    case .reservedWord(let word):
      (
        "reservedWord", "\(word) is a word of the language, and means nothing here",
        "a property of this name is written #\(word.lowercased())"
      )
    case .unclosedQuote: ("unclosedQuote", "the quote is not closed", nil)
    case .numberTooLarge: ("numberTooLarge", "the number is larger than 64 bits hold", nil)
    case .placeholder:
      (
        "placeholder", "a placeholder stands for what an application fills in",
        "write the value or the key itself; the rest of a division is modulus:by:(a, b)"
      )
    case .tooDeep(let limit): ("tooDeep", "it nests more than \(limit) deep", "write it flatter")
    case .tooLong(let limit):
      ("tooLong", "it has more than \(limit) bytes", "no real one does; look at where it came from")
    case .unknownFunction(let name, let near):
      (
        "unknownFunction", "there is no function \(name)",
        near == name + ":"
          ? "functions are written with a colon: \(name):(…)"
          : near.map(NearestName.question) ?? "`help expressions` lists the functions"
      )
    case .wrongArgumentCount(let function, let wanted):
      (
        "wrongArgumentCount",
        "\(function) takes \(Words.count(wanted, "argument"))", nil
      )
    case .unknownKey(let key, let owner, let near):
      (
        "unknownKey", "\(owner) has no property \(key)",
        near.map(NearestName.question) ?? "`show` of the entity lists its properties"
      )
    case .keyOfSubentity(let key, let owner, let below):
      (
        "unknownKey", "\(owner) has no property \(key)",
        "\(below), an entity below it, has one: ask for \(below)"
      )
    case .keyOfValue(let key, let before):
      ("keyOfValue", "\(before) is a value and has no \(key)", nil)
    case .unknownVariable(let name, let known):
      (
        "unknownVariable", "$\(name) has no value here",
        known.isEmpty
          ? "write the value itself" : "there are \(known.map { "$" + $0 }.joined(separator: ", "))"
      )
    case .incomparable(let left, let right, _):
      ("incomparable", "\(left) and \(right): they cannot be compared", nil)
    case .wrongOperand(let symbol, let wanted, let found):
      ("wrongOperand", "\(symbol) wants \(wanted), not \(found)", nil)
    case .badText(let text, let wanted): ("badText", "\(shown(text)) is not \(wanted)", nil)
    case .unstored(let name, let kind):
      ("unstored", "\(name) is \(kind): no store holds it", nil)
    case .manyValues(_, let path, let symbol):
      (
        "manyValues", "\(path) has many values, and \(symbol) compares one",
        "write ANY or ALL before it, or @count behind the relationship"
      )
    case .badPattern(let pattern):
      ("badPattern", "\(shown(pattern)) is no regular expression", nil)
    case .patternTooSlow:
      (
        "patternTooSlow", "the pattern takes too long to match",
        "nested repetitions such as (a+)+ try every way; write it without, or raise its budget with \(Budget.pattern.option)N"
      )
    case .notANumber(let text): ("notANumber", "\(shown(text)) is no number", nil)
    case .integerOverflow(let operation):
      (
        "integerOverflow", "\(operation): the result does not fit in a 64-bit integer",
        "use a floating-point operand, such as 1.0 * a, if an approximate result is enough"
      )
    case .decimalOverflow(let operation):
      (
        "decimalOverflow",
        "\(operation): an operand or the result does not fit in a Decimal (38 digits, 10^-128 to 10^127)",
        nil
      )
    case .notPossible(let what): ("notPossible", what, nil)
    }
  }
}
