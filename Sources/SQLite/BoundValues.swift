internal import StrataBase

/// Reads the bound values of a statement from its expanded text, in which SQLite has replaced each `?` with a
/// literal.
enum BoundValues {
  /// SQLite's limit of parameters.
  private static let parameterLimit = 32_766

  /// - Parameters:
  ///   - sql: With `?` or `?1`, as SQLite numbers them.
  ///   - expanded: The expanded text, with literals.
  static func values(of sql: String, writtenOut expanded: String) -> [TraceValue] {
    var values: [TraceValue] = []
    /// The number of the last `?` without an explicit number.
    var highest = 0
    var text = Array(sql.utf8)[...]
    var written = Array(expanded.utf8)[...]
    /// The quote that the text is in.
    var quote: UInt8?
    while let byte = text.popFirst() {
      if quote == nil, byte == UInt8(ascii: "?") {
        guard let value = literal(&written) else { return values }
        let digits = text.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        text.removeFirst(digits.count)
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? highest + 1
        highest = max(highest, number)
        // A number may occur twice, and numbers may be skipped.
        while values.count < min(number, parameterLimit) { values.append(.null) }
        if values.indices.contains(number - 1) { values[number - 1] = value }
        continue
      }
      guard written.popFirst() == byte else { return values }
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      }
    }
    return values
  }

  private static func literal(_ text: inout ArraySlice<UInt8>) -> TraceValue? {
    switch text.first {
    case UInt8(ascii: "'"):
      text.removeFirst()
      var found: [UInt8] = []
      while let byte = text.popFirst() {
        if byte == UInt8(ascii: "'") {
          guard text.first == byte else { return TraceValue(truncating: found) }
          text.removeFirst()
        }
        if found.count <= TraceValue.textLimit { found.append(byte) }
      }
      return nil
    case UInt8(ascii: "x"):
      let digits = text.dropFirst(2).prefix { $0 != UInt8(ascii: "'") }
      text.removeFirst(digits.count + 3)
      return .bytes(digits.count / 2)
    default:
      let isPart: (UInt8) -> Bool = {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || "+-.".utf8.contains($0)
      }
      let word = String(decoding: text.prefix(while: isPart), as: UTF8.self)
      text.removeFirst(word.utf8.count)
      if word == "NULL" { return .null }
      return Int64(word).map { .integer($0) } ?? Double(word).map { .real($0) }
    }
  }
}
