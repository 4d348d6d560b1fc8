import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataPolicy
import StrataSQLite
import StrataSamples
import StrataStore
import TestSupport
import Testing

import struct StrataPolicy.EntityMapping

/// The migrations of the presentation and the talk, with the values that they must give.
///
/// Source: facts on the demonstrations, sections 2 and 3.
@Suite("The demonstrations, with mapping models and Swift policies")
struct DemonstrationTests {
  private static let policies = PolicyRegistry([
    TopicToTopic.self, ChefToChef.self, RecipeToCuisine.self,
  ])

  /// The policies in Swift and those of a policy file: two roads, one answer.
  private static func registries() throws -> [PolicyRegistry] {
    var files = PolicyRegistry()
    files.add(try PolicyScript.policies(parsing: PolicyFileTests.demonstrations))
    return [policies, files]
  }

  private static func hop(
    _ sample: String, _ old: String, _ new: String, mappings names: [String]
  ) throws -> MigrationPlan.Hop {
    let (from, to) = (
      NamedModel(name: old, model: try SampleStore.model(sample, old)),
      NamedModel(name: new, model: try SampleStore.model(sample, new))
    )
    let found = try #require(Sample.named(sample))
    let parts = try names.map { name in
      let text = try #require(found.mappings.first { $0.name == name }).text
      return NamedMappingModel(
        name: name,
        mapping: try MappingScript(parsing: text).mapping(
          from: MatchableModel(from.model), to: MatchableModel(to.model)))
    }
    return MigrationPlan.Hop(from: from, to: to, parts: parts, reason: "a test says so")
  }

