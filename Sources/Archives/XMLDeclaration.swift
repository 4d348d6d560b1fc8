/// The XML declaration at the start of a text, with its encoding.
///
/// ```swift
/// XMLDeclaration(of: #"<?xml version="1.0" encoding="UTF8"?>"#.utf8)?.encoding   // "utf8"
/// ```
///
/// It compares bytes, because the search of the standard library takes a twentieth of a short command's start.
struct XMLDeclaration {
  /// The maximum size, in bytes.
  private static let limit = 200

  /// From `<?xml` to before `?>`, in lower case.
  private let bytes: [UInt8]

  /// - Parameter text: `nil` is returned if it does not begin with a declaration, after a byte order mark or without.
  init?(of text: some Collection<UInt8>) {
    let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let start = text.dropFirst(mark).prefix(Self.limit).map {
      (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
    }
    guard start.starts(with: "<?xml".utf8), let end = Self.index(of: "?>", in: start) else {
      return nil
    }
    bytes = Array(start[..<end])
  }

  /// The name of the encoding in lower case; `nil` if there is none, empty if it is not between quotation marks.
  var encoding: String? {
    guard let name = Self.index(of: "encoding", in: bytes) else { return nil }
    let value = bytes[name...].drop { $0 != UInt8(ascii: "=") }.dropFirst()
    guard let mark = value.first, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else {
      return ""
    }
    return String(decoding: value.dropFirst().prefix { $0 != mark }, as: UTF8.self)
  }

  private static func index(of part: String, in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { $0.firstIndex(of: Array(part.utf8), from: 0) }
  }
}
