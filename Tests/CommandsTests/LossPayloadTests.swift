import Foundation
import StrataBase
import StrataCommands
import StrataMigration
import TestSupport
import Testing

/// Everything that `migrate` says is lost is in its JSON too.
@Suite("Losses of a migration in JSON")
struct LossPayloadTests {
  private static let before = """
    <entity name="A"><attribute name="w" optional="YES" attributeType="Double"/>\
    <attribute name="x" optional="YES" attributeType="Integer 64"/>\
    <attribute name="y" optional="YES" attributeType="String"/>\
    <relationship name="b" optional="YES" maxCount="1" destinationEntity="B"/>\
    <relationship name="cs" optional="YES" toMany="YES" destinationEntity="C" inverseName="a" inverseEntity="C"/></entity>\
    <entity name="B"/><entity name="C"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="cs" inverseEntity="A"/></entity>\
    <entity name="D"/>
    """
  private static let after = """
    <entity name="A"><attribute name="w" optional="YES" attributeType="Integer 16"/>\
    <attribute name="x" optional="YES" attributeType="Integer 16"/>\
    <relationship name="b" optional="YES" maxCount="1" destinationEntity="B"/>\
    <relationship name="cs" optional="YES" maxCount="1" destinationEntity="C" inverseName="a" inverseEntity="C"/></entity>\
    <entity name="B"/><entity name="C"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="cs" inverseEntity="A"/></entity>
    """

  /// A store with something of each kind to lose.
  private static func session(in folder: TemporaryFolder) throws -> TestSession {
    try folder.writeBundle(["V1": before, "V2": after])
    let session = TestSession(in: folder)
    for command in [
      "create s.sqlite --model X.xcdatamodeld/V1", "insert s.sqlite A w=1.5 x=70000 y=text",
      "insert s.sqlite C a=p1", "insert s.sqlite C a=p1", "insert s.sqlite D",
    ] {
      let done = session(command)
      #expect(done.status == .done, "\(done)")
    }
    try StoreFixture.run(
      [
        "UPDATE ZA SET ZB = 9", "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (20, 99, 1)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 20 WHERE Z_NAME = 'B'",
        "ALTER TABLE ZA ADD COLUMN mine", "UPDATE ZA SET mine = 1",
      ], on: folder.path("s.sqlite"))
    return session
  }

  private struct Payload: Decodable {
    struct Affected: Decodable {
      var objects: Int
      var keys: [Int]
    }

    struct Property: Decodable {
      var fate: String
      var sources: [String]
      var lost: Int
      var lostKeys: [Int]?
      var before: Int?
      var truncated: Affected?
      var outOfRange: Affected?
      var isRelationship: Bool?
      var dangling: Int?
      var unproven: Bool?
    }

    struct Warning: Decodable {
      var entity: String
      var property: String?
    }

    struct Hop: Decodable {
      var properties: [Property]
      var strayRows: Int
      var keptStrayRows: Int
      var extras: [String]
      var warnings: [Warning]
    }

    struct Refused: Decodable, Equatable {
      var category: String
      var unit: String
      var count: Int
    }

    var hops: [Hop]
    var losses: [String: Int]
    var lost: Int
    var refused: [Refused]?
    var outcome: String
  }

