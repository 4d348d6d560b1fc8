/// JSON as a value that writes itself: for answers of many thousand parts, which an encoder takes
/// ten times as long to write.
///
/// ```swift
/// JSONValue.object([("model", "Model1"), ("entities", .object([]))])
/// ```
public enum JSONValue: Sendable, Hashable {
  case string(String)
  /// Members in the order in which they are written; an encoder's are in byte order of their keys.
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])

  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.elementsEqual(b) { $0.key == $1.key && $0.value == $1.value }
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text): hasher.combine(text)
    case .object(let members): hasher.combine(members.map(\.key))
    case .array(let elements): hasher.combine(elements)
    }
  }

  /// The text, laid out as ``JSONText`` lays out what an encoder writes.
  var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes, margin: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to bytes: inout [UInt8], margin: Int) {
    switch self {
    case .string(let text): Self.write(text, to: &bytes)
    case .object(let members):
      Self.write(members, open: "{", close: "}", to: &bytes, margin: margin) { member, bytes in
        Self.write(member.key, to: &bytes)
        bytes += " : ".utf8
        member.value.write(to: &bytes, margin: margin + 2)
      }
    case .array(let elements):
      Self.write(elements, open: "[", close: "]", to: &bytes, margin: margin) { element, bytes in
        element.write(to: &bytes, margin: margin + 2)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], open: Unicode.Scalar, close: Unicode.Scalar, to bytes: inout [UInt8],
    margin: Int, each: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      newLine(margin + 2, to: &bytes)
      each(element, &bytes)
    }
    if !elements.isEmpty { newLine(margin, to: &bytes) }
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
  public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: Encodable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .string(let text): try text.encode(to: encoder)
    case .object(let members):
      try Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        .encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    }
  }
}
