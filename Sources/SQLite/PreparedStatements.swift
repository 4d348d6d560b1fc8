/// A statement that outlives its use.
package final class PreparedStatement {
  package let statement: SQLiteStatement

  package init(_ statement: consuming SQLiteStatement) {
    self.statement = statement
  }
}

/// The statements of a connection that wait for their next use, by text.
///
/// A statement in use is taken out, so that a query inside the loop over another one with the same text
/// gets a statement of its own.
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
