/// The columns behind `UPDATE OF` in the statement of a trigger: SQLite does not check that they exist.
enum TriggerColumns {
  static func names(in sql: String) -> [String] {
    var lexer = Lexer(bytes: Array(sql.utf8))
    var names: [String] = []
    var last = ""
    while let token = lexer.next() {
      let word = token.isQuoted ? "" : token.text.foldedName
      if word == "begin" || word == "on" { return [] }
      if last == "update", word == "of" { break }
      last = word
    }
    while let token = lexer.next() {
      if !token.isQuoted, token.text.foldedName == "on" { return names }
      if token.isQuoted || token.text != "," { names.append(token.text) }
    }
    return []
  }

  /// Words, quoted names and single characters; comments and white space are skipped.
  private struct Lexer {
    let bytes: [UInt8]
    var index = 0

    mutating func next() -> (text: String, isQuoted: Bool)? {
      skip()
      guard index < bytes.count else { return nil }
      let first = bytes[index]
      let quotes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "`"),
        UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "["): UInt8(ascii: "]"),
      ]
      if let end = quotes[first] { return (quoted(until: end), true) }
      let start = index
      while index < bytes.count, Self.isOfWord(bytes[index]) { index += 1 }
      if index == start { index += 1 }
      return (String(decoding: bytes[start..<index], as: UTF8.self), false)
    }

    private mutating func quoted(until end: UInt8) -> String {
      var text: [UInt8] = []
      index += 1
      while index < bytes.count {
        if bytes[index] == end {
          index += 1
          guard end != UInt8(ascii: "]"), index < bytes.count, bytes[index] == end else { break }
        }
        text.append(bytes[index])
        index += 1
      }
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func skip() {
      while index < bytes.count {
        if [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[index]) {
          index += 1
        } else if bytes[index...].starts(with: "--".utf8) {
          index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
        } else if bytes[index...].starts(with: "/*".utf8) {
          index += 2
          while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) { index += 1 }
          index = min(index + 2, bytes.count)
        } else {
          return
        }
      }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "$") || byte >= 0x80
    }
  }
}
