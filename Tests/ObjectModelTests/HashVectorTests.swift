import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import TestSupport
import Testing

/// Known version hashes of small models, which need no file of the corpus.
///
/// Names, types and hashes are those of real models; where they come from stands beside each.
@Suite("Known version hashes")
struct HashVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var name: String
    var model: String
    var hashes: [String: String]

    var testDescription: String { name }
  }

  /// A to-one relationship with its inverse, in the attributes that are hashed.
  private static func toOne(_ name: String, _ destination: String, _ inverse: String) -> String {
    """
    <relationship name="\(name)" optional="YES" maxCount="1" destinationEntity="\(destination)" \
    inverseName="\(inverse)" inverseEntity="\(destination)"/>
    """
  }

  private static func toMany(_ name: String, _ destination: String, _ inverse: String) -> String {
    """
    <relationship name="\(name)" optional="YES" toMany="YES" \
    destinationEntity="\(destination)" inverseName="\(inverse)" inverseEntity="\(destination)"/>
    """
  }

  static let vectors = [
    // alemar11/CoreDataPlus (MIT), Tests/Resources/SampleModel: the hashes in the metadata of
    // SampleModel_V1.sqlite, written by Core Data (framework 1044).
    Vector(
      name: "three levels of entities, constraints, a preserved attribute, transient attributes",
      model: KnownModels.coreDataPlus,
      hashes: [
        "Car": "9e555529072158220d1bacd2f80a3dad4919f74a32aa8be9ee22a6a7b4126c8f",
        "ExpensiveSportCar": "3dc7e32b1be45b5a4c795ac9af3e1d10aa7222d3c69ae805bbeb4408bdeba480",
        "Person": "164268551b45108ae763aa2ba61ff32d32d32323850987c3e21607c8da44b72b",
        "SportCar": "514ec1907a568299f9fb6851106516136f0755f45fa53a823a0e4d44013d5313",
      ]),
    // objcio/core-data (MIT), Migrations: the hashes in the metadata of "Moody 2.moody", written by Core
    // Data (framework 637).
    Vector(
      name: "an abstract parent with a constraint of two properties",
      model: KnownModels.moody,
      hashes: [
        "Continent": "195eb3f2c5c16adf08c7d7aad5ae09d6e84d4dcf00c9a7fa4157a83879b6b7ab",
        "Country": "2ba027cc056ea4bd998833e904586241e1ee53afb33926c24ee9910d995fb001",
        "GeographicRegion": "c0e025164cb30e0c0736b581b14a9e832c948d9cbd6c58e189370e3c6afd6aa9",
        "Mood": "4a3711e5576aff0c48420bf1b5580a2bf8cc1d1fac663367235f1e14d2ac72d6",
      ]),
    // Karim-ezzedine/CartKit (Apache-2.0), CartStorage.momd/VersionInfo.plist, written by momc.
    Vector(
      name: "Decimal, Integer 32 and Binary attributes",
      model: """
        <entity name="CDCart">
          <attribute name="context" optional="YES" attributeType="String"/>
          <attribute name="createdAt" attributeType="Date"/>
          <attribute name="displayName" optional="YES" attributeType="String"/>
          <attribute name="id" attributeType="String"/>
          <attribute name="maxItemCount" optional="YES" attributeType="Integer 32"/>
          <attribute name="metadataJSON" optional="YES" attributeType="Binary"/>
          <attribute name="minSubtotalAmount" optional="YES" attributeType="Decimal"/>
          <attribute name="minSubtotalCurrencyCode" optional="YES" attributeType="String"/>
          <attribute name="profileId" optional="YES" attributeType="String"/>
          <attribute name="promotionKindsJSON" optional="YES" attributeType="Binary"/>
          <attribute name="sessionId" optional="YES" attributeType="String"/>
          <attribute name="status" attributeType="String"/>
          <attribute name="storeId" attributeType="String"/>
          <attribute name="storeImageURL" optional="YES" attributeType="String"/>
          <attribute name="updatedAt" attributeType="Date"/>
          \(toMany("items", "CDCartItem", "cart"))
        </entity>
        <entity name="CDCartItem">
          <attribute name="availableStock" optional="YES" attributeType="Integer 32"/>
          <attribute name="id" attributeType="String"/>
          <attribute name="imageURL" optional="YES" attributeType="String"/>
          <attribute name="productId" attributeType="String"/>
          <attribute name="quantity" attributeType="Integer 32"/>
          <attribute name="totalPriceAmount" optional="YES" attributeType="Decimal"/>
          <attribute name="totalPriceCurrencyCode" optional="YES" attributeType="String"/>
          <attribute name="unitPriceAmount" attributeType="Decimal"/>
          <attribute name="unitPriceCurrencyCode" optional="YES" attributeType="String"/>
          \(toOne("cart", "CDCart", "items"))
          \(toMany("modifiers", "CDCartItemModifier", "item"))
        </entity>
        <entity name="CDCartItemModifier">
          <attribute name="id" attributeType="String"/>
          <attribute name="name" attributeType="String"/>
          <attribute name="priceDeltaAmount" attributeType="Decimal"/>
          <attribute name="priceDeltaCurrencyCode" attributeType="String"/>
          \(toOne("item", "CDCartItem", "modifiers"))
        </entity>
        """,
      hashes: [
        "CDCart": "67137bd02b6747ee475b3b8afe4122871b178ea45c334d973072ff1414bc81a7",
        "CDCartItem": "0564fcdf961097c154d02fba9a3b15a5de760c898158232ee8790e6b800efb02",
        "CDCartItemModifier": "23f4a28083539e9ee5a1036b29fc7a17038a36a66f0b8cd1f6c1908781f593a1",
      ]),
    // The same project, CartStorage_v1.sqlite: the hashes in the metadata of a store that Core Data
    // (framework 1523) made of an earlier model, which the store keeps.
    Vector(
      name: "relationships without inverses on both sides",
      model: KnownModels.cartStorage,
      hashes: [
        "CDCart": "4d94b16c2625fc15d0eabfe2d620ab0dd1c9f2e45a60e66b96c61955eee0092e",
        "CDCartItem": "976704bd3db83b862c0e47af552963c2c2d0fe74de9543dca245ed6a003c2266",
        "CDCartItemModifier": "cfd90c17bc7e55efd56b3715d73ec9f571325a3b078522becaaae18273f1cf9a",
      ]),
    // drewmccormack/ensembles (MIT), Examples/Idiomatic, Model_1: the expected hashes of the corpus, of
    // which no store is at hand.
    Vector(
      name: "external storage, a relationship without an inverse, many-to-many",
      model: """
        <entity name="IDMMediaFile">
          <attribute name="data" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
          <attribute name="uniqueIdentifier" attributeType="String"/>
        </entity>
        <entity name="IDMNote">
          <attribute name="creationDate" attributeType="Date"/>
          <attribute name="text" optional="YES" attributeType="String"/>
          <attribute name="uniqueIdentifier" attributeType="String"/>
          <relationship name="imageFile" optional="YES" maxCount="1" destinationEntity="IDMMediaFile"/>
          \(toMany("tags", "IDMTag", "notes"))
        </entity>
        <entity name="IDMTag">
          <attribute name="text" attributeType="String"/>
          \(toMany("notes", "IDMNote", "tags"))
        </entity>
        """,
      hashes: [
        "IDMMediaFile": "e7773228e6449e19ab3541028d0a71d4b79de8bf56d319cc81561573aed915ac",
        "IDMNote": "0a8d24d43dc3f1cb967b569fccd052c0210acff06c6cbbe38bb18283a334e3c3",
        "IDMTag": "ab8050110cb2084a915b6a097eecba2dfae980c268cb23a4fa09574169e40db2",
      ]),
    // kodecocodes/cdt-materials (Apache-2.0), BowTies: the expected hash of the corpus, of which no store
    // is at hand.
    Vector(
      name: "UUID, Boolean, URI, Transformable and external Binary",
      model: """
        <entity name="BowTie">
          <attribute name="id" optional="YES" attributeType="UUID"/>
          <attribute name="isFavorite" optional="YES" attributeType="Boolean"/>
          <attribute name="lastWorn" optional="YES" attributeType="Date"/>
          <attribute name="name" optional="YES" attributeType="String"/>
          <attribute name="photoData" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
          <attribute name="rating" optional="YES" attributeType="Double"/>
          <attribute name="searchKey" optional="YES" attributeType="String"/>
          <attribute name="timesWorn" optional="YES" attributeType="Integer 32"/>
          <attribute name="tintColor" optional="YES" attributeType="Transformable"/>
          <attribute name="url" optional="YES" attributeType="URI"/>
        </entity>
        """,
      hashes: [
        "BowTie": "4e09cdd526bc792d7752be09abbb031615a33b68e8e74652c19a9fbda4e92767"
      ]),
    // fatbobman/CoreDataEvolution (MIT), CoreDataEvolutionIntegrationModel: the expected hashes of the
    // corpus, of which no store is at hand.
    Vector(
      name: "a composite attribute",
      model: """
        <entity name="CDEItem">
          <attribute name="id" optional="YES" attributeType="UUID"/>
          <attribute name="name" attributeType="String"/>
          <attribute name="priority" attributeType="Integer 16"/>
          <attribute name="status_raw" optional="YES" attributeType="String"/>
          <attribute name="config_blob" optional="YES" attributeType="Binary"/>
          <attribute name="location" optional="YES" attributeType="Composite" composite="CDEItemLocation"/>
          <attribute name="keywords_payload" optional="YES" attributeType="Transformable"/>
          \(toOne("tag", "CDETag", "items"))
        </entity>
        <entity name="CDETag">
          <attribute name="id" optional="YES" attributeType="UUID"/>
          <attribute name="label" attributeType="String"/>
          \(toMany("items", "CDEItem", "tag"))
        </entity>
        <composite name="CDEItemLocation">
          <attribute name="x" attributeType="Double"/>
          <attribute name="y" optional="YES" attributeType="Double"/>
        </composite>
        """,
      hashes: [
        "CDEItem": "b9ddf217359599e5f91fa18337aba944d0d2645a6033532163a20f8fcce2e466",
        "CDETag": "89b2bcdcd37edc108b0b8d9e8365c80b57dc96a9e888f5cfef83bb05ba12d940",
      ]),
  ]

  @Test("models with known hashes", arguments: vectors)
  func known(vector: Vector) throws {
    let model = try ModelErrorTests.model(vector.model)
    #expect(model.versionHashes().mapValues(\.hex) == vector.hashes)
    // The plain hasher in Python knows nothing of this one.
    #expect(try Self.plainHashes(vector.model) == vector.hashes)
  }

  /// The hashes that `Tests/Benchmarks/hash_all.py` computes.
  private static func plainHashes(_ entities: String) throws -> [String: String] {
    let folder = try TemporaryFolder()
    let model = folder.path("M.xcdatamodeld/M.xcdatamodel")
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try Data("<model>\(entities)</model>".utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Benchmarks/hash_all.py").path
    let answer = try Python.run(
      """
      import json, pathlib, runpy, sys
      script = runpy.run_path(sys.argv[1])
      versions = script["hash_all"](pathlib.Path(sys.argv[2]))
      print(json.dumps({name: entity["hash"] for name, entity in versions["M"]["entities"].items()}))
      """, arguments: [script, folder.path("M.xcdatamodeld")])
    return try JSONDecoder().decode([String: String].self, from: Data(answer.utf8))
  }

  // No entity that Core Data hashed and that is at hand has two constraints out of order, or a maximum
  // count of -1: the plain hasher alone is the second road.
  @Test(
    "cases without a known file are hashed like the reference hasher",
    arguments: [
      """
      <entity name="A"><attribute name="a" attributeType="String"/>
        <attribute name="b" attributeType="String"/><attribute name="c" attributeType="String"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="c"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="b"/><constraint value="a"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      """,
      #"<entity name="A"><relationship name="r" toMany="YES" maxCount="-1" destinationEntity="A"/></entity>"#,
      #"<entity name="A"><relationship name="r" toMany="YES" maxCount="0" destinationEntity="A"/></entity>"#,
      #"<entity name="A"><relationship name="r" toMany="YES" maxCount="7" minCount="2" ordered="YES" destinationEntity="A"/></entity>"#,
      #"<entity name="A" versionHashModifier="2"><attribute name="é" versionHashModifier="x" attributeType="Float"/><attribute name="z" attributeType="Date"/></entity>"#,
    ])
  func plain(entities: String) throws {
    let hashes = try ModelErrorTests.model(entities).versionHashes().mapValues(\.hex)
    #expect(try hashes == Self.plainHashes(entities))
  }

  @Test("the order of constraints is not hashed, the order of their properties is")
  func constraintOrder() throws {
    func hash(_ constraints: [[String]]) throws -> VersionHash? {
      var entity = Entity(name: "A")
      entity.attributes = ["a", "b", "c"].map { Attribute(name: $0, type: .string) }
      entity.uniquenessConstraints = constraints
      return try ObjectModel(ModelDocument(entities: [entity])).versionHashes()["A"]
    }
    #expect(try hash([["a"], ["b", "c"]]) == hash([["b", "c"], ["a"]]))
    #expect(try hash([["a"], ["b", "c"]]) != hash([["a"], ["c", "b"]]))
    #expect(try hash([["a"], ["b", "c"]]) != hash([["a"]]))
  }
}

