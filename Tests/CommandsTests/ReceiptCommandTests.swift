import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What `migrate`, `compare --rows` and `plan` tell of every property.
@Suite("Receipts of commands")
struct ReceiptCommandTests {
  private static let before = """
    <entity name="Item"><attribute name="name" optional="YES" attributeType="String"/>\
    <attribute name="note" optional="YES" attributeType="String"/>\
    <attribute name="size" optional="YES" attributeType="Double"/></entity>
    """
  private static let after = """
    <entity name="Item"><attribute name="title" optional="YES" attributeType="String" elementID="name"/>\
    <attribute name="size" optional="YES" attributeType="Integer 16"/></entity>
    """

  /// Models V1 and V2 of a bundle, and a store of V1.
  private static func session(
    in folder: TemporaryFolder, _ before: String = before, _ after: String = after,
    rows: [String] = []
  ) throws -> TestSession {
    try folder.writeBundle(["V1": before, "V2": after])
    let session = TestSession(in: folder)
    session("create s.sqlite --model X.xcdatamodeld/V1")
    try StoreFixture.run(rows, on: folder.path("s.sqlite"))
    return session
  }

  private struct Payload: Decodable {
    struct Affected: Decodable, Equatable { var objects: Int }

    struct Property: Decodable {
      var fate: String
      var sources: [String]
      var destinations: [String]
      var before: Int?
      var after: Int?
      var lost: Int
      var truncated: Affected?
      var outOfRange: Affected?
    }

    struct Hop: Decodable {
      struct Entity: Decodable, Equatable {
        var mapping: String
        var source, joined, skipped, lost: Int
        var created: Int?
        var keys: String?
      }

      var entities: [Entity]
      var properties: [Property]
    }

    var hops: [Hop]?
    var properties: [Property]?
    var equal: Bool?
  }

  private static func payload(_ evaluation: Evaluation) throws -> Payload {
    try JSONDecoder().decode(Payload.self, from: Data(evaluation.output.utf8))
  }

  // MARK: 200,000 objects

