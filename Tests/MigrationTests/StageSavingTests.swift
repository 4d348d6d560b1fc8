import StrataBase
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// What a stage changes must be valid for the version in which it is saved, as in an app.
@Suite("Saved changes of stages")
struct StageSavingTests {
  private static let strict = """
    Item
      id Integer_16
      n Integer_16 minValueString=0 maxValueString=5
      s String minValueString=2 maxValueString=4
      p String regularExpressionString=[a-z]+
      r String required
      box -> Box inverse=items
    Special: Item
      d Double maxValueString=1.5
    Box
      id Integer_16
      items -> Item many required inverse=box minCount=1 maxCount=2
    """
  private static let loose = """
    Item
      id Integer_16
      n Integer_16
      s String
      p String
      r String
      box -> Box inverse=items
    Special: Item
      d Double
    Box
      id Integer_16
      items -> Item many inverse=box
    """

  /// The versions, and the phase that sets the values.
  enum Setting: CaseIterable { case strictOld, strictNew, strictNewSetBefore }

  private static func hop(_ setting: Setting, _ changes: [String]) throws -> MigrationPlan.Hop {
    let models = setting == .strictOld ? [strict, loose] : [loose, strict]
    let versions = try zip(["V1", "V2"], models).map { name, text in
      NamedModel(
        name: name,
        model: try ObjectModel(
          brief: text + (name == "V2" ? "\nOther\n  id Integer_16" : "")))
    }
    let phase = setting == .strictNew ? "did" : "will"
    let lines = ["stage custom V1 -> V2"] + changes.map { "  \(phase): \($0)" }
    let stages = try StageScript(parsing: lines.joined(separator: "\n")).resolved(
      among: versions, policies: PolicyRegistry(), folder: "/nowhere")
    return try MigrationPlanner(versions: versions, stages: stages).plan(
      from: versions[0], to: versions[1], by: .staged
    ).hops[0]
  }

