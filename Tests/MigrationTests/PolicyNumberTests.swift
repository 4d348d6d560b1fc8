import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Numbers that an attribute does not hold, wherever a mapping model or a policy sets them.
@Suite("Numbers that mapping models and policies set")
struct PolicyNumberTests {
  private static func model(_ entities: String) throws -> ObjectModel {
    try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8)))
  }

  /// A store with three objects: the number of the first is out of range in the new model.
  private static func run(
    _ mapping: String, _ policy: String,
    _ check: (_ place: String, MigrationReport, borrowing StoreReader) throws -> Void
  ) throws {
    let old = try model(
      """
      <entity name="Item"><attribute name="big" optional="YES" attributeType="Integer 64"/>
      <attribute name="part" optional="YES" attributeType="Double"/></entity>
      """)
    let new = try model(
      """
      <entity name="Thing"><attribute name="big" optional="YES" attributeType="Integer 32"/>
      <attribute name="part" optional="YES" attributeType="Integer 16"/>
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" inverseName="things" inverseEntity="Box"/></entity>
      <entity name="Box"><attribute name="big" optional="YES" attributeType="Integer 32"/>
      <relationship name="things" optional="YES" toMany="YES" destinationEntity="Thing" inverseName="box" inverseEntity="Thing"/></entity>
      """)
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: old, uuid: "A")
    for (big, part) in [(5_000_000_000, 1.5), (1, 2), (2, 3)] as [(Int64, Double)] {
      _ = try store.insert("Item", attributes: ["big": .integer(big), "part": .real(part)])
    }
    try store.finish()
    var policies = PolicyRegistry()
    policies.add(try PolicyScript.policies(parsing: policy))
    let hop = try MigrationPlan.Hop(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new),
      by: mapping)
    for (name, executor, batchSize) in Passes.executors {
      let target = folder.path("\(name).sqlite")
      let report = try Passes.run(
        hop, from: path, into: target, policies: policies, executor: executor, batchSize: batchSize
      ).report
      try check(name, report, StoreReader(SQLiteStore(reading: target), model: new))
    }
    withExtendedLifetime(folder) {}
  }

  @Test(
    "numbers of the source are counted with their objects",
    arguments: [
      "", "in end of creation: ", "in relationships: ", "in end of relationships: ", "in end: ",
    ])
  func ofSource(place: String) throws {
    let mapping = "P: Item -> Thing\n  policy X\n  omit big\n  omit part"
    let policy = "policy X\n  \(place)set big = $source.big\n  \(place)set part = $source.part"
    try Self.run(mapping, policy) { executor, report, reader in
      #expect(report.receipt.losses == Receipt.Losses(values: 1, truncated: 1), "\(executor)")
      #expect(report.numbers.map(\.affected.keys) == [[1], [1]], "\(executor)")
      #expect(report.numbers.map(\.sourceEntity) == ["Item", "Item"], "\(executor)")
      let things = try reader.keys(of: "Thing").map {
        try reader.object($0, of: "Thing")?.attributes
      }
      #expect(things.map { $0?["big"] } == [.null, .integer(1), .integer(2)], "\(executor)")
      #expect(things.map { $0?["part"] } == [.integer(1), .integer(2), .integer(3)], "\(executor)")
    }
  }

  /// The three values of `part` are lost too.
  @Test("a number that several statements set is counted once")
  func severalStatements() throws {
    let mapping = "P: Item -> Thing\n  policy X\n  omit big\n  omit part"
    let calls = ["in end of creation", "in relationships", "in end of relationships", "in end"]
    let policy = "policy X\n" + calls.map { "  \($0): set big = $source.big\n" }.joined()
    try Self.run(mapping, policy) { executor, report, _ in
      #expect(report.receipt.losses.values == 1 + 3, "\(executor)")
      #expect(report.numbers.map(\.affected.keys) == [[1]], "\(executor)")
    }
  }

  @Test("values stay kept where a policy creates objects of the same entity")
  func createdBeside() throws {
    let mapping = "P: Item -> Thing\n  policy X\n  big = $source.big\n  part = $source.part"
    try Self.run(mapping, "policy X\n  in end: create Thing with big = 3, part = 4") {
      executor, report, _ in
      #expect(report.receipt.losses == Receipt.Losses(values: 1, truncated: 1), "\(executor)")
    }
  }

  @Test(
    "numbers of objects that a policy creates are counted",
    arguments: [
      ("create Box with big = 3000000000", 1), ("in begin: create Box with big = 3000000000", 1),
      ("in end of creation: create Box with big = 3000000000", 1),
      ("in end: create Box with big = 3000000000", 1),
      ("find or create Box where big == 7 with big = 3000000000", 1),
      ("in relationships: set box = create Box with big = 3000000000", 3),
    ])
  func created(statement: String, count: Int) throws {
    let mapping = "P: Item -> Thing\n  policy X\n  omit big\n  omit part"
    try Self.run(mapping, "policy X\n  \(statement)") { executor, report, _ in
      let counted = report.numbers.map { "\($0.attribute) \($0.affected.count)" }
      #expect(counted == ["Box.big \(count)"], "\(executor)")
      let fate = report.receipt.properties.first {
        $0.destinations.contains { $0.entity == "Box" && $0.name == "big" }
      }
      #expect(fate?.lost.count == count, "\(executor)")
    }
  }

  @Test("constants of a mapping model are counted once for each object")
  func constants() throws {
    let mapping = "P: Item -> Thing\n  big = 9999999999\n  part = 2.5\n  name = 'a'"
    try Self.run(mapping, "") { executor, report, reader in
      let counted = report.numbers.map { "\($0.attribute) \($0.affected.count)" }
      #expect(counted == ["Thing.big 3", "Thing.part 3"], "\(executor)")
      #expect(report.numbers.map(\.affected.keys) == [[1, 2, 3], [1, 2, 3]], "\(executor)")
    }
  }

  @Test("a number that several entities get is counted at the one that does not hold it")
  func ofSplitEntities() throws {
    let mapping = """
      P: Item -> Thing
        big = $source.big
        omit part
      Q: Item -> Box
        big = $source.big + 1
      """
    try Self.run(mapping, "") { executor, report, _ in
      let told = report.receipt.properties.filter { $0.unfitting.count > 0 }
      #expect(
        told.map { "\($0.destinations) \($0.unfitting.count)" } == [
          "[Box.big] 1", "[Thing.big] 1",
        ], "\(executor)")
    }
  }

  @Test(
    "split and join refuse other values than strings, which they would lose",
    arguments: [
      "join 'a', $source.big with '-' into name", "split $source.big at '0' into name",
      "in end: join $source.part with '-' into name",
    ])
  func strings(statement: String) throws {
    let mapping = "P: Item -> Thing\n  policy X\n  omit big\n  omit part"
    #expect(throws: (any Error).self) {
      try Self.run(mapping, "policy X\n  \(statement)") { _, _, _ in }
    }
  }
}
