/// Something outside the model that a migration cannot keep, and why.
package struct LostExtra: Sendable, Hashable {
  /// `the trigger audit on ZTOPIC`
  package var title: String
  package var reason: String

  package init(_ title: String, because reason: String) {
    self.title = title
    self.reason = reason
  }

  /// - Parameter message: What SQLite says where the item is created or used.
  package init(_ item: StoreExtras.Item, refusedWith message: String) {
    self.init(item.title, because: Self.reason(message))
  }

  package var words: String { "\(title) is lost: \(reason)" }

  private static func reason(_ message: String) -> String {
    func says(_ parts: String...) -> Bool { parts.contains { message.contains($0) } }
    if says("no such column", "has no column named") {
      return "it names a column that the new model lacks"
    }
    if says("no such table") { return "it names a table that the new store lacks" }
    if says("already exists", "there is already") {
      return "the new model needs its name"
    }
    if says("values were supplied", "columns but", "values for") {
      return "it relies on how many columns a table has"
    }
    if says("constraint failed") { return "the new store has rows that break its rules" }
    return "SQLite reports: \(message)"
  }
}
