/// A part of a text that a user typed, with the range that is meant.
///
/// ```swift
/// Excerpt(text: "contnet == 1", range: 0..<7).parts.marked  // "contnet"
/// ```
package struct Excerpt: Sendable, Hashable {
  package var text: String
  /// In UTF-8 bytes of the text.
  package var range: Range<Int>

  package init(text: String, range: Range<Int>) {
    self.text = text
    self.range = range
  }

  /// How many characters are shown of a text, which fits on a line of a terminal.
  private static let width = 72
  /// How many characters of a longer text are shown on either side of the range, and of the range.
  private static let reach = 20

  /// The text in three parts: before the range, the range, and after it; those of a long text are cut.
  package var parts: (before: String, marked: String, after: String) {
    let bytes = Array(text.utf8)
    let start = min(max(0, range.lowerBound), bytes.count)
    let end = min(max(start, range.upperBound), bytes.count)
    func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    let before = string(bytes[..<start])
    let marked = string(bytes[start..<end])
    let after = string(bytes[end...])
    guard text.count > Self.width else { return (before, marked, after) }
    return (
      before.count > Self.reach ? "…" + before.suffix(Self.reach) : before,
      marked.count > Self.reach ? marked.prefix(Self.reach) + "…" : marked,
      after.count > Self.reach ? after.prefix(Self.reach) + "…" : after
    )
  }
}
