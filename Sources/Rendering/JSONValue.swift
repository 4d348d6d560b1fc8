/// A JSON value with its own encoder, for output with many thousand values, for which `JSONEncoder`
/// takes ten times as long.
///
/// ```swift
/// let value: JSONValue = ["model": "Model1", "entities": ["Topic"], "parent": String?.none]
/// value.line  // {"model":"Model1","entities":["Topic"],"parent":null}
/// ```
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number; NaN and infinities are written as `null`.
  case real(Double)
  case string(String)
  case object(Members)
  case array([JSONValue])

  /// The members in the order in which they are written; ``JSONText`` sorts keys by bytes.
  package struct Members: Sendable, Hashable {
    fileprivate struct Member: Hashable {
      var key: String
      var value: JSONValue
    }

    fileprivate var list: [Member] = []
  }

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
      Self.write(members.list, open: "{", close: "}", to: &bytes, margin: margin) { member, bytes in
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

extension JSONValue.Members: ExpressibleByDictionaryLiteral {
  package init(_ pairs: some Sequence<(String, any JSONRepresentable)>) {
    list = pairs.map { Member(key: $0, value: $1.json) }
  }

  package init(dictionaryLiteral pairs: (String, any JSONRepresentable)...) { self.init(pairs) }

  package func filter(_ isIncluded: (JSONValue) -> Bool) -> Self {
    Self(list: list.filter { isIncluded($0.value) })
  }

  package static func + (first: Self, second: Self) -> Self { Self(list: first.list + second.list) }

  package static func += (first: inout Self, second: Self) { first.list += second.list }
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
      try Dictionary(members.list.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        .encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    }
  }
}

/// A value whose keys are sorted.
struct SortedJSON: Encodable, Sendable {
  private let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// A sequence of values, written as one JSON text per line.
package struct JSONLines: Encodable, Sendable {
  package var values: [JSONValue]

  package init(_ values: [JSONValue]) {
    self.values = values
  }
}
