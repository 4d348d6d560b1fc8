import StrataBase
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

  @Test("without the name of an entity mapping, no single one is meant", arguments: ["''", "nil"])
  func unnamed(name: String) throws {
    let function = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    let expression = try Expression(
      parsing: "FUNCTION($manager, '\(function)', \(name), $source.author)")
    #expect(RelationshipSource(expression) == nil)
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

  @Test("the inferred hops of the Topics versions match the documented facts")
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
      $0.lossRule == .removed(isRelationship: false)
    }
    #expect(lost.map(\.location.description) == ["Topic.presenterEmail", "Topic.presenterName"])
  }

  @Test("types without a conversion are obstacles, number types are not")
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
        #expect(inference.obstacles.allSatisfy { $0.code == .inferredMappingModel })
      }
    }
  }

  @Test("exactly the known losses of Topics and Recipes are warnings")
  func losses() throws {
    func warnings(_ sample: String, _ old: String, _ new: String) throws -> [String] {
      Inference(from: try SampleStore.model(sample, old), to: try SampleStore.model(sample, new))
        .warnings.map { "\($0.location) \($0.rule)" }
    }
    #expect(try warnings("Topics", "Model1", "Model2").isEmpty)
    #expect(try warnings("Topics", "Model2", "Model3").isEmpty)
    #expect(try warnings("Topics", "Model3", "Model4") == ["Topic.timeBudget copiedUnchanged"])
    #expect(
      try warnings("Topics", "Model4", "Model5") == [
        "Topic.presenterEmail removed(isRelationship: false)",
        "Topic.presenterName removed(isRelationship: false)",
      ])
    #expect(
      try warnings("Recipes", "Recipes1", "Recipes2") == [
        #"Chef.name unmatchedSplit(of: "name", into: ["firstName", "lastName"])"#,
        "Chef.training removed(isRelationship: false)",
        #"Recipe.cuisine becameRelationship(destination: "Cuisine")"#,
      ])
  }

  @Test("an inherited property is reported once, at its declaring entity")
  func inherited() throws {
    let model = { (type: String) in
      """
      <entity name="P"><attribute name="x" optional="YES" attributeType="\(type)"/></entity>
      <entity name="A" parentEntity="P"/><entity name="B" parentEntity="P"/>
      """
    }
    #expect(
      try Self.infer(model("String"), model("Date")).obstacles.map(\.location.description) == [
        "P.x"
      ])
  }

  @Test(
    "a loss that changes no version hash is found, and identifiers that change none lose nothing")
  func unhashed() throws {
    let derived = { (type: String) in
      #"<entity name="A"><attribute name="n" attributeType="Integer 64"/><attribute name="d" attributeType="\#(type)" derived="YES" derivationExpression="n"/></entity>"#
    }
    let linked = { (b: String, c: String) in
      #"<entity name="A"><relationship name="r" optional="YES" maxCount="1" destinationEntity="B"/></entity><entity name="B" elementID="\#(b)"/><entity name="C" elementID="\#(c)"/>"#
    }
    for (old, new, expected) in [
      (derived("Integer 64"), derived("Integer 16"), "A.d narrowedNumber"),
      // A store opens with the new model unchanged.
      (linked("B", "C"), linked("C", "B"), nil),
    ] {
      #expect(try Self.model(old).versionHashes() == Self.model(new).versionHashes())
      let losses = try Self.infer(old, new).losses.map {
        "\($0.finding.location) \($0.finding.rule)"
      }
      #expect(losses.count == (expected == nil ? 0 : 1), "\(losses)")
      #expect(expected.map { losses.first?.hasPrefix($0) == true } != false, "\(losses)")
      #expect(try Self.infer(old, old).losses.isEmpty)
    }
  }

  @Test("entities that the search for losses skips have none")
  func unsearched() throws {
    var random = SeededRandom(seed: 12)
    var count = 0
    for _ in 0..<60 {
      let old = try RandomModel.make(using: &random)
      let new = try RandomModel.edited(old, edits: 3, using: &random)
      let inference = Inference(from: old, to: new)
      guard let mapping = inference.mapping else { continue }
      let all = LossFinder(from: old, to: new, by: [mapping.entityMappings]).losses
      func others(_ losses: [Loss]) -> [Loss] { losses.filter { $0.rule?.isOfElement == false } }
      #expect(others(inference.losses) == others(all))
      #expect(
        Set(inference.losses.flatMap(\.sources)) == Set(all.flatMap(\.sources)), "\(all)")
      count += all.count
    }
    #expect(count > 20)
  }

  @Test("the verdict equals that of the full inference")
  func verdicts() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<60 {
      let old = try RandomModel.make(using: &random)
      let new = try RandomModel.edited(old, edits: 3, using: &random)
      let (first, second) = (MatchableModel(old), MatchableModel(new))
      let inference = Inference(from: first, to: second)
      switch Inference.Verdict(from: first, to: second) {
      case .compatible: #expect(first.hashes == second.hashes)
      case .inferable: #expect(inference.isInferable)
      case .refused(let obstacles): #expect(obstacles == inference.obstacles)
      }
    }
  }
}
