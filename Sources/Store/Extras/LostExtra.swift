package import StrataSQLite

/// Something outside the model that a migration cannot keep, and why.
package struct LostExtra: Sendable, Hashable {
  /// `the trigger audit on ZTOPIC`
  package var title: String
  package var reason: String

  package init(_ title: String, because reason: String) {
    self.title = title
    self.reason = reason
  }

  /// - Parameter message: The message of SQLite when the item is created or used.
  package init(_ item: SchemaItem, refusedWith message: String) {
    self.init(item.title, because: Self.reason(message))
  }

  package var message: String { "\(title) is lost: \(reason)" }

  private static func reason(_ message: String) -> String {
    func contains(_ parts: String...) -> Bool { parts.contains { message.contains($0) } }
    if contains("no such column", "has no column named") {
      return "it refers to a column that the new model does not have"
    }
    if contains("no such table") { return "it refers to a table that the new store does not have" }
    if contains("already exists", "there is already") {
      return "the new model uses its name"
    }
    if contains("values were supplied", "columns but", "values for") {
      return "it depends on the number of columns of a table"
    }
    if contains("constraint failed") { return "rows of the new store violate its constraints" }
    return "SQLite error: \(message)"
  }
}
