/// Rows in aligned columns, two spaces apart.
public struct Table: Sendable, Hashable {
  public enum Alignment: Sendable, Hashable {
    case left, right
  }

  public struct Column: Sendable, Hashable {
    public var title: String
    public var alignment: Alignment

    public init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// Titles are printed only where one of them is not empty.
  public var columns: [Column]
  public var rows: [[StyledText]]

  public init(columns: [Column], rows: [[StyledText]]) {
    precondition(rows.allSatisfy { $0.count == columns.count }, "a row for every column")
    self.columns = columns
    self.rows = rows
  }

  /// A table without titles.
  public init(rows: [[StyledText]]) {
    self.init(columns: (0..<(rows.first?.count ?? 0)).map { _ in Column("") }, rows: rows)
  }

  /// Cells beyond this are not waited for: one endless name must not pad every row.
  private static let widestColumn = 200

  /// The table as lines; the last column is not padded.
  var lines: [StyledText] {
    var all = rows
    if columns.contains(where: { !$0.title.isEmpty }) {
      all.insert(columns.map { StyledText($0.title, .faint) }, at: 0)
    }
    let widths = columns.indices.map { column in
      min(all.map { $0[column].width }.max() ?? 0, Self.widestColumn)
    }
    return all.map { row in
      var line = StyledText("")
      for (index, cell) in row.enumerated() {
        if index > 0 { line += "  " }
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
  }
}
