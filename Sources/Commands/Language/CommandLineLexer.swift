/// A word of a command line, with the place where it stands: what carets point at.
public struct CommandWord: Sendable, Hashable {
  public var text: String
  /// Offsets into the line, in UTF-8 bytes.
  public var range: Range<Int>
}

/// A command line cut into words.
public enum CommandLineWords: Sendable, Hashable {
  case complete([CommandWord])
  /// A quote is open, or the line ends in a backslash: more must follow.
  case incomplete
}

/// Cuts command lines into words, as a shell does: white space parts them, single quotes keep
/// everything, double quotes and backslashes keep what they hold, `#` begins a comment.
///
/// ```swift
/// CommandLineLexer.words(of: "show 'Moody 2'")  // .complete([show, Moody 2])
/// ```
public enum CommandLineLexer {
  public static func words(of line: String) -> CommandLineWords {
    var words: [CommandWord] = []
    var text: [UInt8] = []
    var start: Int?
    var quote: UInt8?
    let bytes = Array(line.utf8)
    var place = 0
    func close(at end: Int) {
      if let begin = start {
        words.append(CommandWord(text: String(decoding: text, as: UTF8.self), range: begin..<end))
      }
      text = []
      start = nil
    }
    while place < bytes.count {
      let byte = bytes[place]
      switch (quote, byte) {
      case (UInt8(ascii: "'")?, UInt8(ascii: "'")), (UInt8(ascii: "\"")?, UInt8(ascii: "\"")):
        quote = nil
      case (UInt8(ascii: "'")?, _): text.append(byte)
      case (_, UInt8(ascii: "\\")):
        guard place + 1 < bytes.count else { return .incomplete }
        start = start ?? place
        place += 1
        let next = bytes[place]
        if quote != nil, next != UInt8(ascii: "\""), next != UInt8(ascii: "\\") {
          text.append(byte)
        }
        if next != UInt8(ascii: "\n") { text.append(next) }
      case (.some, _): text.append(byte)
      case (nil, UInt8(ascii: "'")), (nil, UInt8(ascii: "\"")):
        start = start ?? place
        quote = byte
      case (nil, UInt8(ascii: " ")), (nil, UInt8(ascii: "\t")), (nil, UInt8(ascii: "\n")),
        (nil, UInt8(ascii: "\r")):
        close(at: place)
      case (nil, UInt8(ascii: "#")) where start == nil:
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
      default:
        start = start ?? place
        text.append(byte)
      }
      place += 1
    }
    guard quote == nil else { return .incomplete }
    close(at: bytes.count)
    return .complete(words)
  }

  /// Words as one line that reads back as the same words.
  public static func line(of words: [String]) -> String {
    words.map(quoted).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte >= 0x80 || plain.contains(byte)
    }
    guard word.isEmpty || !isPlain else { return word }
    // Byte by byte: a quote with an accent behind it is another character to Swift, not to the lexer.
    var quoted = [UInt8(ascii: "'")]
    for byte in word.utf8 {
      quoted += byte == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [byte]
    }
    return String(decoding: quoted + [UInt8(ascii: "'")], as: UTF8.self)
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+~$*".utf8)
}