  /// Four items in three boxes, the last one special; valid for the strict version besides the given values.
  private static func makeStore(
    _ path: String, _ model: ObjectModel, _ invalid: [Int64: [String: AttributeValue]]
  ) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    let items = try (1...4 as ClosedRange<Int64>).map { id in
      let values = [
        "id": .integer(id), "n": .integer(1), "s": .text("abc"), "p": .text("abc"),
        "r": .text("abc"),
      ].merging(invalid[id] ?? [:]) { $1 }
      return try store.insert(id == 4 ? "Special" : "Item", attributes: values).key
    }
    let boxes = try (1...3 as ClosedRange<Int64>).map {
      try store.insert("Box", attributes: ["id": .integer($0)]).key
    }
    let relationship = try #require(model.relationship("box", of: "Item"))
    for (item, box) in zip(items, [boxes[0], boxes[0], boxes[1], boxes[2]]) {
      try store.connect(relationship, of: item, to: [box])
    }
    try store.finish()
  }

  /// The objects that stop the migration, such as `Item.n 1 2`.
  private static func stopped(
    _ setting: Setting, _ changes: [String], _ invalid: [Int64: [String: AttributeValue]] = [:],
    damagedBy sql: String = ""
  ) throws -> Set<String> {
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    let hop = try hop(setting, changes)
    try makeStore(path, hop.from.model, invalid)
    if !sql.isEmpty { try StoreFixture.run([sql], on: path) }
    let before = try folder.state()
    let report = try InPlace.run(hop, at: path).report
    let stopping = report.problems.filter(\.stopsMigration)
    if !stopping.isEmpty { #expect(try folder.state() == before) }
    for problem in stopping {
      #expect(problem.count == problem.keys.count && problem.newKeys.isEmpty, "\(problem)")
      let version = setting == .strictOld ? "V1" : "V2"
      // Missing values of the new version are looked for in all objects.
      #expect(problem.fix.contains(version) || problem.reason.contains("1570"), "\(problem)")
    }
    return Set(
      stopping.map { problem in
        ["\(problem.entity).\(problem.property)"].joined()
          + problem.keys.sorted().map { " \($0)" }
          .joined()
      })
  }

  @Test(
    "values that the version does not allow stop the migration, for the changed objects alone",
    arguments: Setting.allCases,
    [
      (["Item: set n = 9"], ["Item.n 1 2 3", "Special.n 4"]),
      (["Item: set n = 9 when id > 2"], ["Item.n 3", "Special.n 4"]),
      (["Item: set n = -1 when id == 1"], ["Item.n 1"]), (["Item: set n = 5"], []),
      (["Item: set s = 'x' when id == 2"], ["Item.s 2"]),
      (["Item: set s = 'abcde' when id == 2"], ["Item.s 2"]),
      (["Item: set p = 'ABC' when id == 3"], ["Item.p 3"]),
      (["Special: set d = 2"], ["Special.d 4"]), (["Special: set d = 1"], []),
      (["Item: set n = 9", "Item: set n = 2 when id != 3"], ["Item.n 3"]),
      (["Item: set n = 9 when id == 1", "Item: set n = 8 when id == 1"], ["Item.n 1"]),
      (["Item: set n = 9", "Item: set n = 3"], []), (["Item: set n = 9 when id > 7"], []),
      (["Item: join s, p with '-' into s when id == 1"], ["Item.s 1"]),
      (["Item: split s at 'b' into s, p when id == 3"], ["Item.s 3"]),
    ] as [([String], [String])])
  func values(setting: Setting, testCase: (changes: [String], expected: [String])) throws {
    let found = try Self.stopped(setting, testCase.changes)
    #expect(found == Set(testCase.expected), "\(setting) \(testCase)")
  }

  @Test("a value that the new version requires stops the migration", arguments: Setting.allCases)
  func required(setting: Setting) throws {
    let found = try Self.stopped(setting, ["Item: set r = nil when id > 2"])
    #expect(found == ["Item.r 3", "Special.r 4"])
  }

  @Test(
    "an object that is invalid already stops the migration where a stage saves it",
    arguments: [Setting.strictOld, .strictNew])
  func invalidBefore(setting: Setting) throws {
    let invalid: [Int64: [String: AttributeValue]] = [1: ["n": .integer(9)], 4: ["d": .real(7)]]
    for (change, expected) in [
      ("Item: set s = 'ab' when id == 2", []), ("Item: set s = 'ab' when id == 1", ["Item.n 1"]),
      ("Special: set s = 'ab'", ["Special.d 4"]), ("Item: set n = 2 when id == 1", []),
      ("Item: set n = 2 when id == 2", []),
    ] {
      #expect(try Self.stopped(setting, [change], invalid) == Set(expected), "\(change)")
    }
  }

  @Test("a link to a missing object does not stop a stage that saves its object")
  func dangling() throws {
    let found = try Self.stopped(
      .strictOld, ["Item: set s = 'ab' when id == 4"],
      damagedBy: "UPDATE ZITEM SET ZBOX = 99 WHERE ZID = 4")
    #expect(found == [])
  }

  @Test(
    "the objects at both ends of a changed link are saved, and the ones that lose it",
    arguments: [
      // The first box gets all, the others lose theirs.
      ("Item: set box = find Box where id == 1", ["Box.items 1 2 3"]),
      ("Item: set box = find Box where id == 1 when id == 3", ["Box.items 1 2"]),
      ("Item: set box = find Box where id == 2 when id == 1", []),
      ("Item: set box = create Box with id = 9 when id == 1", []),
      ("Item: set box = create Box with id = 9 when id == 3", ["Box.items 2"]),
      ("Box: set items = find Item where id == 3 when id == 1", ["Box.items 1 2"]),
      ("Box: set items = find Item where id == 1 when id == 2", []),
    ])
  func links(change: String, expected: [String]) throws {
    let found = try Self.stopped(.strictOld, [change])
    #expect(found.allSatisfy { $0.hasPrefix("Box.items ") }, "\(found)")
    let keys = Set(found.flatMap { $0.split(separator: " ").dropFirst() }).sorted()
    let joined = found.isEmpty ? [] : ["Box.items " + keys.joined(separator: " ")]
    #expect(joined == expected, "\(found)")
  }
}
