public import StrataValues

/// An expression of the predicate language, as mapping models and derived attributes hold it.
///
/// ```swift
/// Expression.keyPath(of: .variable("source"), ["topicList", "title"]).text  // "$source.topicList.title"
/// ```
public indirect enum Expression: Sendable, Hashable {
  case constant(AttributeValue)
  /// `$source`, `$manager`, … without the dollar sign.
  case variable(String)
  /// Keys followed from an operand; without one, from the object itself.
  case keyPath(of: Expression?, [String])
  /// A function of the fixed table (`now:`, `canonical:` …), or, with a target, a method of it:
  /// `FUNCTION($manager, "selector:", …)`.
  case function(String, on: Expression? = nil, arguments: [Expression])
}

extension Expression {
  /// The expression as a person writes it.
  public var text: String {
    switch self {
    case .constant(let value): value.literal
    case .variable(let name): "$" + name
    case .keyPath(of: nil, let keys): keys.joined(separator: ".")
    case .keyPath(of: let operand?, let keys):
      ([operand.text] + keys).joined(separator: ".")
    case .function(let name, on: nil, let arguments):
      "\(name)(\(arguments.map(\.text).joined(separator: ", ")))"
    case .function(let selector, on: let target?, let arguments):
      "FUNCTION(\(([target.text, "\"\(selector)\""] + arguments.map(\.argumentText)).joined(separator: ", ")))"
    }
  }

  /// In a call of a method, text constants are quoted as its selector is.
  private var argumentText: String {
    guard case .constant(.text(let text)) = self else { return self.text }
    return "\"\(text)\""
  }
}

extension AttributeValue {
  fileprivate var literal: String {
    switch self {
    case .null: "nil"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): "'\(text)'"
    case .bytes(let bytes): "<\(bytes.count) bytes>"
    }
  }
}
