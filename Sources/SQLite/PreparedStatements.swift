internal import StrataBase

/// A prepared statement that is kept for reuse.
package final class PreparedStatement {
  package let statement: SQLiteStatement
  fileprivate var isInUse = true

  package init(_ statement: consuming SQLiteStatement) {
    self.statement = statement
  }
}

/// The cache of prepared statements of a connection, by text.
///
/// A nested query with the text of a statement in use gets its own statement.
final class PreparedStatements {
  private var known: [ExactText: PreparedStatement] = [:]

  private static let limit = 100

  /// The statement with this text, unless it is in use.
  func take(_ sql: String) -> PreparedStatement? {
    guard let found = known[ExactText(sql)], !found.isInUse else { return nil }
    found.isInUse = true
    return found
  }

  /// Keeps a new statement, which is in use, unless another one has its text.
  func keep(_ statement: PreparedStatement, _ sql: String) {
    guard known[ExactText(sql)] == nil else { return }
    if known.count >= Self.limit { known = known.filter(\.value.isInUse) }
    known[ExactText(sql)] = statement
  }

  /// Ends the use of a statement.
  func putBack(_ statement: PreparedStatement) {
    statement.statement.reset()
    statement.isInUse = false
  }

  func removeAll() { known.removeAll() }
}
