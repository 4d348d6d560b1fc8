/// One SQL statement: what is known of it when it begins, and what is known when it has ended.
public struct TraceStatement: Sendable, Codable, Hashable {
  /// Whose statement it is: the word that its lines begin with.
  public enum Tag: String, Sendable, Codable, Hashable, CaseIterable {
    /// It stands for one that Core Data runs for the same work.
    case coreData = "CoreData"
    /// Strata's own: a check, a count for a receipt, a look at the schema.
    case strata = "Strata"
  }

  /// Which store of a migration it was run in.
  public enum Side: String, Sendable, Codable, Hashable, CaseIterable {
    case source, destination
  }

  public var side: Side
  public var tag = Tag.coreData
  /// With `?` where values are bound.
  public var sql: String
  /// The entity whose table it asks, where that is known.
  public var entity: String?
  /// What stands for each `?`, from the first; none where nobody asked.
  public var bindings: [TraceValue] = []
  /// How many rows it gave.
  public var rowCount = 0
  /// The first of them, where somebody asked.
  public var rows: [[TraceValue]] = []
  /// How SQLite goes about it, line by line, where somebody asked.
  public var plan: [String] = []
  public var seconds = 0.0

  public init(side: Side, sql: String, tag: Tag = .coreData) {
    self.side = side
    self.sql = sql
    self.tag = tag
  }

  /// Whether it asks for rows.
  public var isFetch: Bool { sql.hasPrefix("SELECT") || sql.hasPrefix("WITH") }

  /// What it counted: the number in the only row of `SELECT count(*) …`; `nil` for any other statement.
  public var count: Int64?

  /// Whether it asks for a number of objects and not for the objects.
  public var isCount: Bool { sql.hasPrefix("SELECT count(") }
}

/// A value of a statement or a row; of a long one what a line can show.
public enum TraceValue: Sendable, Codable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// So many bytes.
  case bytes(Int)
}

/// How much is told of statements: the levels of SQLDebug.
public enum TraceDetail: Int, Sendable, Hashable, CaseIterable, Comparable {
  case none, statements, bindings, rows, plans

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
