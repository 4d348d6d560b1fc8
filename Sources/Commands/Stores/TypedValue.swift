internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataExpressions
internal import StrataObjectModel

/// Values as a user types them, in the format of ``ShownValue``.
enum TypedValue {
  /// - Parameter read: Returns the bytes of a file, for `@file`.
  /// - Throws: ``Diagnostic`` if the text is not a value of the attribute's type.
  static func parse(
    _ text: String, as attribute: Attribute, named name: String,
    readingFiles read: (String) throws -> [UInt8]
  ) throws -> AttributeValue {
    if text == "nil" { return .null }
    if text.hasPrefix("@") { return try value(of: text, as: attribute, named: name, read) }
    let value: AttributeValue?
    switch attribute.type {
    case .integer16, .integer32, .integer64: value = Int64(text).map { .integer($0) }
    case .boolean: value = boolean(text)
    case .decimal, .double: value = number(text).map { .real($0) }
    case .float:
      value =
        number(text) == nil ? nil : Float(text).flatMap { $0.isFinite ? .real(Double($0)) : nil }
    case .date: value = (TextualValue.date(text) ?? seconds(text)).map { .real($0) }
    case .string: value = .text(text)
    case .uri: value = URL(string: text) == nil ? nil : .text(text)
    case .uuid: value = TextualValue.uuid(text).map { .bytes($0) }
    case .binary, .transformable:
      value = hexadecimal(text)
    case .undefined, .objectID, .composite: value = nil
    }
    guard let value else {
      throw Diagnostic(
        id: "store.badValue",
        what: "\(text) is not a value of type \(attribute.type.name), the type of \(name)",
        fix: number(text) == nil ? fix(attribute.type) : fixOfNumber(attribute.type))
    }
    return value
  }

  /// The content of a file, for `@file`: bytes for binary data, UTF-8 text for a string; `@@` begins a text with `@`.
  private static func value(
    of text: String, as attribute: Attribute, named name: String,
    _ read: (String) throws -> [UInt8]
  ) throws -> AttributeValue {
    let file = String(text.dropFirst())
    switch attribute.type {
    case .binary, .transformable: return .bytes(try read(file))
    case .string where file.hasPrefix("@"): return .text(file)
    case .string:
      let bytes = try read(file)
      let problem: String?
      let content = String(validating: bytes, as: UTF8.self)
      if bytes.count > textLimit {
        problem = "it has \(bytes.count) bytes, more than the limit of \(textLimit)"
      } else if bytes.contains(0) {
        problem = "it contains a NUL byte"
      } else {
        problem = content == nil ? "it is not UTF-8" : nil
      }
      guard let content, problem == nil else {
        throw Diagnostic(
          id: "store.badValue",
          what: "\(name) is a String, but \(file) is not a text: \(problem ?? "")",
          location: Location(file: file),
          fix: "name a UTF-8 text file, or write the text itself; @@ begins a text with @")
      }
      return .text(content)
    default:
      throw Diagnostic(
        id: "store.badValue",
        what:
          "\(name) is \(attribute.type.name): only String and Binary attributes are read from a file",
        fix: fix(attribute.type))
    }
  }

  /// The maximum size in bytes of a text that is read from a file.
  private static let textLimit = 16 << 20

  /// A finite number in decimal digits.
  private static func number(_ text: String) -> Double? {
    guard !text.contains(where: { "xX".contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The seconds since 2001; a number of four digits is more likely a year.
  private static func seconds(_ text: String) -> Double? {
    number(text).flatMap { (1000..<10_000).contains($0) ? nil : $0 }
  }

  private static func boolean(_ text: String) -> AttributeValue? {
    switch text.lowercased() {
    case "yes", "true", "1": .integer(1)
    case "no", "false", "0": .integer(0)
    default: nil
    }
  }

  private static func hexadecimal(_ text: String) -> AttributeValue? {
    guard text.hasPrefix("0x") else { return nil }
    let digits = Array(text.dropFirst(2))
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue else {
        return nil
      }
      bytes.append(UInt8(high * 16 + low))
    }
    return .bytes(bytes)
  }

  /// What to write instead of a number that the type does not have.
  private static func fixOfNumber(_ type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64:
      type.wholeNumbers.map { "write a whole number from \($0.lowerBound) to \($0.upperBound)" }
        ?? fix(type)
    case .float: "write a number that a Float can be, or make it a Double"
    default: fix(type)
    }
  }

  private static func fix(_ type: AttributeType) -> String {
    switch type {
    case .boolean: "write YES or NO"
    case .date: "write it like 2001-01-31 or 2001-01-31T12:00:00Z"
    case .uuid: "write it like 374C5961-3E41-43E5-915C-383EA914074C"
    case .binary, .transformable: "write 0x00ff, or @ and the name of a file that holds it"
    case .integer16, .integer32, .integer64, .decimal, .double, .float: "write a number"
    default: "omit it"
    }
  }
}
