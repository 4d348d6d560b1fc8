import StrataBase
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@Suite("Finding mapping models")
struct MappingFindingTests {
  private static func topics() throws -> [NamedModel] {
    try (1...5).map {
      NamedModel(name: "Topics/Model\($0)", model: try SampleStore.model("Topics", "Model\($0)"))
    }
  }

  private static func mapping(
    _ name: String, _ old: NamedModel, _ new: NamedModel, where filter: String? = nil
  ) -> NamedMappingModel {
    var mapping = MappingModel(
      startingFrom: MatchableModel(old.model), to: MatchableModel(new.model))
    mapping.entityMappings[0].filter = filter
    return NamedMappingModel(name: name, mapping: mapping)
  }

  @Test("hashes determine the choice, regardless of the name")
  func hashes() throws {
    let models = try Self.topics()
    let right = Self.mapping("Anything", models[0], models[1])
    let wrong = Self.mapping("Model1ToModel2", models[1], models[2])
    let choice = MappingChoice(from: models[0], to: models[1], among: [wrong, right])
    #expect(choice.chosen == right && choice.parts == [right])
    #expect(choice.rejected.map(\.name) == ["Model1ToModel2"])
    #expect(choice.rejected[0].reason.contains("created for another version of Topic"))
    #expect(
      choice.rejected[0].findings.rules(MappingRule.self) == [
        .staleHash(entity: "Topic", isSource: true), .staleHash(entity: "Topic", isSource: false),
      ])
    let halfway = MappingChoice(from: models[0], to: models[2], among: [right])
    #expect(
      halfway.rejected[0].findings.rules(MappingRule.self) == [
        .staleHash(entity: "Topic", isSource: false)
      ])
  }

  @Test("parts are combined by name and sorted by number")
  func parts() throws {
    let models = try Self.topics()
    let parts = [10, 2, 1].map {
      Self.mapping("Model4ToModel5-\($0)", models[3], models[4], where: "title == '\($0)'")
    }
    let other = Self.mapping("Another", models[3], models[4])
    let choice = MappingChoice(from: models[3], to: models[4], among: [other] + parts)
    #expect(
      choice.parts.map(\.name) == ["Model4ToModel5-1", "Model4ToModel5-2", "Model4ToModel5-10"])
    // Core Data knows no convention: four fit.
    #expect(choice.isUndefined && choice.chosen == nil && choice.fitting.count == 4)
    #expect(parts.named(from: "Model4", to: "Model5").count == 3)
    #expect(parts.named(from: "Model4", to: "Model6").isEmpty)
  }

  @Test("two forms of one mapping model count as one")
  func twins() throws {
    let models = try Self.topics()
    let twin = Self.mapping("V1toV2", models[0], models[1])
    let choice = MappingChoice(from: models[0], to: models[1], among: [twin, twin])
    #expect(choice.chosen == twin && choice.rejected.isEmpty)
  }

  @Test("copies count once, whatever their names and the order of what they contain")
  func copies() throws {
    let models = try Self.topics()
    let parts = [1, 2].map {
      Self.mapping("Model4ToModel5-\($0)", models[3], models[4], where: "title == '\($0)'")
    }
    var reversed = parts[0]
    reversed.name = "Copy"
    reversed.path = "elsewhere/Copy.xcmappingmodel"
    reversed.mapping.entityMappings.reverse()
    for index in reversed.mapping.entityMappings.indices {
      reversed.mapping.entityMappings[index].attributeMappings.reverse()
    }
    #expect(reversed.mapping != parts[0].mapping)
    for candidates in [parts + [reversed], parts + parts, parts + parts + [reversed]] {
      let choice = MappingChoice(from: models[3], to: models[4], among: candidates)
      #expect(choice.fitting == parts && choice.parts == parts)
      #expect(
        Set(choice.rejected.map(\.reason)).isSubset(of: [
          "its content is equal to that of Model4ToModel5-1"
        ]))
      #expect(candidates.named(from: "Model4", to: "Model5") == parts)
      #expect(candidates.distinct(mergingForms: false).models == parts)
    }
    // The copy with the number of another part is not that part.
    reversed.name = "Model4ToModel5-3"
    #expect((parts + [reversed]).named(from: "Model4", to: "Model5") == parts)
    // Other content under one name: two forms, unless a user names both.
    var form = parts[0]
    form.mapping.entityMappings[0].filter = nil
    #expect([parts[0], form].distinct().models == [parts[0]])
    #expect([parts[0], form].distinct(mergingForms: false).models == [parts[0], form])
    // What Core Data reads stands for its text.
    var text = parts[0]
    text.isReadByCoreData = false
    let read = [text, parts[0]].distinct()
    #expect(read.models == [parts[0]] && read.indexes == [1])
    #expect(read.copies.map(\.copy) == [text] && read.copies.map(\.original) == [parts[0]])
  }

  @Test(
    "an entity mapping is a copy if the hashes are equal and no value is computed",
    arguments: [
      (0, 1, "", "Topic", EntityMapping.Kind.transform), (0, 1, "", "TopicList", .copy),
      (0, 1, "title = 'x'", "TopicList", .transform), (0, 1, "policy P", "TopicList", .custom),
      (0, 1, "where title != nil", "TopicList", .copy), (3, 4, "", "TopicList", .transform),
    ])
  func kinds(from: Int, to: Int, line: String, entity: String, kind: EntityMapping.Kind) throws {
    let models = try Self.topics()
    let (old, new) = (MatchableModel(models[from].model), MatchableModel(models[to].model))
    let text = "X: \(entity) -> \(entity)\n  \(line)\nY: -> \(entity)\nZ: \(entity) ->\n"
    let mapping = try MappingScript(parsing: text).mapping(from: old, to: new)
    #expect(mapping.entityMappings.map(\.effectiveKind) == [kind, .add, .remove])
  }

  @Test("a name with several occurrences of To has several interpretations")
  func readings() {
    #expect(
      MappingConvention.readings(of: "ToDo1ToToDo2-3").map { [$0.source, $0.destination] } == [
        ["ToDo1", "ToDo2"], ["ToDo1To", "Do2"],
      ])
    #expect(MappingConvention.readings(of: "ToDo1ToToDo2-3").allSatisfy { $0.part == 3 })
    #expect(MappingConvention.readings(of: "Mapping").isEmpty)
  }

  @Test("an unmapped entity or missing hashes do not fit")
  func unfit() throws {
    let models = try Self.topics()
    let (old, new) = (MatchableModel(models[0].model), MatchableModel(models[1].model))
    var mapping = MappingModel(startingFrom: old, to: new)
    #expect(mapping.fit(from: old, to: new).isFitting)
    mapping.entityMappings.removeAll { $0.name == "TopicListToTopicList" }
    #expect(mapping.fit(from: old, to: new).unmappedSources == ["TopicList"])
    for place in mapping.entityMappings.indices {
      mapping.entityMappings[place].sourceHash = nil
      mapping.entityMappings[place].destinationHash = nil
    }
    #expect(mapping.fit(from: old, to: new).isUnknown)
    #expect(!mapping.fit(from: old, to: new).isFitting)
    let fresh = MappingModel(startingFrom: old, to: new).fit(from: new, to: old)
    #expect(fresh.staleSources == ["Topic"] && fresh.staleDestinations == ["Topic"])
  }
}
