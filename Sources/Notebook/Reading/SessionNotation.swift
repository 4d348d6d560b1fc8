internal import StrataBase

/// Writes commands and outputs as lines of a document, the inverse of the readers.
struct SessionNotation {
  var form: SessionForm
  /// Spaces before each line, of an indented block.
  var indent = 0

  /// The lines of a command without line breaks.
  func lines(command: String) -> [String] {
    switch form {
    case .script: scriptLines(command)
    case .markdown: markdownLines(command)
    }
  }

  /// The lines that record an output; at least one.
  func lines(output: RecordedOutput) -> [String] {
    let hasStatus = output.status != .done || output.lines.isEmpty
    switch form {
    case .script:
      return output.lines.map { $0.isEmpty ? "#|" : "#| " + $0 }
        + (hasStatus ? ["#? \(output.status)"] : [])
    case .markdown:
      let lines = output.lines.map {
        MarkdownLine.needsEscape(Array($0.utf8)[...]) ? "\\" + $0 : $0
      }
      return indented(lines + (hasStatus ? ["? \(output.status)"] : []))
    }
  }

  /// A command that looks like a blank line, a comment or a recorded line is written after a line with only a
  /// backslash; one that ends with a backslash is continued by an empty line.
  private func scriptLines(_ command: String) -> [String] {
    let bytes = Array(command.utf8)
    let first = bytes.first { !$0.isBlank }
    let isPlain =
      first != nil && first != ScriptLine.comment && !bytes.starts(with: LineScanner.byteOrderMark)
    var lines = isPlain ? [command] : ["\\", command]
    if ScriptLine.isRecord(bytes[...]) {
      lines = ["\\", "#\\", String(decoding: bytes.dropFirst(), as: UTF8.self)]
    }
    if bytes.last == .backslash { lines = lines.dropLast() + [lines[lines.count - 1] + "\\", ""] }
    return lines
  }

  private func markdownLines(_ command: String) -> [String] {
    indented(command.utf8.last == .backslash ? ["> " + command + "\\", ">"] : ["> " + command])
  }

  private func indented(_ lines: [String]) -> [String] {
    let spaces = String(repeating: " ", count: indent)
    return lines.map { $0.isEmpty ? $0 : spaces + $0 }
  }
}
