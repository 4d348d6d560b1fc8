package import StrataBase
internal import StrataStore

/// One SQL statement of a migration in place, and what it is for.
package struct InPlaceStatement: Sendable, Hashable {
  /// What a statement does, in the order in which a migration does it.
  package enum Phase: Int, Sendable, Hashable, CaseIterable, Comparable {
    case dropTriggers, dropIndexes, setAside, alter, create, fill, relate, release, number, drop
    case index, trigger, system
    /// Views, indexes and triggers of the app's own come again, when all else is done.
    case restore

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  package var phase: Phase
  package var sql: String
  /// What `?` stands for: the metadata and the model, which are no text.
  package var values: [AttributeValue]
  /// What it is for, in words.
  package var purpose: String
  /// What it restores of the app's own.
  var item: StoreExtras.Item?

  init(
    _ phase: Phase, _ sql: String, values: [AttributeValue] = [],
    restoring item: StoreExtras.Item? = nil, _ purpose: String
  ) {
    self.phase = phase
    self.sql = sql
    self.values = values
    self.item = item
    self.purpose = purpose
  }

  /// Whether it moves SQLite's schema cookie.
  package var changesSchema: Bool {
    ["CREATE ", "ALTER ", "DROP "].contains { sql.hasPrefix($0) }
  }
}
