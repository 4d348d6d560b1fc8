/// The value of one attribute of one object, as a store holds it.
///
/// Numbers keep their SQLite representation; the type of the attribute determines their meaning: a date is a number
/// of seconds since 2001-01-01 00:00:00 UTC, and a Boolean is 0 or 1.
///
/// Two texts are equal if their code points are equal.
public enum AttributeValue: Sendable {
  /// No value.
  case null
  /// An integer of an Integer, Boolean, Date or Decimal attribute.
  case integer(Int64)
  /// A number of a Double, Float, Decimal or Date attribute.
  case real(Double)
  /// A text.
  case text(String)
  /// Binary data, or the 16 bytes of a UUID.
  case bytes([UInt8])
}

extension AttributeValue: Hashable {
  public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): ExactText(a) == ExactText(b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.bytes, _): false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let number):
      hasher.combine(1)
      hasher.combine(number)
    case .real(let number):
      hasher.combine(2)
      hasher.combine(number)
    case .text(let text):
      hasher.combine(3)
      hasher.combine(ExactText(text))
    case .bytes(let bytes):
      hasher.combine(4)
      hasher.combine(bytes)
    }
  }
}

extension AttributeValue {
  /// The text, if it is one.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The integer, if it is one.
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The kind and size of the value, for messages that must not quote users' data: `text of 12 bytes`.
  package var summary: String {
    switch self {
    case .null: "null"
    case .integer: "an integer"
    case .real: "a real"
    case .text(let text): "text of \(Phrase.count(text.utf8.count, "byte"))"
    case .bytes(let bytes): Phrase.count(bytes.count, "byte")
    }
  }
}