  private static let count = 200_000
  /// Every third has no name; sizes go from 0 to 39,999.8 in steps of 0.2.
  private static let manyRows = [
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE, ZSIZE) \
    SELECT i, 1, 1, CASE WHEN i % 3 THEN 'name ' || i END, CASE WHEN i % 4 = 0 THEN 'secret' END, \
    (i - 1) * 0.2 FROM n
    """,
    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_NAME = 'Item'",
  ]

  @Test(
    "a rename, a removed column and a lossy type change are reported for 200,000 objects", .part(4))
  func manyObjects() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder, rows: Self.manyRows)
    let old = folder.path("s.sqlite")
    func counted(_ condition: String, in path: String = old) throws -> Int {
      try #require(
        Int(try Python.value("SELECT count(*) FROM ZITEM WHERE \(condition)", in: path)))
    }
    let names = try counted("ZNAME IS NOT NULL")
    let notes = try counted("ZNOTE IS NOT NULL")
    let large = try counted("ZSIZE >= 32768")
    let fractions = try counted("ZSIZE < 32768 AND ZSIZE <> CAST(ZSIZE AS INTEGER)")
    for options in ["--dry-run", "--output n.sqlite"] {
      let hop = try #require(
        try Self.payload(session("migrate s.sqlite --to X.xcdatamodeld/V2 \(options) --json"))
          .hops?.first)
      func property(_ name: String) throws -> Payload.Property {
        try #require(hop.properties.first { $0.sources == ["Item.\(name)"] })
      }
      let title = try property("name")
      #expect(title.fate == "renamed" && title.destinations == ["Item.title"])
      #expect(title.before == names && title.after == names && title.lost == 0)
      let note = try property("note")
      #expect(note.fate == "lost" && note.before == notes && note.lost == notes)
      let size = try property("size")
      #expect(size.fate == "converted" && size.before == Self.count)
      #expect(size.truncated?.objects == fractions && size.outOfRange?.objects == large)
      #expect(size.lost == large && size.after == Self.count - large)
      #expect(
        hop.entities == [
          .init(
            mapping: "IEM_Transform_Item", source: Self.count, joined: 0, skipped: 0, lost: 0,
            created: Self.count, keys: "kept")
        ])
    }
    // Of two stores as well, also where a column was wiped afterwards.
    try StoreFixture.run(
      ["UPDATE ZITEM SET ZTITLE = NULL WHERE Z_PK % 2"], on: folder.path("n.sqlite"))
    let compared = try Self.payload(session("compare s.sqlite n.sqlite --rows --json"))
    #expect(compared.equal == false)
    let title = try #require(compared.properties?.first { $0.sources == ["Item.name"] })
    let kept = try counted("ZTITLE IS NOT NULL", in: folder.path("n.sqlite"))
    #expect(title.fate == "renamed" && title.before == names && title.after == kept)
    #expect(title.lost == names - kept)
  }

  // MARK: Compare

  @Test("a renamed attribute is compared with the one that it continues")
  func renamed() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(
      in: folder, Self.before,
      Self.before.replacing("name=\"name\"", with: "name=\"title\" elementID=\"name\""),
      rows: ["INSERT INTO ZITEM (Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 'a'), (1, 1, 'b')"])
    session("migrate s.sqlite --to X.xcdatamodeld/V2 --output n.sqlite")
    let same = session("compare s.sqlite n.sqlite --rows")
    #expect(same.status == .done && same.output.hasPrefix("equal: 2 objects\n"), "\(same)")
    #expect(same.output.contains("Item.title       2      2  renamed from name"), "\(same)")
    try StoreFixture.run(
      ["UPDATE ZITEM SET ZTITLE = 'c' WHERE Z_PK = 1"], on: folder.path("n.sqlite"))
    let changed = session("compare s.sqlite n.sqlite --rows")
    #expect(
      changed.status == .no && changed.output.contains("different: 1 changed"), "\(changed)")
    try StoreFixture.run(["UPDATE ZITEM SET ZTITLE = NULL"], on: folder.path("n.sqlite"))
    let wiped = session("compare s.sqlite n.sqlite --rows")
    #expect(wiped.status == .no, "\(wiped)")
    #expect(wiped.output.contains("2 values lost"), "\(wiped)")
    #expect(wiped.output.contains("renamed from name; 2 lost"), "\(wiped)")
  }

  @Test("a renamed entity is compared with the one that it continues, and its relationships")
  func renamedEntity() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let before = """
      <entity name="A"><attribute name="x" optional="YES" attributeType="String"/>\
      <relationship name="bs" optional="YES" toMany="YES" destinationEntity="B" inverseName="a" inverseEntity="B"/></entity>\
      <entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="bs" inverseEntity="A"/></entity>
      """
    let after = """
      <entity name="A" elementID="Other"/>\
      <entity name="C" elementID="A"><attribute name="x" optional="YES" attributeType="String"/>\
      <relationship name="parts" optional="YES" toMany="YES" elementID="bs" destinationEntity="B" inverseName="owner" inverseEntity="B"/></entity>\
      <entity name="B"><relationship name="owner" elementID="a" optional="YES" maxCount="1" destinationEntity="C" inverseName="parts" inverseEntity="C"/></entity>
      """
    _ = try Self.session(in: folder, before, after)
    for line in ["insert s.sqlite A x=one", "insert s.sqlite B a=p1", "insert s.sqlite B"] {
      #expect(session(line).status == .done)
    }
    session("migrate s.sqlite --to X.xcdatamodeld/V2 --output n.sqlite")
    let same = session("compare s.sqlite n.sqlite --rows")
    #expect(same.status == .done && same.output.hasPrefix("equal: 3 objects\n"), "\(same)")
    #expect(same.output.contains("renamed from A.bs") || same.output.contains("renamed from B.a"))
    try StoreFixture.run(["UPDATE ZB SET ZOWNER = NULL"], on: folder.path("n.sqlite"))
    let cut = session("compare s.sqlite n.sqlite --rows")
    #expect(cut.status == .no && cut.output.contains("1 link lost"), "\(cut)")
    let rehearsal = session("migrate s.sqlite --to X.xcdatamodeld/V2 --dry-run")
    #expect(rehearsal.output.contains("kept, entity renamed"), "\(rehearsal)")
    let plan = session("plan s.sqlite --to X.xcdatamodeld/V2")
    #expect(plan.diagnostics.contains("which renames A"), "\(plan)")
  }

  @Test("properties that cannot be compared are never reported as equal")
  func notCompared() throws {
    let folder = try TemporaryFolder()
    let added =
      "<attribute name=\"added\" optional=\"YES\" attributeType=\"String\" defaultValueString=\"x\"/></entity>"
    let session = try Self.session(
      in: folder, Self.before, Self.before.replacing("</entity>", with: added),
      rows: ["INSERT INTO ZITEM (Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 'a')"])
    session("migrate s.sqlite --to X.xcdatamodeld/V2 --output n.sqlite")
    let compared = session("compare s.sqlite n.sqlite --rows")
    #expect(compared.status == .done)
    #expect(
      compared.output.hasPrefix(
        "equal as far as compared: 1 object; 1 property not compared\n"),
      "\(compared)")
    // The other way round its values are lost.
    let back = session("compare n.sqlite s.sqlite --rows")
    #expect(back.status == .no && back.output.contains("1 value lost"), "\(back)")
  }

  // MARK: Migrate

  private static let someRows = [
    "INSERT INTO ZITEM (Z_ENT, Z_OPT, ZNAME, ZNOTE, ZSIZE) VALUES (1, 1, 'hidden-1', 'hidden-2', 1.5), "
      + "(1, 1, NULL, 'hidden-3', 70000.0), (1, 1, 'hidden-4', NULL, 3.0)"
  ]

  @Test(
    "the rehearsal and the migration give the same receipt, each loss once, without values",
    arguments: ["", "--output n.sqlite", "--dry-run"])
  func losses(options: String) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder, rows: Self.someRows)
    let answer = session("migrate s.sqlite --to X.xcdatamodeld/V2 \(options)")
    #expect(answer.status == .done)
    for line in [
      "Item.note        2         lost: p1, p2\n",
      "Item.size        3      2  converted from Double to Integer 16; 1 truncated: p1; 1 out of range: p2\n",
      "Item.title       2      2  renamed from name\n",
    ] {
      #expect(answer.output.contains(line), "\(answer)")
    }
    let all = answer.output + answer.diagnostics
    for name in ["Item.note", "Item.size", "Item.title"] {
      #expect(all.components(separatedBy: name).count == 2, "\(name): \(answer)")
    }
    #expect(!all.contains("hidden") && !all.contains("70000"), "\(answer)")
    let means = options.hasPrefix("--output") ? "in three passes into a new store" : "in place"
    #expect(answer.output.contains("\(means), inferred mapping model\n"), "\(answer)")
    let auxiliary = options == "--dry-run" ? "would be " : ""
    #expect(
      answer.output.contains(": 3 values \(auxiliary)lost, 1 value \(auxiliary)truncated;"),
      "\(answer)")
  }

  @Test("a refused migration shows the losses, and no empty table")
  func refused() throws {
    let folder = try TemporaryFolder()
    let required = Self.after.replacing(
      "name=\"title\" optional=\"YES\"", with: "name=\"title\" optional=\"NO\"")
    let session = try Self.session(in: folder, Self.before, required, rows: Self.someRows)
    for options in ["", "--dry-run", "--output n.sqlite"] {
      let failed = session("migrate s.sqlite --to X.xcdatamodeld/V2 \(options)")
      #expect(failed.output.contains("Item.title is a required value (1570) in 1 object: p2"))
      #expect(!failed.output.contains("created") && !failed.output.contains("before"), "\(failed)")
      let json = try Self.payload(
        session("migrate s.sqlite --to X.xcdatamodeld/V2 \(options) --json"))
      #expect(json.hops?.first?.entities.first?.created == nil)
    }
    let optional = try TemporaryFolder()
    let strict = try Self.session(in: optional, rows: Self.someRows)
    for options in ["", "--dry-run", "--output n.sqlite"] {
      let refused = strict("migrate s.sqlite --to X.xcdatamodeld/V2 --strict \(options)")
      #expect(refused.output.contains("1 out of range: p2"), "\(refused)")
      #expect(!refused.output.contains("created"), "\(refused)")
    }
  }

  @Test(
    "a link is lost if its end becomes an object of another entity, whatever the keys",
    arguments: [1, 2], ["", "--output n.sqlite"])
  func foreignEnds(key: Int, options: String) throws {
    let folder = try TemporaryFolder()
    func relationship(_ name: String, _ end: String, inverse: String? = nil) -> String {
      let inverse = inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(end)\"" } ?? ""
      return
        "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"\(end)\" \(inverse)/>"
    }
    func model(_ relationships: String) -> String {
      "<entity name=\"A\"/><entity name=\"B\">\(relationships)</entity>"
    }
    let session = try Self.session(
      in: folder, model(relationship("q", "A") + relationship("p", "B")),
      model(relationship("q", "B", inverse: "p") + relationship("p", "B", inverse: "q")),
      rows: [
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1)",
        "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZP, ZQ) VALUES (1, 2, 1, 1, \(key))",
      ])
    let refused = session("migrate s.sqlite --to X.xcdatamodeld/V2 --strict=links \(options)")
    #expect(
      refused.status == .failed && refused.output.contains("1 link would be lost"), "\(refused)")
    let receipt = session("migrate s.sqlite --to X.xcdatamodeld/V2 \(options)")
    #expect(receipt.output.contains("1 link lost"), "\(receipt)")
  }

  @Test("links of a removed relationship are lost although their objects are joined")
  func joinedOwners() throws {
    let folder = try TemporaryFolder()
    let attribute = "<attribute name=\"b\" optional=\"YES\" attributeType=\"String\"/>"
    let before = """
      <entity name="Item"><relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" \
      inverseName="items" inverseEntity="Box"/></entity>\
      <entity name="Box">\(attribute)<relationship name="items" optional="YES" toMany="YES" \
      destinationEntity="Item" inverseName="box" inverseEntity="Item"/></entity>
      """
    let after = "<entity name=\"Item\"/><entity name=\"Box\">\(attribute)</entity>"
    let session = try Self.session(in: folder, before, after)
    try folder.write(
      """
      mapping from X.xcdatamodeld/V1 to X.xcdatamodeld/V2

