/// An iterator over the lines of a text, with their locations.
///
/// A line ends with a line feed or the text; carriage returns before that belong to the line break.
struct LineScanner {
  struct Line {
    /// The number of the line, from 1.
    var number: Int
    /// The range of the line without its line break.
    var content: Range<Int>
    /// The offset after the line break.
    var end: Int
  }

  let bytes: [UInt8]
  /// The end of the last returned line.
  private(set) var offset: Int
  private var number = 0
  private var ahead: Line?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
  }

  static let byteOrderMark = Array("\u{FEFF}".utf8)

  func content(of line: Line) -> ArraySlice<UInt8> { bytes[line.content] }

  /// The next line, without consuming it; `nil` at the end of the text.
  mutating func peek() throws(NotebookError) -> Line? {
    if let ahead { return ahead }
    guard offset < bytes.count else { return nil }
    let feed = bytes[offset...].firstIndex(of: .lineFeed)
    var contentEnd = feed ?? bytes.count
    while contentEnd > offset, bytes[contentEnd - 1] == .carriageReturn { contentEnd -= 1 }
    let line = Line(
      number: number + 1, content: offset..<contentEnd, end: feed.map { $0 + 1 } ?? bytes.count)
    guard line.number <= SessionLimits.lines else {
      throw .tooManyLines(limit: SessionLimits.lines)
    }
    guard line.content.count <= SessionLimits.lineBytes else {
      throw .lineTooLong(
        line: line.number, bytes: line.content.count, limit: SessionLimits.lineBytes)
    }
    ahead = line
    return line
  }

  mutating func next() throws(NotebookError) -> Line? {
    guard let line = try peek() else { return nil }
    ahead = nil
    number = line.number
    offset = line.end
    return line
  }
}
