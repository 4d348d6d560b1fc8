import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Links of the source that a policy or a stage replaces, compared with those that Python finds in both stores.
@Suite("Links that policies and stages replace")
struct ReplacedLinkTests {
  /// The ends of a relationship that are to-many, with the query for the names of linked objects.
  struct Ends: Sendable, CustomStringConvertible {
    var own: String
    var other: String
    var query: String

    var description: String { "subs \(own), items \(other)" }

    static let all = [
      Ends(own: "", other: "", query: byItem), Ends(own: "", other: "many", query: byItem),
      Ends(own: "many", other: "", query: "ZITEM i JOIN ZSUB s ON s.ZITEMS = i.Z_PK"),
      Ends(
        own: "many ordered", other: "", query: "ZITEM i JOIN ZSUB s ON s.ZITEMS = i.Z_PK"),
      Ends(own: "many ordered", other: "many", query: byTable),
      Ends(own: "many", other: "many", query: byTable),
    ]
    private static let byItem = "ZITEM i JOIN ZSUB s ON i.ZSUBS = s.Z_PK"
    private static let byTable =
      "ZITEM i JOIN Z_1SUBS ON Z_1ITEMS = i.Z_PK JOIN ZSUB s ON Z_2SUBS = s.Z_PK"
  }

  private static let count = 5

  private static func model(_ ends: Ends, _ modifier: String) throws -> ObjectModel {
    try ObjectModel(
      brief: """
        Item versionHashModifier=\(modifier)
          name String
          wish String
          subs -> Sub \(ends.own) inverse=items
        Sub
          name String
          wish String
          items -> Item \(ends.other) inverse=subs
        """)
  }

  /// A store with links at random: each object also has the name of another one that a policy looks for.
  private static func makeStore(
    _ path: String, _ model: ObjectModel, _ ends: Ends, seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    func name() -> AttributeValue { .text("\(Int.random(in: 1...count, using: &random))") }
    var store = try NewStore(path: path, model: model, uuid: "A")
    var keys: [String: [Int64]] = [:]
    for entity in ["Item", "Sub"] {
      for number in 1...count {
        let key = try store.insert(
          entity, attributes: ["name": .text("\(number)"), "wish": name()]
        ).key
        keys[entity, default: []].append(key)
      }
    }
    let relationship = try #require(model.relationship("subs", of: "Item"))
    var free = keys["Sub"] ?? []
    for item in keys["Item"] ?? [] {
      let chosen = (ends.other.isEmpty ? free : keys["Sub"] ?? []).shuffled(using: &random)
      let subs = Array(chosen.prefix(ends.own.isEmpty ? 1 : Int.random(in: 0...3, using: &random)))
      free.removeAll(where: subs.contains)
      try store.connect(relationship, of: item, to: subs)
    }
    try store.finish()
  }

  /// The number of links of the old store that the new one does not have.
  private static func lostCount(_ old: String, _ new: String, _ ends: Ends) throws -> String {
    try Python.run(
      """
      import sqlite3, sys
      def links(path):
          return set(sqlite3.connect(path).execute("SELECT i.ZNAME, s.ZNAME FROM " + sys.argv[3]))
      print(len(links(sys.argv[1]) - links(sys.argv[2])))
      """, arguments: [old, new, ends.query]
    ).trimmingCharacters(in: .newlines)
  }

  /// Checks that both ends have the same links, each at a place of its own.
  private static func check(_ path: String, _ model: ObjectModel, _ ends: Ends) throws {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    for entity in ["Item", "Sub"] {
      try reader.forEachProblem(of: entity, .stored) { Issue.record("\(path): \($0)") }
    }
    guard ends.own.isEmpty, ends.other.isEmpty else { return }
    let broken =
      "SELECT count(*) FROM ZITEM i JOIN ZSUB s ON i.ZSUBS = s.Z_PK OR s.ZITEMS = i.Z_PK "
      + "WHERE i.ZSUBS IS NOT s.Z_PK OR s.ZITEMS IS NOT i.Z_PK"
    #expect(try Python.value(broken, in: path) == "0", "\(path)")
  }

  @Test(
    "the links that a policy replaces are lost, those that it sets again are kept",
    arguments: Ends.all,
    [
      "I in relationships: set subs = find Sub where name == $source.wish",
      "I in end: set subs = find Sub where name == $source.wish",
      "S in relationships: set items = find Item where name == $source.wish",
      "I in end of creation: set subs = create Sub with name = 'new'",
    ])
  func replaced(ends: Ends, policy: String) throws {
    let owner = String(policy.prefix(1))
    let mapping = """
      I: Item -> Item
        subs <- $source.subs through S
      S: Sub -> Sub
        items <- $source.items through I
      """
    let lines = mapping.split(separator: "\n").flatMap { line in
      line.hasPrefix("\(owner):") ? [String(line), "  policy X"] : [String(line)]
    }
    var policies = PolicyRegistry()
    policies.add(try PolicyScript.policies(parsing: "policy X\n  \(policy.dropFirst(2))"))
    try Self.check(ends, lines.joined(separator: "\n"), policies)
  }

