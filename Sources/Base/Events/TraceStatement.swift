/// An SQL statement: what is known when it begins, and when it has ended.
package struct TraceStatement: Sendable, Hashable {
  /// The origin of the statement: the word that its lines begin with.
  package enum Tag: String, Sendable, Hashable, CaseIterable {
    /// Equivalent to a statement that Core Data runs for the same work.
    case coreData = "CoreData"
    /// Strata's own: a check, a count for a receipt, a query of the schema.
    case strata = "Strata"
  }

  /// The store of the migration in which it was run.
  package enum Side: String, Sendable, Hashable, CaseIterable {
    case source, destination
  }

  package var side: Side
  package var tag = Tag.coreData
  /// The text, with `?` for bound values.
  package var sql: String
  /// The entity whose table it queries, if known.
  package var entity: String?
  /// The bound values in order; empty unless requested.
  package var bindings: [TraceValue] = []
  /// The number of rows that it returned.
  package var rowCount = 0
  /// The first rows, if requested.
  package var rows: [[TraceValue]] = []
  /// The query plan, line by line, if requested.
  package var plan: [String] = []
  package var seconds = 0.0

  package init(side: Side, sql: String, tag: Tag = .coreData) {
    self.side = side
    self.sql = sql
    self.tag = tag
  }

  /// Whether it is a query.
  package var isFetch: Bool { sql.hasPrefix("SELECT") || sql.hasPrefix("WITH") }

  /// The count: the number in the only row of `SELECT count(*) …`; `nil` for any other statement.
  package var count: Int64?

  /// Whether it counts objects instead of fetching them.
  package var isCount: Bool { sql.hasPrefix("SELECT count(") }
}

/// A value of a statement or a row; a long one is shortened to fit a line.
package enum TraceValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Binary data, by its number of bytes.
  case bytes(Int)

  /// The maximum number of bytes kept of a text.
  package static let textLimit = 200

  /// A text, truncated if it is long.
  package init(truncating utf8: [UInt8]) {
    self = .text(
      utf8.count > Self.textLimit
        ? String(decoding: utf8.prefix(Self.textLimit), as: UTF8.self) + "…"
        : String(decoding: utf8, as: UTF8.self))
  }

  package init(_ value: AttributeValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self.init(truncating: Array(text.utf8.prefix(Self.textLimit + 1)))
    case .bytes(let bytes): self = .bytes(bytes.count)
    }
  }
}

/// How much is logged of statements: the levels of SQLDebug.
package enum TraceDetail: Int, Sendable, Hashable, CaseIterable, Comparable {
  case none, statements, bindings, rows, plans

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
