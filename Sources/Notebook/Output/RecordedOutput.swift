package import StrataBase

/// The recorded output of a command: lines of text and an exit status.
///
/// ```swift
/// let output = RecordedOutput(text: "Topic\nTopicList\n", status: 0)
/// output.lines  // ["Topic", "TopicList"]
/// ```
///
/// As an expectation, a line `...` matches any number of lines and `[..]` in a line any number of characters;
/// see ``compare(to:)``.
///
/// Line breaks are normalized: carriage returns at the end of a line belong to the line break, and blank
/// lines at the end of the output are removed. Outputs are equal if their lines are equal byte for byte and
/// their statuses are equal.
package struct RecordedOutput: Sendable, Hashable {
  package let lines: [String]
  /// 0 or more.
  package let status: ExitStatus

  /// - Parameter lines: A line that contains line feeds counts as several.
  package init(lines: [String] = [], status: ExitStatus = .done) {
    precondition(status >= .done, "an exit status is not negative")
    self.lines = Self.normalised(lines)
    self.status = status
  }

  package init(text: String, status: ExitStatus = .done) {
    self.init(lines: [text], status: status)
  }

  /// The lines, each with a line feed.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  package static func == (a: Self, b: Self) -> Bool {
    a.status == b.status && a.lines.count == b.lines.count
      && zip(a.lines, b.lines).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  private static func normalised(_ lines: [String]) -> [String] {
    var result: [String] = []
    for line in lines {
      guard line.utf8.contains(where: { $0 == .lineFeed || $0 == .carriageReturn }) else {
        result.append(line)
        continue
      }
      for part in Array(line.utf8).split(separator: .lineFeed, omittingEmptySubsequences: false) {
        let returns = part.reversed().prefix { $0 == .carriageReturn }.count
        result.append(String(decoding: part.dropLast(returns), as: UTF8.self))
      }
    }
    while result.last?.isBlank == true { result.removeLast() }
    return result
  }

  /// Parses an exit status in its shortest form: `1`, not `01` or `+1`.
  static func status(_ digits: ArraySlice<UInt8>) -> ExitStatus? {
    let text = String(decoding: digits.prefix(11), as: UTF8.self)
    guard let status = Int32(text), status >= 0, digits.elementsEqual("\(status)".utf8) else {
      return nil
    }
    return ExitStatus(rawValue: status)
  }
}
