package import StrataBase

/// Names and values as the text of an SQL statement.
extension String {
  /// This name as an SQL identifier.
  ///
  /// Quotes are doubled by bytes: in Swift, a quote followed by a combining mark is another character; in SQLite it
  /// still ends the name.
  package var quoted: String {
    var bytes = [UInt8(ascii: "\"")]
    for byte in utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }

  /// This name as Core Data writes it: unquoted, or quoted if SQLite requires it.
  package var plainOrQuoted: String {
    let isPlain = utf8.allSatisfy {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "_") || $0 >= 0x80
    }
    return isPlain ? self : quoted
  }

  /// This text as an SQL literal.
  package var sqlText: String {
    "'" + replacing("'", with: "''") + "'"
  }

  /// Whether this statement of `sqlite_master` creates a virtual table. SQLite writes its beginning itself, but a
  /// file may have been edited.
  package var createsVirtualTable: Bool {
    split(maxSplits: 2, whereSeparator: \.isWhitespace).prefix(2).map { $0.uppercased() }
      == ["CREATE", "VIRTUAL"]
  }
}

extension AttributeValue {
  /// This value as an SQL literal.
  package var sqlLiteral: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number):
      number.isFinite ? "\(number)" : number.isNaN ? "NULL" : number < 0 ? "-9e999" : "9e999"
    case .text(let text):
      // A literal ends at a NUL.
      text.utf8.contains(0)
        ? "CAST(\(AttributeValue.bytes(Array(text.utf8)).sqlLiteral) AS TEXT)"
        : text.sqlText
    case .bytes(let bytes):
      "x'\(bytes.hex)'"
    }
  }
}
