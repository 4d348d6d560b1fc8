import StrataBase
import StrataSQLite
import TestSupport
import Testing

/// What is told of statements: whose they are, and in which order.
@Suite("Statement log")
struct StatementLogTests {
  @Test(
    "the kind of a statement is derived from its text",
    arguments: [
      ("SELECT Z_PK FROM ZTOPIC WHERE Z_ENT = ?", .storeWork),
      ("SELECT count(*) FROM \"ZTOPIC\"", .storeWork),
      ("WITH a AS (SELECT 1) SELECT * FROM a", .storeWork),
      ("INSERT INTO ZTOPIC(Z_PK) VALUES(?)", .storeWork),
      ("INSERT OR REPLACE INTO Z_1TAGS(Z_1A) VALUES(?)", .storeWork),
      ("INSERT INTO ZTOPIC(Z_PK) SELECT k FROM temp.strata_keys", .storeWork),
      ("UPDATE Z_METADATA SET Z_PLIST = ?", .storeWork),
      ("INSERT INTO Z_METADATA (Z_VERSION) VALUES (1)", .storeWork),
      ("DELETE FROM ZTOPIC", .storeWork),
      ("CREATE TABLE ZTEMPERATURE ( Z_PK INTEGER )", .storeWork),
      ("CREATE UNIQUE INDEX Z_I ON ZTOPIC (ZA)", .storeWork),
      ("ALTER TABLE ZTOPIC ADD COLUMN ZA", .storeWork),
      ("DROP TABLE ZTOPIC", .storeWork),
      ("BEGIN EXCLUSIVE", .storeWork), ("COMMIT", .storeWork), ("ROLLBACK", .storeWork),
      ("ROLLBACK TO a", .housekeeping), ("SAVEPOINT a", .housekeeping),
      ("RELEASE a", .housekeeping), ("PRAGMA table_info(ZTOPIC)", .housekeeping),
      ("pragma page_count", .housekeeping), ("ATTACH ? AS source", .housekeeping),
      ("DETACH source", .housekeeping), ("EXPLAIN SELECT 1", .housekeeping),
      ("VACUUM", .housekeeping), ("ANALYZE", .housekeeping), ("", .housekeeping),
      ("SELECT name FROM sqlite_master", .housekeeping),
      ("SELECT Z_UUID FROM Z_METADATA", .housekeeping),
      ("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1", .housekeeping),
      ("SELECT k FROM temp.strata_keys", .housekeeping),
      ("CREATE TEMP TABLE a AS SELECT 1", .housekeeping),
      ("CREATE TABLE temp.strata_keys (k INTEGER)", .housekeeping),
      ("INSERT INTO temp.strata_keys VALUES (?)", .housekeeping),
      ("DROP TABLE IF EXISTS temp.strata_keys", .housekeeping),
    ] as [(String, StatementKind)])
  func kinds(sql: String, kind: StatementKind) {
    #expect(StatementKind(sql) == kind)
    #expect(StatementKind(sql.replacing(" ", with: "\n  ")) == kind)
  }

  private static func connection(_ log: StatementLog) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.execute("CREATE TABLE ZA (Z_PK INTEGER)")
    try connection.execute("INSERT INTO ZA VALUES (1), (2), (3)")
    connection.setLog(log, as: .source, by: .coreData)
    return connection
  }

  private static func descriptions(_ events: [TraceEvent.Kind]) -> [String] {
    events.compactMap { event in
      switch event {
      case .sqlBegan(let statement): "\(statement.tag.rawValue) begins \(statement.sql)"
      case .sqlEnded(let statement): "\(statement.rowCount) rows of \(statement.sql)"
      default: nil
      }
    }
  }

  @Test("statements are logged as they begin, even if another is still being read")
  func order() throws {
    let log = StatementLog(detail: .rows)
    let connection = try Self.connection(log)
    let outer = try connection.prepare("SELECT Z_PK FROM ZA")
    #expect(try outer.step())
    try connection.execute("DELETE FROM ZA WHERE Z_PK = 3")
    #expect(
      Self.descriptions(log.takeReceived()) == [
        "CoreData begins SELECT Z_PK FROM ZA", "CoreData begins DELETE FROM ZA WHERE Z_PK = 3",
        "0 rows of DELETE FROM ZA WHERE Z_PK = 3",
      ])
    while try outer.step() {}
    let rest = log.takeReceived()
    #expect(Self.descriptions(rest) == ["2 rows of SELECT Z_PK FROM ZA"])
    #expect(rest.first?.statement?.rows == [[.integer(1)], [.integer(2)]])
  }

  @Test("each parameter has its value, however it is numbered")
  func parameters() throws {
    let log = StatementLog(detail: .bindings)
    let connection = try Self.connection(log)
    let values: [AttributeValue] = [.integer(7), .text("?2 it's"), .null]
    let traced: [TraceValue] = [.integer(7), .text("?2 it's"), .null]
    for sql in [
      "SELECT ?, ?, ?", "SELECT ?1, ?2, ?3", "SELECT ?3, ?1, ?2, ?1", "SELECT '?', ?, ?2, ?",
    ] {
      _ = try connection.rows(sql, values)
      let begun = try #require(log.takeReceived().first?.statement)
      #expect(begun.bindings == traced, "\(sql)")
    }
  }

  @Test("statements of a check are always logged as Strata's own")
  func scopes() throws {
    let log = StatementLog(detail: .statements, reportsOwn: true)
    let connection = try Self.connection(log)
    func tags(_ body: () throws -> Void) throws -> [TraceStatement.Tag] {
      try body()
      return log.takeReceived().compactMap { event in
        if case .sqlBegan(let statement) = event { statement.tag } else { nil }
      }
    }
    func query() throws { _ = try connection.rows("SELECT 1") }
    #expect(try tags(query) == [.coreData])
    #expect(try tags { try log.own(query) } == [.strata])
    #expect(try tags { try log.own { try connection.coreData(query) } } == [.strata])
    #expect(try tags { try connection.coreData { try log.own(query) } } == [.strata])
    #expect(try tags { try log.muted(query) } == [])
    connection.setLog(log, as: .source, by: .strata)
    #expect(try tags(query) == [.strata])
    #expect(try tags { try connection.coreData(query) } == [.coreData])
    #expect(
      try tags { try connection.coreData { _ = try connection.rows("PRAGMA user_version") } }
        == [.strata])
    log.reportsOwn = false
    #expect(try tags { try log.own(query) } == [])
    #expect(try tags(query) == [])
  }
}
