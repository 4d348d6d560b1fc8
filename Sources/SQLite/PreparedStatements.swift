/// A prepared statement that is kept for reuse.
package final class PreparedStatement {
  package let statement: SQLiteStatement

  package init(_ statement: consuming SQLiteStatement) {
    self.statement = statement
  }
}

/// The cache of prepared statements of a connection, by text.
///
/// A statement in use is removed from the cache, so that a nested query with the same text gets its own statement.
final class PreparedStatements {
  private var waiting: [String: PreparedStatement] = [:]

  private static let limit = 100

  func take(_ sql: String) -> PreparedStatement? { waiting.removeValue(forKey: sql) }

  func put(back statement: PreparedStatement, _ sql: String) {
    statement.statement.reset()
    if waiting.count >= Self.limit { waiting.removeAll() }
    waiting[sql] = statement
  }

  func removeAll() { waiting.removeAll() }
}
