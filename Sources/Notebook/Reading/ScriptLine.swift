/// The kind of a line of a script, determined by its beginning.
enum ScriptLine {
  static let comment = UInt8(ascii: "#")
  private static let outputMark = Array("#| ".utf8)
  private static let statusMark = Array("#? ".utf8)

  static func isRecord(_ line: ArraySlice<UInt8>) -> Bool {
    output(line) != nil || status(line) != nil
  }

  /// The output that a `#| ` or bare `#|` line records.
  static func output(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if line.starts(with: outputMark) { return line.dropFirst(outputMark.count) }
    return line.elementsEqual(outputMark.dropLast()) ? [] : nil
  }

  /// The text after `#? `, which may not be a number.
  static func status(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    line.starts(with: statusMark) ? line.dropFirst(statusMark.count) : nil
  }
}
