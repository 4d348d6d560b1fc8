/// What a derived attribute is computed from.
///
/// Its canonical text is all that goes into the attribute's version hash, so it is kept apart from
/// the text that the model's author typed: `pages.@count` is `count:(pages)` to Core Data.
///
/// ```swift
/// DerivationExpression(parsing: "pages.@count").canonicalText  // "count:(pages)"
/// DerivationExpression(parsing: "chat.serverId").canonicalText  // "chat.serverId"
/// ```
///
/// Source: facts on version hashes. Key paths over to-one relationships and `count:` are proven on
/// real stores; the other functions follow by analogy (see ``isProven``).
public struct DerivationExpression: Sendable, Hashable {
  /// `nil` for a form that is none of the known ones, such as `first ++ " " ++ last`.
  public let expression: Expression?
  private let source: String

  /// Reads the text of a model's `derivationExpression`.
  public init(parsing text: String) {
    source = text
    expression = Self.call(text) ?? Self.collection(text) ?? Self.keyPath(text)
  }

  /// `canonical:(title)`, `now:()`.
  private static func call(_ text: String) -> Expression? {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")"), text[..<open].hasSuffix(":")
    else { return nil }
    let inner = text[text.index(after: open)...].dropLast()
    guard !inner.isEmpty else { return .function(String(text[..<open]), arguments: []) }
    return keyPath(String(inner)).map { .function(String(text[..<open]), arguments: [$0]) }
  }

  /// `pages.@count`, `lines.@sum.amount`.
  private static func collection(_ text: String) -> Expression? {
    let keys = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else { return nil }
    let path = (keys[..<place] + keys[(place + 1)...]).joined(separator: ".")
    return keyPath(path).map { .function(keys[place].dropFirst() + ":", arguments: [$0]) }
  }

  private static func keyPath(_ path: String) -> Expression? {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for key in keys {
      guard let first = key.unicodeScalars.first, first.properties.isAlphabetic || first == "_",
        key.unicodeScalars.allSatisfy({
          $0.properties.isAlphabetic || $0 == "_" || $0.properties.numericType != nil
        })
      else { return nil }
    }
    return .keyPath(of: nil, keys)
  }

  /// The text that is hashed; of an unknown form, the text as it is typed.
  public var canonicalText: String { expression?.text ?? source }

  /// Whether a hash that rests on this expression was checked against Core Data's own.
  public var isProven: Bool {
    switch expression {
    case .keyPath(of: nil, _): true
    case .function("count:", on: nil, let arguments): arguments.count == 1
    default: false
    }
  }
}
