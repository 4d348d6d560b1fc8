extension Diagram {
  /// What every picture has in its beginning.
  package static let mark = "<!-- strata picture -->"

  /// The diagram as SVG without fonts, scripts or colors of its own. The same diagram gives the same bytes.
  package var svg: String {
    let layout = DiagramLayout(self)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(layout.width) \(layout.height)" \
      width="\(layout.width)" height="\(layout.height)" role="img" aria-labelledby="title summary" \
      color="#222" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12">
      \(Self.mark)
      <title id="title">\(title.escapedInHTML)</title>
      <desc id="summary">\(summary.escapedInHTML)</desc>
      <style>@media (prefers-color-scheme: dark) { svg { color: #ddd; } .box { fill: #1b1b1b; } }</style>
      <g fill="none" stroke="currentColor">

      """
    for line in lines { text += layout.path(of: line) }
    text += "</g>\n"
    for (index, box) in boxes.enumerated() { text += svg(of: box, in: layout.frames[index]) }
    return text + "</svg>\n"
  }

  private func svg(of box: Box, in frame: DiagramLayout.Frame) -> String {
    let header = DiagramLayout.rowHeight + 4
    var text = """
      <g><rect class="box" x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" height="\(frame.height)" rx="4" \
      fill="#fff" stroke="currentColor"\(box.isDashed ? " stroke-dasharray=\"5 3\"" : "")/>
      <path d="M\(frame.x) \(frame.y + header)h\(frame.width)" stroke="currentColor"/>
      <text x="\(frame.x + 8)" y="\(frame.y + 15)" fill="currentColor" font-weight="bold">\
      \(Self.marked(box.name, box.mark).escapedInHTML)</text>
      <text x="\(frame.x + frame.width - 8)" y="\(frame.y + 15)" fill="currentColor" text-anchor="end" \
      opacity=".65">\(box.note.escapedInHTML)</text>

      """
    for (index, row) in box.rows.enumerated() {
      text += """
        <text x="\(frame.x + 8)" y="\(frame.y + header + 15 + index * DiagramLayout.rowHeight)" \
        fill="currentColor"\(row.mark.isEmpty ? "" : " font-weight=\"bold\"")>\
        \(Self.marked(row.text, row.mark).escapedInHTML)</text>

        """
    }
    return text + "</g>\n"
  }
}

/// Where the boxes of a diagram are: row by row, in turns from the left and from the right, so that connected boxes
/// are close.
struct DiagramLayout {
  struct Frame {
    var (x, y, width, height) = (0, 0, 0, 0)
    var column = 0
  }

  static let rowHeight = 20
  /// Pixels of a character of a monospaced font of this size.
  private static let characterWidth = 8
  private static let gap = (across: 96, down: 44)
  private static let margin = 16

  private(set) var frames: [Frame]
  private(set) var width = 0
  private(set) var height = 0

  init(_ diagram: Diagram) {
    frames = diagram.boxes.map(Self.frame)
    let columns = max(1, Int(Double(frames.count).squareRoot().rounded(.up)))
    let order = diagram.order
    for (place, index) in order.enumerated() {
      let (row, column) = (place / columns, place % columns)
      frames[index].column = row % 2 == 0 ? column : columns - 1 - column
    }
    var x = Self.margin
    for column in 0..<columns {
      let inColumn = order.filter { frames[$0].column == column }
      for index in inColumn { frames[index].x = x }
      x += (inColumn.map { frames[$0].width }.max() ?? 0) + Self.gap.across
    }
    var y = Self.margin
    for row in stride(from: 0, to: order.count, by: columns) {
      let inRow = order[row..<min(row + columns, order.count)]
      for index in inRow { frames[index].y = y }
      y += (inRow.map { frames[$0].height }.max() ?? 0) + Self.gap.down
    }
    // Lines within the last column need room beside it.
    width = x - Self.gap.across + 70
    height = max(y - Self.gap.down, Self.margin) + Self.margin
  }

  /// A frame as large as its texts need.
  private static func frame(of box: Diagram.Box) -> Frame {
    func length(_ text: String, _ mark: String) -> Int {
      text.unicodeScalars.count + (mark.isEmpty ? 0 : 2)
    }
    var frame = Frame()
    var longest: Int = length(box.name, box.mark) + 2 + box.note.count
    for row in box.rows { longest = max(longest, length(row.text, row.mark)) }
    frame.width = longest * characterWidth + 20
    frame.height = rowHeight * (box.rows.count + 1) + 10
    return frame
  }

  /// A line from the row of one end to that of the other, with the counts at its ends.
  func path(of line: Diagram.Line) -> String {
    let (a, b) = (frames[line.from.box], frames[line.to.box])
    let (fromRight, toRight) = (a.column <= b.column, b.column <= a.column)
    let start = point(line.from, a, isRight: fromRight)
    let end = point(line.to, b, isRight: toRight)
    let bend = a.column == b.column ? 50 : max(40, abs(end.x - start.x) / 2)
    let (out, back) = (fromRight ? bend : -bend, toRight ? bend : -bend)
    let curve = [start.x + out, start.y, end.x + back, end.y, end.x, end.y]
      .map(String.init).joined(separator: " ")
    let marks =
      mark(line.from.count, start, fromRight ? 1 : -1) + mark(line.to.count, end, toRight ? 1 : -1)
    return "<g><title>\(line.label.escapedInHTML)</title>"
      + "<path d=\"M\(start.x) \(start.y)C\(curve)\"/>\(marks)</g>\n"
  }

  private func point(
    _ end: Diagram.End, _ frame: Frame, isRight: Bool
  ) -> (x: Int, y: Int) {
    let row = end.row.map { Self.rowHeight * ($0 + 1) + 14 } ?? 12
    return (isRight ? frame.x + frame.width : frame.x, frame.y + row)
  }

  /// A crow's foot, a bar and a ring: many, one, and none.
  private func mark(_ count: Diagram.Count, _ point: (x: Int, y: Int), _ side: Int) -> String {
    func bar(_ distance: Int) -> String {
      "<path d=\"M\(point.x + side * distance) \(point.y - 5)v10\"/>"
    }
    func ring(_ distance: Int) -> String {
      "<circle cx=\"\(point.x + side * distance)\" cy=\"\(point.y)\" r=\"4\"/>"
    }
    let tip = point.x + side * 12
    let foot =
      "<path d=\"M\(tip) \(point.y)L\(point.x) \(point.y - 6)M\(tip) \(point.y)L\(point.x) \(point.y + 6)\"/>"
    return switch count {
    case .one: bar(8) + bar(13)
    case .optionalOne: bar(8) + ring(17)
    case .many: foot + ring(17)
    case .requiredMany: foot + bar(15)
    case .parent:
      "<path d=\"M\(point.x) \(point.y)L\(tip) \(point.y - 6)V\(point.y + 6)Z\" class=\"box\" fill=\"#fff\"/>"
    case .child, .unknown: ""
    }
  }
}
