internal import StrataBase

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

  /// The members in the order in which they were added; ``text`` sorts their keys by bytes.
  package struct Members: Sendable, Hashable {
    fileprivate struct Member: Hashable {
      var key: String
      var value: JSONValue
    }

    fileprivate var list: [Member] = []

    /// The members sorted by keys; of several with one key the last.
    fileprivate var sorted: [Member] {
      var sorted: [Member] = []
      // Sorting is stable.
      for member in list.sorted(by: { $0.key.precedesInBytes($1.key) }) {
        if sorted.last?.key.hasSameBytes(as: member.key) == true { sorted.removeLast() }
        sorted.append(member)
      }
      return sorted
    }
  }

  /// The `--json` form of the output: keys sorted, indented by two spaces per level, with a line feed at the end.
  package var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes, margin: 0)
    bytes.append(UInt8(ascii: "\n"))
    return String(decoding: bytes, as: UTF8.self).escapingControlCharactersAsJSON
  }

  /// The JSON text on one line.
  package var line: String {
    var bytes: [UInt8] = []
    write(to: &bytes, margin: nil)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter margin: The indentation in spaces; `nil` for a single line with the members as they are.
  private func write(to bytes: inout [UInt8], margin: Int?) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .real(let number):
      let text = number.isFinite ? String(number) : "null"
      bytes += (margin != nil && text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    case .string(let text): Self.write(text, to: &bytes, isShort: margin != nil)
    case .object(let members):
      let list = margin == nil ? members.list : members.sorted
      Self.write(list, open: "{", close: "}", to: &bytes, margin: margin) { member, bytes in
        Self.write(member.key, to: &bytes, isShort: margin != nil)
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
    if let margin {
      if elements.isEmpty { bytes.append(UInt8(ascii: "\n")) }
      newLine(margin, to: &bytes)
    }
    bytes.append(UInt8(ascii: close))
  }

  private static func newLine(_ margin: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: margin))
  }

  /// - Parameter isShort: Whether control characters with a short escape, such as `\n`, are written with it.
  private static func write(_ text: String, to bytes: inout [UInt8], isShort: Bool) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x08 where isShort: bytes += #"\b"#.utf8
      case 0x09 where isShort: bytes += #"\t"#.utf8
      case 0x0A where isShort: bytes += #"\n"#.utf8
      case 0x0C where isShort: bytes += #"\f"#.utf8
      case 0x0D where isShort: bytes += #"\r"#.utf8
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
