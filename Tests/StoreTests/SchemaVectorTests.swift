import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Statements that Core Data wrote into real stores, for small models of the same shape, which need no file
/// of the corpus.
@Suite("Known schemas")
struct SchemaVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var name: String
    /// Of the system that wrote the store.
    var framework: Int64
    var model: String
    /// As `sqlite_master` has them, in its order.
    var statements: [String]

    var testDescription: String { name }
  }

  private static func model(_ entities: String) throws -> ObjectModel {
    try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8)))
  }

  private static let systemTables = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  static let wholeSchemas = [
    // alemar11/CoreDataPlus (MIT), Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite.
    Vector(
      name: "a table for three entities, blocks of columns, indexes of constraints",
      framework: 1044,
      model: KnownModels.coreDataPlus,
      statements: [
        "CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, ZISLIMITEDEDITION INTEGER, ZMARKEDFORDELETIONASOF TIMESTAMP, ZMAKER VARCHAR, ZMODEL VARCHAR, ZNUMBERPLATE VARCHAR, ZCOLOR BLOB )",
        "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUPDATEDAT TIMESTAMP, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR, ZID BLOB )",
        "CREATE INDEX ZCAR_ZOWNER_INDEX ON ZCAR (ZOWNER)",
        "CREATE INDEX ZCAR_Z_ENT_INDEX ON ZCAR (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Car_UNIQUE_numberPlate ON ZCAR (ZNUMBERPLATE COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Person_UNIQUE_firstName_lastName ON ZPERSON (ZFIRSTNAME COLLATE BINARY ASC, ZLASTNAME COLLATE BINARY ASC)",
      ] + systemTables),
    // objcio/core-data (MIT), Migrations/MigrationsTests/"Moody 2.moody".
    Vector(
      name: "an abstract parent, a constraint in the table, compound indexes of 2015",
      framework: 637,
      model: KnownModels.moody,
      statements: [
        "CREATE TABLE ZGEOGRAPHICREGION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBEROFMOODS INTEGER, ZNUMERICISO3166CODE INTEGER, ZUNIQUENESSDUMMY INTEGER, ZNUMBEROFCOUNTRIES INTEGER, ZCONTINENT INTEGER, ZMARKEDFORDELETIONDATE TIMESTAMP, ZUPDATEDAT TIMESTAMP, CONSTRAINT ZNUMERICISO3166CODE_ZUNIQUENESSDUMMY UNIQUE (ZNUMERICISO3166CODE, ZUNIQUENESSDUMMY))",
        "CREATE TABLE ZMOOD ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMARKEDFORREMOTEDELETION INTEGER, ZRATING INTEGER, ZCOUNTRY INTEGER, ZDATE TIMESTAMP, ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZMARKEDFORDELETIONDATE TIMESTAMP, ZCREATORID VARCHAR, ZREMOTEID VARCHAR, ZCOLORS BLOB )",
      ] + systemTables + [
        "CREATE INDEX ZGEOGRAPHICREGION_ZCONTINENT_INDEX ON ZGEOGRAPHICREGION (ZCONTINENT)",
        "CREATE INDEX ZGEOGRAPHICREGION_Z_ENT_INDEX ON ZGEOGRAPHICREGION (Z_ENT)",
        "CREATE INDEX ZGEOGRAPHICREGION_ZMARKEDFORDELETIONDATE_ZUPDATEDAT ON ZGEOGRAPHICREGION (ZMARKEDFORDELETIONDATE, ZUPDATEDAT)",
        "CREATE INDEX ZMOOD_ZMARKEDFORDELETIONDATE_INDEX ON ZMOOD (ZMARKEDFORDELETIONDATE)",
        "CREATE INDEX ZMOOD_ZREMOTEID_INDEX ON ZMOOD (ZREMOTEID)",
        "CREATE INDEX ZMOOD_ZCOUNTRY_INDEX ON ZMOOD (ZCOUNTRY)",
        "CREATE INDEX ZMOOD_ZMARKEDFORREMOTEDELETION_ZMARKEDFORDELETIONDATE_ZDATE ON ZMOOD (ZMARKEDFORREMOTEDELETION, ZMARKEDFORDELETIONDATE, ZDATE)",
      ]),
    // Karim-ezzedine/CartKit (Apache-2.0), LegacyCoreData/CartStorage_v1.sqlite and the model that it keeps.
    Vector(
      name: "Decimal before String, keys of relationships without an inverse", framework: 1523,
      model: KnownModels.cartStorage,
      statements: [
        "CREATE TABLE ZCDCART ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMAXITEMCOUNT INTEGER, ZCREATEDAT TIMESTAMP, ZUPDATEDAT TIMESTAMP, ZMINSUBTOTALAMOUNT DECIMAL, ZCONTEXT VARCHAR, ZDISPLAYNAME VARCHAR, ZID VARCHAR, ZMINSUBTOTALCURRENCYCODE VARCHAR, ZPROFILEID VARCHAR, ZSTATUS VARCHAR, ZSTOREID VARCHAR, ZSTOREIMAGEURL VARCHAR, ZMETADATAJSON BLOB )",
        "CREATE TABLE ZCDCARTITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAVAILABLESTOCK INTEGER, ZQUANTITY INTEGER, ZCART INTEGER, ZTOTALPRICEAMOUNT DECIMAL, ZUNITPRICEAMOUNT DECIMAL, ZID VARCHAR, ZIMAGEURL VARCHAR, ZPRODUCTID VARCHAR, ZTOTALPRICECURRENCYCODE VARCHAR, ZUNITPRICECURRENCYCODE VARCHAR )",
        "CREATE TABLE ZCDCARTITEMMODIFIER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZITEM INTEGER, Z2MODIFIERS INTEGER, ZPRICEDELTAAMOUNT DECIMAL, ZID VARCHAR, ZNAME VARCHAR, ZPRICEDELTACURRENCYCODE VARCHAR )",
        "CREATE INDEX ZCDCARTITEM_ZCART_INDEX ON ZCDCARTITEM (ZCART)",
        "CREATE INDEX ZCDCARTITEMMODIFIER_ZITEM_INDEX ON ZCDCARTITEMMODIFIER (ZITEM)",
        "CREATE INDEX ZCDCARTITEMMODIFIER_Z2MODIFIERS_INDEX ON ZCDCARTITEMMODIFIER (Z2MODIFIERS)",
      ] + systemTables),
  ]

  @Test("the whole schema of a store, in its order", arguments: wholeSchemas)
  func whole(vector: Vector) throws {
    let schema = StoreSchema(
      try Self.model(vector.model), version: FrameworkVersion(vector.framework))
    #expect(schema.statements.map(\.sql) == vector.statements)
    #expect(schema.omissions.isEmpty)
  }

  // MARK: Single statements

  /// Entities without properties before the one of this name, so that it has this number.
  private static func fillers(_ numbers: ClosedRange<Int>, prefix: String) -> String {
    numbers.map { #"<entity name="\#(prefix)\#($0 < 10 ? "0" : "")\#($0)"/>"# }.joined()
  }

  /// RhetTbull/PhotoScript (MIT), tests/test_libraries: the schemas of Photos libraries of macOS 10.15.7
  /// and 15.7.1, reduced to the properties that a statement names.
  static let singleStatements = [
    Vector(
      name: "a join table and its index", framework: 977,
      model: """
        <entity name="AdditionalAssetAttributes">
          <relationship name="keywords" optional="YES" toMany="YES" destinationEntity="Keyword" inverseName="assetAttributes" inverseEntity="Keyword"/>
        </entity>
        \(fillers(2...36, prefix: "Filler"))
        <entity name="Keyword">
          <relationship name="assetAttributes" optional="YES" toMany="YES" destinationEntity="AdditionalAssetAttributes" inverseName="keywords" inverseEntity="AdditionalAssetAttributes"/>
        </entity>
        """,
      statements: [
        "CREATE TABLE Z_1KEYWORDS ( Z_1ASSETATTRIBUTES INTEGER, Z_37KEYWORDS INTEGER, PRIMARY KEY (Z_1ASSETATTRIBUTES, Z_37KEYWORDS) )",
        "CREATE INDEX Z_1KEYWORDS_Z_37KEYWORDS_INDEX ON Z_1KEYWORDS (Z_37KEYWORDS, Z_1ASSETATTRIBUTES)",
      ]),
    Vector(
      name: "an ordered join table and its index", framework: 977,
      model: """
        \(fillers(1...25, prefix: "Filler"))
        <entity name="GenericAlbum">
          <relationship name="assets" optional="YES" toMany="YES" ordered="YES" destinationEntity="GenericAsset" inverseName="albums" inverseEntity="GenericAsset"/>
        </entity>
        \(fillers(27...33, prefix: "GenericAm"))
        <entity name="GenericAsset">
          <relationship name="albums" optional="YES" toMany="YES" destinationEntity="GenericAlbum" inverseName="assets" inverseEntity="GenericAlbum"/>
        </entity>
        """,
      statements: [
        "CREATE TABLE Z_26ASSETS ( Z_26ALBUMS INTEGER, Z_34ASSETS INTEGER, Z_FOK_34ASSETS INTEGER, PRIMARY KEY (Z_26ALBUMS, Z_34ASSETS) )",
        "CREATE INDEX Z_26ASSETS_Z_34ASSETS_INDEX ON Z_26ASSETS (Z_34ASSETS, Z_26ALBUMS)",
      ]),
    Vector(
      name: "the join table of a relationship that is its own inverse", framework: 977,
      model: """
        \(fillers(1...44, prefix: "Filler"))
        <entity name="Person">
          <relationship name="mergeCandidates" optional="YES" toMany="YES" destinationEntity="Person" inverseName="mergeCandidates" inverseEntity="Person"/>
        </entity>
        """,
      statements: [
        "CREATE TABLE Z_45MERGECANDIDATES ( Z_45MERGECANDIDATES INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_45MERGECANDIDATES, REFLEXIVE) )",
        "CREATE INDEX Z_45MERGECANDIDATES_REFLEXIVE_INDEX ON Z_45MERGECANDIDATES (REFLEXIVE, Z_45MERGECANDIDATES)",
      ]),
    Vector(
      name: "descending indexes", framework: 977,
      model: """
        <entity name="Memory">
          <attribute name="creationDate" optional="YES" attributeType="Date"/>
          <attribute name="rejected" optional="YES" attributeType="Boolean"/>
          <fetchIndex name="compoundIndex">
            <fetchIndexElement property="creationDate" type="Binary" order="descending"/>
            <fetchIndexElement property="rejected" type="Binary" order="descending"/>
          </fetchIndex>
        </entity>
        <entity name="MomentShare">
          <attribute name="creationDate" optional="YES" attributeType="Date"/>
          <fetchIndex name="byCreationDate">
            <fetchIndexElement property="creationDate" type="Binary" order="descending"/>
          </fetchIndex>
        </entity>
        """,
      statements: [
        "CREATE INDEX Z_Memory_compoundIndex ON ZMEMORY (ZCREATIONDATE COLLATE BINARY DESC, ZREJECTED COLLATE BINARY DESC)",
        "CREATE INDEX Z_MomentShare_byCreationDate ON ZMOMENTSHARE (ZCREATIONDATE COLLATE BINARY DESC)",
      ]),
    Vector(
      name: "partial indexes, of both directions", framework: 1448,
      model: """
        <entity name="AdditionalAssetAttributes">
          <attribute name="syndicationIdentifier" optional="YES" attributeType="String"/>
          <fetchIndex name="bySyndicationIdentifierIndex" predicate="syndicationIdentifier != nil">
            <fetchIndexElement property="syndicationIdentifier" type="Binary" order="ascending"/>
          </fetchIndex>
        </entity>
        <entity name="Asset">
          <attribute name="adjustmentsState" optional="YES" attributeType="Integer 16"/>
          <attribute name="cloudLocalState" optional="YES" attributeType="Integer 16"/>
          <attribute name="dateCreated" optional="YES" attributeType="Date"/>
          <attribute name="thumbnailIndex" optional="YES" attributeType="Integer 32"/>
          <fetchIndex name="forCPLThumbnailPrefetch" predicate="thumbnailIndex == -1 AND cloudLocalState == 1">
            <fetchIndexElement property="thumbnailIndex" type="Binary" order="descending"/>
            <fetchIndexElement property="cloudLocalState" type="Binary" order="ascending"/>
            <fetchIndexElement property="dateCreated" type="Binary" order="descending"/>
            <fetchIndexElement property="adjustmentsState" type="Binary" order="ascending"/>
          </fetchIndex>
        </entity>
        """,
      statements: [
        "CREATE INDEX Z_AdditionalAssetAttributes_bySyndicationIdentifierIndex ON ZADDITIONALASSETATTRIBUTES (ZSYNDICATIONIDENTIFIER COLLATE BINARY ASC) WHERE ZSYNDICATIONIDENTIFIER IS NOT NULL",
        "CREATE INDEX Z_Asset_forCPLThumbnailPrefetch ON ZASSET (ZTHUMBNAILINDEX COLLATE BINARY DESC, ZCLOUDLOCALSTATE COLLATE BINARY ASC, ZDATECREATED COLLATE BINARY DESC, ZADJUSTMENTSSTATE COLLATE BINARY ASC) WHERE (ZTHUMBNAILINDEX = -1 AND ZCLOUDLOCALSTATE = 1)",
      ]),
  ]

  @Test("single statements of large stores", arguments: singleStatements)
  func parts(vector: Vector) throws {
    let schema = StoreSchema(
      try Self.model(vector.model), version: FrameworkVersion(vector.framework))
    let names = Set(vector.statements.compactMap { $0.split(separator: " ").dropFirst(2).first })
    let found = schema.statements.filter { names.contains(Substring($0.name)) }.map(\.sql)
    #expect(found == vector.statements)
    #expect(schema.omissions.isEmpty)
  }

  @Test(
    "an index of mixed types, a second one of a name and a derivation by three keys are left out")
  func omissions() throws {
    func element(_ name: String, _ type: String) -> String {
      "<fetchIndexElement property='\(name)' type='\(type)' order='ascending'/>"
    }
    func index(_ name: String, _ elements: String...) -> String {
      "<fetchIndex name='\(name)'>\(elements.joined())</fetchIndex>"
    }
    let entities = BriefModel.entities(
      """
      Owner
        name String
        boss -> Owner inverse=staff
        staff -> Owner many inverse=boss
        places -> Place many inverse=owner
      Place
        lat Double
        lon Double
        one String derived derivationExpression=owner.name
        two String derived derivationExpression=owner.boss.name
        owner -> Owner inverse=places
      """)
    let indexes =
      index("geo", element("lat", "RTree"), element("lon", "RTree"))
      + index("mixed", element("lat", "RTree"), element("lon", "Binary"))
      + index("same", element("lat", "Binary")) + index("same", element("lon", "Binary"))
    let model = try ObjectModel(
      ModelDocument(
        reading: Array(
          "<model>\(entities)</model>"
            .replacing("</entity></model>", with: "\(indexes)</entity></model>").utf8)))
    let schema = StoreSchema(model)
    #expect(
      schema.indexes.map(\.sql) == [
        "CREATE INDEX ZOWNER_ZBOSS_INDEX ON ZOWNER (ZBOSS)",
        "CREATE INDEX ZPLACE_ZOWNER_INDEX ON ZPLACE (ZOWNER)",
        "CREATE VIRTUAL TABLE Z_RT_Place_geo USING RTREE "
          + "(Z_PK INTEGER PRIMARY KEY, ZLAT_MIN FLOAT, ZLAT_MAX FLOAT, ZLON_MIN FLOAT, ZLON_MAX FLOAT)",
        "CREATE INDEX Z_Place_lat ON ZPLACE (ZLAT COLLATE BINARY ASC)",
        "CREATE INDEX Z_Place_lon ON ZPLACE (ZLON COLLATE BINARY ASC)",
        "CREATE INDEX Z_Place_same ON ZPLACE (ZLAT COLLATE BINARY ASC)",
      ])
    #expect(schema.omissions.map(\.name) == ["mixed", "two"])
    #expect(schema.omissions.map(\.reason) == [.mixedIndex, .derivation("owner.boss.name")])
    let derived = schema.triggers.map(\.name).filter { $0.hasPrefix("Z_DA_") }
    #expect(derived.count == 4 && derived.allSatisfy { $0.contains("_Place_one_") })
  }
}
