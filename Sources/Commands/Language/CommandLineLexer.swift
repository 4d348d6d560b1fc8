/// A token of a command line with its range, for error messages.
package struct CommandToken: Sendable, Hashable {
  package var text: String
  /// Offsets into the line, in UTF-8 bytes.
  package var range: Range<Int>

  package init(text: String, range: Range<Int>) {
    (self.text, self.range) = (text, range)
  }
}

/// A command line split into tokens.
package enum CommandLineTokens: Sendable, Hashable {
  case complete([CommandToken])
  /// A quote is open, or the line ends in a backslash.
  case incomplete
}

/// Splits command lines into tokens like a shell: white space separates tokens; single quotes, double quotes
/// and backslashes quote; `#` begins a comment. `$'…'` contains line breaks and tabs as `\n`, `\r` and `\t`,
/// so that any token fits on one line.
///
/// ```swift
/// CommandLineLexer.tokens(of: "show 'Moody 2'")  // .complete: the words are show and Moody 2
/// ```
package enum CommandLineLexer {
  package static func tokens(of line: String) -> CommandLineTokens {
    let scan = Scan(line)
    return scan.isComplete ? .complete(scan.tokens + scan.last) : .incomplete
  }

  /// The tokens of a line up to the cursor: complete tokens, the token being typed, and the quote that is open in it.
  static func unfinished(
    _ line: String
  ) -> (tokens: [CommandToken], last: CommandToken, quote: OpenQuote?)? {
    let scan = Scan(line)
    guard !scan.isComment else { return nil }
    let end = line.utf8.count
    return (
      scan.tokens, scan.last.first ?? CommandToken(text: "", range: end..<end),
      scan.quote.flatMap(OpenQuote.init)
    )
  }

  /// A quote without its end.
  package enum OpenQuote: UInt8, Sendable {
    case single = 0x27
    case double = 0x22
    /// `$'`
    case escaping = 0x24

    var opening: String { self == .escaping ? "$'" : closing }
    var closing: String { self == .double ? "\"" : "'" }

    /// A text inside the quote; `nil` if a line break could only be written as itself.
    func escaped(_ text: String) -> String? {
      var result: [UInt8] = []
      for byte in text.utf8 {
        switch (self, byte) {
        case (.escaping, UInt8(ascii: "\n")): result += #"\n"#.utf8
        case (.escaping, UInt8(ascii: "\r")): result += #"\r"#.utf8
        case (_, UInt8(ascii: "\n")), (_, UInt8(ascii: "\r")): return nil
        case (.single, UInt8(ascii: "'")): result += #"'\''"#.utf8
        case (.double, UInt8(ascii: "\"")), (.double, UInt8(ascii: "\\")),
          (.escaping, UInt8(ascii: "'")), (.escaping, UInt8(ascii: "\\")):
          result += [UInt8(ascii: "\\"), byte]
        default: result.append(byte)
        }
      }
      return String(decoding: result, as: UTF8.self)
    }
  }

  /// An incomplete line, split into tokens.
  private struct Scan {
    /// The tokens that are followed by other text.
    var tokens: [CommandToken] = []
    /// The token at the end of the line, if any.
    var last: [CommandToken] = []
    /// Whether no quote is open and the line does not end in a backslash.
    var isComplete = true
    /// Whether the line ends inside a comment.
    var isComment = false
    /// The first byte of the quote that is open at the end.
    var quote: UInt8?

    private static let controls: [UInt8: UInt8] = [
      UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "r"): UInt8(ascii: "\r"),
      UInt8(ascii: "t"): UInt8(ascii: "\t"),
    ]

    init(_ line: String) {
      var text: [UInt8] = []
      var start: Int?
      let bytes = Array(line.utf8)
      var offset = 0
      func token(to end: Int) -> [CommandToken] {
        guard let begin = start else { return [] }
        return [CommandToken(text: String(decoding: text, as: UTF8.self), range: begin..<end)]
      }
      while offset < bytes.count {
        let byte = bytes[offset]
        isComment = false
        switch (quote, byte) {
        case (UInt8(ascii: "$")?, UInt8(ascii: "'")): quote = nil
        case (UInt8(ascii: "$")?, UInt8(ascii: "\\")):
          guard offset + 1 < bytes.count else {
            isComplete = false
            break
          }
          offset += 1
          text.append(Self.controls[bytes[offset]] ?? bytes[offset])
        case (UInt8(ascii: "$")?, _): text.append(byte)
        case (nil, UInt8(ascii: "$"))
        where offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "'"):
          start = start ?? offset
          quote = byte
          offset += 1
        case (UInt8(ascii: "'")?, UInt8(ascii: "'")), (UInt8(ascii: "\"")?, UInt8(ascii: "\"")):
          quote = nil
        case (UInt8(ascii: "'")?, _): text.append(byte)
        case (_, UInt8(ascii: "\\")):
          guard offset + 1 < bytes.count else {
            isComplete = false
            break
          }
          let next = bytes[offset + 1]
          // A continued line begins no token.
          if next != UInt8(ascii: "\n") { start = start ?? offset }
          offset += 1
          if quote != nil, next != UInt8(ascii: "\""), next != UInt8(ascii: "\\") {
            text.append(byte)
          }
          if next != UInt8(ascii: "\n") { text.append(next) }
        case (.some, _): text.append(byte)
        case (nil, UInt8(ascii: "'")), (nil, UInt8(ascii: "\"")):
          start = start ?? offset
          quote = byte
        case (nil, UInt8(ascii: " ")), (nil, UInt8(ascii: "\t")), (nil, UInt8(ascii: "\n")),
          (nil, UInt8(ascii: "\r")):
          tokens += token(to: offset)
          text = []
          start = nil
        case (nil, UInt8(ascii: "#")) where start == nil:
          isComment = true
          while offset + 1 < bytes.count, bytes[offset + 1] != UInt8(ascii: "\n") { offset += 1 }
        default:
          start = start ?? offset
          text.append(byte)
        }
        offset += 1
      }
      if quote != nil { isComplete = false }
      last = token(to: bytes.count)
    }
  }

  /// The name of a file as an argument: a leading minus would make it an option.
  static func argument(forFile name: String) -> String { name.hasPrefix("-") ? "./\(name)" : name }

  /// Joins arguments to a line that is split into the same arguments.
  package static func line(of arguments: [String]) -> String {
    arguments.map(quoted).joined(separator: " ")
  }

  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte >= 0x80 || plain.contains(byte)
    }
    guard word.isEmpty || !isPlain else { return word }
    // In KEY=VALUE only the value needs quotes.
    if let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")),
      word.utf8[..<equals].allSatisfy({ $0 >= 0x80 || plain.contains($0) }),
      equals > word.startIndex
    {
      let end = word.utf8.index(after: equals)
      return String(word[..<end]) + quoted(String(word[end...]))
    }
    // Byte by byte: to Swift, a quote and a following combining accent are one character.
    for quote in [OpenQuote.single, .escaping] {
      if let text = quote.escaped(word) { return quote.opening + text + quote.closing }
    }
    preconditionFailure("$'…' contains any text")
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+~$*".utf8)
}
