import StrataBase
import StrataSQLite
import TestSupport
import Testing

@Suite("Batched schema changes")
struct SchemaChangesTests {
  /// A database in memory after some statements.
  private static func database(_ statements: [String]) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    for sql in statements { try connection.execute(sql) }
    return connection
  }

  /// Everything that a database holds.
  private static func contents(_ connection: SQLiteConnection) throws -> [[AttributeValue]] {
    var contents = try connection.rows("SELECT rowid, * FROM sqlite_master ORDER BY rowid")
    for name in try connection.tableNames() {
      contents += try connection.rows("SELECT * FROM \(name.quoted) ORDER BY 1")
    }
    return contents + (try connection.rows("PRAGMA integrity_check"))
  }

  /// Tables as apps and older versions write them, each with an index and rows.
  private static func tables(_ random: inout SeededRandom) -> [String] {
    var statements: [String] = []
    for number in 0..<Int.random(in: 2..<12, using: &random) {
      let name =
        ["ZT\(number)", "\"Z T\(number)\"", "ZÄ\(number)"].randomElement(using: &random) ?? ""
      let end = [
        ")", " )", ", UNIQUE (A))", ", CONSTRAINT c CHECK (A > -1 ) )", " -- no more\n)",
      ].randomElement(using: &random)
      let columns = ["A INTEGER", "\"B\" VARCHAR DEFAULT 'x, )'", "C BLOB /* ) */"]
        .prefix(Int.random(in: 1...3, using: &random))
      statements.append(
        "CREATE  TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, \(columns.joined(separator: ", "))\(end ?? "")"
      )
      statements.append("CREATE INDEX I\(number) ON \(name) (A)")
      for row in 0..<Int.random(in: 0..<4, using: &random) {
        statements.append("INSERT INTO \(name) (A) VALUES (\(row))")
      }
    }
    return statements
  }

  private static func names(_ statements: [String]) -> [String] {
    statements.filter { $0.hasPrefix("CREATE  TABLE ") }.compactMap { sql in
      sql.dropFirst("CREATE  TABLE ".count).split(separator: " (").first.map(String.init)
    }
  }

  @Test("batched ALTERs give the same schema bytes and rows as single ones")
  func columns() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let tables = Self.tables(&random)
      var changes: [String] = []
      for name in Self.names(tables) {
        for column in 0..<Int.random(in: 0..<3, using: &random) {
          changes.append("ALTER TABLE \(name) ADD COLUMN \"N\(column)\" VARCHAR")
          if Bool.random(using: &random) {
            changes.append("ALTER TABLE \(name) ADD COLUMN ZPLAIN\(column) INTEGER")
          }
        }
      }
      let (plain, atOnce) = (try Self.database(tables), try Self.database(tables))
      for sql in changes { try plain.execute(sql) }
      try atOnce.changeSchema(changes, limit: 0)
      #expect(try Self.contents(atOnce) == Self.contents(plain), "seed \(seed)")
      // The columns are there, and not only in the text.
      for name in Self.names(tables) {
        for connection in [plain, atOnce] {
          try connection.execute("UPDATE \(name) SET A = A + 10")
        }
        #expect(
          try atOnce.rows("SELECT * FROM \(name) ORDER BY 1")
            == plain.rows("SELECT * FROM \(name) ORDER BY 1"), "seed \(seed)")
      }
    }
  }

  @Test("batched CREATEs give the same schema as single ones")
  func creation() throws {
    let first = ["CREATE TABLE X (a INTEGER PRIMARY KEY, b)", "INSERT INTO X VALUES (1, 2)"]
    var statements: [String] = []
    for number in 0..<450 {
      statements.append("CREATE TABLE T\(number) (Z_PK INTEGER PRIMARY KEY, A UNIQUE, B)")
      statements.append("CREATE UNIQUE INDEX J\(number) ON T\(number) (B)")
      statements.append(
        "CREATE TRIGGER R\(number) AFTER INSERT ON T\(number) BEGIN UPDATE X SET b = b + 1; END")
    }
    let (plain, atOnce) = (try Self.database(first), try Self.database(first))
    for sql in statements { try plain.execute(sql) }
    try atOnce.changeSchema(statements)
    for connection in [plain, atOnce] { try connection.execute("INSERT INTO T77 (A) VALUES (5)") }
    #expect(try atOnce.rows("SELECT b FROM X") == [[.integer(3)]])
    #expect(try Self.contents(atOnce) == Self.contents(plain))
  }

  @Test("a failed change has no effect, and the schema stays read-only for other statements")
  func refusal() throws {
    var random = SeededRandom(seed: 1)
    let tables = Self.tables(&random)
    let (plain, atOnce) = (try Self.database(tables), try Self.database(tables))
    let adding = Self.names(tables).map { "ALTER TABLE \($0) ADD COLUMN A2 INTEGER" }
    #expect(throws: StoreError.self) {
      try atOnce.changeSchema(adding + ["ALTER TABLE ZNONE ADD COLUMN B INTEGER"], limit: 0)
    }
    #expect(throws: StoreError.self) {
      try atOnce.changeSchema(
        (0..<300).map { "CREATE TABLE Y\($0) (a)" } + ["CREATE TABLE Y7 (b)"], limit: 0)
    }
    #expect(try Self.contents(atOnce) == Self.contents(plain))
    #expect(throws: StoreError.self) {
      try atOnce.execute("PRAGMA writable_schema = ON")
      try atOnce.execute("UPDATE sqlite_master SET sql = '' WHERE rowid = 1")
    }
  }
}
