internal import StrataRendering
internal import StrataStore

/// The first objects that match a query, as rows of a table or as JSON. Only the shown text is kept in
/// memory, not the objects.
struct ObjectListing {
  private let columns: [Table.Column]
  private(set) var rows: [[StyledText]] = []
  private(set) var lines: [JSONValue] = []
  private(set) var hasMore = false
  private(set) var keys: [Int64] = []

  /// - Parameters:
  ///   - limit: The maximum number of objects; 0 for all.
  ///   - isFull: Whether long strings are shown in full, as in a pipe, or truncated, as on a terminal.
  init(
    of query: StoreQuery, in objects: StoreObjects, columns: [String] = [], limit: Int,
    asJSON: Bool, isFull: Bool
  ) throws {
    var query = query
    // One object more than the limit shows whether there are more.
    query.limit = limit == 0 ? nil : limit + 1
    let view = try ObjectView(
      entity: query.entity, objects: objects, columns: columns, now: query.now)
    self.columns = view.columns
    var (rows, lines, hasMore, keys): ([[StyledText]], [JSONValue], Bool, [Int64]) =
      ([], [], false, [])
    try objects.forEach(query) { object in
      hasMore = limit > 0 && rows.count + lines.count == limit
      guard !hasMore else { return false }
      keys.append(object.key)
      if asJSON {
        lines.append(try view.json(object))
      } else {
        rows.append(try view.row(object, isFull: isFull))
      }
      return true
    }
    (self.rows, self.lines, self.hasMore, self.keys) = (rows, lines, hasMore, keys)
  }

  var table: View { view(as: nil) }

  /// How objects are shown.
  enum Form: CaseIterable {
    case vertical, wide, csv, markdown
  }

  /// - Parameter form: `nil` for a table that fits the terminal.
  func view(as form: Form?) -> View {
    guard !rows.isEmpty || form == .csv || form == .markdown else {
      return .line(StyledText("no objects", .faint))
    }
    let titles = ["key"] + columns.dropFirst().map(\.title)
    func cells(_ row: [StyledText], _ text: (String) -> String) -> [String] {
      row.map { $0.text == "nil" && $0.spans.first?.role == .faint ? "" : text($0.text) }
    }
    switch form {
    case nil:
      return .table(
        Table(
          columns: columns, rows: rows,
          hint: "--wide scrolls to them, --vertical or --columns shows them"))
    case .wide: return .wide(Table(columns: columns, rows: rows))
    case .vertical:
      return .sections(
        rows.map { row in
          let values = zip(columns, row).dropFirst().map { column, cell in
            [StyledText("  \(column.title)", .faint), cell]
          }
          return .stack([.line(row[0]), .table(Table(rows: Array(values)))])
        })
    case .csv:
      return .document(
        ([titles.map(Self.quoted)] + rows.map { cells($0, Self.quoted) })
          .map { $0.joined(separator: ",") })
    case .markdown:
      func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
      let rules = columns.map { $0.alignment == .right ? "---:" : "---" }
      return .document(
        [line(titles.map(Self.escaped)), line(rules)] + rows.map { line(cells($0, Self.escaped)) })
    }
  }

  /// A field of comma-separated values.
  ///
  /// Source: RFC 4180, section 2.
  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: Array("\",\n\r".utf8).contains) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  /// A cell of a table in Markdown.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("<", with: "&lt;")
      .split(whereSeparator: \.isNewline).joined(separator: "<br>")
  }
}

extension Session {
  /// Whether the output is not a terminal, so that long strings are shown in full.
  var isPiped: Bool { renderer.width == nil }
}
