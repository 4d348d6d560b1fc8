/// The lines that a user has typed, the newest last and none twice: those of earlier sessions too.
///
/// ```swift
/// var history = CommandHistory()
/// for line in ["load a", "show a", "load a"] { history.add(line) }
/// history.lines  // ["show a", "load a"]
/// ```
package struct CommandHistory: Sendable, Hashable {
  package private(set) var lines: [String] = []

  /// The oldest lines go first.
  package static let limit = 5000

  package init() {}

  /// Adds a line as the newest; the same line further up is taken away.
  package mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
  }

  // MARK: As a file

  /// Reads what ``text(of:)`` wrote, a line each; what cannot be a command is left out.
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

  /// A command as one line of a file, its line feed included.
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
