internal import StrataBase

/// The kind of a line in a block of commands, without the indentation of the block.
enum MarkdownLine {
  private static let commandMark = Array("> ".utf8)
  private static let statusMark = Array("? ".utf8)

  /// A command: the text after `> `.
  static func command(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    line.starts(with: commandMark) ? line.dropFirst(commandMark.count) : nil
  }

  /// The text with which a line continues the command above it.
  static func continuation(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if let text = command(line) { return text }
    if line.elementsEqual(commandMark.dropLast()) { return [] }
    return line.first?.isBlank == true && !line.allSatisfy(\.isBlank) ? line : nil
  }

  static func status(_ line: ArraySlice<UInt8>) -> ExitStatus? {
    line.starts(with: statusMark)
      ? RecordedOutput.status(line.dropFirst(statusMark.count)) : nil
  }

  /// Whether an output line must be escaped with a backslash: it looks like a command or an exit status,
  /// after any number of backslashes.
  static func needsEscape(_ line: ArraySlice<UInt8>) -> Bool {
    let rest = line.drop { $0 == .backslash }
    return command(rest) != nil || status(rest) != nil
  }

  /// The output line that a line of the block stands for.
  static func output(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.first == .backslash && needsEscape(line) ? line.dropFirst() : line
  }
}
