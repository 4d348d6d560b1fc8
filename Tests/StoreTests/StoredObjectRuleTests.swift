import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Stores that are damaged by hand, and stores that only look damaged.
@Suite("Rules of stored objects")
struct StoredObjectRuleTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var sql: [String]
    /// `Person p1 pets: has no order key for p1`
    var problems: [String]

    init(_ name: String, _ sql: [String], _ problems: [String] = []) {
      (self.name, self.sql, self.problems) = (name, sql, problems)
    }

    var testDescription: String { name }
  }

  private static let history =
    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
    + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )"

  /// A table without its primary key and indexes.
  private static func copied(_ table: String) -> [String] {
    [
      "CREATE TABLE copy AS SELECT * FROM \(table)", "DROP TABLE \(table)",
      "ALTER TABLE copy RENAME TO \(table)",
    ]
  }

  static let damaged =
    [
      Case(
        "an order key is missing", ["UPDATE ZPET SET Z_FOK_KEEPER = NULL WHERE Z_PK = 2"],
        ["Person p1 pets: has no order key for p2"]),
      Case(
        "an order key is there twice", ["UPDATE ZPET SET Z_FOK_KEEPER = 5 WHERE ZKEEPER = 1"],
        ["Person p1 pets: has the same order key for p1 and p2"]),
      Case(
        "an order key of a join table is missing",
        ["UPDATE Z_1GROUPS SET Z_FOK_1MEMBERS = NULL WHERE Z_4GROUPS = 2 AND Z_1MEMBERS = 1"],
        ["Group p2 members: has no order key for p1"]),
      Case(
        "an order key of a join table is there twice",
        ["UPDATE Z_1GROUPS SET Z_FOK_1MEMBERS = 1 WHERE Z_4GROUPS = 1"],
        ["Group p1 members: has the same order key for p1 and p2"]),
      Case(
        "the highest key is too low", ["UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 1"],
        ["Being Z_MAX: is 2, lower than the highest key in use, 3: Core Data would use a key twice"]
      ),
      Case(
        "there is no highest key", ["DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 7"],
        ["Thing Z_MAX: is missing in Z_PRIMARYKEY; the highest key in use is 2"]),
      Case(
        "the highest key of the history is too low",
        [
          history, "INSERT INTO ACHANGE VALUES (5, 16001, NULL, 0, 2, 1, 1, NULL)",
          "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 4)",
        ],
        [
          "ACHANGE Z_MAX: is 4, lower than the highest key in use, 5: Core Data would use a key twice"
        ]
      ),
      Case(
        "a version is missing", ["UPDATE ZBEING SET Z_OPT = NULL WHERE Z_PK = 2"],
        ["Robot p2 Z_OPT: is NULL: Core Data counts the changes of an object from 1"]),
      Case(
        "the entity number beside a key is another",
        ["UPDATE ZPET SET Z1_KEEPER = 3 WHERE Z_PK = 1"],
        ["Pet p1 keeper: records the entity number 3 for p1, whose entity number is 2"]),
      Case(
        "the entity number beside a key is missing",
        ["UPDATE ZPASSPORT SET Z1_OWNER = NULL WHERE Z_PK = 1"],
        ["Passport p1 owner: records the entity number NULL for p1, whose entity number is 2"]),
      Case(
        "a join row has neither object", ["INSERT INTO Z_1GROUPS VALUES (98, 99, 1)"],
        ["Being groups: has 1 row in its join table whose objects do not exist"]),
      Case(
        "a join row has one object", ["INSERT INTO Z_1GROUPS VALUES (3, 99, 1)"],
        ["Person p3 groups: points to p99, which does not exist (133000)"]),
      Case(
        "a join row has the other object", ["INSERT INTO Z_1GROUPS VALUES (98, 1, 1)"],
        ["Group p1 members: points to p98, which does not exist (133000)"]),
      Case(
        "a join row has objects of other entities",
        [
          "INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT) VALUES (50, 99, 1)",
          "UPDATE Z_PRIMARYKEY SET Z_MAX = 50 WHERE Z_ENT = 1",
          "INSERT INTO Z_1GROUPS VALUES (50, 99, 1)",
        ],
        [
          "Being groups: has 1 row in its join table whose objects do not exist",
          "ZBEING Z_ENT: is 99 in 1 row, an entity number that no concrete entity has there",
        ]),
      Case(
        "the first object of a row of an own inverse is missing",
        ["INSERT INTO Z_1FRIENDS VALUES (66, 1)"],
        ["Person p1 friends: points to p66, which does not exist (133000)"]),
      Case(
        "the second object of a row of an own inverse is missing",
        ["INSERT INTO Z_1FRIENDS VALUES (1, 66)"],
        ["Person p1 friends: points to p66, which does not exist (133000)"]),
      Case(
        "an object is missing in both rows of a pair",
        ["INSERT INTO Z_1FRIENDS VALUES (66, 2), (2, 66)"],
        ["Robot p2 friends: points to p66, which does not exist (133000)"]),
      Case(
        "a row of an own inverse has no object", ["INSERT INTO Z_1FRIENDS VALUES (66, 77)"],
        ["Being friends: has 1 row in its join table whose objects do not exist"]),
      Case(
        "rows of a join table have NULL instead of a key, with and without an order key",
        [
          "INSERT INTO Z_1GROUPS VALUES (3, NULL, 1), (NULL, 1, 1), (NULL, 1, NULL), (NULL, NULL, 2)"
        ],
        ["Being groups: has 4 rows in its join table with NULL instead of a key"]),
      Case(
        "rows of an own inverse have NULL instead of a key",
        ["INSERT INTO Z_1FRIENDS VALUES (1, NULL), (NULL, 1), (NULL, NULL)"],
        ["Being friends: has 3 rows in its join table with NULL instead of a key"]),
      Case(
        "rows of a join table without a primary key repeat others",
        copied("Z_1GROUPS") + [
          "INSERT INTO Z_1GROUPS VALUES (3, 1, 8), (3, 1, 9), (3, 1, 10)",
          "INSERT INTO Z_1GROUPS VALUES (3, NULL, 8), (3, NULL, 8)",
        ],
        [
          "Being groups: has 2 rows in its join table with NULL instead of a key",
          "Being groups: has 2 rows in its join table with the same two keys as an earlier row",
        ]),
      Case(
        "rows of an own inverse repeat others; the other direction is no repetition",
        copied("Z_1FRIENDS") + [
          "DELETE FROM Z_1FRIENDS", "INSERT INTO Z_1FRIENDS VALUES (1, 2), (2, 1), (1, 2)",
        ], ["Being friends: has 1 row in its join table with the same two keys as an earlier row"]),
      Case(
        "an abstract entity has no row in Z_PRIMARYKEY",
        ["UPDATE Z_PRIMARYKEY SET Z_ENT = 16009 WHERE Z_ENT = 1"],
        ["Being Z_MAX: is missing in Z_PRIMARYKEY; the highest key in use is 3"]),
      Case(
        "a subentity has no row in Z_PRIMARYKEY", ["DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 3"],
        ["Robot Z_ENT: has no row in Z_PRIMARYKEY"]),
      Case(
        "an entity without objects has no row in Z_PRIMARYKEY",
        [
          "DELETE FROM ZPASSPORT", "UPDATE ZBEING SET ZPASSPORT = NULL",
          "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 5",
        ], ["Passport Z_ENT: has no row in Z_PRIMARYKEY"]),
      Case(
        "there is no Z_PRIMARYKEY", ["DROP TABLE Z_PRIMARYKEY"],
        ["Being", "Group", "Passport", "Person", "Pet", "Robot", "Thing"].map {
          "\($0) Z_ENT: has no row in Z_PRIMARYKEY"
        }),
      Case(
        "the parent of a subentity is another",
        ["UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 3"],
        ["Robot Z_SUPER: is 2 in Z_PRIMARYKEY, and must be 1, the number of the parent entity"]),
      Case(
        "a subentity has no parent", ["UPDATE Z_PRIMARYKEY SET Z_SUPER = NULL WHERE Z_ENT = 3"],
        ["Robot Z_SUPER: is NULL in Z_PRIMARYKEY, and must be 1, the number of the parent entity"]),
      Case(
        "a root entity has a parent", ["UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 7"],
        ["Thing Z_SUPER: is 1 in Z_PRIMARYKEY, and must be 0: the entity has no parent"]),
      Case(
        "the history has an unknown entity",
        [
          history, "INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 77, 1, 1, NULL)",
          "INSERT INTO ACHANGE VALUES (2, 16001, NULL, 0, 2, 1, 1, NULL)",
          "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2)",
        ],
        ["ACHANGE ZENTITY: is 77 in 1 row, an entity number that no concrete entity has there"]),
      Case(
        "a constraint of an abstract entity is broken across its subentities",
        ["DROP INDEX Z_Being_UNIQUE_name", "UPDATE ZBEING SET ZNAME = 'Ada' WHERE Z_PK IN (2, 3)"],
        [
          "Person p3 name: equals that of p1, and must be unique (133021)",
          "Robot p2 name: equals that of p1, and must be unique (133021)",
        ]),
      Case(
        "a one-to-one relationship is set at one end", ["UPDATE ZPASSPORT SET ZOWNER = NULL"],
        ["Person p1 passport: points to p1, which does not point back (133000)"]),
      Case(
        "a one-to-one relationship points to another object at its other end",
        ["UPDATE ZPASSPORT SET ZOWNER = 3"],
        [
          "Passport p1 owner: points to p3, which does not point back (133000)",
          "Person p1 passport: points to p1, which does not point back (133000)",
        ]),
      Case(
        "rows have an unknown entity", ["UPDATE ZTHING SET Z_ENT = 99 WHERE Z_PK = 2"],
        ["ZTHING Z_ENT: is 99 in 1 row, an entity number that no concrete entity has there"]),
      Case(
        "rows have an entity of another table", ["UPDATE ZTHING SET Z_ENT = 4 WHERE Z_PK = 2"],
        ["ZTHING Z_ENT: is 4 in 1 row, an entity number that no concrete entity has there"]),
      Case(
        "rows have no entity", ["UPDATE ZTHING SET Z_ENT = NULL WHERE Z_PK = 2"],
        ["ZTHING Z_ENT: is NULL in 1 row, an entity number that no concrete entity has there"]),
      Case(
        "a primary key is 0", ["UPDATE ZTHING SET Z_PK = 0 WHERE Z_PK = 2"],
        [
          "ZTHING Z_PK: is 0 in 1 row: Core Data does not assign such keys, and Strata does not migrate the store"
        ]),
      Case(
        "primary keys are below 1 and above 2^62",
        [
          "DELETE FROM ZTHING", "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807",
          "UPDATE ZBEING SET ZFAVOURITE = NULL",
        ]
          + [.min, -7, -6, -5, 0, 1, 1 << 62, 1 << 62 + 1, .max].map { (key: Int64) in
            "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), 7, 1)"
          },
        [
          "ZTHING Z_PK: is -9223372036854775808, -7, -6, 4611686018427387905, 9223372036854775807, … in 7 rows: Core Data does not assign such keys, and Strata does not migrate the store"
        ]),
      Case(
        "a required value without a default is missing",
        ["UPDATE ZBEING SET ZYEAR = NULL WHERE Z_PK = 1"],
        ["Person p1 year: is a required value (1570)"]),
      Case(
        "a number is out of range", ["UPDATE ZBEING SET ZYEAR = 40000 WHERE Z_PK = 1"],
        ["Person p1 year: is not a valid Integer 16 (1550)"]),
      Case(
        "values have another storage class",
        [
          "UPDATE ZBEING SET ZYEAR = 1.5, ZWEIGHT = 'x', ZNAME = x'00', ZRATING = 'x' WHERE Z_PK = 1"
        ],
        [
          "Person p1 name: is not a valid String (1550)",
          "Person p1 rating: is not a valid Decimal (1550)",
          "Person p1 weight: is not a valid Double (1550)",
          "Person p1 year: is not a valid Integer 16 (1550)",
        ]),
      Case(
        "an external file is missing",
        [
          "UPDATE ZBEING SET ZPHOTO = x'02' || '374C5961-3E41-43E5-915C-383EA914074C' || x'00' WHERE Z_PK = 1",
          "UPDATE ZBEING SET ZPHOTO = CAST(ZPHOTO AS BLOB)",
        ],
        [
          "Person p1 photo: is in the external file 374C5961-3E41-43E5-915C-383EA914074C, which is missing (4)"
        ]),
      Case(
        "an external value begins with no known byte",
        ["UPDATE ZBEING SET ZPHOTO = x'0700' WHERE Z_PK = 1"],
        ["Person p1 photo: is not a valid Binary (1550)"]),
    ]
    + ["1e166", "-3.41e165", "9e-129", "-1e-300", "9e999", "-9e999"].map {
      Case(
        "a decimal is \($0)", ["UPDATE ZBEING SET ZRATING = \($0) WHERE Z_PK = 2"],
        ["Robot p2 rating: is not a valid Decimal (1550)"])
    }

  @Test("damage of each kind is found, and nothing else", arguments: damaged)
  func errors(_ example: Case) throws {
    let problems = try Self.problems(example.sql)
    #expect(problems.map(Self.text).sorted() == example.problems)
    #expect(problems.allSatisfy { $0.severity == .error })
  }

  static let healthy = [
    Case("nothing is done", []),
    Case("a decimal is NaN", ["UPDATE ZBEING SET ZRATING = 'NaN'"]),
    Case(
      "decimals are as large and small as they can be",
      [
        "UPDATE ZBEING SET ZRATING = 3.402823669209384e165 WHERE Z_PK = 1",
        "UPDATE ZBEING SET ZRATING = -1e-128 WHERE Z_PK = 2",
      ]),
    Case(
      "values are empty",
      [
        "UPDATE ZBEING SET ZNAME = '', ZPHOTO = x'01' WHERE Z_PK = 1",
        "UPDATE ZBEING SET ZPHOTO = x'' WHERE Z_PK = 2",
      ]),
    Case("unique values are NULL", ["UPDATE ZBEING SET ZNAME = NULL"]),
    Case(
      "entities were renamed in place",
      ["UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old' || Z_NAME"]),
    Case("both rows of a pair of an own inverse", ["INSERT INTO Z_1FRIENDS VALUES (1, 3), (3, 1)"]),
    Case("keys were used up", ["UPDATE Z_PRIMARYKEY SET Z_MAX = 900"]),
    Case("order keys have gaps", ["UPDATE ZPET SET Z_FOK_KEEPER = Z_FOK_KEEPER * 7 - 50000"]),
    Case(
      "an entity number is beside no key",
      ["UPDATE ZPET SET ZKEEPER = NULL, Z1_KEEPER = 3, Z_FOK_KEEPER = NULL"]),
    Case(
      "the history knows its entities, and has no versions",
      [
        history, "INSERT INTO ACHANGE VALUES (1, 16001, NULL, 2, 7, 5, 1, NULL)",
        "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1)",
      ]),
    Case(
      "there are fewer and more indexes",
      ["DROP INDEX ZPET_ZKEEPER_INDEX", "CREATE INDEX MINE ON ZPET (Z_OPT)"]),
    Case("the user has a table", ["CREATE TABLE NOTES (text)", "INSERT INTO NOTES VALUES ('x')"]),
  ]

  @Test(
    "texts that Python cannot decode are not valid, in every encoding of a database",
    arguments: TextEncoding.allCases)
  func texts(encoding: TextEncoding) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    var entity = Entity(name: "N")
    entity.attributes = [
      Attribute(name: "s", type: .string, isOptional: true),
      Attribute(name: "u", type: .uri, isOptional: true),
    ]
    let model = try ObjectModel(ModelDocument(entities: [entity]))
    var store = try NewStore(path: path, encoding: encoding, model: model, uuid: "A")
    for _ in 1...600 { _ = try store.insert("N", attributes: [:]) }
    try store.finish()
    let invalid = try Python.run(
      """
      import random, sqlite3, sys
      path, encoding = sys.argv[1:]
      r = random.Random(7)
      units = ["a", "é", "€", "𝄞", "\\ufffd", "\\x7f", "\\u0080", "\\uffff"]
      raw = [b"\\x80", b"\\xc3", b"\\xc0\\xaf", b"\\xed\\xa0\\x80", b"\\xf5", b"\\xf4\\x90\\x80\\x80", b"\\xff"]
      is_utf8 = encoding == "utf-8"
      # SQLite itself writes no UTF-16 that is not valid: surrogates replace these in the file.
      marks = {} if is_utf8 else {"\\ue123": "\\ud800", "\\ue124": "\\udc00"}
      db = sqlite3.connect(path)
      for key in range(1, 601):
          parts = [r.choice(units + list(marks)).encode("utf-8") for _ in range(r.randrange(1, 6))]
          if is_utf8 and r.random() < 0.4: parts.insert(r.randrange(len(parts)), r.choice(raw))
          column = r.choice(["ZS", "ZU"])
          db.execute("update ZN set %s = cast(? as text) where Z_PK = ?" % column, (b"".join(parts), key))
      db.commit()
      db.close()
      data = open(path, "rb").read()
      for mark, surrogate in marks.items():
          data = data.replace(mark.encode(encoding), surrogate.encode(encoding, "surrogatepass"))
      open(path, "wb").write(data)
      db = sqlite3.connect(path)
      for column in ["ZS", "ZU"]:
          for key, stored in db.execute("select Z_PK, cast(%s as blob) from ZN where %s not null" % (column, column)):
              try: stored.decode(encoding)
              except UnicodeDecodeError: print("N p%d %s" % (key, column[1:].lower()))
      """, arguments: [path, encoding.rawValue.lowercased()])
    var found: [String] = []
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    try reader.forEachProblem(of: "N") {
      #expect($0.reason.hasPrefix("is not a valid \(encoding.rawValue) text"))
      found.append("\($0.entity) p\($0.location.object ?? 0) \($0.property ?? "")")
    }
    #expect(found.count > 50 && found.count < 500)
    #expect(found.sorted() == invalid.split(separator: "\n").map(String.init).sorted())
  }

  @Test("valid data of Core Data is not a problem", arguments: healthy)
  func noProblems(_ example: Case) throws {
    #expect(try Self.problems(example.sql).map(Self.text) == [])
  }

  static let noted = [
    Case(
      "a required value with a default is NULL", ["UPDATE ZBEING SET ZLEVEL = NULL WHERE Z_PK = 1"],
      [
        "Person p1 level: is required and NULL; Core Data refuses it only when the object is changed (1570)"
      ]),
    Case(
      "numbers that may be NaN are NULL",
      ["UPDATE ZBEING SET ZWEIGHT = NULL, ZRATING = NULL WHERE Z_PK = 2"],
      [
        "Robot p2 rating: is required and NULL; Core Data refuses it only when the object is changed (1570)",
        "Robot p2 weight: is required and NULL; Core Data refuses it only when the object is changed (1570)",
      ]),
    Case(
      "the object of a relationship without an inverse was deleted",
      ["DELETE FROM ZTHING WHERE Z_PK = 1"],
      [
        "Person p1 favourite: points to p1, which does not exist; without an inverse, Core Data does not clear it (133000)"
      ]),
    Case(
      "the owner of a relationship without an inverse was deleted",
      ["UPDATE ZTHING SET Z1TOYS = 88 WHERE Z_PK = 2"],
      [
        "Thing p2 Being.toys: belongs to p88, which does not exist; without an inverse, Core Data does not clear it (133000)"
      ]),
    Case(
      "Z_PRIMARYKEY has a row of no entity",
      ["INSERT INTO Z_PRIMARYKEY VALUES (8, 'Ghost', 0, 5), (16000, NULL, 0, 0)"],
      [
        "Z_PRIMARYKEY Z_ENT: is 16000 in 1 row, which is not an entity number of the model",
        "Z_PRIMARYKEY Z_ENT: is 8 (Ghost) in 1 row, which is not an entity number of the model",
      ]),
  ]

  @Test("data that Core Data may have saved, but would not save again, is a note", arguments: noted)
  func notes(_ example: Case) throws {
    let problems = try Self.problems(example.sql)
    #expect(problems.map(Self.text).sorted() == example.problems)
    #expect(problems.allSatisfy { $0.severity == .note })
  }

  @Test(
    "checks of some objects and of all objects find the same problems", arguments: damaged + noted)
  func someObjects(_ example: Case) throws {
    let folder = try TemporaryFolder()
    let reader = try Self.reader(of: example.sql, in: folder)
    for entity in reader.model.entities where !entity.isAbstract {
      for rules in [ValidationRules.stored, .saved, .saving, .required, .uniqueness] {
        var all: Set<Finding> = []
        try reader.forEachProblem(of: entity.name, rules) { all.insert($0) }
        var some: Set<Finding> = []
        for key in try reader.keys(of: entity.name) {
          try reader.forEachProblem(of: entity.name, among: [key], rules) { problem in
            #expect(problem.location.object == key)
            some.insert(problem)
          }
        }
        #expect(all == some, "\(example.name) \(entity.name)")
      }
    }
  }

  private static func reader(of sql: [String], in folder: TemporaryFolder) throws -> StoreReader {
    let path = folder.path("b.sqlite")
    try BeingStore.make(at: path)
    try StoreFixture.run(sql, on: path)
    return try StoreReader(SQLiteStore(reading: path), model: BeingStore.model())
  }

  /// By the rules for stores, from the first object to the last table.
  private static func problems(_ sql: [String]) throws -> [Finding] {
    let folder = try TemporaryFolder()
    let reader = try reader(of: sql, in: folder)
    var problems: [Finding] = []
    for entity in reader.model.entities where !entity.isAbstract {
      try reader.forEachProblem(of: entity.name, .stored) { problems.append($0) }
    }
    try reader.forEachTableProblem { problems.append($0) }
    return problems
  }

  private static func text(_ problem: Finding) -> String {
    "\(problem.entity)\(problem.location.object.map { " p\($0)" } ?? "") \(problem.property ?? ""): \(problem.message)"
  }
}
