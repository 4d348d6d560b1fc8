import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Stores that a migration in place left half-way, and stores that only look so.
@Suite("Half-migrated stores")
struct HalfMigrationTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
  }

  /// Makes `t.sqlite` of a version of the sample, with two objects of each entity.
  private func make(_ version: String, as name: String = "t.sqlite") {
    #expect(session("create \(name) --model sample:Topics/\(version) --rows 2").status == .done)
  }

  private func run(_ sql: String...) throws {
    try StoreFixture.run(sql, on: folder.path("t.sqlite"))
  }

  /// Gives `t.sqlite` the metadata, or the cached model, of a store of another version.
  private func take(_ table: String, of version: String) throws {
    make(version, as: "other.sqlite")
    _ = try Python.run(
      """
      import sqlite3, sys
      path, other, table = sys.argv[1:]
      db = sqlite3.connect(path)
      db.execute("attach ? as o", (other,))
      db.execute(f"delete from {table}")
      db.execute(f"insert into {table} select * from o.{table}")
      db.commit()
      """, arguments: [folder.path("t.sqlite"), folder.path("other.sqlite"), table])
    try FileManager.default.removeItem(atPath: folder.path("other.sqlite"))
  }

  private func editMetadata(_ python: String) throws {
    try StoreFixture.editMetadata(python, of: folder.path("t.sqlite"))
  }

  private func expectInterrupted(
    _ evidence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (command, status) in [("doctor", 1), ("show", 0)] {
      let answer = session("\(command) t.sqlite")
      #expect(Int(answer.status.rawValue) == status, "\(answer)", sourceLocation: sourceLocation)
      #expect(
        answer.output.contains("a migration in place was interrupted: \(evidence)"),
        "\(answer)", sourceLocation: sourceLocation)
    }
  }

  /// - Parameter notes: The ids of what is found.
  private func expectHealthy(
    _ notes: [String] = [], saying message: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for command in ["doctor", "show"] {
      let answer = session("\(command) t.sqlite --json")
      #expect(answer.status == .done, "\(answer)", sourceLocation: sourceLocation)
      let ids = answer.output.components(separatedBy: "\"id\" : \"").dropFirst().map {
        String($0.prefix { $0 != "\"" })
      }
      #expect(ids.sorted() == notes.sorted(), "\(answer)", sourceLocation: sourceLocation)
      let text = session("\(command) t.sqlite").output
      #expect(message.isEmpty || text.contains(message), "\(text)", sourceLocation: sourceLocation)
      #expect(!text.contains("interrupted"), "\(text)", sourceLocation: sourceLocation)
    }
  }

  // MARK: Half-migrated

  @Test("a column of the model is missing")
  func missingColumn() throws {
    make("Model2")
    try run("ALTER TABLE ZTOPIC DROP COLUMN ZTIMEBUDGET")
    expectInterrupted(
      "the metadata is that of the cached model, but the store has no column ZTIMEBUDGET in ZTOPIC")
    session("load sample:Topics")
    expectInterrupted("the metadata is that of Model2, but the store has no column ZTIMEBUDGET")
  }

  @Test("a table of the model is missing")
  func missingTable() throws {
    make("Model2")
    try run("DROP TABLE ZTOPICLIST")
    expectInterrupted(
      "the metadata is that of the cached model, but the store has no table ZTOPICLIST")
  }

  @Test("a join table of the model is missing")
  func missingJoinTable() throws {
    try BeingStore.make(at: folder.path("t.sqlite"))
    try run("DROP TABLE Z_1GROUPS")
    expectInterrupted(
      "the metadata is that of the cached model, but the store has no join table of Being.groups")
  }

  @Test("rows are under the temporary names of a migration", arguments: ["_T_", "_Strata_"])
  func temporaryTables(_ prefix: String) throws {
    make("Model1")
    try run("CREATE TABLE \(prefix)ZTOPIC AS SELECT * FROM ZTOPIC")
    expectInterrupted("rows under a migration's temporary names: \(prefix)ZTOPIC (2 rows)")
  }

  @Test("the metadata has a version that does not fit the tables")
  func metadataAhead() throws {
    make("Model1")
    try take("Z_METADATA", of: "Model2")
    session("load sample:Topics")
    expectInterrupted(
      "the tables match the cached model but not the metadata (Model2), which is of another version: the store has no column ZTIMEBUDGET in ZTOPIC"
    )
  }

  @Test("the cached model does not fit the tables")
  func cacheAhead() throws {
    make("Model1")
    try take("Z_MODELCACHE", of: "Model2")
    expectInterrupted(
      "the cached model and the metadata are of different versions, and the store has no column ZTIMEBUDGET in ZTOPIC"
    )
    session("load sample:Topics")
    expectInterrupted("the tables match Model1 but not the cached model")
  }

  @Test("the metadata has an entity that the store does not have")
  func newEntity() throws {
    make("Model3")
    try take("Z_METADATA", of: "Model5")
    expectInterrupted(
      "the tables match the cached model but not the metadata, which is of another version: the store has no entity Member"
    )
  }

  @Test("the model is one that was named")
  func namedModel() throws {
    make("Model1")
    try take("Z_METADATA", of: "Model2")
    let answer = session("doctor t.sqlite --model sample:Topics/Model2")
    #expect(answer.status == .no && answer.output.contains("interrupted"), "\(answer)")
  }

  // MARK: Healthy

  @Test("an unchanged store")
  func whole() {
    make("Model1")
    expectHealthy(saying: "no problems found")
  }

  @Test("a temporary table is empty, or Core Data still needs it")
  func harmlessTemporaryTables() throws {
    make("Model1")
    try run("CREATE TABLE _T_ZTOPIC (Z_PK INTEGER PRIMARY KEY)")
    expectHealthy(["unknownTables"], saying: "_T_ZTOPIC (0 rows)")
    try run("INSERT INTO _T_ZTOPIC VALUES (1)")
    try editMetadata("d['NSPersistentStoreDeferredLightweightMigrationOptionKey'] = True")
    let answer = session("doctor t.sqlite")
    #expect(answer.status == .done && !answer.output.contains("interrupted"), "\(answer)")
  }

  @Test("tables of Core Data, of SQLite's modules and of users")
  func otherTables() throws {
    make("Model1")
    try run(
      "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER)",
      "INSERT INTO ACHANGE VALUES (1, 1)", "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)",
      "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY)",
      "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)",
      "CREATE VIRTUAL TABLE Z_RT_Topic_place USING rtree (Z_PK, a, b)",
      "CREATE VIRTUAL TABLE words USING fts5 (text)", "CREATE TABLE Z_9OLD (Z_1A INTEGER)",
      "INSERT INTO Z_9OLD VALUES (1)", "CREATE TABLE notes (text)",
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1)")
    expectHealthy(
      ["unknownTables"],
      saying:
        "tables that are not in the model: Z_9OLD (1 row), notes (0 rows), words (virtual)"
    )
    #expect(session("validate t.sqlite").status == .done)
  }

  @Test("fewer and more indexes")
  func indexes() throws {
    make("Model1")
    try run("DROP INDEX ZTOPIC_ZTOPICLIST_INDEX", "CREATE INDEX Z_Topic_old ON ZTOPIC (Z_OPT)")
    expectHealthy(saying: "no problems found")
  }

  @Test("columns that the model does not have")
  func moreColumns() throws {
    make("Model1")
    try run("ALTER TABLE ZTOPIC ADD COLUMN ZOLD VARCHAR")
    expectHealthy()
  }

  @Test("metadata with only some entities, as for a configuration")
  func configuration() throws {
    make("Model1")
    try editMetadata("del d['NSStoreModelVersionHashes']['TopicList']")
    expectHealthy()
    #expect(session("hash t.sqlite").diagnostics.isEmpty)
    let refused = session("migrate t.sqlite --to sample:Topics/Model2")
    #expect(
      refused.status == .failed
        && refused.diagnostics.contains("TopicList is only in the cached model"), "\(refused)")
  }

  @Test("no model is known, or the cached one cannot be read")
  func noModel() throws {
    make("Model1")
    try run("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0011'")
    let unreadable = session("doctor t.sqlite")
    #expect(unreadable.status == .done && unreadable.output.contains("cannot be read"))
    try run("DROP TABLE Z_MODELCACHE")
    expectHealthy(["noModel"], saying: "its contents are not compared with one")
    session("load sample:Topics")
    expectHealthy(saying: "no problems found")
  }

  @Test("models of two versions that fit the same tables")
  func sameTables() throws {
    make("Model1")
    // Only the hash of the relationship differs: no table does.
    try folder.write(
      """
      <model><entity name="Topic"><attribute name="a" attributeType="String" optional="YES"/></entity></model>
      """, to: "A.xcdatamodel/contents")
    try folder.write(
      """
      <model><entity name="Topic" versionHashModifier="2"><attribute name="a" attributeType="String" optional="YES"/></entity></model>
      """, to: "B.xcdatamodel/contents")
    session("create t.sqlite --model A.xcdatamodel --rows 2 --force")
    session("create other.sqlite --model B.xcdatamodel --rows 2")
    _ = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.execute("attach ? as o", (sys.argv[2],))
      db.execute("update Z_METADATA set Z_PLIST = (select Z_PLIST from o.Z_METADATA)")
      db.commit()
      """, arguments: [folder.path("t.sqlite"), folder.path("other.sqlite")])
    try FileManager.default.removeItem(atPath: folder.path("other.sqlite"))
    expectHealthy(["unknownHash"])
    session("load B.xcdatamodel")
    expectHealthy(
      ["otherModel"],
      saying: "the metadata and the cached model differ: Topic has another hash")
  }

  // MARK: Hashes that Strata does not know

  @Test("a hash that Strata does not compute is named, and the store is not migrated")
  func unknownHash() throws {
    make("Model1")
    try editMetadata("d['NSStoreModelVersionHashes']['Topic'] = bytes(32)")
    let message =
      "the store records a different version hash for Topic than Strata computes from the store's cached model"
    expectHealthy(["unknownHash"], saying: message)
    for command in [
      "hash t.sqlite", "hash t.sqlite --properties", "metadata t.sqlite",
      "compare t.sqlite sample:Topics/Model2",
    ] {
      let answer = session(command)
      #expect(answer.status != .failed && answer.diagnostics.contains(message), "\(answer)")
      #expect(answer.diagnostics.contains("Topic "), "\(answer)")
    }
    for command in ["hash", "metadata"] {
      let json = session("\(command) t.sqlite --json").output.split(separator: "\n").map {
        $0.trimmingCharacters(in: .whitespaces)
      }.joined()
      #expect(json.contains(#""unknownHashes" : ["Topic"]"#), "\(json)")
    }
    let before = try folder.state()
    for line in [
      "plan t.sqlite --to sample:Topics/Model2", "migrate t.sqlite --to sample:Topics/Model2",
      "migrate t.sqlite --to sample:Topics/Model2 --strategy lightweight",
      "migrate t.sqlite --to sample:Topics/Model2 --dry-run",
      "debug t.sqlite --to sample:Topics/Model2",
    ] {
      let answer = session(line)
      #expect(answer.status == .failed && answer.diagnostics.contains(message), "\(answer)")
      #expect(!"\(answer)".contains("another program"), "\(answer)")
    }
    #expect(try folder.state() == before)
  }

  // MARK: Rows of unknown entities

  @Test("rows of unknown entities are counted and named by show, doctor and validate")
  func unknownEntities() throws {
    make("Model1")
    try run("UPDATE ZTOPIC SET Z_ENT = 77 WHERE Z_PK = 1")
    let text = "1 row with Z_ENT 77 in ZTOPIC"
    let (shown, found) = (session("show t.sqlite"), session("doctor t.sqlite"))
    #expect(shown.status == .done && shown.output.contains(text), "\(shown)")
    #expect(found.status == .no && found.output.contains(text), "\(found)")
    let validated = session("validate t.sqlite")
    #expect(
      validated.status == .no && validated.output.contains("ZTOPIC.Z_ENT  is 77 in 1 row"),
      "\(validated)")
  }

  // MARK: Primary keys out of range

  @Test("primary keys that no migration accepts are counted and named by doctor and validate")
  func keysOutOfRange() throws {
    make("Model1")
    try run("UPDATE ZTOPIC SET Z_PK = -Z_PK WHERE Z_PK < 3")
    let found = session("doctor t.sqlite")
    #expect(
      found.status == .no
        && found.output.contains(
          "rows with primary keys that Core Data never assigns: 2 rows with Z_PK -2, -1 in ZTOPIC  [store.keysOutOfRange]\n"
            + "    fix: restore a backup, or delete the rows: Strata does not migrate a store with such keys"
        ),
      "\(found)")
    #expect(!found.output.contains("--fix"), "\(found)")
    let validated = session("validate t.sqlite")
    #expect(
      validated.status == .no && validated.output.contains("ZTOPIC.Z_PK  is -2, -1 in 2 rows"),
      "\(validated)")
    for option in ["", " --output new.sqlite", " --strategy lightweight"] {
      let refused = session("migrate t.sqlite --to sample:Topics/Model2\(option)")
      #expect(
        refused.status == .failed && refused.diagnostics.contains("[store.keyOutOfRange]")
          && refused.diagnostics.contains("`doctor` lists all such rows"), "\(refused)")
    }
    try run("DELETE FROM ZTOPIC WHERE Z_PK < 1")
    #expect(session("doctor t.sqlite").status == .done)
    #expect(session("migrate t.sqlite --to sample:Topics/Model2").status == .done)
  }

  @Test(
    "doctor and validate report entities missing in Z_PRIMARYKEY; a migration into a new store adds them"
  )
  func keyTable() throws {
    make("Model1")
    try run("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Topic'")
    let found = session("doctor t.sqlite")
    #expect(
      found.status == .no
        && found.output.contains("Z_PRIMARYKEY does not match the model: Topic Z_MAX is missing"),
      "\(found)")
    #expect(session("validate t.sqlite").status == .no)
    let migrated = session("migrate t.sqlite --to sample:Topics/Model2 --output new.sqlite")
    #expect(migrated.status == .done, "\(migrated)")
    for command in ["doctor", "validate"] {
      let whole = session("\(command) new.sqlite")
      #expect(whole.status == .done, "\(whole)")
    }
  }
}