  @Test(
    "both ends agree where one of two entity mappings of an end has a policy", arguments: Ends.all,
    ["in relationships", "in end of relationships", "in end"])
  func severalMappings(ends: Ends, phase: String) throws {
    var policies = PolicyRegistry()
    policies.add(
      try PolicyScript.policies(
        parsing: "policy X\n  \(phase): set items = find Item where name == $source.wish"))
    try Self.check(
      ends,
      """
      I: Item -> Item
      S: Sub -> Sub
        where name < '3'
        policy X
      Others: Sub -> Sub
        where name >= '3'
      """, policies)
  }

  @Test("all links are lost that one lost link would continue, since their objects are joined")
  func joined() throws {
    let folder = try TemporaryFolder()
    let ends = Ends.all[2]
    let versions = try ["1", "2"].map {
      NamedModel(name: $0, model: try Self.model(ends, $0))
    }
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: versions[0].model, uuid: "A")
    let subs = try (0..<4).map { _ in
      try store.insert("Sub", attributes: ["wish": .text("w")]).key
    }
    let relationship = try #require(versions[0].model.relationship("subs", of: "Item"))
    for keys in [subs[0..<2], subs[2..<4]] {
      let item = try store.insert("Item", attributes: [:]).key
      try store.connect(relationship, of: item, to: Array(keys))
    }
    try store.finish()
    let hop = try MigrationPlan.Hop(
      from: versions[0], to: versions[1], by: "I: Item -> Item\nS: Sub -> Sub\n  policy X")
    var policies = PolicyRegistry()
    policies.add(
      try PolicyScript.policies(parsing: "policy X\n  one destination for each wish"))
    for (name, executor, batchSize) in Passes.executors {
      let target = folder.path("\(name).sqlite")
      let receipt = try Passes.run(
        hop, from: path, into: target, policies: policies, executor: executor,
        batchSize: batchSize
      ).report.receipt
      // One sub, which has one of the two items.
      #expect(try Python.value("SELECT count(ZITEMS) FROM ZSUB", in: target) == "1")
      #expect(receipt.losses.links == 2, "\(name): \(receipt)")
    }
  }

  @Test(
    "the links that an expression leaves out are lost, unless the other end sets them",
    arguments: Ends.all.filter { !$0.own.isEmpty },
    ["omit items", "items <- $source.items through I"])
  func computed(ends: Ends, items: String) throws {
    try Self.check(
      ends,
      """
      I: Item -> Item
        subs = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
      "S", SUBQUERY($source.subs, $s, $s.name < '3'))
      S: Sub -> Sub
        \(items)
      """, PolicyRegistry())
  }

  /// Compares the lost links of all executors with those that Python finds.
  private static func check(_ ends: Ends, _ mapping: String, _ policies: PolicyRegistry) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try model(ends, "1"), try model(ends, "2"))
    let hop = try MigrationPlan.Hop(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new),
      by: mapping)
    for seed in 1...3 as ClosedRange<UInt64> {
      let source = folder.path("\(seed).sqlite")
      try makeStore(source, old, ends, seed: seed)
      for (name, executor, batchSize) in Passes.executors {
        let target = folder.path("\(seed)-\(name).sqlite")
        let receipt = try Passes.run(
          hop, from: source, into: target, policies: policies, executor: executor,
          batchSize: batchSize
        ).report.receipt
        let expected = try lostCount(source, target, ends)
        #expect("\(receipt.losses.links)" == expected, "seed \(seed), \(name): \(receipt)")
        let fate = try #require(receipt.properties.first { $0.isRelationship })
        #expect(fate.kind == .unknown && fate.lost.count == receipt.losses.links)
        try check(target, new, ends)
      }
    }
  }

  @Test(
    "the links that a stage replaces are lost, those that it sets again are kept; both ends agree",
    arguments: Ends.all,
    [
      ["Item: set subs = find Sub where name == wish"],
      ["Sub: set items = find Item where name == wish"],
      ["Item: set subs = create Sub with name = 'new'"],
      ["Item: set subs = find or create Sub where name == wish"],
      [
        "Item: set subs = find Sub where name == wish",
        "Sub: set items = find Item where name == wish",
      ],
      ["Item: set name = USE", "Item: set subs = find Sub where name == wish"],
    ])
  func staged(ends: Ends, changes: [String]) throws {
    let folder = try TemporaryFolder()
    let versions = [
      NamedModel(name: "old", model: try Self.model(ends, "1")),
      NamedModel(name: "new", model: try Self.model(ends, "2")),
    ]
    let use = ends.own.isEmpty ? "subs.name" : "CAST(subs.@count, 'NSString')"
    let text = (["stage custom old -> new"] + changes.map { "  will: \($0)" })
      .joined(separator: "\n").replacing("USE", with: use)
    let planner = MigrationPlanner(
      versions: versions,
      stages: try StageScript(parsing: text).resolved(
        among: versions, policies: PolicyRegistry(), folder: "/nowhere"))
    let hop = try planner.plan(from: versions[0], to: versions[1], by: .staged).hops[0]
    for seed in 1...4 as ClosedRange<UInt64> {
      let (old, path) = (folder.path("old\(seed).sqlite"), folder.path("\(seed).sqlite"))
      try Self.makeStore(old, versions[0].model, ends, seed: seed)
      try FileManager.default.copyItem(atPath: old, toPath: path)
      let receipt = try InPlace.run(hop, at: path).report.receipt
      let isUsed = changes[0].contains("USE")
      #expect(
        "\(receipt.losses.links)" == (isUsed ? "0" : try Self.lostCount(old, path, ends)),
        "seed \(seed): \(receipt)")
      try Self.check(path, versions[1].model, ends)
    }
  }

  @Test(
    "all links of a removed relationship are lost, whatever links a stage adds",
    arguments: Ends.all,
    [
      "find Sub where name == wish", "create Sub with name = 'new'",
      "find or create Sub where name == wish", "find Sub where name == subs.name",
    ])
  func removed(ends: Ends, value: String) throws {
    guard ends.own.isEmpty || !value.contains("subs.name") else { return }
    let folder = try TemporaryFolder()
    let old = try Self.model(ends, "1")
    let new = try ObjectModel(
      brief: "Item\n  name String\n  wish String\nSub\n  name String\n  wish String")
    let versions = [NamedModel(name: "old", model: old), NamedModel(name: "new", model: new)]
    let stages = try StageScript(
      parsing: "stage custom old -> new\n  will: Item: set subs = \(value) when name < '4'"
    ).resolved(among: versions, policies: PolicyRegistry(), folder: "/nowhere")
    let hop = try MigrationPlanner(versions: versions, stages: stages)
      .plan(from: versions[0], to: versions[1], by: .staged).hops[0]
    for seed in 1...2 as ClosedRange<UInt64> {
      let path = folder.path("\(seed).sqlite")
      try Self.makeStore(path, old, ends, seed: seed)
      let count = try Python.value("SELECT count(*) FROM \(ends.query)", in: path)
      let receipt = try InPlace.run(hop, at: path).report.receipt
      #expect("\(receipt.losses.links)" == count, "\(seed): \(receipt)")
      let fate = try #require(receipt.properties.first { $0.isRelationship })
      #expect(fate.before == Int(count) && fate.lost.count == Int(count), "\(fate)")
    }
  }

  @Test("an object that a stage adds comes last; one that is there already keeps its place")
  func places() throws {
    for (ends, query) in [
      (Ends.all[3], "SELECT ZNAME FROM ZSUB WHERE ZITEMS = 1 ORDER BY Z_FOK_ITEMS"),
      (
        Ends.all[4],
        "SELECT ZNAME FROM ZSUB JOIN Z_1SUBS ON Z_2SUBS = Z_PK WHERE Z_1ITEMS = 1 ORDER BY Z_FOK_2SUBS"
      ),
    ] {
      let folder = try TemporaryFolder()
      let versions = try ["1", "2"].map {
        NamedModel(name: $0, model: try Self.model(ends, $0))
      }
      let path = folder.path("s.sqlite")
      var store = try NewStore(path: path, model: versions[0].model, uuid: "A")
      let subs = try (1...3).map {
        try store.insert("Sub", attributes: ["name": .text("\($0)")]).key
      }
      for wish in ["3", "1"] {
        let item = try store.insert("Item", attributes: ["wish": .text(wish)]).key
        guard wish == "3" else { continue }
        try store.connect(
          try #require(versions[0].model.relationship("subs", of: "Item")), of: item,
          to: [subs[1], subs[0]])
      }
      try store.finish()
      let text = """
        stage custom 1 -> 2
          will: Item: set subs = find Sub where name == wish when wish == '3'
          will: Item: set subs = find Sub where name == '2' when wish == '3'
          will: Item: set subs = create Sub with name = 'new' when wish == '3'
        """
      let stages = try StageScript(parsing: text).resolved(
        among: versions, policies: PolicyRegistry(), folder: "/nowhere")
      let hop = try MigrationPlanner(versions: versions, stages: stages)
        .plan(from: versions[0], to: versions[1], by: .staged).hops[0]
      _ = try InPlace.run(hop, at: path)
      try Self.check(path, versions[1].model, ends)
      let names = "SELECT group_concat(ZNAME, ' ') FROM (\(query))"
      #expect(try Python.value(names, in: path) == "2 1 3 new", "\(ends)")
    }
  }

  @Test("the partners of two objects that a stage links lose them, in one relationship with itself")
  func ownInverse() throws {
    let folder = try TemporaryFolder()
    let versions = try ["old", "new"].map { name in
      NamedModel(
        name: name,
        model: try ObjectModel(
          brief: """
            Item versionHashModifier=\(name)
              name String
              wish String
              partner -> Item inverse=partner
            """))
    }
    let path = folder.path("t.sqlite")
    var store = try NewStore(path: path, model: versions[0].model, uuid: "A")
    let keys = try ["3", nil, nil, nil].enumerated().map { index, wish in
      try store.insert(
        "Item",
        attributes: ["name": .text("\(index + 1)"), "wish": wish.map { .text($0) } ?? .null]
      ).key
    }
    let relationship = try #require(versions[0].model.relationship("partner", of: "Item"))
    try store.connect(relationship, of: keys[0], to: [keys[1]])
    try store.connect(relationship, of: keys[2], to: [keys[3]])
    try store.finish()
    let stages = try StageScript(
      parsing: "stage custom old -> new\n  will: Item: set partner = find Item where name == wish"
    ).resolved(among: versions, policies: PolicyRegistry(), folder: "/nowhere")
    let plan = try MigrationPlanner(versions: versions, stages: stages)
      .plan(from: versions[0], to: versions[1], by: .staged)
    let receipt = try InPlace.run(plan.hops[0], at: path).report.receipt
    let partners =
      "SELECT group_concat(pair) FROM (SELECT Z_PK || '-' || ZPARTNER AS pair FROM ZITEM "
      + "WHERE ZPARTNER IS NOT NULL ORDER BY Z_PK)"
    #expect(try Python.value(partners, in: path) == "1-3,3-1")
    // Such a link counts in both directions.
    #expect(receipt.losses.links == 4, "\(receipt)")
  }

  @Test("links that subqueries divide among several relationships are one number")
  func divided() throws {
    let folder = try TemporaryFolder()
    let old = try ObjectModel(
      brief: """
        Item
          subs -> Sub many inverse=item
        Sub
          name String
          item -> Item inverse=subs
        """)
    let new = try ObjectModel(
      brief: """
        Item
          first -> Sub many inverse=owner
          second -> Sub many inverse=other
        Sub
          name String
          owner -> Item inverse=first
          other -> Item inverse=second
        """)
    func subs(_ name: String, _ text: String) -> String {
      "  \(name) = FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
        + "\"S\", SUBQUERY($source.subs, $s, $s.name == '\(text)'))"
    }
    let hop = try MigrationPlan.Hop(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new),
      by: [
        "I: Item -> Item", subs("first", "a"), subs("second", "b"), "S: Sub -> Sub",
        "  omit owner", "  omit other",
      ].joined(separator: "\n"))
    let source = folder.path("old.sqlite")
    var store = try NewStore(path: source, model: old, uuid: "A")
    let keys = try ["a", "b", "b", "c"].map {
      try store.insert("Sub", attributes: ["name": .text($0)]).key
    }
    let item = try store.insert("Item", attributes: [:]).key
    try store.connect(try #require(old.relationship("subs", of: "Item")), of: item, to: keys)
    try store.finish()
    for (name, executor, batchSize) in Passes.executors {
      let target = folder.path("\(name).sqlite")
      let receipt = try Passes.run(
        hop, from: source, into: target, executor: executor, batchSize: batchSize
      ).report.receipt
      let links = "SELECT count(ZOWNER) + count(ZOTHER) FROM ZSUB"
      #expect(try Python.value(links, in: target) == "3")
      let fates = receipt.properties.filter(\.isRelationship)
      #expect(fates.map(\.before) == [4] && fates.map(\.after) == [3], "\(fates)")
      #expect(fates.map(\.lost.count) == [1], "\(fates)")
    }
  }
}
