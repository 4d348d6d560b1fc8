/// One SQL statement: what is known of it when it begins, and what is known when it has ended.
package struct TraceStatement: Sendable, Codable, Hashable {
  /// Whose statement it is: the word that its lines begin with.
  package enum Tag: String, Sendable, Codable, Hashable, CaseIterable {
    /// It stands for one that Core Data runs for the same work.
    case coreData = "CoreData"
    /// Strata's own: a check, a count for a receipt, a look at the schema.
    case strata = "Strata"
  }

  /// Which store of a migration it was run in.
  package enum Side: String, Sendable, Codable, Hashable, CaseIterable {
    case source, destination
  }

  package var side: Side
  package var tag = Tag.coreData
  /// With `?` where values are bound.
  package var sql: String
  /// The entity whose table it asks, where that is known.
  package var entity: String?
  /// What stands for each `?`, from the first; none where nobody asked.
  package var bindings: [TraceValue] = []
  /// How many rows it gave.
  package var rowCount = 0
  /// The first of them, where somebody asked.
  package var rows: [[TraceValue]] = []
  /// How SQLite goes about it, line by line, where somebody asked.
  package var plan: [String] = []
  package var seconds = 0.0

  package init(side: Side, sql: String, tag: Tag = .coreData) {
    self.side = side
    self.sql = sql
    self.tag = tag
  }

  /// Whether it asks for rows.
  package var isFetch: Bool { sql.hasPrefix("SELECT") || sql.hasPrefix("WITH") }

  /// What it counted: the number in the only row of `SELECT count(*) …`; `nil` for any other statement.
  package var count: Int64?

  /// Whether it asks for a number of objects and not for the objects.
  package var isCount: Bool { sql.hasPrefix("SELECT count(") }
}

/// A value of a statement or a row; of a long one what a line can show.
package enum TraceValue: Sendable, Codable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// So many bytes.
  case bytes(Int)
}

/// How much is told of statements: the levels of SQLDebug.
package enum TraceDetail: Int, Sendable, Hashable, CaseIterable, Comparable {
  case none, statements, bindings, rows, plans

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
