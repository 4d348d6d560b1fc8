internal import StrataRendering
internal import StrataStore

/// The first objects that fit a query, as rows of a table or as JSON: what is shown is kept, and not the objects
/// with all their data.
struct ObjectListing {
  private let columns: [Table.Column]
  private(set) var rows: [[StyledText]] = []
  private(set) var lines: [JSONValue] = []
  private(set) var hasMore = false

  /// - Parameters:
  ///   - limit: How many objects at most; 0 for all.
  ///   - isFull: Whether long texts are shown to their end: a screen has no room for a whole book, a pipe has.
  init(
    of query: StoreQuery, in objects: StoreObjects, limit: Int, asJSON: Bool, isFull: Bool
  ) throws {
    var query = query
    // One more than is shown tells whether there are more.
    query.limit = limit == 0 ? nil : limit + 1
    let view = ObjectView(entity: query.entity, objects: objects)
    columns = view.columns
    var (rows, lines, hasMore): ([[StyledText]], [JSONValue], Bool) = ([], [], false)
    try objects.forEach(query) { object in
      hasMore = limit > 0 && rows.count + lines.count == limit
      guard !hasMore else { return false }
      if asJSON {
        lines.append(try view.json(object))
      } else {
        rows.append(try view.row(object, isFull: isFull))
      }
      return true
    }
    (self.rows, self.lines, self.hasMore) = (rows, lines, hasMore)
  }

  var table: View {
    rows.isEmpty
      ? .line(StyledText("no objects", .faint)) : .table(Table(columns: columns, rows: rows))
  }
}

extension Session {
  /// Whether the answer goes to no screen, which would have no room for a whole book.
  var isPiped: Bool { renderer.width == nil }
}
