/// The typed lines, including those of earlier sessions: newest last, without duplicates.
///
/// ```swift
/// var history = CommandHistory()
/// for line in ["load a", "show a", "load a"] { history.add(line) }
/// history.lines  // ["show a", "load a"]
/// ```
package struct CommandHistory: Sendable, Hashable {
  package private(set) var lines: [String] = []

  /// The maximum number of lines; the oldest are removed first.
  package static let limit = 5000

  package init() {}

  /// Adds a line as the newest and removes an earlier copy of it.
  package mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
  }

  // MARK: As a file

  /// Reads the output of ``text(of:)``, one command per line; invalid lines are skipped.
  package init(reading text: String) {
    var known: Set<String> = []
    var newestFirst: [String] = []
    for line in text.split(separator: "\n").reversed() {
      let command = Self.unescaped(line)
      if known.insert(command).inserted { newestFirst.append(command) }
      if newestFirst.count == Self.limit { break }
    }
    lines = newestFirst.reversed()
  }

  /// A command as one line of a file, including its line feed.
  package static func text(of line: String) -> String {
    line.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") + "\n"
  }

  private static func unescaped(_ line: Substring) -> String {
    var text = ""
    var isEscaped = false
    for character in line {
      switch (isEscaped, character) {
      case (true, "n"): text.append("\n")
      case (true, _): text.append(character)
      case (false, "\\"):
        isEscaped = true
        continue
      case (false, _): text.append(character)
      }
      isEscaped = false
    }
    return text
  }
}
