extension String {
  /// This text with every control character escaped: names come from files, and a file
  /// must not move the cursor or change colors.
  ///
  /// C0, DEL and C1 are shown as `\e`, `\n`, `\t`, `\u{9b}` …, as are the characters that change the
  /// direction of text, which can make a name look like another.
  package var escapingControlCharacters: String {
    guard unicodeScalars.contains(where: \.mustNotReachTerminal) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\u{1B}": escaped += "\\e"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case _ where scalar.mustNotReachTerminal:
        escaped += "\\u{\(String(scalar.value, radix: 16))}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// This text for another program: line breaks, tabs and marks of direction are kept, other control characters escaped.
  var escapingTerminalControls: String {
    guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
    return unicodeScalars.map {
      $0.isTerminalControl ? String($0).escapingControlCharacters : String($0)
    }.joined()
  }

  /// JSON text in which control characters that JSON allows and a terminal would interpret are
  /// escaped as `\u….`: the parsed value is the same.
  var escapingControlCharactersAsJSON: String {
    // Only DEL and characters beyond ASCII need escaping; most answers have none.
    guard utf8.contains(where: { $0 >= 0x7F }),
      unicodeScalars.contains(where: { $0 != "\n" && $0.mustNotReachTerminal })
    else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if scalar != "\n", scalar.mustNotReachTerminal {
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The width of this text on a terminal, in columns.
  var displayWidth: Int {
    utf8.allSatisfy { $0 < 0x80 }
      ? utf8.count
      : reduce(0) { $0 + ($1.unicodeScalars.first?.columns ?? 0) }
  }

  /// The longest prefix with a width of at most `columns`.
  func prefix(columns: Int) -> Substring {
    var room = columns
    return prefix { character in
      room -= String(character).displayWidth
      return room >= 0
    }
  }
}

extension Unicode.Scalar {
  fileprivate var mustNotReachTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C, 0xFEFF: true
    default: false
    }
  }

  fileprivate var isTerminalControl: Bool {
    mustNotReachTerminal && value < 0xA0 && !(0x09...0x0D).contains(value)
  }

  /// 2 for wide East Asian characters and pictographs, 0 for combining marks, 1 otherwise.
  fileprivate var columns: Int {
    switch value {
    case 0x300...0x36F, 0x200B...0x200D, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
