internal import StrataBase

/// A statement of a line language: a line of a file, joined with those that continue it.
struct LogicalLine: Sendable, Hashable {
  let language: LineLanguage
  let isIndented: Bool
  /// The content of its lines, joined with spaces.
  private(set) var text = ""
  /// For each line of the file: the UTF-8 offset of its content in the text, and its position in the file.
  private var pieces: [Piece] = []

  private struct Piece: Sendable, Hashable {
    var offset: Int
    var line: Int
    var column: Int
  }

  /// The number of its first line in the file, from 1.
  var number: Int { pieces.first?.line ?? 0 }

  init(_ language: LineLanguage, isIndented: Bool) {
    self.language = language
    self.isIndented = isIndented
  }

  /// Appends the content of a line of the file.
  mutating func append(_ content: Substring, line: Int, column: Int) {
    if !pieces.isEmpty { text += " " }
    pieces.append(Piece(offset: text.utf8.count, line: line, column: column))
    text += content
  }

  /// An error at a range of the text; it marks the part that is on one line of the file.
  func error(_ diagnostic: Diagnostic, at range: Range<String.Index>) -> LineError {
    let offset = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    let next = pieces.firstIndex { $0.offset > offset } ?? pieces.endIndex
    let piece = pieces[next - 1]
    let start = text.utf8.index(text.startIndex, offsetBy: piece.offset)
    let end =
      next == pieces.endIndex
      ? text.endIndex : text.utf8.index(text.startIndex, offsetBy: pieces[next].offset - 1)
    let column = text.unicodeScalars.distance(from: start, to: range.lowerBound)
    let upper = text.utf8.distance(from: start, to: min(range.upperBound, end))
    var diagnostic = diagnostic
    diagnostic.location = Location(line: piece.line, column: piece.column + column)
    diagnostic.excerpt = Excerpt(
      text: String(text[start..<end]), range: offset - piece.offset..<upper)
    return LineError(diagnostic)
  }
}
