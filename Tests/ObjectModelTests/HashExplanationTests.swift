import StrataArchives
import StrataBase
import StrataObjectModel
import TestSupport
import Testing

@Suite("Explanations of version hashes")
struct HashExplanationTests {
  /// A composite type with an element of the name of an attribute, used by two attributes.
  private static let composite = """
    <entity name="Topic">
      <attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="info" optional="YES" attributeType="Composite" composite="Info"/>
      <attribute name="more" attributeType="Composite" composite="Info"/>
    </entity>
    <entity name="Sub" parentEntity="Topic">
      <relationship name="topic" optional="YES" maxCount="1" destinationEntity="Topic"/>
    </entity>
    <composite name="Info"><attribute name="title" optional="YES" attributeType="Integer 32"/></composite>
    """

  private static func models() throws -> [ObjectModel] {
    let known = [composite, KnownModels.coreDataPlus, KnownModels.moody, KnownModels.cartStorage]
    return try known.map(ModelErrorTests.model)
      + (0..<200).map { seed in
        var random = SeededRandom(seed: UInt64(seed))
        return try RandomModel.make(using: &random)
      }
  }

  @Test("the explanation of a property ends with the hash of that property")
  func properties() throws {
    var count = 0
    for model in try Self.models() {
      for entity in model.entities.map(\.name) {
        for (property, hash) in model.propertyHashes(of: entity) {
          let steps = model.explainVersionHash(of: property, entity: entity)
          #expect(steps.last?.result == hash, "\(entity).\(property)")
          #expect(steps.last?.subject.property == property)
          Self.checkDigests(steps)
          count += 1
        }
        #expect(model.explainVersionHash(of: "nothing", entity: entity).isEmpty)
      }
    }
    #expect(count > 1000)
  }

  @Test("the explanation of a model contains every digest once, before it is used")
  func wholeModels() throws {
    for model in try Self.models() {
      let names = model.entities.map(\.name)
      let steps = model.explainVersionHashes(of: names)
      Self.checkDigests(steps)
      #expect(Set(steps.map(\.subject)).count == steps.count)
      for (entity, hash) in model.versionHashes() {
        let step = steps.first { $0.subject.kind == .entity && $0.subject.owner == entity }
        #expect(step?.result == hash)
      }
    }
  }

  /// Each digest is the SHA-256 of its pieces, and each digest among these is that of an earlier step.
  private static func checkDigests(_ steps: [HashStep]) {
    var known: [HashSubject: VersionHash] = [:]
    for step in steps {
      for piece in step.pieces {
        if let source = piece.field.source {
          #expect(known[source]?.bytes == piece.bytes, "\(step.subject): \(piece.meaning)")
        }
      }
      let bytes = step.pieces.flatMap(\.bytes)
      #expect(SHA2.digest256(of: bytes) == step.result.bytes)
      known[step.subject] = step.result
    }
  }

  @Test("an element of a composite type is not confused with an attribute of the same name")
  func compositeElements() throws {
    let model = try ModelErrorTests.model(Self.composite)
    let title = model.explainVersionHash(of: "title", entity: "Topic")
    #expect(title.map(\.subject.owner) == ["Topic", "Topic"])
    let info = model.explainVersionHash(of: "info", entity: "Sub").map(\.subject.description)
    #expect(
      info == [
        "element title of composite Info: common part", "element title of composite Info",
        "attribute info of Topic",
      ])
  }

  @Test("a setting is listed as not hashed if and only if changing it does not change the hash")
  func omissions() throws {
    let kinds = [
      #"attributeType="String""#, #"attributeType="Binary""#,
      #"attributeType="Composite" composite="Info""#,
      #"attributeType="Date" derived="YES" derivationExpression="now:()""#,
    ]
    let settings = [
      ("optional", "YES", "optional"), ("defaultValueString", "x", "default"),
      ("elementID", "old", "renaming identifier"), ("indexed", "YES", "indexed"),
      ("minValueString", "1", "minValueString"),
      ("regularExpressionString", "a", "regularExpressionString"),
      ("valueTransformerName", "T", "valueTransformerName"),
      ("versionHashModifier", "2", "hash modifier"),
      ("allowsExternalBinaryDataStorage", "YES", "external storage"),
      ("preserveAfterDeletion", "YES", "preserved after deletion"),
    ]
    for kind in kinds {
      let plain = try Self.attribute(kind)
      for (key, value, name) in settings {
        let changed = try Self.attribute("\(kind) \(key)=\"\(value)\"")
        let isOmitted = changed.omissions.contains { $0.name == name }
        #expect(isOmitted == (changed.result == plain.result), "\(kind) \(key)")
      }
    }
  }

  private static func attribute(_ attributes: String) throws -> HashStep {
    let model = try ModelErrorTests.model(
      """
      <entity name="A"><attribute name="a" \(attributes)/></entity>
      <composite name="Info"><attribute name="n" optional="YES" attributeType="String"/></composite>
      """)
    return try #require(model.explainVersionHash(of: "a", entity: "A").last)
  }

  @Test("omitted settings of a relationship and an entity are listed")
  func otherOmissions() throws {
    let model = try ModelErrorTests.model(
      """
      <entity name="A" representedClassName="Klass" elementID="Old">
        <attribute name="t" transient="YES" attributeType="String"/>
        <attribute name="i" optional="YES" attributeType="String"/>
        <relationship name="friends" toMany="YES" deletionRule="Cascade" destinationEntity="A" inverseName="friends" inverseEntity="A"/>
        <fetchedProperty name="f"/>
        <fetchIndex name="byI"><fetchIndexElement property="i" type="Binary" order="ascending"/></fetchIndex>
        <userInfo><entry key="k" value="v"/></userInfo>
      </entity>
      <entity name="B" parentEntity="A"/>
      """)
    let list = { (step: HashStep?) in step?.omissions.map { "\($0.name) \($0.value)" } ?? [] }
    let entity = model.explainVersionHashes(of: ["A"]).last
    #expect(
      list(entity) == [
        "class Klass", "renaming identifier Old", "transient attribute t", "fetched property f",
        "index byI", "userInfo k",
      ])
    #expect(
      list(model.explainVersionHashes(of: ["B"]).last) == [
        "transient attribute t", "fetched property f",
      ])
    #expect(
      list(model.explainVersionHash(of: "friends", entity: "A").last) == [
        "own inverse friends", "delete rule Cascade",
      ])
  }
}
