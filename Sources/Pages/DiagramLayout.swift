/// Where the boxes of a diagram are: in columns, or row by row, in turns from the left and from the right, so that connected
/// boxes are close.
struct DiagramLayout {
  struct Frame {
    var (x, y, width, height) = (0, 0, 0, 0)
    var column = 0
  }

  static let rowHeight = 20
  /// Pixels of a character of a monospaced font of this size.
  static let characterWidth = 8
  private static let gap = (across: 96, down: 44, box: 28)
  private static let margin = 16
  /// Below the title.
  private static let top = 46

  private(set) var frames: [Frame]
  private(set) var width = 0
  private(set) var height = 0

  /// The line of each lane.
  private(set) var bases: [Int] = []

  init(_ diagram: Diagram) {
    frames = diagram.boxes.map(Self.frame)
    if let columns = diagram.columns {
      for (index, column) in columns.enumerated() { frames[index].column = column }
      let stacks = (0...(columns.max() ?? 0)).map { column in
        frames.indices.filter { frames[$0].column == column }
      }
      // The names of lanes are beside the columns.
      let longest = diagram.lanes.map(\.name.count).max().map { $0 * Self.characterWidth + 20 }
      placeColumns(stacks, from: Self.margin + (longest ?? 0))
      let heights = stacks.map { stack in
        stack.reduce(-Self.gap.box) { $0 + frames[$1].height + Self.gap.box }
      }
      height = heights.max() ?? 0
      for (stack, own) in zip(stacks, heights) {
        var y = Self.top + (diagram.lanes.isEmpty ? (height - own) / 2 : 0)
        for index in stack {
          frames[index].y = y
          y += frames[index].height + Self.gap.box
        }
      }
      height += Self.top + Self.margin
    } else {
      placeGrid(diagram.order)
    }
    width = max(width, 2 * Self.margin + diagram.title.count * (Self.characterWidth + 2))
    for lane in diagram.lanes {
      bases.append(height + Self.gap.box + (lane.arcs.map(height).max() ?? 0))
      height = (bases.last ?? height) + Self.gap.box
    }
  }

  private mutating func placeGrid(_ order: [Int]) {
    let columns = max(1, Int(Double(frames.count).squareRoot().rounded(.up)))
    for (place, index) in order.enumerated() {
      let (row, column) = (place / columns, place % columns)
      frames[index].column = row % 2 == 0 ? column : columns - 1 - column
    }
    placeColumns((0..<columns).map { column in order.filter { frames[$0].column == column } })
    var y = Self.top
    for row in stride(from: 0, to: order.count, by: columns) {
      let inRow = order[row..<min(row + columns, order.count)]
      for index in inRow { frames[index].y = y }
      y += (inRow.map { frames[$0].height }.max() ?? 0) + Self.gap.down
    }
    // Lines within the last column need room beside it.
    width += 54
    height = max(y - Self.gap.down, Self.top) + Self.margin
  }

  private mutating func placeColumns(_ columns: [[Int]], from left: Int = margin) {
    var x = left
    for column in columns {
      for index in column { frames[index].x = x }
      x += (column.map { frames[$0].width }.max() ?? 0) + Self.gap.across
    }
    width = x - Self.gap.across + Self.margin
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
    frame.height = rowHeight * (box.rows.count + 1) + (box.rows.isEmpty ? 4 : 10)
    return frame
  }

  /// A line from the row of one end to that of the other, with the counts at its ends.
  func path(of line: Diagram.Line) -> String {
    let (a, b) = (frames[line.from.box], frames[line.to.box])
    let (fromRight, toRight) = (a.column <= b.column, b.column <= a.column)
    let start = point(line.from, a, isRight: fromRight)
    let end = point(line.to, b, isRight: toRight)
    // Within a column, beside the wider box.
    let edge = max(start.x, end.x) + 50
    let bend = max(40, abs(end.x - start.x) / 2)
    let (out, back) =
      a.column == b.column
      ? (edge, edge)
      : (start.x + (fromRight ? bend : -bend), end.x + (toRight ? bend : -bend))
    let curve = [out, start.y, back, end.y, end.x, end.y].map(String.init).joined(separator: " ")
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
    let ring = "<circle cx=\"\(point.x + side * 17)\" cy=\"\(point.y)\" r=\"4\"/>"
    let tip = point.x + side * 12
    let foot =
      "<path d=\"M\(tip) \(point.y)L\(point.x) \(point.y - 6)M\(tip) \(point.y)L\(point.x) \(point.y + 6)\"/>"
    return switch count {
    case .one: bar(8) + bar(13)
    case .optionalOne: bar(8) + ring
    case .many: foot + ring
    case .requiredMany: foot + bar(15)
    case .parent:
      "<path d=\"M\(point.x) \(point.y)L\(tip) \(point.y - 6)V\(point.y + 6)Z\" class=\"box\" fill=\"#fff\"/>"
    case .target:
      "<path d=\"M\(point.x + side * 9) \(point.y - 5)L\(point.x) \(point.y)L\(point.x + side * 9) \(point.y + 5)\"/>"
    case .child, .unknown: ""
    }
  }

  // MARK: Lanes

  func center(_ box: Int) -> Int { frames[box].x + frames[box].width / 2 }

  /// Higher arcs lead over lower ones.
  func height(of arc: Diagram.Arc) -> Int {
    min(400, 20 * max(1, abs(frames[arc.from].column - frames[arc.to].column)))
  }

  /// From each box down to the lanes.
  var guides: String {
    guard let base = bases.last else { return "" }
    return frames.indices.map { index in
      "<path d=\"M\(center(index)) \(frames[index].y + frames[index].height)V\(base)\" opacity=\".25\"/>\n"
    }.joined()
  }
}
