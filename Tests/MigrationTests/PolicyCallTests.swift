import Foundation
import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataPolicy
import StrataStore
import TestSupport
import Testing

import struct StrataPolicy.EntityMapping

@Suite("Calls of policies")
struct PolicyCallTests {
  /// Owners with things that one owner has, and tags that many things share.
  private static func model(_ modifier: String? = nil, rule: Relationship.DeleteRule = .nullify)
    throws -> ObjectModel
  {
    func relation(
      _ name: String, to entity: String, inverse: String?, toMany: Bool,
      rule: Relationship.DeleteRule
    ) -> Relationship {
      var relationship = Relationship(
        name: name, destinationName: entity, isOptional: true, isToMany: toMany)
      relationship.inverseName = inverse
      relationship.deleteRule = rule
      return relationship
    }
    var owner = Entity(name: "Owner")
    owner.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
    owner.relationships = [
      relation("things", to: "Thing", inverse: "owner", toMany: true, rule: rule),
      relation("favorite", to: "Thing", inverse: nil, toMany: false, rule: .nullify),
    ]
    owner.versionHashModifier = modifier
    var thing = Entity(name: "Thing")
    thing.attributes = ["name", "note"].map {
      Attribute(name: $0, type: .string, isOptional: true)
    }
    thing.relationships = [
      relation("owner", to: "Owner", inverse: "things", toMany: false, rule: .nullify),
      relation("tags", to: "Tag", inverse: "things", toMany: true, rule: .nullify),
    ]
    var tag = Entity(name: "Tag")
    tag.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
    tag.relationships = [
      relation("things", to: "Thing", inverse: "tags", toMany: true, rule: .nullify)
    ]
    return try ObjectModel(ModelDocument(entities: [owner, thing, tag]))
  }

  private static let mapping = """
    Owners: Owner -> Owner
      things <- $source.things through Things
      favorite <- $source.favorite through Things
    Things: Thing -> Thing
      policy P
      owner <- $source.owner through Owners
      tags <- $source.tags through Tags
    Tags: Tag -> Tag
      things <- $source.things through Things
    """

  /// Two owners with two things each, the first of which is a favorite; all things have one tag.
  private static func make(_ path: String) throws {
    let model = try model()
    var store = try NewStore(path: path, model: model, uuid: "A")
    let tag = try store.insert("Tag", attributes: ["name": .text("tag")])
    for owner in 1...2 {
      let ownerObject = try store.insert("Owner", attributes: ["name": .text("owner \(owner)")])
      for number in 1...2 {
        let thing = try store.insert(
          "Thing", attributes: ["name": .text("thing \(owner)\(number)")])
        let (own, tags) = (
          try #require(model.relationship("owner", of: "Thing")),
          try #require(model.relationship("tags", of: "Thing"))
        )
        try store.connect(own, of: thing.key, to: [ownerObject.key])
        try store.connect(tags, of: thing.key, to: [tag.key])
        if number == 1 {
          let favorite = try #require(model.relationship("favorite", of: "Owner"))
          try store.connect(favorite, of: ownerObject.key, to: [thing.key])
        }
      }
    }
    try store.finish()
  }

  private struct Result {
    var report: MigrationReport
    var events: [TraceEvent]
    var reader: StoreObjects

    /// Values of an attribute of all objects of an entity, and what relationships lead to.
    func values(_ entity: String, _ path: String) throws -> [String] {
      try reader.keys(of: entity, where: nil).map { key in
        let value = try reader.object(key, of: entity).value(forKey: path)
        switch value {
        case .value(let value): return value == .null ? "nil" : "\(value.summaryForTest)"
        case .object(let object): return "p\(object.identity.key)"
        case .collection(let elements, _): return "\(elements.count)"
        }
      }
    }
  }

