import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import StrataWitness
import TestSupport
import Testing

@Suite("The witness: columns and history")
struct WitnessSchemaTests {
  private static func model(_ more: String) throws -> ObjectModel {
    try ObjectModel(
      brief: """
        Book
          pages Integer_32
          title String
          owner -> Owner inverse=books
        \(more)
        Owner
          name String
          books -> Book many ordered inverse=owner
        """)
  }

  /// A migrated store with a history of two changes of books and one of owners.
  private static func migrated(
    in folder: TemporaryFolder
  ) throws -> (witness: Witness, connection: SQLiteConnection) {
    let (old, new) = (try model(""), try model("  added Integer_16"))
    let path = folder.path("s.sqlite")
    var store = try NewStore(path: path, model: old, uuid: "A")
    _ = try store.insert("Owner", attributes: ["name": .text("a")])
    for number in 1...2 {
      let end = try #require(old.relationship("owner", of: "Book"))
      let key = try store.insert("Book", attributes: ["pages": .integer(Int64(number))]).key
      try store.connect(end, of: key, to: [1])
    }
    try store.finish()
    try StoreFixture.run(
      [
        "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER)",
        "INSERT INTO ACHANGE VALUES (1, 16001, 1, 0, 1, 1, 1), (2, 16001, 1, 0, 1, 2, 1), (3, 16001, 1, 0, 2, 1, 1)",
      ], on: path)
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    var witness = Witness(
      parts: hop.parts.map(\.mapping), from: old, to: new,
      means: Witness.Means(isInferred: true, isInPlace: true))
    try witness.observeSource(SQLiteConnection(path: path, mode: .readWrite))
    _ = try InPlace.run(hop, at: path)
    return (witness, try SQLiteConnection(path: path, mode: .readWrite))
  }

  @Test(
    "objects to missing columns, and to changes in the history",
    arguments: [
      ([], []),
      (["ALTER TABLE ZBOOK DROP COLUMN ZPAGES"], ["Book.pages: columns missing: 1"]),
      (
        ["DROP INDEX IF EXISTS ZBOOK_ZOWNER_INDEX", "ALTER TABLE ZBOOK DROP COLUMN ZOWNER"],
        ["Book.owner: columns or tables missing: 1"]
      ),
      (
        ["DELETE FROM ACHANGE WHERE Z_PK = 2"],
        ["Book: 1 changes in the history instead of 2"]
      ),
      (
        ["UPDATE ACHANGE SET ZENTITY = 1"],
        [
          "Book: 3 changes in the history instead of 2",
          "Owner: 0 changes in the history instead of 1",
        ]
      ),
    ] as [([String], [String])])
  func faults(sql: [String], expected: [String]) throws {
    let folder = try TemporaryFolder()
    var (witness, connection) = try Self.migrated(in: folder)
    for statement in sql { try connection.execute(statement) }
    let found = try witness.objections(to: connection)
    #expect(found == expected)
  }

  @Test("an entity whose objects a policy has deleted is left out with its links, others are not")
  func forgotten() throws {
    let folder = try TemporaryFolder()
    var (witness, connection) = try Self.migrated(in: folder)
    witness.forget("Owner")
    try connection.execute("UPDATE ZBOOK SET ZOWNER = NULL, Z_FOK_OWNER = NULL")
    try connection.execute("UPDATE ZOWNER SET ZNAME = 'b'")
    #expect(try witness.objections(to: connection) == [])
    try connection.execute("UPDATE ZBOOK SET ZPAGES = 9 WHERE Z_PK = 1")
    #expect(try !witness.objections(to: connection).isEmpty)
  }
}
