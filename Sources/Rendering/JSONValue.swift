/// A JSON value with its own encoder, for output with many thousand values, for which `JSONEncoder`
/// takes ten times as long.
///
/// ```swift
/// JSONValue.object([("model", "Model1"), ("entities", .object([]))]).line
/// // {"model":"Model1","entities":{}}
/// ```
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number; NaN and infinities are written as `null`.
  case real(Double)
  case string(String)
  /// The members in the order in which they are written; ``JSONText`` sorts keys by bytes.
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])

  package static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.elementsEqual(b) { $0.key == $1.key && $0.value == $1.value }
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number)
    case .string(let text): hasher.combine(text)
    case .object(let members): hasher.combine(members.map(\.key))
    case .array(let elements): hasher.combine(elements)
    }
  }

  /// An array of strings.
  package static func strings(_ texts: [String]) -> Self { .array(texts.map { .string($0) }) }

  /// A string, or `null`.
  package static func string(orNull text: String?) -> Self { text.map { .string($0) } ?? .null }

  /// The JSON text in the layout of ``JSONText``.
  var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes, margin: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The JSON text on one line.
  package var line: String {
    var bytes: [UInt8] = []
    write(to: &bytes, margin: nil)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter margin: The indentation in spaces; `nil` for a single line.
  private func write(to bytes: inout [UInt8], margin: Int?) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .real(let number): bytes += (number.isFinite ? String(number) : "null").utf8
    case .string(let text): Self.write(text, to: &bytes)
    case .object(let members):
      Self.write(members, open: "{", close: "}", to: &bytes, margin: margin) { member, bytes in
        Self.write(member.key, to: &bytes)
        bytes += (margin == nil ? ":" : " : ").utf8
        member.value.write(to: &bytes, margin: margin.map { $0 + 2 })
      }
    case .array(let elements):
      Self.write(elements, open: "[", close: "]", to: &bytes, margin: margin) { element, bytes in
        element.write(to: &bytes, margin: margin.map { $0 + 2 })
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], open: Unicode.Scalar, close: Unicode.Scalar, to bytes: inout [UInt8],
    margin: Int?, each: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let margin { newLine(margin + 2, to: &bytes) }
      each(element, &bytes)
    }
    if let margin, !elements.isEmpty { newLine(margin, to: &bytes) }
    bytes.append(UInt8(ascii: close))
  }

  private static func newLine(_ margin: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: margin))
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes += #"\u00"#.utf8
        bytes.append(hexDigits[Int(byte >> 4)])
        bytes.append(hexDigits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .integer(let number): try number.encode(to: encoder)
    case .real(let number): try (number.isFinite ? number : nil).encode(to: encoder)
    case .string(let text): try text.encode(to: encoder)
    case .object(let members):
      try Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        .encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    }
  }
}

/// A value whose keys are sorted, as those of every other payload.
package struct SortedJSON: Encodable, Sendable {
  private let value: JSONValue

  package init(_ value: JSONValue) {
    self.value = value
  }

  package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// A sequence of values, written as one JSON text per line.
package struct JSONLines: Encodable, Sendable {
  package var values: [JSONValue]

  package init(_ values: [JSONValue]) {
    self.values = values
  }
}
