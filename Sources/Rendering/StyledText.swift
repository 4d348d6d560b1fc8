/// Text with semantic roles instead of colors.
///
/// ```swift
/// let line: StyledText = "Topic" + .init("  + attribute timeBudget", .added)
/// ```
package struct StyledText: Sendable, Hashable, ExpressibleByStringInterpolation {
  package enum Role: Sendable, Hashable {
    case plain, heading, name, added, removed, changed, faint, warning, error, good
  }

  package struct Span: Sendable, Hashable {
    package var text: String
    package var role: Role
    /// The replacement in saved answers, for a time or users' data.
    package var kept: String?
    /// Whether it is never wrapped: a command that is copied.
    var isUnbreakable = false
  }

  package private(set) var spans: [Span]

  package init(_ text: String, _ role: Role = .plain) {
    spans = text.isEmpty ? [] : [Span(text: text, role: role)]
  }

  /// A text that is shown only live: saved answers, which can be repeated and shared, contain
  /// a replacement.
  package init(live text: String, kept: String) {
    spans = [Span(text: text, role: .plain, kept: kept)]
  }

  /// A command that is copied from the terminal: it stays on one line at any width.
  package init(command text: String, _ role: Role = .plain) {
    spans = [Span(text: text, role: role, isUnbreakable: true)]
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  package static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.spans += b.spans
    return sum
  }

  package static func += (a: inout Self, b: Self) { a = a + b }

  /// The text for a saved answer.
  package var asKept: Self {
    guard spans.contains(where: { $0.kept != nil }) else { return self }
    var text = self
    for index in text.spans.indices {
      if let kept = text.spans[index].kept { text.spans[index].text = kept }
    }
    return text
  }

  /// The plain text.
  package var text: String { spans.map(\.text).joined() }

  package var isEmpty: Bool { spans.isEmpty }

  /// This text truncated to at most `width` columns, with an ellipsis if something is omitted.
  func shortened(to width: Int) -> Self {
    guard self.width > width else { return self }
    var shorter = StyledText("")
    var room = max(0, width - 1)
    for span in spans {
      let text = span.text.escapingControlCharacters
      let kept = text.prefix(columns: room)
      shorter += StyledText(String(kept), span.role)
      room -= String(kept).displayWidth
      if kept.endIndex < text.endIndex { break }
    }
    return shorter + StyledText("…", .faint)
  }

  /// The width on a terminal in columns; control characters count in their escaped form.
  package var width: Int { spans.reduce(0) { $0 + $1.text.escapingControlCharacters.displayWidth } }
}
