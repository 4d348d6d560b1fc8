import Foundation
import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("In-place migrations")
struct InPlaceTests {
  private static func plan(_ old: String, _ new: String) throws -> MigrationPlan {
    try MigrationPlanner().plan(
      from: NamedModel(name: old, model: SampleStore.model("Topics", old)),
      to: NamedModel(name: new, model: SampleStore.model("Topics", new)))
  }

  @Test("the Topics hops have one statement for each change, as in Core Data")
  func topics() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("topics.sqlite")
    try SampleStore.topics(at: path)
    var schemas: [[String]] = []
    for (old, new) in [
      ("Model1", "Model2"), ("Model2", "Model3"), ("Model3", "Model4"), ("Model4", "Model5"),
    ] {
      let (_, _, statements) = try InPlace.run(
        try #require(Self.plan(old, new).hops.first), at: path)
      schemas.append(statements.filter(\.changesSchema).map { String($0.sql.prefix(20)) })
    }
    #expect(
      schemas[0] == ["ALTER TABLE ZTOPIC A"], "an attribute is added: \(schemas[0])")
    #expect(schemas[2].isEmpty, "a hash modifier changes no table: \(schemas[2])")
  }

  @Test("a store that was migrated by another process is not changed")
  func alreadyMigrated() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("topics.sqlite")
    try SampleStore.topics(at: path)
    let hop = try #require(Self.plan("Model1", "Model3").hops.first)
    _ = try InPlace.run(hop, at: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: StoreError.changedMeanwhile) { try InPlace.run(hop, at: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test(
    "own columns and indexes of a recreated table are reported as lost; Z_MAX is corrected"
  )
  func strangers() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("topics.sqlite")
    try SampleStore.topics(at: path)
    try StoreFixture.run(
      [
        "ALTER TABLE ZTOPIC ADD COLUMN note", "CREATE INDEX mine ON ZTOPIC (note)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
      ], on: path)
    let (_, report, _) = try InPlace.run(
      try #require(Self.plan("Model1", "Model5").hops.first), at: path)
    #expect(
      report.extras == [
        "the column note of ZTOPIC is lost: the table is recreated",
        "the index mine on ZTOPIC is lost: it refers to a column that the new model does not have",
      ])
    let highest = try Python.run(
      """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute(
        "SELECT Z_MAX, (SELECT max(Z_PK) FROM ZTOPIC) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Topic'"
      ).fetchone())
      """, arguments: [path])
    #expect(highest == "(3, 3)\n")
  }

  @Test("a constraint that the app has added stops the migration where a default breaks it")
  func ownConstraint() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    let models = try ["String", "String required defaultValueString=x"].map {
      try ObjectModel(brief: "T\n  a \($0)")
    }
    var store = try NewStore(path: path, model: models[0], uuid: "A")
    for text in [AttributeValue.null, .null, .text("z")] {
      _ = try store.insert("T", attributes: ["a": text])
    }
    try store.finish()
    try StoreFixture.run(
      [
        "ALTER TABLE ZT RENAME TO old",
        "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR UNIQUE)",
        "INSERT INTO ZT SELECT Z_PK, Z_ENT, Z_OPT, ZA FROM old", "DROP TABLE old",
      ], on: path)
    let hop = try MigrationPlan.Hop.inferred(from: models[0], to: models[1])
    let before = try folder.state()
    #expect(throws: StoreError.self) { try InPlace.run(hop, at: path) }
    #expect(try folder.state() == before)
    try StoreFixture.run(["DELETE FROM ZT WHERE Z_PK = 2"], on: path)
    #expect(try InPlace.run(hop, at: path).report.extras == [])
  }

  @Test("entities with equal table names are rejected before anything is created")
  func sameTableName() throws {
    let folder = try TemporaryFolder()
    let model = try ObjectModel(
      ModelDocument(entities: [Entity(name: "Topic"), Entity(name: "TOPIC")]))
    #expect(throws: StoreError.sameTableName("TOPIC", "Topic")) {
      _ = try NewStore(path: folder.path("s.sqlite"), model: model, uuid: "A")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite")))
  }

  @Test(
    "an app's own views, foreign keys and triggers are unchanged, and symbolic links are followed")
  func ownTables() throws {
    let folder = try TemporaryFolder()
    let (path, link) = (folder.path("topics.sqlite"), folder.path("link.sqlite"))
    try SampleStore.topics(at: path)
    let own = [
      "CREATE TABLE note (t INTEGER REFERENCES ZTOPIC(Z_PK))",
      "CREATE TABLE log (x)",
      "CREATE VIEW v AS SELECT Z_PK FROM ZTOPIC",
      "CREATE TRIGGER t AFTER INSERT ON note BEGIN INSERT INTO log VALUES (new.t); END",
    ]
    try StoreFixture.run(own, on: path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let hop = try #require(Self.plan("Model1", "Model3").hops.first)
    _ = try InPlace.run(hop, at: link)
    let found = try SQLiteStore(reading: path).schema().map(\.sql)
    for sql in own where !sql.hasPrefix("CREATE VIEW") { #expect(found.contains(sql), "\(sql)") }
    try StoreFixture.run(["INSERT INTO note SELECT Z_PK FROM v"], on: path)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
  }
}