  @Test(
    "rows, numbers, values, links, warnings and content outside the model",
    arguments: ["", "--dry-run", "--output new.sqlite", "--strict --dry-run"])
  func losses(options: String) throws {
    let folder = try TemporaryFolder()
    let json = try Self.session(in: folder)(
      "migrate s.sqlite --to X.xcdatamodeld/V2 \(options) --json")
    let payload = try JSONDecoder().decode(Payload.self, from: Data(json.output.utf8))
    let hop = try #require(payload.hops.first)
    let isStrict = options.contains("--strict")
    #expect(
      payload.outcome
        == (isStrict ? "refused" : options == "--dry-run" ? "rehearsed" : "migrated"))
    // In place, the table of the row of no entity stays.
    let isAnew = options.contains("--output")
    // An object of the removed entity, and that row; a number that does not fit and a text; of two links one.
    let objects = isAnew ? 2 : 1
    #expect(payload.lost == objects)
    #expect(
      payload.losses == [
        "objects": objects, "values": 2, "truncated": 1, "rounded": 0, "links": 1, "orders": 0,
      ])
    func property(_ name: String) throws -> Payload.Property {
      try #require(hop.properties.first { $0.sources == [name] })
    }
    let cut = try property("A.w").truncated
    #expect(cut?.objects == 1 && cut?.keys == [1])
    let outside = try property("A.x")
    #expect(outside.outOfRange?.objects == 1 && outside.outOfRange?.keys == [1])
    #expect(outside.lost == 1)
    let removed = try property("A.y")
    #expect(removed.fate == "lost" && removed.lost == 1 && removed.lostKeys == [1])
    #expect(try property("A.b").dangling == 1)
    let narrowed = try property("A.cs")
    #expect(narrowed.isRelationship == true && narrowed.before == 2)
    #expect(narrowed.lost == 1 && narrowed.unproven == true)
    #expect(hop.strayRows == (isAnew ? 1 : 0) && hop.keptStrayRows == (isAnew ? 0 : 1))
    #expect(hop.extras.count == 1)
    #expect(
      hop.warnings.map { "\($0.entity).\($0.property ?? "")" }.sorted()
        == ["A.cs", "A.w", "A.x", "A.y", "D."])
  }

  @Test(
    "the losses refused by --strict are the same in JSON and text", arguments: LossyMigration.all)
  func refused(migration: LossyMigration) throws {
    let folder = try TemporaryFolder()
    let session = try migration.session(in: folder)
    let line = "migrate s.sqlite --to X.xcdatamodeld/V2 --strict --dry-run"
    let json = session("\(line) --json")
    let payload = try JSONDecoder().decode(Payload.self, from: Data(json.output.utf8))
    #expect(payload.refused?.map(\.category) == migration.category.map { [$0.rawValue] }, "\(json)")
    guard let refused = payload.refused?.first else { return }
    let text = session(line).output
    #expect(text.contains("refused by --strict: \(migration.message)"), "\(text)")
    #expect(
      migration.message.contains(" \(refused.count) ")
        || migration.message.hasPrefix("\(refused.count) "))
  }

  @Test("rows of no entity are reported first and counted if they are not in the new store")
  func strayRow() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create s.sqlite --model sample:Topics/Model3 --rows 2")
    try StoreFixture.run(
      ["INSERT INTO ZTOPIC (Z_ENT, Z_OPT) VALUES (77, 1)"], on: folder.path("s.sqlite"))
    session("try sample:Topics/Model3.Topic versionHashModifier 'x'")
    let target = "--to try:sample:Topics/Model3"
    for (options, loss) in [("--dry-run", nil), ("--output o.sqlite", "1 object lost")] {
      let answer = session("migrate s.sqlite \(target) \(options)")
      #expect(
        answer.status == .done && answer.output.contains("lost;") == (loss != nil), "\(answer)")
      if let loss { #expect(answer.output.contains(": \(loss);"), "\(answer)") }
    }
    let doctor = session("doctor s.sqlite")
    #expect(doctor.output.contains("a migration in place keeps them"), "\(doctor)")
    #expect(doctor.output.contains("by passes loses them"), "\(doctor)")
  }

  @Test("without losses nothing is reported")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder)
    try FileManager.default.removeItem(atPath: folder.path("s.sqlite"))
    session("create s.sqlite --model X.xcdatamodeld/V1 --rows 0")
    let json = session("migrate s.sqlite --to X.xcdatamodeld/V2 --json")
    let payload = try JSONDecoder().decode(Payload.self, from: Data(json.output.utf8))
    let hop = try #require(payload.hops.first)
    #expect(hop.properties.allSatisfy { $0.lost == 0 && $0.dangling == nil })
    #expect(hop.extras.isEmpty && hop.strayRows == 0)
  }
}
