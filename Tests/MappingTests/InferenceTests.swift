import StrataExpressions
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@Suite("Inference")
struct InferenceTests {
  private static func model(_ entities: String) throws -> ObjectModel {
    try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8)))
  }

  private static func infer(_ old: String, _ new: String) throws -> Inference {
    Inference(from: try model(old), to: try model(new))
  }

  @Test("entity mappings have Core Data's types and names")
  func names() throws {
    let inference = try Self.infer(
      #"<entity name="Same"/><entity name="Gone"/><entity name="Old"/>"#,
      #"<entity name="Same"/><entity name="Fresh"/><entity name="New" elementID="Old"/>"#)
    let mappings = try #require(inference.mapping).entityMappings
    #expect(
      mappings.map(\.name) == [
        "IEM_Transform_New", "IEM_Copy_Same", "IEM_Add_Fresh", "IEM_Remove_Gone",
      ])
    #expect(mappings.map(\.kind) == [.transform, .copy, .add, .remove])
    #expect(mappings[0].sourceName == "Old" && mappings[0].destinationName == "New")
  }

  @Test("the Topics versions infer hop by hop as the facts tell")
  func topics() throws {
    let models = try (1...5).map { try SampleStore.model("Topics", "Model\($0)") }
    for (old, new) in zip(models, models.dropFirst()) {
      #expect(Inference(from: old, to: new).isInferable)
    }
    func expression(_ hop: Int, _ property: String) throws -> String? {
      let mapping = try #require(Inference(from: models[hop - 1], to: models[hop]).mapping)
      let topic = try #require(mapping.entityMapping(named: "IEM_Transform_Topic"))
      return (topic.attributeMappings + topic.relationshipMappings)
        .first { $0.name == property }?.expression?.text
    }
    #expect(try expression(1, "timeBudget") == nil)
    #expect(try expression(2, "title") == "$source.content")
    #expect(try expression(3, "timeBudget") == "$source.timeBudget")
    #expect(try expression(4, "presenter") == nil)
    #expect(
      try expression(4, "topicList")
        == #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "IEM_Transform_TopicList", $source.topicList)"#
    )
    // A chain: the canonical name is kept through all versions.
    #expect(Inference(from: models[0], to: models[4]).isInferable)
    let lost = Inference(from: models[3], to: models[4]).warnings.filter {
      $0.reason == .lostProperty
    }
    #expect(lost.map(\.place) == ["Topic.presenterEmail", "Topic.presenterName"])
  }

  @Test("types that no rule converts are obstacles, numbers are not")
  func types() throws {
    let types = [
      "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "Boolean", "String",
      "Date", "Binary", "UUID", "URI", "Transformable",
    ]
    for old in types {
      for new in types {
        let entity = { (type: String) in
          #"<entity name="A"><attribute name="x" optional="YES" attributeType="\#(type)"/></entity>"#
        }
        let inference = try Self.infer(entity(old), entity(new))
        let isNumber = { (type: String) in types.prefix(7).contains(type) }
        #expect(
          inference.isInferable == (old == new || (isNumber(old) && isNumber(new))), "\(old) \(new)"
        )
        #expect(inference.obstacles.allSatisfy { $0.code == 134190 && !$0.remedies.isEmpty })
      }
    }
  }

  @Test(
    "every obstacle and warning is found, all at once",
    arguments: [
      (
        #"<entity name="A"/><entity name="B"/>"#,
        #"<entity name="P"/><entity name="A" parentEntity="P"/><entity name="B" parentEntity="P"/>"#,
        false
      ),
      (
        #"<entity name="A" elementID="x"/><entity name="B" elementID="x"/>"#,
        #"<entity name="C" elementID="x"/>"#, false
      ),
      (
        #"<entity name="A"/>"#,
        #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#, true
      ),
      (
        #"<entity name="A"><attribute name="x" optional="YES" attributeType="Date"/></entity>"#,
        #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#, true
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="Integer 64"/></entity>"#,
        #"<entity name="A"><attribute name="x" attributeType="Integer 16"/></entity>"#, true
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
        #"<entity name="A"><attribute name="y" attributeType="String"/></entity>"#, true
      ),
      (
        #"<entity name="A"><relationship name="r" toMany="YES" destinationEntity="A"/></entity>"#,
        #"<entity name="A"><relationship name="r" maxCount="1" destinationEntity="A"/></entity>"#,
        true
      ),
      (
        #"<entity name="A"><relationship name="r" toMany="YES" ordered="YES" destinationEntity="A"/></entity>"#,
        #"<entity name="A"><relationship name="r" toMany="YES" destinationEntity="A"/></entity>"#,
        true
      ),
    ])
  func findings(old: String, new: String, isInferable: Bool) throws {
    let inference = try Self.infer(old, new)
    #expect(inference.isInferable == isInferable)
    #expect(!(inference.obstacles + inference.warnings).isEmpty)
    #expect(
      (inference.obstacles + inference.warnings).allSatisfy {
        !$0.words.isEmpty && !$0.remedies.isEmpty
      })
  }
}
