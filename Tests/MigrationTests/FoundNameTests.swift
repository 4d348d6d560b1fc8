import StrataBase
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Stores whose columns and join tables have other names than those of a new store: a migration in place keeps them, with
/// every link and its order.
@Suite("Names of the columns and tables of a store")
struct FoundNameTests {
  private static func model(_ more: String = "", first: String = "A\n  x String") throws
    -> ObjectModel
  {
    try ObjectModel(
      brief: """
        \(first)
        Base
          t String
        \(more)
        Sub: Base
          one -> Part inverse=ones
          many -> Part many ordered inverse=others
        Part
          n String
          ones -> Sub many ordered inverse=one
          others -> Sub many ordered inverse=many
          as -> Part many inverse=bs
          bs -> Part many inverse=as
        """)
  }

  private static func store(at path: String) throws -> ObjectModel {
    let model = try model()
    var store = try NewStore(path: path, model: model, uuid: "A")
    for number in 1...4 {
      for entity in ["A", "Sub", "Part"] {
        let name = ["A": "x", "Sub": "t", "Part": "n"][entity] ?? ""
        _ = try store.insert(entity, attributes: [name: .text("\(number)")])
      }
    }
    for (name, entity, key, keys) in [
      ("ones", "Part", 1, [3, 1, 2]), ("many", "Sub", 1, [2, 1]), ("many", "Sub", 2, [1, 4, 2]),
      ("as", "Part", 2, [1, 3]), ("as", "Part", 3, [2]),
    ] as [(String, String, Int64, [Int64])] {
      let end = try #require(model.relationship(name, of: entity))
      try store.connect(end, of: key, to: keys)
    }
    try store.finish()
    return model
  }

  /// All links, in their order where they have one.
  private static func links(_ path: String, _ model: ObjectModel) throws -> [String] {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    return try model.storedRelationships.flatMap { end in
      try reader.keys(of: end.declaringEntity).map { key in
        let found = try reader.destinations(of: end, from: key)
        return "\(end.qualifiedName) \(key) \(end.property.isOrdered ? found : found.sorted())"
      }
    }
  }

  private static func columns(_ path: String) throws -> Set<String> {
    let store = try SQLiteStore(reading: path)
    return try Set(
      store.schema().filter { $0.kind == .table }.flatMap { table in
        try store.columnNames(of: table.name).map { "\(table.name).\($0)" }
      })
  }

  @Test(
    "they are kept in every change of the model, also if the numbers of entities change",
    arguments: [("", "A"), ("  u String", "A\n  x String"), ("  u String", "Z"), ("", "Ab\nAc")])
  func kept(more: String, first: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    let old = try Self.store(at: path)
    let links = try Self.links(path, old)
    #expect(links.contains("Part.ones 1 [3, 1, 2]") && links.contains("Sub.many 2 [1, 4, 2]"))
    let layout = StoreLayout(old)
    let one = try #require(layout.column(of: "one", declaredBy: "Sub"))
    let many = try #require(layout.joinTable(of: "many", declaredBy: "Sub"))
    let both = try #require(layout.joinTable(of: "as", declaredBy: "Part"))
    let renamed =
      [one.name, one.orderColumn].compactMap { $0 }.map { ("ZBASE", $0) }
      + [many.ownColumn, many.otherColumn, many.orderColumn, many.inverseOrderColumn]
      .compactMap { $0 }.map { (many.name, $0) }
    #expect(renamed.count == 6)
    try StoreFixture.run(
      renamed.map { "ALTER TABLE \($0.0) RENAME COLUMN \($0.1) TO \($0.1)1" } + [
        "ALTER TABLE \(both.name) RENAME TO \(both.name.dropLast(2))BS"
      ], on: path)
    #expect(try Self.links(path, old) == links)
    let new = try Self.model(more, first: first)
    let report = try InPlace.run(.inferred(from: old, to: new), at: path).report
    #expect(try Self.links(path, new) == links)
    #expect(report.links.allSatisfy { $0.lost == 0 }, "\(report.links)")
    let columns = try Self.columns(path)
    #expect(columns.isSuperset(of: ["ZBASE.ZONE1", "ZBASE.Z_FOK_ONE1"]), "\(columns)")
    let reader = try StoreReader(SQLiteStore(reading: path), model: new)
    for entity in ["Sub", "Part"] {
      try reader.forEachProblem(of: entity) { Issue.record("\($0)") }
    }
  }
}
