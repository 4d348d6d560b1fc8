package import StrataStore

/// How a store's schema compares with the one that its model asks for.
///
/// A store that was never migrated has exactly what ``StoreSchema`` says. One that was migrated in place
/// keeps old indexes, and has columns at the end that came later: both do no harm.
package struct SchemaComparison: Sendable {
  package typealias Statement = StoreSchema.Statement

  /// Statements that are there letter by letter.
  package let same: [Statement]
  /// Tables whose columns are there, in another order.
  package let reordered: [Statement]
  /// Statements of the same name with another text, as they should be.
  package let different: [(expected: Statement, found: Statement)]
  package let missing: [Statement]
  /// What is in the store besides.
  package let others: [Statement]
  /// Whether what is there letter by letter was made in the expected order.
  package let isInOrder: Bool

  package init(_ schema: StoreSchema, found: [Statement]) {
    let expected = schema.statements
    var byName = Dictionary(
      found.map { (Self.key($0), $0) }, uniquingKeysWith: { first, _ in first })
    var same: [Statement] = []
    var reordered: [Statement] = []
    var different: [(expected: Statement, found: Statement)] = []
    var missing: [Statement] = []
    for statement in expected {
      guard let other = byName.removeValue(forKey: Self.key(statement)) else {
        missing.append(statement)
        continue
      }
      if other.sql == statement.sql {
        same.append(statement)
      } else if statement.kind == .table, Self.columns(other.sql) == Self.columns(statement.sql) {
        reordered.append(statement)
      } else {
        different.append((statement, other))
      }
    }
    self.same = same
    self.reordered = reordered
    self.different = different
    self.missing = missing
    others = found.filter { byName[Self.key($0)] != nil }
    let places = Dictionary(
      found.enumerated().map { (Self.key($0.element), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    let order = same.compactMap { places[Self.key($0)] }
    isInOrder = zip(order, order.dropFirst()).allSatisfy { $0 < $1 }
  }

  private static func key(_ statement: Statement) -> String {
    "\(statement.kind) \(statement.name)"
  }

  /// What stands in the parentheses of a table, as a set.
  private static func columns(_ sql: String) -> Set<String> {
    guard let open = sql.firstIndex(of: "("), let close = sql.lastIndex(of: ")"), open < close
    else { return [] }
    var depth = 0
    var parts = [""]
    for character in sql[sql.index(after: open)..<close] {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return Set(
      parts.map { part in
        part.split(separator: " ").joined(separator: " ")
      })
  }
}
