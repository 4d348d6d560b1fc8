import Foundation
import StrataCommands
import StrataDiagnostics
import TestSupport
import Testing

/// Everything that `migrate` says is lost is in its JSON too.
@Suite("What a migration loses, as JSON")
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
    for (name, entities) in [("V1", before), ("V2", after)] {
      try FileManager.default.createDirectory(
        atPath: folder.path("X.xcdatamodeld/\(name).xcdatamodel"),
        withIntermediateDirectories: true)
      _ = try folder.write(
        "<model>\(entities)</model>", to: "X.xcdatamodeld/\(name).xcdatamodel/contents")
    }
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

    var hops: [Hop]
    var lost: Int
    var outcome: String
  }

  @Test(
    "rows, numbers, values, links, warnings and what is outside the model",
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
    #expect(payload.lost == 1)
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
    // A refusal comes before the links are counted.
    #expect(narrowed.lost == (isStrict ? 0 : 1) && narrowed.unproven == (isStrict ? nil : true))
    // In place, the table stays.
    let isAnew = options.contains("--output")
    #expect(hop.strayRows == (isAnew ? 1 : 0) && hop.keptStrayRows == (isAnew ? 0 : 1))
    #expect(hop.extras.count == 1)
    #expect(
      hop.warnings.map { "\($0.entity).\($0.property ?? "")" }.sorted()
        == ["A.cs", "A.w", "A.x", "A.y", "D."])
  }

  @Test("nothing lost, nothing told")
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
