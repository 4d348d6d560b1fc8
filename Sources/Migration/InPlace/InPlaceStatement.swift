public import StrataValues

/// One SQL statement of a migration in place, and what it is for.
public struct InPlaceStatement: Sendable, Hashable {
  /// What a statement does, in the order in which a migration does it.
  public enum Phase: Int, Sendable, Hashable, CaseIterable, Comparable {
    case dropTriggers, dropIndexes, setAside, alter, create, fill, relate, release, number, drop
    case index, trigger, system

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  public var phase: Phase
  public var sql: String
  /// What `?` stands for: the metadata and the model, which are no text.
  public var values: [AttributeValue]
  /// What it is for, in words.
  public var purpose: String

  init(_ phase: Phase, _ sql: String, values: [AttributeValue] = [], _ purpose: String) {
    self.phase = phase
    self.sql = sql
    self.values = values
    self.purpose = purpose
  }

  /// Whether it moves SQLite's schema cookie.
  public var changesSchema: Bool {
    ["CREATE ", "ALTER ", "DROP "].contains { sql.hasPrefix($0) }
  }
}
