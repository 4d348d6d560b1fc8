/// The value of one attribute of one object, as a store holds it.
///
/// Numbers keep the representation that SQLite gave; the attribute's ``AttributeType`` says what
/// they mean (a date is a number of seconds since 2001-01-01 00:00:00 UTC).
public enum AttributeValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
}

extension AttributeValue {
  /// The value without its content, for messages that must not quote users' data: `text of 12`.
  public var summary: String {
    switch self {
    case .null: "null"
    case .integer: "an integer"
    case .real: "a real"
    case .text(let text): "text of \(text.utf8.count) bytes"
    case .bytes(let bytes): "\(bytes.count) bytes"
    }
  }
}
