import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataPolicy
import StrataSQLite
import StrataStore
import TestSupport
import Testing

import struct StrataPolicy.EntityMapping

/// Policies over a thousand objects: objects that wait for each other are those that go one by one.
@Suite("Policies in both executors")
struct PolicyExecutorTests {
  private static func model(_ modifier: String?) throws -> ObjectModel {
    var person = Entity(name: "Person")
    person.attributes = [
      Attribute(name: "age", type: .integer32, isOptional: true),
      Attribute(name: "city", type: .string, isOptional: true),
      Attribute(name: "name", type: .string, isOptional: true),
      Attribute(name: "rest", type: .string, isOptional: true),
      Attribute(name: "score", type: .double, isOptional: true),
    ]
    var team = Relationship(name: "team", destinationName: "Team", isOptional: true)
    team.inverseName = "people"
    person.relationships = [team]
    person.versionHashModifier = modifier
    var group = Entity(name: "Team")
    group.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
    var people = Relationship(
      name: "people", destinationName: "Person", isOptional: true, isToMany: true)
    people.inverseName = "team"
    group.relationships = [people]
    return try ObjectModel(ModelDocument(entities: [group, person]))
  }

  private static let count = 1000

  /// Names of two words, of one, of none and none at all; some keys are free.
  private static func make(_ path: String) throws {
    let model = try model(nil)
    var store = try NewStore(path: path, model: model, uuid: "A")
    for number in 1...10 {
      _ = try store.insert("Team", attributes: ["name": .text("team \(number)")])
    }
    guard let shape = store.shape(of: "Person") else { throw StoreError.missingTable("Person") }
    for number in 0..<Self.count {
      let name: AttributeValue =
        switch number % 5 {
        case 0: .text("Ann No \(number)")
        case 1: .text("Bo")
        case 2: .text("")
        case 3: .null
        default: .text("Ünal  \(number)")
        }
      let values = shape.names.map { place -> AttributeValue in
        switch place {
        case "age": .integer(Int64(number % 90))
        case "name": name
        case "rest": .text("rest \(number)")
        case "team": number % 4 == 0 ? .null : .integer(Int64(number % 10 + 1))
        default: .null
        }
      }
      try store.insert(
        ObjectRow(key: Int64(number + 1 + number / 100), values: values), of: "Person")
    }
    try store.finish()
  }