  private static func run(
    _ policies: PolicyRegistry, _ mapping: String = mapping,
    rule: Relationship.DeleteRule = .nullify,
    executor: PassesRun.Executor = .objects
  ) throws -> Result {
    let folder = try TemporaryFolder()
    let (old, new) = (
      NamedModel(name: "A/V1", model: try model()),
      NamedModel(name: "A/V2", model: try model("2", rule: rule))
    )
    try make(folder.path("old.sqlite"))
    let script = try MappingScript(parsing: mapping).mapping(
      from: MatchableModel(old.model), to: MatchableModel(new.model))
    let hop = MigrationPlan.Hop(
      from: old, to: new, parts: [NamedMappingModel(name: "V1ToV2", mapping: script)],
      reason: "a test")
    let path = folder.path("new.sqlite")
    let (events, report) = try Passes.run(
      hop, from: folder.path("old.sqlite"), into: path, policies: policies, executor: executor)
    return Result(
      report: report, events: events,
      reader: StoreObjects(try StoreReader(SQLiteStore(reading: path), model: new.model)))
  }

  // MARK: All seven calls in a file

  @Test(
    "each call of a policy file has a visible effect",
    arguments: [
      ("in begin: create Tag with name = 'new'", "Tag", "name", ["new", "tag"]),
      ("create Tag with name = $entityMapping.name", "Tag", "name", ["Things", "tag"]),
      (
        "set note = $source.name", "Thing", "note",
        ["thing 11", "thing 12", "thing 21", "thing 22"]
      ),
      (
        "in end of creation: set note = uppercase:(name)", "Thing", "note",
        ["THING 11", "THING 12", "THING 21", "THING 22"]
      ),
      (
        "in relationships: set note = owner.name", "Thing", "note",
        ["owner 1", "owner 1", "owner 2", "owner 2"]
      ),
      ("in end of relationships: set note = 'x'", "Thing", "note", ["x", "x", "x", "x"]),
      (
        "in end of relationships: set owner = find Owner where name == 'owner 2'", "Owner",
        "things",
        ["0", "4"]
      ),
      (
        "in end: set note = $destination.owner.name", "Thing", "note",
        ["owner 1", "owner 1", "owner 2", "owner 2"]
      ),
      ("in end: find or create Tag where name == 'tag'", "Tag", "name", ["tag"]),
      ("in end: find or create Tag where name == 'other'", "Tag", "name", ["other", "tag"]),
      ("delete when name == 'thing 11'", "Thing", "name", ["thing 12", "thing 21", "thing 22"]),
      (
        "in end of creation: delete when name ENDSWITH '2'", "Thing", "name",
        ["thing 11", "thing 21"]
      ),
      ("in end: delete when tags.@count == 1", "Thing", "name", []),
    ], [PassesRun.Executor.objects, .fastest])
  func calls(
    of example: (statement: String, entity: String, attribute: String, values: [String]),
    executor: PassesRun.Executor
  ) throws {
    let result = try Self.run(
      .reading("policy P\n  \(example.statement)\n"), executor: executor)
    #expect(result.report.problems.isEmpty)
    #expect(try result.values(example.entity, example.attribute).sorted() == example.values)
  }

