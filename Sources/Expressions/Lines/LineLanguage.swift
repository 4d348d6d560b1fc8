internal import StrataBase

/// A language in which each line is a statement; divides texts into lines.
///
/// ```swift
/// for line in try LineLanguage.policy.lines(of: "set firstName = name") {
///   if let parts = try line.match("set NAME = EXPRESSION") { print(parts[1].text) }  // name
/// }
/// ```
package enum LineLanguage: String, Sendable {
  case mapping, policy, stages

  /// The maximum length of a text in bytes.
  private var sizeLimit: Int { self == .mapping ? 4 << 20 : 1_000_000 }

  /// Whether an indented line continues when the next one is indented further.
  private var continuesLines: Bool { self != .mapping }

  /// A mapping text may have names that contain, or end with, other white space.
  private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    self == .mapping ? scalar == " " || scalar == "\t" : scalar.properties.isWhitespace
  }

  /// The text of a file.
  ///
  /// - Throws: ``LineError`` for one that is not UTF-8: replacement characters would be written into stores.
  package func text(of bytes: [UInt8]) throws(LineError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("the file is not UTF-8 text", fix: "save it as UTF-8")
    }
    return text
  }

  /// The lines of a text without comments and indentation, each joined with those that continue it; lines
  /// without content are left out.
  package func lines(of text: String) throws(LineError) -> [LinePart] {
    guard text.utf8.count <= sizeLimit else {
      throw error("the text is longer than \(sizeLimit) bytes")
    }
    var lines: [LogicalLine] = []
    var margin = 0
    // Some editors write a byte order mark.
    let all = text.trimmingPrefix("\u{FEFF}").split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n"
    }
    for (index, line) in all.enumerated() {
      let content = trimmed(line.withoutComment)
      guard !content.isEmpty else { continue }
      let indent = line.unicodeScalars.prefix { $0 == " " || $0 == "\t" }.count
      if !continuesLines || indent <= margin || lines.last?.isIndented != true {
        lines.append(LogicalLine(self, isIndented: indent > 0))
        margin = indent
      }
      let column = 1 + line.unicodeScalars.distance(from: line.startIndex, to: content.startIndex)
      lines[lines.count - 1].append(content, line: index + 1, column: column)
    }
    return lines.map(LinePart.init)
  }

  /// An error about a whole text, without a location.
  package func error(_ what: String, fix: String? = nil) -> LineError {
    LineError(
      Diagnostic(
        id: "\(rawValue).syntax", what: what, location: Location(line: 1, column: 1),
        fix: fix ?? "`help \(self == .policy ? "policies" : rawValue)` shows the syntax"))
  }

  /// A text without leading and trailing white space.
  func trimmed(_ text: Substring) -> Substring {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return text.prefix(0) }
    return Substring(scalars[first...last])
  }
}
