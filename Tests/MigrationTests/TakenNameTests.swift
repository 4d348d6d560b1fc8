import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Names of the new model that something else in the store has.
@Suite("Names that are taken")
struct TakenNameTests {
  private static let old = """
    T
      a String
      l -> L inverse=ts
    L
      title String
      ts -> T many inverse=l
    """
  private static let new = """
    T
      a String
      c String
      l -> L inverse=ts
      unique c
    L
      title String
      n Integer_64 derived derivationExpression=ts.@count
      ts -> T many inverse=l
    N
      x String
    """
  private static let trigger = "Z_DA_ZT_L_n_PARAMETER_INSERT"

  private static func store(at path: String, _ sql: [String]) throws -> ObjectModel {
    let model = try ObjectModel(brief: old)
    var store = try NewStore(path: path, model: model, uuid: "A")
    let list = try store.insert("L", attributes: ["title": .text("l")]).key
    for text in ["a", "b"] {
      _ = try store.insert("T", attributes: ["a": .text(text), "l": .integer(list)])
    }
    try store.finish()
    try StoreFixture.run(sql, on: path)
    return model
  }

  @Test(
    "an index, a view or a trigger of the app gives way, and is reported as lost",
    arguments: [
      ("INDEX z_t_unique_c ON mine (x)", "index z_t_unique_c on mine"),
      ("VIEW Z_T_UNIQUE_c AS SELECT * FROM mine", "view Z_T_UNIQUE_c"),
      ("VIEW ZN AS SELECT * FROM mine", "view ZN"),
      ("INDEX ZN ON mine (x)", "index ZN on mine"),
      (
        "TRIGGER \(trigger.lowercased()) AFTER INSERT ON mine BEGIN SELECT 1; END",
        "trigger \(trigger.lowercased()) on mine"
      ),
    ])
  func givesWay(sql: String, title: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    let own = ["CREATE TABLE mine (x)", "INSERT INTO mine VALUES (7)"]
    let hop = try MigrationPlan.Hop.inferred(
      from: Self.store(at: path, own + ["CREATE \(sql)"]), to: ObjectModel(brief: Self.new))
    let report = try InPlace.run(hop, at: path).report
    #expect(report.extras == ["the \(title) is lost: the new model uses its name"])
    try check(path, hop.to.model)
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    #expect(try connection.rows("SELECT x FROM mine") == [[.integer(7)]])
  }

  @Test(
    "a trigger of the app with the name of a new one is replaced by it", arguments: ["ZL", "mine"])
  func sameTrigger(table: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    let hop = try MigrationPlan.Hop.inferred(
      from: Self.store(
        at: path,
        [
          "CREATE TABLE mine (x)",
          "CREATE TRIGGER \(Self.trigger) AFTER INSERT ON \(table) BEGIN SELECT 1; END",
        ]), to: ObjectModel(brief: Self.new))
    #expect(try InPlace.run(hop, at: path).report.extras == [])
    try check(path, hop.to.model)
    let sql = try SQLiteStore(reading: path).schema().first { $0.name == Self.trigger }?.sql
    #expect(sql?.contains("UPDATE ZL SET ZN") == true, "\(sql ?? "")")
  }

  @Test("a table of the app stops the migration before anything changes", arguments: ["ZN", "zn"])
  func table(name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    let hop = try MigrationPlan.Hop.inferred(
      from: Self.store(at: path, ["CREATE TABLE \(name) (x)"]), to: ObjectModel(brief: Self.new))
    let before = try folder.state()
    #expect(throws: (any Error).self) { try InPlace.run(hop, at: path) }
    #expect(try folder.state() == before)
  }

  @Test("a foreign row of Z_PRIMARYKEY stays unless a new entity has its number")
  func entityNumbers() throws {
    for (number, isLost) in [(3, true), (4, false), (16001, false)] {
      let folder = try TemporaryFolder()
      let path = folder.path("s.sqlite")
      let hop = try MigrationPlan.Hop.inferred(
        from: Self.store(at: path, ["INSERT INTO Z_PRIMARYKEY VALUES (\(number), 'Foo', 0, 9)"]),
        to: ObjectModel(brief: Self.new))
      let report = try InPlace.run(hop, at: path).report
      #expect(
        report.extras
          == (isLost
            ? [
              "the row 3 of Z_PRIMARYKEY, Foo, is lost: an entity of the new model has this number"
            ] : []))
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      let found = try connection.rows(
        "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT IN (1, 2, 3, \(number)) ORDER BY Z_ENT")
      let names: [[AttributeValue]] = [(1, "L"), (2, "N"), (3, "T")].map {
        [.integer($0.0), .text($0.1)]
      }
      #expect(found == names + (isLost ? [] : [[.integer(Int64(number)), .text("Foo")]]))
    }
  }

  /// Every object is there with its links, and the schema is that of the new model.
  private func check(_ path: String, _ model: ObjectModel) throws {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    let end = try #require(model.relationship("ts", of: "L"))
    #expect(try reader.destinations(of: end, from: 1).sorted() == [1, 2])
    let names = try Set(reader.store.schema().map(\.name))
    let schema = StoreSchema(model)
    #expect(Set((schema.indexes + schema.triggers).map(\.name)).isSubset(of: names), "\(names)")
  }
}