  private static func run(
    _ mapping: String, _ policies: PolicyRegistry, _ check: (borrowing StoreReader) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (
      NamedModel(name: "old", model: try model(nil)), NamedModel(name: "new", model: try model("2"))
    )
    let path = folder.path("old.sqlite")
    try make(path)
    let hop = try MigrationPlan.Hop(from: old, to: new, by: mapping)
    let (one, all) = (folder.path("one.sqlite"), folder.path("all.sqlite"))
    let first = try Passes.run(hop, from: path, into: one, policies: policies).report
    let second = try Passes.run(
      hop, from: path, into: all, policies: policies, executor: .fastest
    ).report
    #expect(first == second)
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: one), model: new.model),
      and: StoreReader(SQLiteStore(reading: all), model: new.model))
    #expect(difference.isEmpty, "\(difference.entities.filter { !$0.isEmpty })")
    try check(StoreReader(SQLiteStore(reading: all), model: new.model))
  }

  private static func policies(_ text: String) throws -> PolicyRegistry {
    var policies = PolicyRegistry()
    policies.add(try PolicyScript.policies(parsing: text))
    return policies
  }

  private static let mapping = """
    PersonToPerson: Person -> Person
      policy Changes
      age = $source.age + 1
    TeamToTeam: Team -> Team
    """

  @Test("a policy file sets, splits and joins as SQL, and other attributes are unchanged")
  func policyFile() throws {
    let policies = try Self.policies(
      """
      policy Changes
        split $source.name at ' ' into name, rest
        set score = $source.age
        join $source.name, $source.rest with '-' into city
      """)
    try Self.run(Self.mapping, policies) { reader in
      for (number, key) in try reader.keys(of: "Person").enumerated() {
        let person = try #require(try reader.object(key, of: "Person")).attributes
        let expected: (AttributeValue, AttributeValue, AttributeValue) =
          switch number % 5 {
          case 0:
            (.text("Ann"), .text("No \(number)"), .text("Ann No \(number)-rest \(number)"))
          case 1: (.text("Bo"), .null, .text("Bo-rest \(number)"))
          case 2: (.null, .null, .text("-rest \(number)"))
          case 3: (.null, .text("rest \(number)"), .text("rest \(number)"))
          default: (.text("Ünal"), .text(" \(number)"), .text("Ünal  \(number)-rest \(number)"))
          }
        #expect(person["name"] == expected.0 && person["rest"] == expected.1)
        #expect(person["city"] == expected.2)
        #expect(person["score"] == .real(Double(number % 90)))
        #expect(person["age"] == .integer(Int64(number % 90 + 1)))
      }
      #expect(try reader.keys(of: "Person").count == Self.count)
    }
  }

  @Test("objects that SQL has created are found by the policies of later entity mappings")
  func objectsOfSQL() throws {
    let policies = try Self.policies(
      """
      policy Before
        find or create Person where name == 'nobody yet'
      policy Behind
        find or create Person where name == 'Bo'
        find or create Person where name == 'Ünal  4'
        find or create Person where name == 'somebody else'
      """)
    let mapping = """
      TeamToTeam: Team -> Team
        policy Before
      PersonToPerson: Person -> Person
      TeamToPerson: Team -> Person
        policy Behind
      """
    try Self.run(mapping, policies) { reader in
      let count = try reader.keys(of: "Person").count
      #expect(count == Self.count + 10 + 2)
    }
  }

  @Test("random policy files have the same results in both executors")
  func randomPolicies() throws {
    let folder = try TemporaryFolder()
    var count = 0
    for seed in CaseCount.seeds(120, "POLICIES") {
      var random = SeededRandom(seed: seed)
      let path = folder.path("\(seed).sqlite")
      guard
        let migration = try RandomMigration(
          seed: seed, at: path, hasScripts: true, rows: 1...12, using: &random),
        let hop = migration.hops.first, !hop.isInferred,
        PassesRun.faults(of: hop, migration.policies).isEmpty
      else { continue }
      let results = try [PassesRun.Executor.objects, .fastest].map { executor in
        let new = folder.path("\(seed) \(executor).sqlite")
        let report = try Passes.run(
          hop, from: path, into: new, policies: migration.policies, executor: executor
        ).report
        return (report, new)
      }
      count += 1
      if results[0].0 != results[1].0 {
        var texts = ["", ""]
        for index in 0...1 { dump(results[index].0, to: &texts[index]) }
        let lines = texts.map { $0.split(separator: "\n") }
        let different = zip(lines[0], lines[1]).filter { $0 != $1 }.prefix(8)
        Issue.record("\(seed): \(Array(different)) \(lines.map(\.count))")
      }
      guard !results[0].0.stopsMigration, !results[1].0.stopsMigration else { continue }
      let difference = try StoreDifference(
        between: StoreReader(SQLiteStore(reading: results[0].1), model: hop.to.model),
        and: StoreReader(SQLiteStore(reading: results[1].1), model: hop.to.model))
      #expect(difference.isEmpty, "\(seed): \(difference.entities.filter { !$0.isEmpty })")
    }
    #expect(count > CaseCount.least(24), "\(count)")
  }

  @Test("a policy that skips, sets, queries and creates objects")
  func mixedPolicy() throws {
    try Self.run(Self.mapping, PolicyRegistry([Changes.self])) { reader in
      let keys = try reader.keys(of: "Person")
      let created = (0..<Self.count).filter { $0 % 7 != 3 }
      #expect(keys.count == created.count + created.filter { $0 % 350 == 0 }.count)
      var seen = 0
      for key in keys {
        let person = try #require(try reader.object(key, of: "Person")).attributes
        guard case .text(let rest)? = person["rest"],
          let number = Int(rest.split(separator: " ").last ?? "")
        else { continue }
        seen += 1
        #expect(person["age"] == .integer(Int64(number % 90 + 1)))
        #expect(person["city"] == (number % 3 == 0 ? .text("city \(number)") : .null))
        #expect(person["score"] == (number % 11 == 0 ? .real(1.5) : .null))
      }
      #expect(seen == created.count)
    }
  }

  private struct Changes: EntityMigrationPolicy {
    private var number = -1

    mutating func createDestinationInstances(
      for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      number += 1
      guard number % 7 != 3,
        let person = try manager.createDestinationInstance(for: source, in: mapping)
      else { return }
      if number % 3 == 0 { try person.set("city", to: .text("city \(number)")) }
      if number % 350 == 0 {
        try manager.insert("Person", ["name": .text("extra")])
      }
      if number % 401 == 0 {
        #expect(try person.attributeValue("age") == .integer(Int64(number % 90 + 1)))
        // It has been put in by now.
        try person.set("score", to: .integer(9))
      }
      if number % 11 == 0 { try person.set("score", to: .real(1.5)) }
      if number % 401 == 0, number % 11 != 0 { try person.set("score", to: .null) }
    }
  }
}
