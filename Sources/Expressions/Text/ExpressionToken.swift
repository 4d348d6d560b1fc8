/// A token of the predicate language, with its range.
struct ExpressionToken: Hashable {
  enum Kind: Hashable {
    case integer(UInt64)
    case real(Double)
    case text(String)
    /// A key, a keyword, or the name of a function. `isKey` if a number sign marks it as a key.
    case name(String, isKey: Bool)
    /// A name with its colons, as before a parenthesis: `from:subtract:`.
    case functionName(String)
    /// `@count` …
    case collectionOperator(String)
    case variable(String)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  var kind: Kind
  /// In UTF-8 bytes of the text.
  var range: Range<Int>

  /// Reserved words, which are keys only after a number sign.
  static let reservedWords: Set<String> = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES",
    "ANY", "ALL", "NONE", "SOME", "NIL", "NULL", "TRUE", "FALSE", "YES", "NO", "SELF",
    "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "TERNARY", "FUNCTION", "FETCH", "CAST", "UNION",
    "INTERSECT", "MINUS",
  ]

  /// The keyword in capitals; `nil` for everything else.
  var keyword: String? {
    guard case .name(let name, isKey: false) = kind else { return nil }
    let upper = name.uppercased()
    return Self.reservedWords.contains(upper) ? upper : nil
  }
}
