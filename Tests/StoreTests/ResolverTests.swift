import Foundation
import StrataBase
import StrataObjectModel
import StrataSQLite
import TestSupport
import Testing

@testable import StrataStore

/// Columns and join tables under other names than Core Data gives in a new store.
@Suite("Resolving columns and join tables")
struct ResolverTests {
  private static func model(_ entities: String, composites: String = "") throws -> ObjectModel {
    try ObjectModel(
      ModelDocument(reading: Array("<model>\(entities)\(composites)</model>".utf8)))
  }

  private static func toMany(
    _ name: String, _ destination: String, _ inverse: String, ordered: Bool = false
  ) -> String {
    "<relationship name='\(name)' optional='YES' toMany='YES' \(ordered ? "ordered='YES' " : "")"
      + "destinationEntity='\(destination)' inverseName='\(inverse)' inverseEntity='\(destination)'/>"
  }

  /// A store of the model with one object of each entity, changed by SQL of another program.
  private static func reader(
    _ model: ObjectModel, _ sql: [String], in folder: borrowing TemporaryFolder
  ) throws -> StoreReader {
    let path = folder.path("\(UUID().uuidString).sqlite")
    var store = try NewStore(path: path, model: model, uuid: "U")
    for entity in model.entities where !entity.isAbstract {
      _ = try store.insert(entity.name, attributes: [:])
    }
    try store.finish()
    try StoreFixture.run(sql, on: path)
    return try StoreReader(SQLiteStore(reading: path), model: model)
  }

  @Test(
    "an element of a composite attribute has a separate column from an attribute of the same name")
  func compositeClash() throws {
    let composite =
      "<composite name='P'><attribute name='id' optional='YES' attributeType='%'/></composite>"
    for (type, own, other) in [
      ("String", "ZID", "ZID1"), ("Integer 32", "ZID1", "ZID"), ("Binary", "ZID", "ZID1"),
    ] {
      // The composite attribute stands behind `id` by name; a column of an earlier block goes first.
      let layout = StoreLayout(
        try Self.model(
          "<entity name='T'><attribute name='id' optional='YES' attributeType='String'/>"
            + "<attribute name='prep' optional='YES' attributeType='Composite' composite='P'/></entity>",
          composites: composite.replacingOccurrences(of: "%", with: type)))
      #expect(layout.column(of: "id", declaredBy: "T")?.name == own, "\(type)")
      #expect(layout.column(of: "prep.id", declaredBy: "T")?.name == other, "\(type)")
    }
    // One real model shows it (momxml): the composite attribute's name comes first.
    let first = StoreLayout(
      try Self.model(
        "<entity name='T'><attribute name='author' optional='YES' attributeType='Composite' composite='P'/>"
          + "<attribute name='id' optional='YES' attributeType='UUID'/></entity>",
        composites: composite.replacingOccurrences(of: "%", with: "UUID")))
    #expect(first.column(of: "author.id", declaredBy: "T")?.name == "ZID")
    #expect(first.column(of: "id", declaredBy: "T")?.name == "ZID1")
  }

  @Test("columns of the same name are distinguished by type")
  func typesTell() throws {
    let folder = try TemporaryFolder()
    let model = try Self.model(
      "<entity name='Base'/><entity name='A' parentEntity='Base'><attribute name='x' optional='YES' attributeType='String'/></entity>"
        + "<entity name='B' parentEntity='Base'><attribute name='x' optional='YES' attributeType='Integer 32'/></entity>"
    )
    let swapped = [
      "ALTER TABLE ZBASE RENAME COLUMN ZX TO ZTMP", "ALTER TABLE ZBASE RENAME COLUMN ZX1 TO ZX",
      "ALTER TABLE ZBASE RENAME COLUMN ZTMP TO ZX1",
    ]
    let usual = try Self.reader(model, [], in: folder)
    #expect(usual.layout.column(of: "x", declaredBy: "A")?.name == "ZX")
    let other = try Self.reader(model, swapped, in: folder)
    #expect(other.layout.column(of: "x", declaredBy: "A")?.name == "ZX1")
    #expect(other.layout.column(of: "x", declaredBy: "B")?.name == "ZX")
  }

