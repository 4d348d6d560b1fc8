/// Splits the text of an expression or predicate into tokens.
struct ExpressionLexer {
  private let text: [UInt8]
  private var offset = 0

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// All tokens, ``ExpressionToken/Kind/end`` at the end.
  static func tokens(of text: [UInt8]) throws(ExpressionError) -> [ExpressionToken] {
    var lexer = Self(text)
    var tokens: [ExpressionToken] = []
    repeat {
      tokens.append(try lexer.next())
    } while tokens[tokens.count - 1].kind != .end
    return tokens
  }

  private mutating func next() throws(ExpressionError) -> ExpressionToken {
    while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) { offset += 1 }
    let start = offset
    let kind = try kind()
    return ExpressionToken(kind: kind, range: start..<offset)
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    let place = offset + distance
    return place < text.count ? text[place] : nil
  }

  private mutating func kind() throws(ExpressionError) -> ExpressionToken.Kind {
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "."):
      if let next = peek(1), next.isDigit { return try number() }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try quoted(by: byte))
    case UInt8(ascii: "$"):
      offset += 1
      return .variable(try name(orElse: .expected("the name of a variable")))
    case UInt8(ascii: "@"):
      offset += 1
      return .collectionOperator("@" + (try name(orElse: .expected("a collection operator"))))
    case UInt8(ascii: "#"):
      offset += 1
      return .name(try name(orElse: .expected("a key")), isKey: true)
    case UInt8(ascii: "%"): throw error(.placeholder, length: 2)
    case _ where byte.startsName:
      let name = try name(orElse: .expected("a name"))
      guard let function = functionName(name) else { return .name(name, isKey: false) }
      return .functionName(function)
    default: break
    }
    for length in [2, 1] where offset + length <= text.count {
      let symbol = String(decoding: text[offset..<offset + length], as: UTF8.self)
      guard Self.symbols.contains(symbol) else { continue }
      offset += length
      return .symbol(symbol)
    }
    throw error(.expected("an expression"), length: 1)
  }

  private static let symbols: Set = [
    "**", "==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||", "<<", ">>", "=", "<", ">", "!", "&",
    "|", "^", "~", "(", ")", "{", "}", "[", "]", ",", "+", "-", "*", "/", ".",
  ]

  /// Colons and further names up to a parenthesis belong to a name: they make it the name of a function.
  private mutating func functionName(_ first: String) -> String? {
    guard peek() == UInt8(ascii: ":") else { return nil }
    var end = offset
    while end < text.count, text[end] == UInt8(ascii: ":") || text[end].continuesName { end += 1 }
    guard end < text.count, text[end] == UInt8(ascii: "("), text[end - 1] == UInt8(ascii: ":")
    else {
      return nil
    }
    let rest = String(decoding: text[offset..<end], as: UTF8.self)
    offset = end
    return first + rest
  }

  private mutating func name(orElse problem: ExpressionError.Problem) throws(ExpressionError)
    -> String
  {
    let start = offset
    if let byte = peek(), byte.startsName {
      while let byte = peek(), byte.continuesName { offset += 1 }
    }
    guard offset > start else { throw error(problem, length: 1) }
    return String(decoding: text[start..<offset], as: UTF8.self)
  }

  private mutating func number() throws(ExpressionError) -> ExpressionToken.Kind {
    let start = offset
    if peek() == UInt8(ascii: "0"), let mark = peek(1), let radix = Self.radixes[mark | 0x20] {
      offset += 2
      let digits = offset
      while let byte = peek(), byte.continuesName { offset += 1 }
      let text = String(decoding: text[digits..<offset], as: UTF8.self)
      guard let number = UInt64(text, radix: radix) else {
        throw error(.expected("a number"), from: start, length: offset - start)
      }
      return .integer(number)
    }
    while let byte = peek(), byte.isDigit { offset += 1 }
    var isReal = false
    if peek() == UInt8(ascii: "."), let digit = peek(1), digit.isDigit {
      isReal = true
      offset += 1
      while let byte = peek(), byte.isDigit { offset += 1 }
    }
    if let mark = peek(), mark | 0x20 == UInt8(ascii: "e") {
      let sign = [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(peek(1) ?? 0) ? 1 : 0
      if let digit = peek(1 + sign), digit.isDigit {
        isReal = true
        offset += 2 + sign
        while let byte = peek(), byte.isDigit { offset += 1 }
      }
    }
    let digits = String(decoding: text[start..<offset], as: UTF8.self)
    if !isReal, let number = UInt64(digits) { return .integer(number) }
    guard let number = Double(digits), number.isFinite else {
      throw error(.numberTooLarge, from: start, length: offset - start)
    }
    return .real(number)
  }

  private static let radixes: [UInt8: Int] = [
    UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
  ]

  private mutating func quoted(by quote: UInt8) throws(ExpressionError) -> String {
    let start = offset
    offset += 1
    var bytes: [UInt8] = []
    while let byte = peek() {
      offset += 1
      if byte == quote { return String(decoding: bytes, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), let escaped = peek() else {
        bytes.append(byte)
        continue
      }
      offset += 1
      switch escaped {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      default: bytes.append(escaped)
      }
    }
    throw error(.unclosedQuote, from: start, length: 1)
  }

  private func error(
    _ problem: ExpressionError.Problem, from start: Int? = nil, length: Int
  ) -> ExpressionError {
    let start = start ?? offset
    return ExpressionError(
      problem, at: start..<min(start + length, max(start, text.count)), in: text)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

  /// Letters, the underscore, and everything beyond ASCII.
  fileprivate var startsName: Bool {
    (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F || self >= 0x80
  }

  fileprivate var continuesName: Bool { startsName || isDigit }
}
