internal import StrataBase

/// What a line inside a block of commands says, its block's indentation removed.
enum MarkdownLine {
  private static let commandMark = Array("> ".utf8)
  private static let statusMark = Array("? ".utf8)

  /// The text behind `> `.
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

  /// Whether the line stands in a block with one backslash more than it has: it reads like a
  /// command or an exit status, whatever number of backslashes comes first.
  static func needsEscape(_ line: ArraySlice<UInt8>) -> Bool {
    let rest = line.drop { $0 == .backslash }
    return command(rest) != nil || status(rest) != nil
  }

  /// The output that a line of the block means.
  static func output(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.first == .backslash && needsEscape(line) ? line.dropFirst() : line
  }
}