  @Test("a single remaining column is used; two or none are an error")
  func remaining() throws {
    let folder = try TemporaryFolder()
    let model = try Self.model(
      "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>")
    let renamed = try Self.reader(model, ["ALTER TABLE ZA RENAME COLUMN ZX TO ZX2"], in: folder)
    #expect(renamed.layout.column(of: "x", declaredBy: "A")?.name == "ZX2")
    #expect(
      throws: StoreError.ambiguousColumn("A.x", candidates: ["ZX2", "ZX3"], table: "ZA")
    ) {
      _ = try Self.reader(
        model,
        ["ALTER TABLE ZA RENAME COLUMN ZX TO ZX2", "ALTER TABLE ZA ADD COLUMN ZX3 VARCHAR"],
        in: folder)
    }
    #expect(throws: StoreError.missingColumn("ZX", table: "ZA")) {
      _ = try Self.reader(model, ["ALTER TABLE ZA RENAME COLUMN ZX TO ZY"], in: folder)
    }
  }

  private static let pair =
    "<entity name='A'>\(toMany("bs", "B", "as", ordered: true))</entity>"
    + "<entity name='B'>\(toMany("as", "A", "bs", ordered: true))</entity>"

  @Test(
    "a join table is found by either end's name, with any clash number",
    arguments: [
      [],
      ["ALTER TABLE Z_1BS RENAME TO Z_2AS"],
      [
        "ALTER TABLE Z_1BS RENAME COLUMN Z_1AS TO Z_1AS3",
        "ALTER TABLE Z_1BS RENAME COLUMN Z_FOK_1AS TO Z_FOK_1AS3",
      ],
      [
        "ALTER TABLE Z_1BS RENAME TO Z_7BS", "ALTER TABLE Z_7BS RENAME COLUMN Z_1AS TO Z_7AS",
        "ALTER TABLE Z_7BS RENAME COLUMN Z_FOK_1AS TO Z_FOK_7AS",
      ],
    ])
  func joinTables(changes: [String]) throws {
    let folder = try TemporaryFolder()
    let model = try Self.model(Self.pair)
    let link = "INSERT INTO Z_1BS (Z_1AS, Z_2BS, Z_FOK_1AS, Z_FOK_2BS) VALUES (1, 1, 2048, 2048)"
    let reader = try Self.reader(model, [link] + changes, in: folder)
    let bs = try #require(model.relationship("bs", of: "A"))
    let back = try #require(model.relationship("as", of: "B"))
    #expect(try reader.destinations(of: bs, from: 1) == [1])
    #expect(try reader.destinations(of: back, from: 1) == [1])
  }

  @Test("two possible join tables are an error when the relationship is read")
  func twoJoinTables() throws {
    let folder = try TemporaryFolder()
    let model = try Self.model(Self.pair)
    let reader = try Self.reader(
      model,
      ["CREATE TABLE Z_2AS (Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, Z_FOK_2BS INTEGER)"],
      in: folder)
    let bs = try #require(model.relationship("bs", of: "A"))
    #expect(throws: StoreError.ambiguousTable("A.bs", candidates: ["Z_1BS", "Z_2AS"])) {
      _ = try reader.destinations(of: bs, from: 1)
    }
    #expect(try reader.count(of: "A") == 1)
  }

  @Test("the first end by name owns the join table, also as a subentity")
  func owners() throws {
    func owner(_ entities: String, _ relationship: String, _ entity: String) throws -> String? {
      StoreLayout(try Self.model(entities)).joinTable(of: relationship, declaredBy: entity)?.name
    }
    // GenericAlbum and AlbumList of a real schema: Album, below GenericAlbum, comes first.
    let albums =
      "<entity name='GenericAlbum'>\(Self.toMany("albumLists", "AlbumList", "albums"))</entity>"
      + "<entity name='Album' parentEntity='GenericAlbum'/>"
      + "<entity name='AlbumList'>\(Self.toMany("albums", "GenericAlbum", "albumLists"))</entity>"
    #expect(try owner(albums, "albumLists", "GenericAlbum") == "Z_2ALBUMLISTS")
    // ATMessage is a subentity with a higher number than ATMessageDisplayType.
    let messages =
      "<entity name='Base'/><entity name='ATMessage' parentEntity='Base'>\(Self.toMany("displayTypes", "ATMessageDisplayType", "messages"))</entity>"
      + "<entity name='ATMessageDisplayType'>\(Self.toMany("messages", "ATMessage", "displayTypes"))</entity>"
    #expect(try owner(messages, "displayTypes", "ATMessage") == "Z_3DISPLAYTYPES")
  }

  @Test("names without a proven rule are marked as unproven")
  func unproven() throws {
    let own = try Self.model(
      "<entity name='A'>\(Self.toMany("x", "A", "y"))\(Self.toMany("y", "A", "x"))</entity>")
    #expect(StoreLayout(own).unproven.map(\.reason) == [.relationWithinEntity])
    let twins = try Self.model(
      "<entity name='A'>\(Self.toMany("x", "B", "a"))\(Self.toMany("y", "C", "a"))</entity>"
        + "<entity name='B'>\(Self.toMany("a", "A", "x"))</entity>"
        + "<entity name='C'>\(Self.toMany("a", "A", "y"))</entity>")
    #expect(StoreLayout(twins).unproven.map(\.reason) == [.clashWithinOwner, .clashWithinOwner])
    #expect(StoreLayout(try Self.model(Self.pair)).unproven.isEmpty)
  }

  @Test("name hashes are equal to CoreFoundation's")
  func hashes() {
    for text in ["", "a", "labels", "suggestionsBeingRepresentativeAssets"]
      + (90...110).map({ String(repeating: "xyz", count: $0).prefix($0).description })
    {
      #expect(
        CoreFoundationHash(text).value == UInt64(UInt(bitPattern: (text as NSString).hash)),
        "\(text)")
    }
  }
}
