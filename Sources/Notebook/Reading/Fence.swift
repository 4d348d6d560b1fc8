/// The fence of a code block in Markdown: its characters and its two lines.
///
/// Source: CommonMark 0.31.2, section 4.5, without the containers (lists, block quotes).
struct Fence: Sendable {
  /// `` ` `` or `~`.
  var character: UInt8
  /// The number of characters that open the block.
  var length: Int
  /// The number of spaces before the fence; as many are removed from each line of the block.
  var indent: Int
  /// The opening line, from 1.
  var line: Int
  /// Whether the block contains commands: the first word of the info string is `strata`.
  var isSession: Bool
  /// Whether it starts a new session: the second word is `fresh`.
  var startsFresh: Bool
  /// The range of the opening characters, in bytes of the document.
  var opening: Range<Int>
  /// The range of the closing characters; empty until the end of the block is found.
  var closing: Range<Int> = 0..<0

  private static let backtick = UInt8(ascii: "`")

  /// The fence that the line opens, if any.
  init?(opening content: ArraySlice<UInt8>, line: Int) {
    guard let run = Self.run(content) else { return nil }
    let info = content[run.upperBound...]
    character = content[run.lowerBound]
    // With another backtick after it, a backtick fence is a code span in a paragraph.
    if character == Self.backtick, info.contains(Self.backtick) { return nil }
    length = run.count
    indent = run.lowerBound - content.startIndex
    self.line = line
    let tokens = info.split(omittingEmptySubsequences: true, whereSeparator: \.isBlank)
    isSession = tokens.first?.elementsEqual("strata".utf8) == true
    startsFresh = isSession && tokens.dropFirst().first?.elementsEqual("fresh".utf8) == true
    opening = run
  }

  /// The characters that close the block, if the line closes it.
  func closing(in content: ArraySlice<UInt8>) -> Range<Int>? {
    guard let run = Self.closingRun(content), content[run.lowerBound] == character,
      run.count >= length
    else { return nil }
    return run
  }

  /// A line of the block without the block's indentation.
  func body(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let spaces = content.prefix(indent).prefix { $0 == UInt8(ascii: " ") }
    return content.dropFirst(spaces.count)
  }

  /// A fence line of the given length.
  func mark(of length: Int) -> String {
    String(repeating: " ", count: indent)
      + String(repeating: String(UnicodeScalar(character)), count: length)
  }

  /// The insertions that lengthen both fences of the block to `newLength` characters.
  func edits(growingTo newLength: Int) -> [(range: Range<Int>, text: String)] {
    [opening, closing].map { run in
      let missing = max(0, newLength - run.count)
      let text = String(repeating: String(UnicodeScalar(character)), count: missing)
      return (run.upperBound..<run.upperBound, text)
    }
  }

  /// The shortest fence that none of the lines closes.
  static func length(toHold lines: [String], of character: UInt8) -> Int {
    lines.reduce(3) { length, line in
      let content = Array(line.utf8)[...]
      guard let run = closingRun(content), content[run.lowerBound] == character else {
        return length
      }
      return max(length, run.count + 1)
    }
  }

  /// A run of three or more fence characters with nothing after it.
  private static func closingRun(_ content: ArraySlice<UInt8>) -> Range<Int>? {
    guard let run = run(content), content[run.upperBound...].allSatisfy(\.isBlank) else {
      return nil
    }
    return run
  }

  /// A run of three or more equal fence characters after at most three spaces.
  private static func run(_ content: ArraySlice<UInt8>) -> Range<Int>? {
    let marked = content.drop { $0 == UInt8(ascii: " ") }
    guard marked.startIndex - content.startIndex <= 3, let character = marked.first,
      character == backtick || character == UInt8(ascii: "~")
    else { return nil }
    let run = marked.prefix { $0 == character }
    return run.count >= 3 ? run.indices : nil
  }
}
