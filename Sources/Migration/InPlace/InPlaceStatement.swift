package import StrataBase
internal import StrataSQLite
internal import StrataStore

/// One SQL statement of an in-place migration, with its purpose.
package struct InPlaceStatement: Sendable, Hashable {
  /// The phases of an in-place migration, in order.
  package enum Phase: Int, Sendable, Hashable, CaseIterable, Comparable {
    case dropTriggers, dropIndexes, setAside, alter, create, fill, relate, release, number, drop
    case index, trigger, system
    /// Views, indexes and triggers of the app's own are created again, at the end.
    case restore

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  package var phase: Phase
  package var sql: String
  /// The values of the parameters `?`: the binary metadata and model.
  package var values: [AttributeValue]
  /// The purpose of the statement: `copies the objects of Topic`.
  package var purpose: String
  /// The app's own item that the statement restores.
  var item: SchemaItem?

  init(
    _ phase: Phase, _ sql: String, values: [AttributeValue] = [],
    restoring item: SchemaItem? = nil, _ purpose: String
  ) {
    self.phase = phase
    self.sql = sql
    self.values = values
    self.item = item
    self.purpose = purpose
  }

  /// Whether it changes SQLite's schema cookie.
  package var changesSchema: Bool {
    ["CREATE ", "ALTER ", "DROP "].contains { sql.hasPrefix($0) }
  }
}