/// `maxCount` -1, which Core Data writes for a to-many relationship made in code.
@Suite("A max count of -1")
struct UnboundedCountTests {
  private static func model(_ maxCount: String) throws -> ObjectModel {
    try ModelErrorTests.model(
      """
      <entity name="A"><relationship name="bs" optional="YES" toMany="YES" \(maxCount) \
      destinationEntity="B" inverseName="a" inverseEntity="B"/></entity>
      <entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" \
      inverseName="bs" inverseEntity="A"/></entity>
      """)
  }

  @Test("it is hashed as FF FF FF FF, also in the explanation")
  func hash() throws {
    let model = try Self.model(#"maxCount="-1""#)
    let step = try #require(
      model.explainVersionHashes(of: ["A"]).first {
        $0.subject.description == "relationship bs of A"
      })
    let piece = try #require(step.pieces.first { $0.meaning.hasPrefix("max count") })
    #expect(piece.bytes == [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(piece.meaning == "max count, int32 -1 (no bound)")
    let others = try [#"maxCount="0""#, "", #"maxCount="5""#].map {
      try Self.model($0).versionHashes()
    }
    for other in others { #expect(other["A"] != model.versionHashes()["A"]) }
    #expect(others[0] == others[1])
    for other in others { #expect(other["B"] == model.versionHashes()["B"]) }
  }

  @Test("every file format preserves it, as well as a limit and no limit", arguments: [nil, 5, -1])
  func formats(maxCount: Int?) throws {
    let model = try Self.model(maxCount.map { "maxCount=\"\($0)\"" } ?? "")
    let relationship = try #require(model.relationship("bs", of: "A")?.property)
    #expect(relationship.isToMany && relationship.maxCount == maxCount ?? 0)
    let elements = try #require(model.encodedElements())
    for bytes in [model.document.encodedXML(), model.archived(), elements] {
      let again = try ObjectModel(ModelDocument(reading: bytes))
      let read = try #require(again.relationship("bs", of: "A")?.property)
      #expect(read.isToMany && read.declaredMaxCount == maxCount)
      #expect(again.versionHashes() == model.versionHashes())
    }
  }

  @Test("it is not a limit")
  func validation() throws {
    let relationship = try #require(
      try Self.model(#"maxCount="-1""#).relationship("bs", of: "A")?.property)
    for count in [0, 1, 2, 1_000_000] { #expect(relationship.problem(ofCount: count) == nil) }
    #expect(!relationship.summary.contains("at most"))
  }

  @Test("a difference shows it as a change that changes the hash")
  func difference() throws {
    let (old, new) = (try Self.model(""), try Self.model(#"maxCount="-1""#))
    let changes = new.difference(from: old).entities.flatMap(\.changes)
    #expect(changes.count == 1)
    #expect(changes.first?.movesHash == true)
    #expect(changes.first?.text == "relationship bs: max count none -> -1")
  }
}
