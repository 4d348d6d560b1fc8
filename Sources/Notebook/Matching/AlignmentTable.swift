/// The table of an ``OutputAlignment``: the best next move for each pair of a suffix of the expectation and a
/// suffix of the output.
///
/// Filling takes one step per cell, plus the work of matching patterns, which the matcher limits.
struct AlignmentTable {
  private enum Move: UInt8 {
    /// The line matches the element.
    case keep
    /// The element is removed and the line is added instead.
    case replace
    case remove, add
    /// The `...` ends before the line.
    case leave
    /// The `...` matches the line.
    case elide
  }

  private let rows: Range<Int>
  private let columns: Range<Int>
  private var moves: [UInt8]

  /// `nil` if matching patterns takes too many steps.
  init?(_ matcher: inout OutputMatcher, _ rows: Range<Int>, _ columns: Range<Int>) {
    self.rows = rows
    self.columns = columns
    let width = columns.count + 1
    moves = [UInt8](repeating: Move.remove.rawValue, count: (rows.count + 1) * width)

    // A cost is a number of elements not kept, then a number of lines merely added. `below` is the
    // row of the next element; the one past the last can only add.
    let lost = 1 << 32
    var below = (0..<width).map { columns.count - $0 }
    for column in 0..<columns.count { moves[rows.count * width + column] = Move.add.rawValue }

    for row in rows.indices.reversed() {
      let start = (row - rows.lowerBound) * width
      let isElision = matcher.elements[row].isElision
      var costs = [Int](repeating: 0, count: width)
      costs[width - 1] = below[width - 1] + (isElision ? 0 : lost)
      moves[start + width - 1] = (isElision ? Move.leave : Move.remove).rawValue
      for column in (0..<columns.count).reversed() {
        let (move, cost): (Move, Int)
        if isElision {
          let leaves = below[column] <= costs[column + 1]
          (move, cost) = leaves ? (.leave, below[column]) : (.elide, costs[column + 1])
        } else if matcher.fits(row, columns.lowerBound + column) {
          (move, cost) = (.keep, below[column + 1])
        } else {
          let (replace, remove, add) = (
            below[column + 1] + lost, below[column] + lost, costs[column + 1] + 1
          )
          cost = min(replace, remove, add)
          move = cost == replace ? .replace : cost == remove ? .remove : .add
        }
        costs[column] = cost
        moves[start + column] = move.rawValue
      }
      if matcher.isExhausted { return nil }
      below = costs
    }
  }

  /// The moves of the best path through the table.
  func steps() -> [OutputAlignment.Step] {
    var steps: [OutputAlignment.Step] = []
    var (row, column) = (rows.lowerBound, columns.lowerBound)
    var elided = column
    while row < rows.upperBound || column < columns.upperBound {
      let cell =
        (row - rows.lowerBound) * (columns.count + 1) + column - columns.lowerBound
      switch Move(rawValue: moves[cell]) ?? .remove {
      case .keep:
        steps.append(.kept(element: row, line: column))
        (row, column) = (row + 1, column + 1)
      case .replace:
        steps += [.removed(element: row), .added(line: column)]
        (row, column) = (row + 1, column + 1)
      case .remove:
        steps.append(.removed(element: row))
        row += 1
      case .add:
        steps.append(.added(line: column))
        column += 1
      case .leave:
        steps.append(.elided(element: row, lines: elided..<column))
        row += 1
      case .elide:
        column += 1
        continue
      }
      elided = column
    }
    return steps
  }
}
