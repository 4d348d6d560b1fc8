import StrataBase
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("Migrations of models with many entities")
struct ManyTablesTests {
  /// Entities in a circle, each with a to-one relationship to the one before it.
  private static func model(_ count: Int, isNew: Bool) throws -> ObjectModel {
    let names = (0..<count).map { "Thing\($0)" }
    let entities = names.indices.map { place in
      var entity = Entity(name: names[place])
      entity.attributes = (["title"] + (isNew ? ["note"] : [])).map {
        Attribute(name: $0, type: .string, isOptional: true)
      }
      var before = Relationship(
        name: "before", destinationName: names[(place + count - 1) % count], isOptional: true)
      before.inverseName = "after"
      var after = Relationship(
        name: "after", destinationName: names[(place + 1) % count], isOptional: true,
        isToMany: true)
      after.inverseName = "before"
      entity.relationships = [before, after]
      return entity
    }
    return try ObjectModel(ModelDocument(entities: entities))
  }

  /// What a migration in place of a store of that many entities runs, and what comes of it.
  private struct Migrated {
    let folder = try? TemporaryFolder()
    let plan: [InPlaceStatement]
    /// The statements that SQLite ran, Strata's own among them.
    let ran: [String]
    let schema: [StoreSchema.Statement]
    /// The store as it was.
    let plain: String

    init(_ count: Int) throws {
      let (old, new) = (
        try ManyTablesTests.model(count, isNew: false),
        try ManyTablesTests.model(count, isNew: true)
      )
      let path = folder?.path("s.sqlite") ?? ""
      var store = try NewStore(path: path, model: old, uuid: "A")
      for place in stride(from: 0, to: count, by: 50) {
        _ = try store.insert("Thing\(place)", attributes: ["title": .text("title \(place)")])
      }
      try store.finish()
      plain = folder?.path("plain.sqlite") ?? ""
      try SQLiteConnection(path: path, mode: .readWrite).copy(to: plain)
      let log = StatementLog(detail: .statements, reportsOwn: true)
      var run = try InPlaceRun(
        .inferred(from: old, to: new), number: 1, of: 1, path: path, log: log)
      var ran: [String] = []
      while run.pending != nil {
        ran += try run.step().compactMap { event in
          if case .sqlBegan(let statement) = event.kind { statement.sql } else { nil }
        }
      }
      plan = run.plan.statements
      self.ran = ran
      schema = try SQLiteStore(reading: path).schema()
      let objects = try StoreReader(SQLiteStore(reading: path), model: new)
      for place in stride(from: 0, to: count, by: 50) {
        #expect(
          try objects.object(1, of: "Thing\(place)")?.attributes
            == ["title": .text("title \(place)"), "note": .null])
      }
      #expect(try SQLiteConnection(path: path, mode: .readWrite).faults().isEmpty)
    }
  }

  @Test("adding columns of many tables in one step gives the schema of separate ALTER statements")
  func schema() throws {
    let migrated = try Migrated(SQLiteConnection.schemaChangeLimit + 20)
    #expect(migrated.plan.filter { $0.sql.hasPrefix("ALTER TABLE ") }.count == 220)
    do {
      let connection = try SQLiteConnection(path: migrated.plain, mode: .readWrite)
      for statement in migrated.plan where statement.changesSchema {
        try connection.execute(statement.sql)
      }
    }
    #expect(try migrated.schema == SQLiteStore(reading: migrated.plain).schema())
    #expect(migrated.ran.filter { $0.hasPrefix("ALTER TABLE ZTHING") }.count == 1)
  }

  @Test(
    "twice as many entities take at most twice as many statements, and no more reads of the schema",
    .part(2))
  func growth() throws {
    let (small, large) = (try Migrated(220), try Migrated(440))
    #expect(large.ran.count <= 2 * small.ran.count)
    func looks(_ migrated: Migrated) -> Int {
      migrated.ran.count { $0.hasPrefix("SELECT") && $0.contains("sqlite_master") }
    }
    #expect(looks(large) == looks(small))
    // To look at one table for damage, SQLite goes through the list of all.
    #expect(large.ran.count { $0.contains("integrity_check") } == 1)
    let longest = (small.ran.map(\.utf8.count).max() ?? 0, large.ran.map(\.utf8.count).max() ?? 0)
    #expect(longest.1 <= 3 * longest.0)
  }
}
