internal import StrataBase
internal import StrataEssentials
internal import StrataExpressions

/// Encodes and decodes the attribute values of an XML store.
enum XMLValue {
  /// The name of a type; `nil` for types that are not stored.
  static func typeName(_ type: AttributeType) -> String? {
    switch type {
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64: "int64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "bool"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .undefined, .objectID, .composite: nil
    }
  }

  /// `nil` if the text is not a value of the type.
  static func parse(_ text: String, as type: AttributeType) -> AttributeValue? {
    var plain: String { text.trimmed }
    switch type {
    case .integer16, .integer32, .integer64: return Int64(plain).map { .integer($0) }
    case .boolean: return ["0": .integer(0), "1": .integer(1)][plain]
    case .decimal:
      // As in the column of SQLite, which has whole numbers beyond the precision of a Double.
      return Int64(plain).map { .integer($0) } ?? parse(text, as: .double)
    case .double, .float, .date:
      return Double(plain).flatMap { $0.isFinite ? .real($0) : nil }
    case .string, .uri: return .text(text)
    case .uuid: return TextualValue.uuid(plain).map { .bytes($0) }
    case .binary, .transformable: return Data(base64Encoded: text).map { .bytes(Array($0)) }
    case .undefined, .objectID, .composite: return nil
    }
  }

  /// Whether a text is read as this value; a whole number may be an integer or not.
  static func isText(_ text: String, of value: AttributeValue, _ type: AttributeType) -> Bool {
    guard let read = parse(text, as: type) else { return false }
    switch (read, value) {
    case (.real(let real), .integer(let integer)), (.integer(let integer), .real(let real)):
      return Int64(exactly: real) == integer
    default: return read == value
    }
  }

  /// Whether the text of a decimal has more digits than its value.
  static func isRounded(decimal text: String) -> Bool {
    guard let value = parse(text, as: .decimal), let shown = self.text(value, of: .decimal)
    else { return false }
    return TextualValue.areDifferent(decimals: text.trimmed, shown)
  }

  /// What a value is that no text of the type is read as, without quoting it.
  static func misfit(_ value: AttributeValue, _ type: AttributeType) -> String {
    switch value {
    case .real(let number) where !number.isFinite: "infinite"
    case .integer where type == .boolean: "neither 0 nor 1"
    default: value.summary
    }
  }

  /// `nil` for a nil value.
  static func text(_ value: AttributeValue, of type: AttributeType) -> String? {
    switch value {
    case .null: return nil
    case .integer(let number): return String(number)
    case .real(let number):
      if let integer = Int64(exactly: number), abs(number) < 1e15 { return String(integer) }
      return String(number)
    case .text(let text): return text
    case .bytes(let bytes) where type == .uuid && bytes.count == 16:
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
    case .bytes(let bytes): return Data(bytes).base64EncodedString()
    }
  }
}
