/// The derivation expression of a derived attribute.
///
/// Only its canonical text is part of the attribute's version hash, so it is kept separate from the text in the
/// model: `pages.@count` is `count:(pages)` to Core Data.
///
/// ```swift
/// DerivationExpression(parsing: "pages.@count").canonicalText  // "count:(pages)"
/// DerivationExpression(parsing: "chat.serverId").canonicalText  // "chat.serverId"
/// ```
///
/// Source: `Docs/Facts/version-hash.md`, section 2. Key paths over to-one relationships and `count:` are proven on
/// real stores; the other functions follow by analogy (see ``isProven``).
package struct DerivationExpression: Sendable, Hashable {
  /// `nil` for an unknown form, such as `first ++ " " ++ last`.
  package let expression: Expression?
  private let source: String

  /// Parses the `derivationExpression` of a model.
  package init(parsing text: String) {
    source = text
    expression = (try? Expression(parsing: text))?.withFunctionsForCollectionOperators
  }

  /// The text that is hashed; for an unknown form, the text in the model.
  package var canonicalText: String { expression?.text ?? source }

  /// Whether hashes with this form of expression have been verified against Core Data's.
  package var isProven: Bool {
    switch expression {
    case .keyPath(of: nil, _): true
    case .function("count:", on: nil, let arguments): arguments.count == 1
    default: false
    }
  }
}

extension Expression {
  /// `pages.@count` as `count:(pages)`, `lines.@sum.amount` as `sum:(lines.amount)`.
  fileprivate var withFunctionsForCollectionOperators: Expression {
    guard case .keyPath(of: nil, var keys) = self,
      let index = keys.firstIndex(where: { $0.hasPrefix("@") }), keys.count > 1
    else { return self }
    let name = keys.remove(at: index).dropFirst() + ":"
    return .function(String(name), arguments: [.keyPath(of: nil, keys)])
  }
}
