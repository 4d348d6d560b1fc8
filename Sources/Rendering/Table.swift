internal import StrataBase

/// Rows in aligned columns, two spaces apart.
package struct Table: Sendable, Hashable {
  package enum Alignment: Sendable, Hashable {
    case left, right
  }

  package struct Column: Sendable, Hashable {
    package var title: String
    package var alignment: Alignment
    /// Whether cells must not be truncated: they get a line of their own instead.
    package var isWhole: Bool

    package init(_ title: String, _ alignment: Alignment = .left, isWhole: Bool = false) {
      self.title = title
      self.alignment = alignment
      self.isWhole = isWhole
    }
  }

  /// The columns for a name and a value that must not be truncated, such as a hash.
  package static let nameAndValue = [Column(""), Column("", isWhole: true)]

  /// Titles are printed only if one of them is not empty.
  package var columns: [Column]
  package var rows: [[StyledText]]
  /// How to see columns that do not fit.
  package var hint: String?

  package init(columns: [Column], rows: [[StyledText]], hint: String? = nil) {
    precondition(rows.allSatisfy { $0.count == columns.count }, "a row for every column")
    self.columns = columns
    self.rows = rows
    self.hint = hint
  }

  /// A table without titles.
  package init(rows: [[StyledText]]) {
    self.init(columns: (0..<(rows.first?.count ?? 0)).map { _ in Column("") }, rows: rows)
  }

  /// This table without columns whose title and cells are empty.
  package var withoutEmptyColumns: Table {
    let kept = columns.indices.filter { column in
      !columns[column].title.isEmpty || rows.contains { !$0[column].isEmpty }
    }
    return Table(
      columns: kept.map { columns[$0] }, rows: rows.map { row in kept.map { row[$0] } })
  }

  /// The maximum cell width that pads a column: one very long name must not pad every row.
  private static let widestColumn = 200
  /// The minimum width of a shortened column.
  private static let narrowestColumn = 8
  private static let gap = 2

  /// The maximum number of lines of a cell; longer cells are truncated.
  private static let highestCell = 20

  /// The table as lines; the last column is not padded.
  ///
  /// - Parameter width: The available columns. If they do not suffice, cells that must not be truncated get
  ///     their own lines; of the others, the widest columns are narrowed first and their cells wrapped,
  ///     and then the last columns are omitted.
  func lines(width: Int?) -> ViewLines {
    // Nobody waits for an interrupted answer on the terminal any more; a saved one, without a width, is whole.
    guard width == nil || !Interruption.isRequested else { return ViewLines() }
    let natural = alignedRows(width: nil)
    guard let width, natural.rows.contains(where: { $0[0].width > width }) else {
      return ViewLines(natural.rows.flatMap(\.self))
    }
    guard columns.contains(where: \.isWhole) else {
      let fitted = alignedRows(width: width)
      var lines = ViewLines(fitted.rows.flatMap(\.self))
      (lines.isShortened, lines.hint) = (fitted.isShortened, hint)
      lines.omitted = columns[fitted.shown...].map(\.title).filter { !$0.isEmpty }
      return lines
    }
    let whole = columns.indices.filter { columns[$0].isWhole }
    let others = columns.indices.filter { !columns[$0].isWhole }
    let narrow = Table(
      columns: others.map { columns[$0] }, rows: rows.map { row in others.map { row[$0] } }
    ).alignedRows(width: width)
    let titles = natural.rows.count - rows.count
    var lines = ViewLines(narrow.rows.prefix(titles).flatMap(\.self))
    lines.isShortened = narrow.isShortened
    for (index, row) in rows.enumerated() {
      let unbroken = natural.rows[titles + index]
      guard unbroken[0].width > width else {
        lines.all += unbroken
        continue
      }
      lines.all += narrow.rows[titles + index]
      // Indented like the first column.
      let indent = row.first?.text.prefix { $0 == " " }.count ?? 0
      let margin = StyledText(String(repeating: " ", count: indent + 2))
      lines.all += whole.map { row[$0] }.filter { !$0.isEmpty }.map { margin + $0 }
    }
    return lines
  }

  /// The lines of each row and of the titles, one if no cell is wrapped, and the number of columns that fit.
  private func alignedRows(
    width: Int?
  ) -> (rows: [[StyledText]], isShortened: Bool, shown: Int) {
    var all = rows
    if columns.contains(where: { !$0.title.isEmpty }) {
      all.insert(columns.map { StyledText($0.title, .faint) }, at: 0)
    }
    let natural = columns.indices.map { column in all.map { $0[column].width }.max() ?? 0 }
    guard let width else {
      let widths = natural.map { min($0, Self.widestColumn) }
      return (all.map { [line(of: $0, widths: widths)] }, false, columns.count)
    }
    let widths = Self.fit(natural, into: width)
    var isShortened = widths.count < natural.count
    let lines = all.map { row -> [StyledText] in
      guard !Interruption.isRequested else { return [""] }
      let cells = zip(row, widths).map { cell, width in
        cell.wrapped(to: width, limit: Self.highestCell, breaksCommands: true)
      }
      let height = cells.map(\.count).max() ?? 0
      if height == Self.highestCell { isShortened = true }
      return (0..<height).map { lineIndex in
        line(of: cells.map { lineIndex < $0.count ? $0[lineIndex] : "" }, widths: widths)
      }
    }
    return (lines, isShortened, widths.count)
  }

  private func line(of row: [StyledText], widths: [Int]) -> StyledText {
    var line = StyledText("")
    for (index, cell) in row.enumerated() {
      if index > 0 { line += StyledText(String(repeating: " ", count: Self.gap)) }
      let padding = StyledText(String(repeating: " ", count: max(0, widths[index] - cell.width)))
      switch columns[index].alignment {
      case .right: line += padding + cell
      case .left where row[(index + 1)...].allSatisfy(\.isEmpty): line += cell
      case .left: line += cell + padding
      }
      if row[(index + 1)...].allSatisfy(\.isEmpty) { break }
    }
    return line
  }

  /// The column widths that fit; fewer columns if not all of them fit.
  private static func fit(_ natural: [Int], into width: Int) -> [Int] {
    var widths = natural
    // An empty column has no gap.
    func excess() -> Int {
      widths.reduce(0, +) + gap * max(0, widths.count { $0 > 0 } - 1) - width
    }
    while excess() > 0 {
      let widest = widths.max() ?? 0
      guard widest > narrowestColumn else {
        guard widths.count > 1 else { break }
        widths.removeLast()
        continue
      }
      // Down to the next widest column, so that the widest are narrowed first.
      let next = max(narrowestColumn, widths.filter { $0 < widest }.max() ?? 0)
      let sharing = widths.count { $0 == widest }
      let step = min(widest - next, (excess() + sharing - 1) / sharing)
      widths = widths.map { $0 == widest ? widest - step : $0 }
    }
    return widths
  }
}
