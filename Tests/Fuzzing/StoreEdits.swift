import CSQLite

/// Changes of the rows of a store, as an input says: what SQLite finds sound, and Core Data would not.
///
/// Each change is a byte for what is done, one for the table, one for the row, one for the column, and a value: a
/// byte for its kind and what belongs to it.
struct StoreEdits {
  private static let limit = 32
  /// Users' tables that no object lives in are Core Data's own affair.
  private static let skipped: Set<String> = ["Z_METADATA", "Z_MODELCACHE"]

  private enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case bytes([UInt8])
  }

  private var reader: InputReader

  init(_ reader: InputReader) { self.reader = reader }

  /// Changes the store at a path.
  mutating func apply(to path: String) {
    var database: OpaquePointer?
    guard sqlite3_open(path, &database) == SQLITE_OK else { fatalError("\(path) does not open") }
    defer { sqlite3_close(database) }
    _ = sqlite3_exec(
      database, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN", nil, nil, nil)
    let tables = Self.texts(
      database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", column: 0
    ).filter { !Self.skipped.contains($0) && !$0.hasPrefix("sqlite_") }
    for _ in 0..<Self.limit where !reader.isAtEnd {
      let verb = reader.byte()
      let table = tables[Int(reader.byte()) % tables.count]
      let row = Int64(reader.byte())
      let columns = Self.texts(database, "PRAGMA table_info(\"\(table)\")", column: 1)
      let place = Int(reader.byte())
      let column = columns[place % columns.count]
      let value = value()
      let sql =
        switch verb % 8 {
        case 0: "DELETE FROM \"\(table)\" WHERE rowid = ?2 AND ?1 IS ?1"
        case 1: "UPDATE \"\(table)\" SET \"\(column)\" = ?1 WHERE rowid >= ?2"
        case 2:
          "UPDATE OR IGNORE \"\(table)\" SET \"\(column)\" = (SELECT \"\(columns[Int(verb / 8) % columns.count])\" "
            + "FROM \"\(table)\" WHERE rowid = ?1) WHERE rowid = ?2"
        case 3:
          "INSERT OR IGNORE INTO \"\(table)\" (\"\(columns[0])\", \"\(column)\") VALUES (?2, ?1)"
        default: "UPDATE \"\(table)\" SET \"\(column)\" = ?1 WHERE rowid = ?2"
        }
      Self.run(database, sql, value, row)
    }
    _ = sqlite3_exec(database, "COMMIT", nil, nil, nil)
  }

  private mutating func value() -> Value {
    switch reader.byte() % 7 {
    case 0: return .null
    case 1: return .integer(Int64(Int8(bitPattern: reader.byte())))
    case 2: return .integer(reader.integer())
    case 3: return .real(Double(bitPattern: UInt64(bitPattern: reader.integer())))
    case 4: return .text(reader.bytes(Int(reader.byte())))
    case 5: return .bytes(reader.bytes(Int(reader.byte())))
    default: return .real(Double(Int8(bitPattern: reader.byte())) / 4)
    }
  }

  private static func texts(_ database: OpaquePointer?, _ sql: String, column: Int32) -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    defer { sqlite3_finalize(statement) }
    var found: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      if let text = sqlite3_column_text(statement, column) { found.append(String(cString: text)) }
    }
    return found
  }

  /// Where SQLite refuses the change, there is none.
  private static func run(_ database: OpaquePointer?, _ sql: String, _ value: Value, _ row: Int64) {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return }
    defer { sqlite3_finalize(statement) }
    // The bytes outlive the statement's one step.
    let isKept = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_bind_null(statement, 1)
    case .integer(let number): sqlite3_bind_int64(statement, 1, number)
    case .real(let number): sqlite3_bind_double(statement, 1, number)
    case .text(let bytes):
      _ = bytes.withUnsafeBytes {
        sqlite3_bind_text(statement, 1, $0.baseAddress, Int32(bytes.count), isKept)
      }
    case .bytes(let bytes):
      _ = bytes.withUnsafeBytes {
        sqlite3_bind_blob(statement, 1, $0.baseAddress, Int32(bytes.count), isKept)
      }
    }
    sqlite3_bind_int64(statement, 2, row)
    sqlite3_step(statement)
  }
}
