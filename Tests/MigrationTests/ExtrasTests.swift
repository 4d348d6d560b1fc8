import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// What an app keeps in a store besides the objects of its model, kind by kind and by every executor; Python's
/// SQLite makes it and looks at it afterwards.
@Suite("The app's own tables, views, indexes and triggers")
struct ExtrasTests {
  enum Executor: String, CaseIterable {
    case inPlace, objects, fastest
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// What the app has done to the store.
    var sql: [String]
    /// Tables, views, triggers and indexes that must be as they were, in place and by passes.
    var kept: [String] = []
    /// Those that stay in place only.
    var keptInPlace: [String] = []
    /// What each report must say, in place and by passes.
    var lost: [String] = []
    var lostByPasses: [String] = []

    var testDescription: String { name }
  }

  private static let missingColumn =
    "is lost: it refers to a column that the new model does not have"
  private static let missingTable = "is lost: it refers to a table that the new store does not have"
  private static let newStore = "is lost: the migration creates a new store without it"

  static let cases = [
    Case(
      name: "a plain table with values of every kind and gaps between its keys",
      sql: [
        "CREATE TABLE app (a, b TEXT, c INTEGER, \"odd \"\"name\" BLOB)",
        "INSERT INTO app (rowid, a, b, c, \"odd \"\"name\") VALUES (-5, NULL, 'Löcher 🎈', 1, x'00FF'), "
          + "(3, 1.5, '', -9223372036854775808, zeroblob(3)), (99, 9e999, 'a' || char(0) || 'b', NULL, 'x'), "
          + "(9223372036854775807, 0.1, CAST(x'FF41' AS TEXT), 7, 1e-300)",
        "CREATE UNIQUE INDEX app_a ON app (a)", "CREATE INDEX app_b ON app (lower(b)) WHERE c > 0",
      ], kept: ["app", "app_a", "app_b"]),
    Case(
      name: "a table whose columns have the names of the row number",
      sql: [
        "CREATE TABLE app (rowid, oid, _rowid_)", "INSERT INTO app VALUES (3, 2, 1), (3, 2, 1)",
      ], kept: ["app"]),
    Case(
      name: "a table without row numbers",
      sql: [
        "CREATE TABLE app (k TEXT PRIMARY KEY, v) WITHOUT ROWID",
        "INSERT INTO app VALUES ('b', 1), ('a', NULL), ('', x'00')",
      ], kept: ["app"]),
    Case(
      name: "AUTOINCREMENT goes on where it was",
      sql: [
        "CREATE TABLE app (id INTEGER PRIMARY KEY AUTOINCREMENT, x)",
        "CREATE TABLE never (id INTEGER PRIMARY KEY AUTOINCREMENT)",
        "CREATE TABLE emptied (id INTEGER PRIMARY KEY AUTOINCREMENT)",
        "INSERT INTO app VALUES (7, 'x'), (500, 'y')", "DELETE FROM app WHERE id = 500",
        "INSERT INTO emptied VALUES (41)", "DELETE FROM emptied",
      ], kept: ["app", "never", "emptied"]),
    Case(
      name: "a strict table",
      sql: [
        "CREATE TABLE app (i INT, a ANY, t TEXT) STRICT",
        "INSERT INTO app VALUES (1, '2', '3'), (NULL, 2, NULL)",
      ], kept: ["app"]),
    Case(
      name: "rows that break their CHECK",
      sql: [
        "CREATE TABLE app (x CHECK (x > 0))", "PRAGMA ignore_check_constraints = ON",
        "INSERT INTO app VALUES (-1), (1)",
      ], kept: ["app"]),
    Case(
      name: "a table that replaces rows with the same values",
      sql: [
        "CREATE TABLE app (x UNIQUE ON CONFLICT REPLACE, y NOT NULL ON CONFLICT IGNORE)",
        "INSERT INTO app VALUES (1, 1), (2, 2)",
      ], kept: ["app"]),
    Case(
      name: "generated columns",
      sql: [
        "CREATE TABLE app (a, b AS (a * 2), c AS (a * 3) STORED)",
        "INSERT INTO app (a) VALUES (1), (2)",
      ],
      keptInPlace: ["app"],
      lostByPasses: ["the table app with 2 rows is lost: it has generated columns"]),
    Case(
      name: "a full-text table with a view on it",
      sql: [
        "CREATE VIRTUAL TABLE app USING fts5(body)",
        "INSERT INTO app VALUES ('one two'), ('three')",
        "CREATE VIEW found AS SELECT body FROM app",
      ],
      keptInPlace: ["app", "app_content", "app_docsize", "found"],
      lostByPasses: [
        "the virtual table app is lost: virtual tables are not copied",
        "the view found \(missingTable)",
      ]),
    Case(
      name: "views",
      sql: [
        "CREATE VIEW early AS SELECT * FROM late",
        "CREATE VIEW late AS SELECT Z_PK, ZTITLE AS title FROM ZTOPIC",
        "CREATE VIEW counted (n) AS SELECT count(*) FROM late",
        "CREATE VIEW gone AS SELECT ZOLD FROM ZNOTE", "CREATE VIEW after AS SELECT * FROM gone",
        "CREATE VIEW quoted AS SELECT \"ZOLD\" FROM ZNOTE",
        "CREATE VIEW unknown AS SELECT app_function(ZTITLE) FROM ZTOPIC ORDER BY 1 COLLATE app_order",
        "CREATE VIEW half AS SELECT app_function(ZOLD) FROM ZNOTE",
        "CREATE VIEW broken AS SELECT x FROM nowhere",
      ],
      kept: ["early", "late", "counted", "unknown", "broken"],
      lost: [
        "the view gone \(missingColumn)", "the view after \(missingTable)",
        "the view quoted \(missingColumn)", "the view half \(missingColumn)",
      ]),
    Case(
      name: "a view with the name of a table that the new model needs",
      sql: ["CREATE VIEW ZADDED AS SELECT 1"],
      lost: ["the view ZADDED is lost: the new model uses its name"]),
    Case(
      name: "triggers of an app's own table and of a view",
      sql: [
        "CREATE TABLE app (x)", "INSERT INTO app VALUES (1)", "CREATE VIEW v AS SELECT x FROM app",
        "CREATE TRIGGER t1 AFTER INSERT ON app BEGIN INSERT INTO log VALUES (NEW.x); END",
        "CREATE TRIGGER t2 INSTEAD OF DELETE ON v BEGIN DELETE FROM app WHERE x = OLD.x; END",
        "CREATE TRIGGER t3 BEFORE UPDATE ON app BEGIN UPDATE ZNOTE SET ZOLD = 1; END",
        "CREATE TRIGGER t4 AFTER DELETE ON app WHEN OLD.x > 0 BEGIN UPDATE ZTOPIC SET ZTITLE = 1; END",
      ],
      kept: ["app", "v", "t1", "t2", "t4"], lost: ["the trigger t3 on app \(missingColumn)"]),
    Case(
      name: "triggers of the model's tables",
      sql: [
        "CREATE TRIGGER t1 AFTER INSERT ON ZTOPIC BEGIN INSERT INTO log VALUES (NEW.ZTITLE); END",
        "CREATE TRIGGER t2 AFTER UPDATE ON ZTOPIC BEGIN INSERT INTO log VALUES ('changed'); END",
        "CREATE TRIGGER t3 BEFORE DELETE ON ZTOPIC BEGIN SELECT raise(ABORT, 'no'); END",
        "CREATE TRIGGER t4 AFTER UPDATE OF ZTEXT, ZTEXT ON ZNOTE BEGIN INSERT INTO log VALUES (1); END",
        "CREATE TRIGGER t5 AFTER INSERT ON ZNOTE BEGIN INSERT INTO log VALUES (NEW.ZOLD); END",
        "CREATE TRIGGER t6 AFTER UPDATE OF ZTEXT, \"ZOLD\" ON ZNOTE BEGIN INSERT INTO log VALUES (2); END",
        "CREATE TRIGGER t7 AFTER DELETE ON ZNOTE BEGIN INSERT INTO log VALUES ('deleted'); END",
        "CREATE TRIGGER t8 AFTER DELETE ON ZGONE BEGIN INSERT INTO log VALUES ('deleted'); END",
      ],
      kept: ["t1", "t2", "t3", "t4", "t7"],
      lost: [
        "the trigger t5 on ZNOTE \(missingColumn)", "the trigger t6 on ZNOTE \(missingColumn)",
        "the trigger t8 on ZGONE \(missingTable)",
      ]),
    Case(
      name: "triggers of Core Data's own tables",
      sql: ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].flatMap { table in
        ["INSERT", "UPDATE", "DELETE"].map {
          "CREATE TRIGGER \(table)_\($0) AFTER \($0) ON \(table) BEGIN INSERT INTO log VALUES (1); END"
        }
      },
      kept: ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].flatMap { table in
        ["INSERT", "UPDATE", "DELETE"].map { "\(table)_\($0)" }
      }),
    Case(
      name: "indexes of the model's tables",
      sql: [
        "CREATE INDEX app1 ON ZTOPIC (ZTITLE)", "CREATE UNIQUE INDEX app2 ON ZTOPIC (Z_ENT, Z_PK)",
        "CREATE INDEX app3 ON ZNOTE (ZTEXT)", "CREATE INDEX app4 ON ZNOTE (ZOLD)",
        "CREATE INDEX app5 ON ZNOTE (Z_PK) WHERE \"ZOLD\" IS NULL",
        "CREATE UNIQUE INDEX app6 ON Z_PRIMARYKEY (Z_NAME)",
        "CREATE UNIQUE INDEX app7 ON ZTOPIC (ZCODE)",
      ],
      kept: ["app1", "app2", "app3", "app6"],
      lost: [
        "the index app4 on ZNOTE \(missingColumn)", "the index app5 on ZNOTE \(missingColumn)",
        "the index app7 on ZTOPIC is lost: rows of the new store violate its constraints",
      ]),
    Case(
      name: "an index of an app's own table with the name of one of the new model",
      sql: [
        "CREATE TABLE app (x)", "INSERT INTO app VALUES (1)",
        "CREATE INDEX Z_Topic_byCode ON app (x)",
      ],
      kept: ["app"],
      lost: ["the index Z_Topic_byCode on app is lost: the new model uses its name"]),
    Case(
      name: "persistent history",
      sql: [
        "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZENTITY INTEGER, ZENTITYPK INTEGER)",
        "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZAUTHOR)",
        "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, ZNAME)",
        "INSERT INTO ACHANGE VALUES (1, 16001, 1, 2, 1), (2, 16001, 1, 3, 1), (3, 16001, 1, 3, 2)",
        "INSERT INTO ATRANSACTION VALUES (1, 'Ann'), (2, 'Ben')",
        "INSERT INTO ATRANSACTIONSTRING VALUES (1, 'app')",
        "CREATE TRIGGER app AFTER UPDATE ON ACHANGE BEGIN INSERT INTO log VALUES (1); END",
      ],
      keptInPlace: ["ATRANSACTION", "ATRANSACTIONSTRING", "app"],
      lostByPasses: [
        "the persistent history (3 changes in 2 transactions) \(newStore)",
        "the trigger app on ACHANGE \(missingTable)",
      ]),
    Case(
      name: "an empty history is no loss",
      sql: ["CREATE TABLE achange (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER)"],
      keptInPlace: ["achange"]),
    Case(
      name: "columns of an app's own",
      sql: ["ALTER TABLE ZNOTE ADD COLUMN mine", "UPDATE ZNOTE SET mine = 1"],
      lost: ["the column mine of ZNOTE is lost: "]),
  ]

  // MARK: The store

  private static func attribute(_ name: String, _ type: AttributeType = .string) -> Attribute {
    Attribute(name: name, type: type, isOptional: true)
  }

  /// In the new model `Topic` and `Note` have other numbers, `Note` loses an attribute, and codes that were
  /// missing are all the same.
  private static func model(isNew: Bool) throws -> ObjectModel {
    var topic = Entity(name: "Topic")
    var code = attribute("code")
    code.isOptional = !isNew
    code.defaultValue = isNew ? "x" : nil
    topic.attributes = [attribute("title"), code]
    if isNew {
      topic.fetchIndexes = [
        FetchIndex(name: "byCode", elements: [FetchIndex.Element(propertyName: "code")])
      ]
    }
    var note = Entity(name: "Note")
    note.attributes = [attribute("text")] + (isNew ? [attribute("more")] : [attribute("old")])
    var other = Entity(name: isNew ? "Added" : "Gone")
    other.attributes = [attribute("x")]
    return try ObjectModel(
      ModelDocument(entities: [topic, note, other].sorted { $0.name < $1.name }))
  }

  private static func makeStore(at path: String, _ sql: [String]) throws {
    var store = try NewStore(path: path, model: model(isNew: false), uuid: "A")
    for number in 1...3 {
      _ = try store.insert(
        "Topic", attributes: ["title": .text("t\(number)")])
      _ = try store.insert("Note", attributes: ["text": .text("n\(number)"), "old": .text("o")])
    }
    _ = try store.insert("Gone", attributes: ["x": .text("x")])
    try store.finish()
    _ = try Python.run(
      """
      import json, sqlite3, sys
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      for sql in json.load(sys.stdin): store.execute(sql)
      """, arguments: [path],
      input: String(
        decoding: JSONEncoder().encode(["CREATE TABLE log (x)"] + sql), as: UTF8.self))
  }

  /// A line for each of some tables, views, triggers and indexes: its statement, and of a table all that is in it,
  /// byte by byte.
  private static func contents(of path: String, _ names: [String]) throws -> [String] {
    try Python.run(
      """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.text_factory = bytes
      def sequence(name):
          if store.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").fetchone():
              return store.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", [name]).fetchall()
      def rows(name):
          try:
              found = store.execute(f'SELECT rowid, * FROM "{name}" ORDER BY rowid').fetchall()
          except sqlite3.OperationalError:
              found = store.execute(f'SELECT * FROM "{name}" ORDER BY 1').fetchall()
          return found, sequence(name)
      for name in sys.argv[2:]:
          found = store.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", [name]).fetchall()
          print(name, found, rows(name) if found and found[0][0] == b"table" else "")
      """, arguments: [path] + names
    ).split(separator: "\n").map(String.init)
  }

  private static func hop() throws -> MigrationPlan.Hop {
    let plan = try MigrationPlanner().plan(
      from: NamedModel(name: "old", model: model(isNew: false)),
      to: NamedModel(name: "new", model: model(isNew: true)))
    return try #require(plan.hops.first)
  }

  /// - Returns: What the report names, and the migrated store.
  private static func migrate(
    _ path: String, by executor: Executor, in folder: TemporaryFolder
  ) throws -> (extras: [String], path: String) {
    let target = folder.path("\(executor.rawValue).sqlite")
    switch executor {
    case .inPlace:
      try FileManager.default.copyItem(atPath: path, toPath: target)
      return (try InPlace.run(hop(), at: target).report.extras, target)
    case .objects, .fastest:
      let report = try Passes.run(
        hop(), from: path, into: target, executor: executor == .objects ? .objects : .fastest
      ).report
      return (report.extras, target)
    }
  }

  @Test("each kind is kept by each executor", arguments: cases, Executor.allCases)
  func kinds(_ kind: Case, by executor: Executor) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    try Self.makeStore(at: path, kind.sql)
    let (extras, migrated) = try Self.migrate(path, by: executor, in: folder)
    let isInPlace = executor == .inPlace
    let kept = ["log"] + kind.kept + (isInPlace ? kind.keptInPlace : [])
    #expect(try Self.contents(of: migrated, kept) == Self.contents(of: path, kept))
    // A sentence of the case may tell the beginning only.
    let expected = (kind.lost + (isInPlace ? [] : kind.lostByPasses)).sorted()
    let found = extras.sorted()
    #expect(
      found.count == expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) },
      "\(found)")
    #expect(try Python.integrity(of: migrated) == Python.integrity(of: path))
    let objects = try StoreReader(
      SQLiteStore(reading: migrated), model: Self.model(isNew: true))
    #expect(try objects.count(of: "Topic") == 3)
    // What was kept works: a new topic can be inserted.
    if !kind.sql.contains(where: { $0.contains("ON ZTOPIC") }) {
      try StoreFixture.run(["INSERT INTO ZTOPIC (Z_ENT) VALUES (3)"], on: migrated)
    }
  }

  // MARK: Names that are taken

  @Test("an app's own table is neither replaced nor merged", arguments: Executor.allCases)
  func usedName(by executor: Executor) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    try Self.makeStore(at: path, ["CREATE TABLE Zadded (x)", "INSERT INTO Zadded VALUES (1)"])
    guard executor == .inPlace else {
      let (extras, _) = try Self.migrate(path, by: executor, in: folder)
      #expect(
        extras == ["the table Zadded with 1 row is lost: the new model uses its name"])
      return
    }
    #expect {
      try Self.migrate(path, by: executor, in: folder)
    } throws: { error in
      if case MigrationError.nameInUse("Zadded") = error { true } else { false }
    }
    #expect(
      FileManager.default.contentsEqual(atPath: path, andPath: folder.path("inPlace.sqlite")))
  }

  // MARK: Numbers

  @Test("key counters of unknown entities are kept, and no counter is lowered")
  func keyCounters() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    try Self.makeStore(
      at: path,
      [
        "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 12), (16002, 'TRANSACTION', 0, 4)",
        "INSERT INTO Z_PRIMARYKEY VALUES (77, NULL, 5, NULL)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 900 WHERE Z_NAME = 'Topic'",
      ])
    let (extras, migrated) = try Self.migrate(path, by: .inPlace, in: folder)
    #expect(extras == [])
    let rows = try Python.run(
      """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute("SELECT * FROM Z_PRIMARYKEY"): print(*row)
      """, arguments: [migrated])
    #expect(
      rows == """
        1 Added 0 0
        2 Note 0 3
        3 Topic 0 900
        77 None 5 None
        16001 CHANGE 0 12
        16002 TRANSACTION 0 4

        """)
  }

  @Test(
    "entity numbers are swapped correctly, regardless of other numbers in the column",
    arguments: [
      [-1, -2], [.min], [.max], [.min, .max], [.min, .min + 1, -3, -2, .max - 1, .max],
    ])
  func swappedNumbers(others: [Int64]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    func model(_ names: [String: String?]) throws -> ObjectModel {
      try ObjectModel(
        ModelDocument(
          entities: names.sorted { $0.key < $1.key }.map { name, old in
            var entity = Entity(name: name)
            entity.attributes = [Self.attribute("x")]
            entity.renamingIdentifier = old
            return entity
          }))
    }
    // A and B change places: 1 and 2. D is new, and gets the number 4.
    let old = try NamedModel(name: "old", model: model(["A": nil, "B": nil, "C": nil]))
    let new = try NamedModel(
      name: "new", model: model(["A2": "B", "B2": "A", "C": nil, "D": nil]))
    var store = try NewStore(path: path, model: old.model, uuid: "A")
    for name in ["A", "B", "C"] { _ = try store.insert(name, attributes: ["x": .text(name)]) }
    try store.finish()
    let numbers = [1, 2, 3, 4, 9] + others
    var sql: [String] = []
    for (table, column) in [("ACHANGE", "ZENTITY"), ("ANSCKRECORDMETADATA", "ZENTITYID")] {
      sql += [
        "CREATE TABLE \(table) (Z_PK INTEGER PRIMARY KEY, \(column) INTEGER, ZENTITYPK INTEGER)",
        "CREATE UNIQUE INDEX \(table)_U ON \(table) (\(column), ZENTITYPK)",
      ]
      sql += numbers.map { "INSERT INTO \(table) (\(column), ZENTITYPK) VALUES (\($0), 1)" }
      sql.append("INSERT INTO \(table) (\(column), ZENTITYPK) VALUES (NULL, 1)")
    }
    try StoreFixture.run(sql, on: path)
    let hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
    let report = try InPlace.run(hop, at: path).report
    #expect(
      report.extras
        == ["ACHANGE", "ANSCKRECORDMETADATA"].map {
          "the data of 1 row of \($0) is lost: an entity of the new model has their entity number"
        })
    let rows = try Python.run(
      """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      for table, column in ("ACHANGE", "ZENTITY"), ("ANSCKRECORDMETADATA", "ZENTITYID"):
          print(store.execute(f"SELECT Z_PK, {column} FROM {table}").fetchall())
      """, arguments: [path])
    let kept = zip(6..., others).map { "(\($0), \($1)), " }.joined()
    let expected = "[(1, 2), (2, 1), (3, 3), (5, 9), \(kept)(\(numbers.count + 1), None)]\n"
    #expect(rows == expected + expected)
  }

  // MARK: Stages

  @Test("no trigger fires for changes of a stage or for its record in the metadata")
  func stages() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    try Self.makeStore(
      at: path,
      ["ZTOPIC", "Z_METADATA"].flatMap { table in
        ["INSERT", "UPDATE", "DELETE"].map {
          "CREATE TRIGGER \(table)\($0) AFTER \($0) ON \(table) BEGIN INSERT INTO log VALUES (1); END"
        }
      })
    let versions = try [
      NamedModel(name: "V1", model: Self.model(isNew: false)),
      NamedModel(name: "V2", model: Self.model(isNew: true)),
    ]
    let stages = try StageScript(
      parsing: """
        stage custom V1 -> V2
          will: Topic: set title = "a"
          did: Topic: set title = "b"
          did: run after.strata
        """
    ).resolved(among: versions, policies: PolicyRegistry(), folder: folder.url.path)
    let plan = try MigrationPlanner(versions: versions, stages: stages)
      .plan(from: versions[0], to: versions[1], by: .staged)
    let hop = try #require(plan.hops.first)
    _ = try InPlace.run(hop, at: path)
    #expect(try SQLiteStore(reading: path).metadata.pendingStage != nil)
    try SQLiteStore.note(nil, ofStoreAt: path)
    #expect(try SQLiteStore(reading: path).metadata.pendingStage == nil)
    #expect(try Self.contents(of: path, ["log"]).first?.contains("([], None)") == true)
    #expect(
      try Self.contents(of: path, ["ZTOPICUPDATE", "Z_METADATAUPDATE"]).allSatisfy {
        $0.contains("CREATE TRIGGER")
      })
  }
}
