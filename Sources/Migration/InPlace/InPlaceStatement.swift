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

extension AttributeValue {
  /// This value as an SQL literal.
  var sqlLiteral: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number):
      number.isFinite ? "\(number)" : number.isNaN ? "NULL" : number < 0 ? "-9e999" : "9e999"
    case .text(let text):
      // A literal ends at a NUL.
      text.utf8.contains(0)
        ? "CAST(\(AttributeValue.bytes(Array(text.utf8)).sqlLiteral) AS TEXT)"
        : "'" + text.replacing("'", with: "''") + "'"
    case .bytes(let bytes):
      "x'" + bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
        + "'"
    }
  }
}