  /// Runs a hop to its end into a store that stays.
  private static func run(
    _ hop: MigrationPlan.Hop, from source: String, into destination: String,
    policies: PolicyRegistry = Self.policies, withoutPolicies: Bool = false
  ) throws -> (events: [TraceEvent], report: MigrationReport) {
    var run = try PassesRun(
      hop, number: 1, of: 1,
      source: StoreReader(SQLiteStore(reading: source), model: hop.from.model),
      destination: NewStore(path: destination, model: hop.to.model, uuid: "B"), policies: policies,
      withoutPolicies: withoutPolicies)
    var events: [TraceEvent] = []
    while run.pending != nil { events += try run.step() }
    guard !run.report.stopsMigration else { return (events, run.report) }
    // As SQL where that is possible: the same objects, and the same report.
    let fast = try Passes.run(
      hop, from: source, into: destination + ".sql", policies: policies,
      withoutPolicies: withoutPolicies, executor: .fastest)
    #expect(fast.report == run.report)
    let model = hop.to.model
    #expect(
      try StoreDifference(
        between: StoreReader(SQLiteStore(reading: destination), model: model),
        and: StoreReader(SQLiteStore(reading: destination + ".sql"), model: model)
      ).isEmpty)
    return (events, run.report)
  }

  /// A store of a sample's version: rows by entity, with to-one relationships by the place of the row.
  private static func store(
    _ sample: String, _ version: String, at path: String,
    _ rows: [(entity: String, values: [String: AttributeValue], leads: [String: Int])]
  ) throws {
    let model = try SampleStore.model(sample, version)
    var store = try NewStore(path: path, model: model, uuid: "A")
    var keys: [Int64] = []
    for row in rows { keys.append(try store.insert(row.entity, attributes: row.values).key) }
    for (key, row) in zip(keys, rows) {
      for (name, place) in row.leads {
        let relationship = try #require(model.relationship(name, of: row.entity))
        try store.connect(relationship, of: key, to: [keys[place]])
      }
    }
    try store.finish()
  }

  /// The values of an attribute in all objects of an entity, in the order of their keys.
  private static func values(
    _ name: String, of entity: String, in path: String, _ model: ObjectModel
  ) throws -> [AttributeValue] {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    return try reader.keys(of: entity).map {
      try reader.object($0, of: entity)?.attributes[name] ?? .null
    }
  }

  @Test("minutes are computed from the length in UTF-16 code units and truncated")
  func lengths() throws {
    let folder = try TemporaryFolder()
    let contents = ["12345678901234567890", "12345678901234567890123456", "🎈🎈🎈", ""]
    try Self.store(
      "Topics", "Model1", at: folder.path("old.sqlite"),
      contents.map {
        ("Topic", ["content": .text($0), "presenterName": .text("x")], [:])
      } + [("Topic", ["presenterName": .text("no content")], [:])])
    let hop = try Self.hop("Topics", "Model1", "Model2", mappings: ["Model1ToModel2"])
    let (_, report) = try Self.run(
      hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"))
    #expect(report.problems.isEmpty && report.unmapped.isEmpty)
    // 20 letters are 4, 26 are 5, three balloons are six units and 1.2; of nothing the default stays.
    #expect(
      try Self.values("timeBudget", of: "Topic", in: folder.path("new.sqlite"), hop.to.model)
        == [4, 5, 1, 0, 5].map { .integer($0) })
    #expect(
      try Self.values("content", of: "Topic", in: folder.path("new.sqlite"), hop.to.model)
        == contents.map { .text($0) } + [.null])
  }

  @Test("minutes become seconds")
  func seconds() throws {
    let folder = try TemporaryFolder()
    try Self.store(
      "Topics", "Model3", at: folder.path("old.sqlite"),
      [5, 0, 90].map { minutes in
        (
          "Topic",
          ["title": .text("t"), "presenterName": .text("x"), "timeBudget": .integer(minutes)], [:]
        )
      })
    let hop = try Self.hop("Topics", "Model3", "Model4", mappings: ["Model3ToModel4"])
    _ = try Self.run(hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"))
    #expect(
      try Self.values("timeBudget", of: "Topic", in: folder.path("new.sqlite"), hop.to.model)
        == [300, 0, 5400].map { .integer($0) })
  }

  /// Lists from every third of the alphabet, one that begins with no letter, and topics with and
  /// without lists, by presenters who come again.
  private static func fillModel4(at path: String) throws {
    let lists = ["apples", "Melons", "zebras", "9 lives"]
    let topics: [(title: String, presenter: String, list: Int?)] = [
      ("A", "Alesha", 0), ("B", "Ben", 0), ("C", "Alesha", 1), ("D", "Cleo", 2), ("E", "Ben", 2),
      ("F", "Dora", 3), ("G", "Emil", nil),
    ]
    try store(
      "Topics", "Model4", at: path,
      lists.map { ("TopicList", ["title": .text($0)], [:]) }
        + topics.map { topic in
          (
            "Topic",
            [
              "title": .text(topic.title), "presenterName": .text(topic.presenter),
              "presenterEmail": .text("\(topic.presenter)@example.com"), "timeBudget": .integer(60),
            ], topic.list.map { ["topicList": $0] } ?? [:]
          )
        })
  }

  @Test("presenters become members, in three parts with one destination store")
  func presenters() throws {
    for policies in try Self.registries() { try presenters(policies) }
  }

  private func presenters(_ policies: PolicyRegistry) throws {
    let folder = try TemporaryFolder()
    try Self.fillModel4(at: folder.path("old.sqlite"))
    let hop = try Self.hop(
      "Topics", "Model4", "Model5", mappings: (1...3).map { "Model4ToModel5-\($0)" })
    let (events, report) = try Self.run(
      hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"), policies: policies)
    let path = folder.path("new.sqlite")
    func texts(_ name: String, of entity: String) throws -> [AttributeValue] {
      try Self.values(name, of: entity, in: path, hop.to.model)
    }
    #expect(try texts("title", of: "Topic") == ["A", "B", "C", "D", "E"].map { .text($0) })
    #expect(try texts("firstName", of: "Member") == ["Alesha", "Ben", "Cleo"].map { .text($0) })
    #expect(try texts("email", of: "Member").first == .text("Alesha@example.com"))
    #expect(
      try texts("title", of: "TopicList") == ["apples", "Melons", "zebras"].map { .text($0) })
    let reader = try StoreReader(SQLiteStore(reading: path), model: hop.to.model)
    for (name, wanted) in [("presenter", [1, 2, 1, 3, 2]), ("topicList", [1, 1, 2, 3, 3])] {
      let relationship = try #require(hop.to.model.relationship(name, of: "Topic"))
      let found = try reader.keys(of: "Topic").flatMap {
        try reader.destinations(of: relationship, from: $0)
      }
      #expect(found == wanted.map { Int64($0) }, "\(name)")
    }
    let ordered = try #require(hop.to.model.relationship("topics", of: "TopicList"))
    #expect(try reader.destinations(of: ordered, from: 1) == [1, 2])
    // What fits no part is counted: a topic without a list, and a list that begins with no letter.
    #expect(
      report.unmapped.map { "\($0.entity) \($0.count) p\($0.firstKey)" } == [
        "Topic 2 p6", "TopicList 1 p4",
      ])
    let parts = events.compactMap { event -> Int? in
      if case .partBegan(let number, 3, _) = event.kind { number } else { nil }
    }
    #expect(parts == [1, 2, 3])
    let members = events.filter { if case .objectInserted = $0.kind { true } else { false } }
    #expect(members.count == 3)
  }

  @Test("the three parts as one mapping model give equal rows in any order of the lists")
  func presentersInOne() throws {
    let folder = try TemporaryFolder()
    try Self.fillModel4(at: folder.path("old.sqlite"))
    var hop = try Self.hop("Topics", "Model4", "Model5", mappings: ["Model4ToModel5-1"])
    for index in hop.parts[0].mapping.entityMappings.indices {
      hop.parts[0].mapping.entityMappings[index].filter = nil
    }
    let (_, report) = try Self.run(
      hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"))
    #expect(report.unmapped.isEmpty)
    #expect(
      try Self.values("firstName", of: "Member", in: folder.path("new.sqlite"), hop.to.model)
        == ["Alesha", "Ben", "Cleo", "Dora", "Emil"].map { .text($0) })
  }

  @Test("recipes have split names, one cuisine for each value, and ingredients through the recipes")
  func recipes() throws {
    for policies in try Self.registries() { try recipes(policies) }
  }

  private func recipes(_ policies: PolicyRegistry) throws {
    let folder = try TemporaryFolder()
    let chefs = ["Anna Maria Bond", "Bo", ""]
    let recipes: [(String, String?, Int)] = [
      ("Curry", "Indian", 0), ("Dal", "Indian", 1), ("Pizza", "Italian", 0), ("Toast", nil, 1),
    ]
    try Self.store(
      "Recipes", "Recipes1", at: folder.path("old.sqlite"),
      chefs.map { ("Chef", ["name": .text($0), "training": .text("lost")], [:]) }
        + recipes.map { name, cuisine, chef in
          (
            "Recipe",
            ["name": .text(name)].merging(cuisine.map { ["cuisine": .text($0)] } ?? [:]) { $1 },
            ["chef": chef]
          )
        }
        + [("Salt", 3), ("Flour", 5), ("Lentils", 4)].map { name, recipe in
          ("Ingredient", ["name": .text(name), "amount": .text("1")], ["recipes": recipe])
        })
    let hop = try Self.hop("Recipes", "Recipes1", "Recipes2", mappings: ["Recipes1ToRecipes2"])
    let (_, report) = try Self.run(
      hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"), policies: policies)
    #expect(report.unmapped.isEmpty && !report.stopsMigration, "\(report.problems)")
    let path = folder.path("new.sqlite")
    func texts(_ name: String, of entity: String) throws -> [AttributeValue] {
      try Self.values(name, of: entity, in: path, hop.to.model)
    }
    #expect(try texts("firstName", of: "Chef") == [.text("Anna"), .text("Bo"), .null])
    #expect(try texts("lastName", of: "Chef") == [.text("Maria Bond"), .null, .null])
    #expect(try texts("name", of: "Cuisine") == [.text("Indian"), .text("Italian")])
    let reader = try StoreReader(SQLiteStore(reading: path), model: hop.to.model)
    func lead(_ name: String, _ entity: String) throws -> [[Int64]] {
      let relationship = try #require(hop.to.model.relationship(name, of: entity))
      return try reader.keys(of: entity).map { try reader.destinations(of: relationship, from: $0) }
    }
    #expect(try lead("cuisine", "Recipe") == [[1], [1], [2], []])
    #expect(try lead("recipes", "Cuisine") == [[1, 2], [3]])
    #expect(try lead("recipe", "Ingredient") == [[1], [3], [2]])
    #expect(try lead("chefs", "Recipe") == [[1], [2], [1], [2]])
  }

  @Test("an error of a policy names the policy, mapping, pass and object, and stops the migration")
  func throwing() throws {
    struct Failing: EntityMigrationPolicy {
      static let policyName = "TopicToTopic"
      func createDestinationInstances(
        for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
      ) throws {
        if source.key == 2 { throw Diagnostic(id: "x", what: "two is too many") }
      }
    }
    let folder = try TemporaryFolder()
    try Self.fillModel4(at: folder.path("old.sqlite"))
    let hop = try Self.hop("Topics", "Model4", "Model5", mappings: ["Model4ToModel5-1"])
    do {
      _ = try Self.run(
        hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"),
        policies: PolicyRegistry([Failing.self]))
      Issue.record("it must stop")
    } catch let error as MigrationError {
      let diagnostic = error.diagnostic
      #expect(diagnostic.what == "the policy TopicToTopic stopped: two is too many")
      #expect(
        diagnostic.location?.description.contains("entity mapping TopicToTopic, pass 1, Topic/p2")
          == true)
    }
    #expect(throws: StoreError.self) { _ = try SQLiteStore(reading: folder.path("new.sqlite")) }
  }

  @Test("custom validation in pass 3 sees the created objects")
  func customValidation() throws {
    struct Forgetful: EntityMigrationPolicy {
      static let policyName = "TopicToTopic"
      func performCustomValidation(for mapping: EntityMapping, manager: MigrationManager) throws {
        try TopicToTopic().performCustomValidation(for: mapping, manager: manager)
      }
    }
    let folder = try TemporaryFolder()
    try Self.fillModel4(at: folder.path("old.sqlite"))
    let hop = try Self.hop("Topics", "Model4", "Model5", mappings: ["Model4ToModel5-1"])
    #expect {
      try Self.run(
        hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"),
        policies: PolicyRegistry([Forgetful.self]))
    } throws: { error in
      "\((error as? MigrationError)?.diagnostic.what ?? "")"
        == "the policy TopicToTopic stopped: no presenter for A"
    }
  }

  @Test(
    "an unknown policy stops the migration before the first row, unless it is skipped")
  func unknownPolicy() throws {
    let folder = try TemporaryFolder()
    try Self.fillModel4(at: folder.path("old.sqlite"))
    let hop = try Self.hop("Topics", "Model4", "Model5", mappings: ["Model4ToModel5-1"])
    for (policies, without) in [
      (PolicyRegistry(), false), (PolicyRegistry([ChefToChef.self]), false),
    ] {
      #expect {
        try Self.run(
          hop, from: folder.path("old.sqlite"), into: folder.path("a.sqlite"), policies: policies,
          withoutPolicies: without)
      } throws: { error in
        guard let diagnostic = (error as? MigrationError)?.diagnostic else { return false }
        return diagnostic.id == "migration.unknownPolicy"
          && diagnostic.notes.contains {
            $0.hasPrefix("TopicToTopic: entity mapping TopicToTopic of Model4ToModel5-1")
          }
      }
      try? FileManager.default.removeItem(atPath: folder.path("a.sqlite"))
    }
    let (_, report) = try Self.run(
      hop, from: folder.path("old.sqlite"), into: folder.path("b.sqlite"),
      policies: PolicyRegistry(), withoutPolicies: true)
    #expect(report.entities.first { $0.mapping == "TopicToTopic" }?.created == 2)
  }

  @Test("an unknown key path is reported before the first row")
  func wrongKeyPath() throws {
    let folder = try TemporaryFolder()
    try Self.fillModel4(at: folder.path("old.sqlite"))
    var hop = try Self.hop("Topics", "Model3", "Model4", mappings: ["Model3ToModel4"])
    let mappings = hop.parts[0].mapping.entityMappings
    let place = try #require(mappings.firstIndex { $0.name == "TopicToTopic" })
    let property = try #require(
      mappings[place].attributeMappings.firstIndex { $0.name == "timeBudget" })
    hop.parts[0].mapping.entityMappings[place].attributeMappings[property].expression =
      .sourceValue(["timeBudgett"])
    #expect {
      try Self.run(hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"))
    } throws: { error in
      guard let diagnostic = (error as? MigrationError)?.diagnostic else { return false }
      return diagnostic.id == "migration.badMapping"
        && diagnostic.notes.contains { $0.contains("timeBudgett") }
    }
  }
}
