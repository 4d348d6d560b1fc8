internal import StrataBase
internal import StrataEssentials

extension Expression {
  /// The canonical text, which ``init(parsing:)`` reads as the same expression.
  ///
  /// ```swift
  /// try Expression(parsing: "(a+b)*2 ** c").text  // "(a + b) * 2 ** c"
  /// ```
  package var text: String {
    switch self {
    case .constant(let value): return value.literal
    case .evaluatedObject: return "SELF"
    case .variable(let name): return "$" + name
    case .keyPath(of: let operand, let keys):
      return ((operand.map { [$0.postfixOperandText] } ?? []) + keys.map(\.keyText))
        .joined(separator: ".")
    case .function(let name, on: nil, let arguments): return Self.call(name, arguments)
    case .function(let selector, on: let target?, let arguments):
      return
        "FUNCTION(\(([target, .constant(.text(selector))] + arguments).map(\.text).joined(separator: ", ")))"
    case .collection(let elements):
      return "{\(elements.map(\.text).joined(separator: ", "))}"
    case .subquery(let collection, let variable, let predicate):
      return "SUBQUERY(\(collection.text), $\(variable), \(predicate.text))"
    case .conditional(let predicate, let first, let second):
      return "TERNARY(\(predicate.text), \(first.text), \(second.text))"
    case .fetch(let request, let context, let countOnly):
      return "FETCH(\(request.text), \(context.text), \(countOnly ? "YES" : "NO"))"
    }
  }

  private static func call(_ name: String, _ arguments: [Expression]) -> String {
    if let (symbol, precedence) = operators[name], arguments.count == 2 {
      // The power operator is right-associative, all others are left-associative.
      let isPower = name == "raise:toPower:"
      let left = arguments[0].operandText(above: isPower ? precedence : precedence - 1)
      let right = arguments[1].operandText(above: isPower ? precedence - 1 : precedence)
      return "\(left) \(symbol) \(right)"
    }
    if name == "castObject:toType:", arguments.count == 2 {
      return "CAST(\(arguments[0].text), \(arguments[1].text))"
    }
    if name == "objectFrom:withIndex:", arguments.count == 2 {
      return "\(arguments[0].postfixOperandText)[\(arguments[1].indexText)]"
    }
    if let indexName = indexNames[name], arguments.count == 1 {
      return "\(arguments[0].postfixOperandText)[\(indexName)]"
    }
    return "\(name)(\(arguments.map(\.text).joined(separator: ", ")))"
  }

  /// `array[FIRST]`, `array[LAST]` and `array[SIZE]`.
  static let indexNames = ["first:": "FIRST", "last:": "LAST", "size:": "SIZE"]

  /// As an index, where FIRST, LAST and SIZE are not keys.
  private var indexText: String {
    guard case .keyPath(of: nil, let keys) = self, keys.count == 1,
      Self.indexNames.values.contains(keys[0].uppercased())
    else { return text }
    return "#" + keys[0]
  }

  /// The precedence of this expression's operator; `nil` if it has none.
  private var precedence: Int? {
    guard case .function(let name, on: nil, let arguments) = self, arguments.count == 2 else {
      return nil
    }
    return Self.operators[name]?.precedence
  }

  private func operandText(above precedence: Int) -> String {
    guard let own = self.precedence, own <= precedence else { return text }
    return "(\(text))"
  }

  /// As the operand of a dot or bracket.
  private var postfixOperandText: String {
    switch self {
    case .keyPath, .constant(.integer), .constant(.real), .constant(.null): "(\(text))"
    case _ where precedence != nil: "(\(text))"
    default: text
    }
  }
}

extension String {
  /// A key that is a reserved word is marked with a number sign.
  fileprivate var keyText: String {
    ExpressionToken.reservedWords.contains(uppercased()) ? "#" + self : self
  }

  /// This text as a literal.
  var literal: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

extension AttributeValue {
  fileprivate var literal: String {
    switch self {
    case .null: "nil"
    case .integer(let number): String(number)
    case .real(let number) where number.isFinite: String(number)
    case .real(let number): "CAST(\"\(number)\", \"NSNumber\")"
    case .text(let text): text.literal
    case .bytes(let bytes): "CAST(\"\(Data(bytes).base64EncodedString())\", \"NSData\")"
    }
  }
}
