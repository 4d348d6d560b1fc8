/// What a derived attribute is computed from.
///
/// Its canonical text is all that goes into the attribute's version hash, so it is kept apart from
/// the text that the model's author typed: `pages.@count` is `count:(pages)` to Core Data.
///
/// ```swift
/// try DerivationExpression(parsing: "pages.@count").canonicalText  // "count:(pages)"
/// try DerivationExpression(parsing: "chat.serverId").canonicalText  // "chat.serverId"
/// ```
///
/// Source: facts on version hashes. Key paths over to-one relationships and `count:` are proven on
/// real stores; the other functions follow by analogy (see ``isProven``).
public struct DerivationExpression: Sendable, Hashable {
  public let expression: Expression

  public init(_ expression: Expression) {
    self.expression = expression
  }

  /// Reads the text of a model's `derivationExpression`.
  public init(parsing text: String) throws(ExpressionError) {
    let trimmed = text.filter { $0 != " " }
    if let open = trimmed.firstIndex(of: "("), trimmed.hasSuffix(")"), trimmed[..<open].hasSuffix(":") {
      let inner = String(trimmed[trimmed.index(after: open)...].dropLast())
      let arguments: [Expression] = inner.isEmpty ? [] : [try Self.keyPath(inner, in: text)]
      expression = .function(String(trimmed[..<open]), arguments: arguments)
      return
    }
    let keys = trimmed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else {
      expression = try Self.keyPath(trimmed, in: text)
      return
    }
    let rest = keys[(place + 1)...]
    let path = (keys[..<place] + rest).joined(separator: ".")
    expression = .function(
      keys[place].dropFirst() + ":", arguments: [try Self.keyPath(path, in: text)])
  }

  private static func keyPath(
    _ path: String, in text: String
  ) throws(ExpressionError) -> Expression {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for key in keys {
      guard let first = key.unicodeScalars.first, first.properties.isAlphabetic || first == "_",
        key.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || $0 == "_" || $0.properties.numericType != nil })
      else { throw .unreadableDerivation(text) }
    }
    return .keyPath(of: nil, keys)
  }

  /// The text that is hashed.
  public var canonicalText: String { expression.text }

  /// Whether a hash that rests on this expression was checked against Core Data's own.
  public var isProven: Bool {
    switch expression {
    case .keyPath(of: nil, _): true
    case .function("count:", on: nil, let arguments): arguments.count == 1
    default: false
    }
  }
}
