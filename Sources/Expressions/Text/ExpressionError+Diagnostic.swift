package import StrataBase

extension ExpressionError: DiagnosticError {
  package var diagnostic: Diagnostic {
    let (id, what, fix) = parts
    var diagnostic = Diagnostic(id: "expression." + id, what: what, fix: fix)
    if let text, let range {
      diagnostic.excerpt = Excerpt(text: text, range: range)
    }
    return diagnostic
  }

  /// A text in a message; only its length if it is a value and not typed by the user.
  private func shown(_ text: String) -> String {
    isOfValue && range == nil ? "a \(AttributeValue.text(text).summary)" : "\"\(text)\""
  }

  private var parts: (id: String, what: String, fix: String?) {
    switch problem {
    case .expected(let what, let fix): ("syntax", "expected \(what)", fix)
    case .misplacedNot:
      (
        "misplacedNot", "NOT must precede the comparison",
        "write NOT in front: NOT name IN {'a', 'b'}"
      )
    case .reservedWord(let word):
      (
        "reservedWord", "\(word) is a reserved word, not allowed here",
        "write a property of this name as #\(word.lowercased())"
      )
    case .unclosedQuote: ("unclosedQuote", "missing closing quote", nil)
    case .numberTooLarge: ("numberTooLarge", "the number does not fit in 64 bits", nil)
    case .placeholder:
      (
        "placeholder", "placeholders such as %@ are not supported",
        "write the value or the key itself; the remainder of a division is modulus:by:(a, b)"
      )
    case .tooDeep(let limit):
      ("tooDeep", "nested more than \(limit) levels deep", "reduce the nesting")
    case .tooLong(let limit):
      ("tooLong", "longer than \(limit) bytes", "check where the text came from")
    case .unknownFunction(let name, let near):
      (
        "unknownFunction", "unknown function \(name)",
        near == name + ":"
          ? "function names end with a colon: \(name):(…)"
          : near.map(NearestName.question) ?? "`help expressions` lists the functions"
      )
    case .wrongArgumentCount(let function, let wanted):
      (
        "wrongArgumentCount",
        "\(function) takes \(Phrase.count(wanted, "argument"))", nil
      )
    case .unknownKey(let key, let owner, let near):
      (
        "unknownKey", "\(owner) has no property \(key)",
        near.map(NearestName.question) ?? "`show <model>.<entity>` lists its properties"
      )
    case .unquotedText(let word, let owner):
      (
        "unknownKey", "\(owner) has no property \(word)",
        "a text is written in quotes: '\(word)'; `show <model>.<entity>` lists the properties"
      )
    case .unquotedDate(let date):
      (
        "badText", "\(date) without quotes is a difference of numbers, not a date",
        "a date is written in quotes: '\(date)'"
      )
    case .keyOfSubentity(let key, let owner, let below):
      (
        "unknownKey", "\(owner) has no property \(key)",
        "its subentity \(below) has one: query \(below)"
      )
    case .keyOfValue(let key, let before):
      ("keyOfValue", "\(before) is a value, not an object: it has no \(key)", nil)
    case .unknownVariable(let name, let known):
      (
        "unknownVariable", "undefined variable $\(name)",
        known.isEmpty
          ? "write the value itself" : "defined: \(known.map { "$" + $0 }.joined(separator: ", "))"
      )
    case .incomparable(let left, let right, _):
      ("incomparable", "cannot compare \(left) with \(right)", nil)
    case .wrongOperand(let symbol, let wanted, let found):
      ("wrongOperand", "\(symbol) requires \(wanted), not \(found)", nil)
    case .badText(let text, let wanted): ("badText", "\(shown(text)) is not \(wanted)", nil)
    case .unstored(let name, let kind):
      ("unstored", "\(name) is \(kind) and not stored", nil)
    case .manyValues(_, let path, let symbol):
      (
        "manyValues", "\(path) is to-many, but \(symbol) compares a single value",
        "write ANY or ALL before it, or @count after the relationship"
      )
    case .badPattern(let pattern):
      ("badPattern", "\(shown(pattern)) is not a valid regular expression", nil)
    case .patternTooSlow:
      (
        "patternTooSlow", "the pattern takes too long to match",
        "avoid nested repetitions such as (a+)+, or raise its budget with \(Budget.pattern.option)N"
      )
    case .notANumber(let text): ("notANumber", "\(shown(text)) is not a number", nil)
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