  @Test(
    "validation and the end of an entity mapping can stop the migration",
    arguments: ["", "in end: ", "in end of creation: "])
  func requirements(pass: String) throws {
    #expect {
      try Self.run(.reading("policy P\n  \(pass)require name != 'thing 12', \"no \\(name)\""))
    } throws: { error in
      "\((error as? MigrationError)?.diagnostic.what ?? "")".contains("Thing/p2")
    }
  }

  @Test("a recursive method is stopped")
  func circle() throws {
    #expect {
      try Self.run(
        .reading(
          "policy P\n  set note = FUNCTION($entityPolicy, 'a')\n  method a = FUNCTION($entityPolicy, 'a')"
        ),
        Self.mapping.replacing("policy P", with: "policy P\n  note = FUNCTION($entityPolicy, 'a')"))
    } throws: { error in
      "\((error as? MigrationError)?.diagnostic.what ?? "")".contains("nested more than")
    }
  }

  // MARK: Hops

  @Test(
    "the most specific of several policies of one class is used",
    arguments: [
      ("policy P", "policy P for Things", "2"), ("policy P for Things", "policy P", "1"),
      ("policy P", "policy P for Owners", "1"), ("policy P", "policy P in V1ToV2", "2"),
      ("policy P", "policy P in V2ToV3", "1"), ("policy P", "policy P from V1 to V2", "2"),
      ("policy P", "policy P from V2 to V3", "1"),
      ("policy P to V2", "policy P from V1 to V2", "2"),
      ("policy P from V1", "policy P to V2", "1"), ("policy P", "policy P from \"A/V1\"", "2"),
      ("policy App.P", "policy P for Things in V1ToV2 from V1 to V2", "2"),
    ])
  func conditions(first: String, second: String, number: String) throws {
    let result = try Self.run(
      .reading("\(first)\n  set note = '1'\n\(second)\n  set note = '2'\n"))
    #expect(try Set(result.values("Thing", "note")) == [number])
  }

  @Test("a policy for other hops only is unknown")
  func otherHop() throws {
    #expect {
      try Self.run(.reading("policy P from V2 to V3\n  set note = '1'"))
    } throws: { ($0 as? MigrationError)?.diagnostic.id == "migration.unknownPolicy" }
  }

  // MARK: Policies in Swift

  /// Its methods take arguments of all kinds.
  private struct Joining: EntityMigrationPolicy {
    static let policyName = "P"
    var methods: Set<String> { ["join:with:of:", "all:", "count:"] }

    func value(
      ofMethod selector: String, arguments: [MethodValue], manager: MigrationManager
    ) throws -> MethodValue {
      if selector == "all:" { return arguments[0] }
      if case .collection(let elements, false) = arguments[0] {
        return .value(.text("\(elements.count)"))
      }
      guard case .source(let thing) = arguments[0], case .value(.text(let end)) = arguments[1],
        case .unavailable(let name) = arguments[2]
      else { throw PolicyError("other arguments") }
      return .value(.text("\(try thing.text("name") ?? "") \(end) \(name)"))
    }
  }

  @Test("a value expression calls a method of a Swift policy")
  func method() throws {
    let note = "FUNCTION($entityPolicy, 'join:with:of:', $source, 'x', $entityMapping)"
    let things = try Self.run(
      PolicyRegistry([Joining.self]),
      Self.mapping.replacing("policy P", with: "policy P\n  note = \(note)"))
    #expect(try things.values("Thing", "note").first == "thing 11 x NSEntityMapping")
    let all = "FUNCTION($entityPolicy, 'all:', $source.tags)"
    let count = "FUNCTION($entityPolicy, 'count:', \(all))"
    let counted = try Self.run(
      PolicyRegistry([Joining.self]),
      Self.mapping.replacing("policy P", with: "policy P\n  note = \(count)"))
    #expect(try counted.values("Thing", "note").first == "1")
  }

  private struct Keeping: EntityMigrationPolicy {
    static let policyName = "P"
    nonisolated(unsafe) static var kept: DestinationObject?

    func endInstanceCreation(for mapping: EntityMapping, manager: MigrationManager) throws {
      try manager.forEachDestinationInstance(of: mapping) { Self.kept = $0 }
    }
  }

  @Test("an object that a policy keeps after its migration rejects changes")
  func keptObject() throws {
    _ = try Self.run(PolicyRegistry([Keeping.self]))
    let kept = try #require(Keeping.kept)
    Keeping.kept = nil
    for change in [{ try kept.set("note", to: .null) }, { try kept.relate("tags", to: []) }] {
      #expect {
        try change()
      } throws: { ($0 as? Diagnostic)?.id == "policy.migrationEnded" }
    }
  }

  private struct Refusing: EntityMigrationPolicy {
    static let policyName = "P"

    func performCustomValidation(for mapping: EntityMapping, manager: MigrationManager) throws {
      var names: [String] = []
      try manager.forEachSourceObject(of: "Owner") { owner in
        names += try owner.destinations("things").compactMap { try $0.text("name") }
      }
      throw PolicyError(
        "\(manager.sourceVersion) to \(manager.destinationVersion): \(names.sorted())",
        fix: "rename them")
    }
  }

  @Test("an error of a policy has a message and a fix")
  func refusal() throws {
    #expect {
      try Self.run(PolicyRegistry([Refusing.self]))
    } throws: { error in
      let diagnostic = (error as? MigrationError)?.diagnostic
      return diagnostic?.fix == "rename them"
        && diagnostic?.what
          == #"the policy P stopped: V1 to V2: ["thing 11", "thing 12", "thing 21", "thing 22"]"#
    }
  }

  // MARK: Deletion

  /// Deletes the first thing of each owner, in one of its calls.
  private struct Deleting: EntityMigrationPolicy {
    static let policyName = "P"
    nonisolated(unsafe) static var call = 0

    private func deleteFirst(_ mapping: EntityMapping, _ manager: MigrationManager) throws {
      try manager.forEachDestinationInstance(of: mapping) { thing in
        if try thing.text("name")?.hasSuffix("1") == true { try manager.delete(thing) }
      }
    }

    func createDestinationInstances(
      for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      guard let thing = try manager.createDestinationInstance(for: source, in: mapping) else {
        return
      }
      if Self.call == 0, try source.text("name")?.hasSuffix("1") == true {
        try manager.delete(thing)
      }
    }

    func endInstanceCreation(for mapping: EntityMapping, manager: MigrationManager) throws {
      if Self.call == 1 { try deleteFirst(mapping, manager) }
    }

    func createRelationships(
      for destination: DestinationObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      if Self.call == 2 { try deleteFirst(mapping, manager) }
      guard try !destination.isDeleted else { return }
      try manager.createRelationships(for: destination, in: mapping)
    }

    func endRelationshipCreation(for mapping: EntityMapping, manager: MigrationManager) throws {
      if Self.call == 3 { try deleteFirst(mapping, manager) }
    }

    func performCustomValidation(for mapping: EntityMapping, manager: MigrationManager) throws {
      if Self.call == 4 { try deleteFirst(mapping, manager) }
    }

    func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
      if Self.call == 5 { try deleteFirst(mapping, manager) }
    }
  }

  @Test("links and counts are updated if any call deletes an object")
  func deletion() throws {
    for call in 0...5 {
      for executor in [PassesRun.Executor.objects, .fastest] {
        Deleting.call = call
        let result = try Self.run(PolicyRegistry([Deleting.self]), executor: executor)
        let place = "call \(call), \(executor)"
        #expect(try result.values("Thing", "name") == ["thing 12", "thing 22"], "\(place)")
        #expect(try result.values("Owner", "things") == ["1", "1"], "\(place)")
        #expect(try result.values("Owner", "favorite") == ["nil", "nil"], "\(place)")
        #expect(try result.values("Tag", "things") == ["2"], "\(place)")
        let things = try #require(result.report.entities.first { $0.mapping == "Things" })
        #expect(things.source == 4 && things.created == 2 && things.lost == 2, "\(place)")
        #expect(result.report.lost == 2 && result.report.losses.objects == 2, "\(place)")
        #expect(result.report.losses.links >= 2, "\(place)")
      }
    }
  }

  @Test("delete rules are applied")
  func rules() throws {
    struct Owners: EntityMigrationPolicy {
      static let policyName = "P"
      func endRelationshipCreation(for mapping: EntityMapping, manager: MigrationManager) throws {
        guard let owner = try manager.destinationObjects(of: "Owner").first else { return }
        try manager.delete(owner)
      }
    }
    // The policy of the things, behind that of the owners, deletes an owner that another mapping made.
    let cascade = try Self.run(PolicyRegistry([Owners.self]), rule: .cascade)
    #expect(try cascade.values("Owner", "name") == ["owner 2"])
    #expect(try cascade.values("Thing", "name") == ["thing 21", "thing 22"])
    #expect(cascade.report.lost == 3)
    let nullify = try Self.run(PolicyRegistry([Owners.self]))
    #expect(try nullify.values("Thing", "owner") == ["nil", "nil", "p2", "p2"])
    #expect(nullify.report.lost == 1)
    #expect {
      try Self.run(PolicyRegistry([Owners.self]), rule: .deny)
    } throws: { error in
      "\((error as? MigrationError)?.diagnostic.what ?? "")".contains("denies the deletion")
    }
  }
}

extension AttributeValue {
  fileprivate var summaryForTest: String {
    if case .text(let text) = self { text } else { "\(self)" }
  }
}
