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

  /// - Parameter form: `nil` for a table that fits the terminal.
  func view(as form: TableForm?) -> View {
    guard !rows.isEmpty || form?.isForProgram == true else {
      return .line(StyledText("no objects", .faint))
    }
    return Table(
      columns: columns, rows: rows,
      hint: "--wide scrolls to them, --vertical or --columns shows them"
    ).view(as: form, firstTitle: "key")
  }
}

extension Session {
  /// Whether the output is not a terminal, so that long strings are shown in full. A replay shows what the terminal showed
  /// on which the session was saved.
  var isPiped: Bool { renderer.width == nil && overlay == nil }
}
