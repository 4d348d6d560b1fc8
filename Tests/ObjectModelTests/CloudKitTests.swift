import StrataBase
import StrataObjectModel
import TestSupport
import Testing

@Suite("CloudKit")
struct CloudKitTests {
  private static func model(_ entities: String) throws -> ObjectModel {
    try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8)))
  }

  @Test(
    "each rule is reported exactly where it is broken",
    arguments: [
      (#"<attribute name="a" attributeType="String"/>"#, CloudKitRule.attributeNeedsDefault),
      (
        #"<relationship name="a" maxCount="1" destinationEntity="E" inverseName="a" inverseEntity="E"/>"#,
        .relationshipMustBeOptional
      ),
      (
        #"<relationship name="a" optional="YES" maxCount="1" destinationEntity="E"/>"#,
        .relationshipNeedsInverse
      ),
      (
        #"<attribute name="a" optional="YES" attributeType="String"/><uniquenessConstraints><uniquenessConstraint><constraint value="a"/></uniquenessConstraint></uniquenessConstraints>"#,
        .noUniquenessConstraints
      ),
      (
        #"<relationship name="a" optional="YES" toMany="YES" ordered="YES" destinationEntity="E" inverseName="a" inverseEntity="E"/>"#,
        .noOrderedRelationships
      ),
      (
        #"<relationship name="a" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="E" inverseName="a" inverseEntity="E"/>"#,
        .noDenyRule
      ),
      (
        #"<attribute name="a" optional="YES" attributeType="ObjectID"/>"#, .noObjectIDAttributes
      ),
    ])
  func rules(property: String, rule: CloudKitRule) throws {
    let model = try Self.model(#"<entity name="E">\#(property)</entity><entity name="F"/>"#)
    let breaches = CloudKitModelCheck(model).findings
    #expect(breaches.rules(CloudKitRule.self) == [rule])
    #expect(breaches.map(\.location.description) == ["E.a"])
    // A configuration without the entity is not concerned.
    #expect(CloudKitModelCheck(model, entities: ["F"]).findings.isEmpty)
  }

  @Test("optional attributes and attributes with a default value are allowed")
  func allowed() throws {
    let model = try Self.model(
      """
      <entity name="E">
        <attribute name="a" optional="YES" attributeType="String"/>
        <attribute name="b" attributeType="Integer 16" defaultValueString="0"/>
        <attribute name="c" transient="YES" attributeType="Undefined"/>
        <relationship name="r" optional="YES" toMany="YES" destinationEntity="E" inverseName="r" inverseEntity="E"/>
      </entity>
      """)
    #expect(CloudKitModelCheck(model).findings.isEmpty)
  }

  @Test("only additions are additive")
  func evolution() throws {
    func change(_ old: String, _ new: String) throws -> CloudKitEvolution {
      CloudKitEvolution(
        from: try SampleStore.model("Topics", old), to: try SampleStore.model("Topics", new))
    }
    let added = try change("Model1", "Model2")
    #expect(added.isAdditive && added.additions == ["Topic.timeBudget"])
    let renamed = try change("Model2", "Model3")
    #expect(renamed.changes.rules(CloudKitEvolutionRule.self) == [.renamed(from: "content")])
    let removed = try change("Model4", "Model5")
    #expect(
      removed.changes.map(\.location.description) == [
        "Topic.presenterEmail", "Topic.presenterName",
      ])
    #expect(removed.additions == ["Member", "Topic.presenter"])
    for strategy in CloudKitStrategy.allCases {
      #expect(strategy.isPossible(for: added))
      #expect(strategy.isPossible(for: removed) == (strategy != .addOnly))
      #expect(!strategy.text(for: removed).isEmpty)
    }
  }

  @Test("a change of an attribute's type or between to-one and to-many is reported")
  func retyped() throws {
    let old = try Self.model(
      #"<entity name="E"><attribute name="a" optional="YES" attributeType="Integer 16"/><relationship name="r" optional="YES" maxCount="1" destinationEntity="E"/></entity>"#
    )
    let new = try Self.model(
      #"<entity name="E"><attribute name="a" optional="YES" attributeType="Integer 64"/><relationship name="r" optional="YES" toMany="YES" destinationEntity="E"/></entity>"#
    )
    #expect(
      CloudKitEvolution(from: old, to: new).changes.rules(CloudKitEvolutionRule.self) == [
        .retyped(from: "Integer 16", to: "Integer 64"), .recounted(isToMany: true),
      ])
  }
}