      II: Item -> Item

      BB: Box -> Box
        policy P

      """, to: "m.mapping")
    try folder.write("policy P\n  one destination for each $source.b\n", to: "P.policy")
    for object in [
      "Box b=a", "Box b=b", "Box b=a", "Item box=p1", "Item box=p2", "Item box=p3",
    ] {
      #expect(session("insert s.sqlite \(object)").status == .done)
    }
    let line =
      "migrate s.sqlite --to X.xcdatamodeld/V2 --mapping m.mapping --policies P.policy --dry-run"
    let rehearsed = session(line)
    #expect(rehearsed.output.contains("rehearsed: 3 links would be lost"), "\(rehearsed)")
    let json = session("\(line) --json")
    let hop = try #require(try Self.payload(json).hops?.first)
    #expect(hop.entities.map(\.joined) == [0, 1], "\(json)")
    let items = try #require(hop.properties.first { $0.sources == ["Box.items"] })
    #expect(items.fate == "lost" && items.before == 3 && items.lost == 3, "\(json)")
    let refused = session("\(line) --strict=links")
    #expect(refused.status == .no, "\(refused)")
    #expect(refused.output.contains("refused by --strict: 3 links would be lost"), "\(refused)")
  }

  @Test("plan warns if object keys may change")
  func plan() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let passes = session("plan sample:Topics/Model3 --to sample:Topics/Model4")
    #expect(passes.diagnostics.contains("[migration.objectKeys]"), "\(passes)")
    let inPlace = session("plan sample:Topics/Model2 --to sample:Topics/Model3")
    #expect(!inPlace.diagnostics.contains("[migration.objectKeys]"), "\(inPlace)")
  }

  @Test("passes that change keys report it")
  func changedKeys() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model3 --rows 3")
    try StoreFixture.run(["DELETE FROM ZTOPIC WHERE Z_PK = 1"], on: folder.path("t.sqlite"))
    let done = session("migrate t.sqlite --to sample:Topics/Model4 --output n.sqlite")
    #expect(
      done.output.contains("TopicToTopic               2        2       0        0     0  changed"),
      "\(done)")
    #expect(
      done.output.contains("TopicListToTopicList       3        3       0        0     0  kept"),
      "\(done)")
    #expect(try Python.value("SELECT min(Z_PK) FROM ZTOPIC", in: folder.path("n.sqlite")) == "1")
  }
}
