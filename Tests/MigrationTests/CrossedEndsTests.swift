import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Relationships that become the inverse of another one than before, or of none, by every executor, against
/// the rule stated anew over plain lists.
@Suite("Relationships whose inverses change")
struct CrossedEndsTests {
  enum Kind: CaseIterable {
    case toOne, toMany, ordered
  }

  /// `p` and `q` of one entity, `x` and `y` of the other, and which of them are the inverse of each other.
  struct Version {
    /// Relationship names by entity.
    static let names = [["p", "q"], ["x", "y"]]
    var entities: [String]
    var kinds: [String: Kind] = [:]
    var inverses: [String: String] = [:]

    init(_ entities: [String], using random: inout SeededRandom) {
      self.entities = entities
      for name in Self.names.joined() {
        kinds[name] = Kind.allCases.randomElement(using: &random) ?? .toOne
      }
      var free = Self.names[1].shuffled(using: &random)
      for name in Self.names[0] where Int.random(in: 0..<4, using: &random) > 0 {
        let other = free.removeLast()
        (inverses[name], inverses[other]) = (other, name)
      }
    }

    func side(_ name: String) -> Int { Self.names[0].contains(name) ? 0 : 1 }
    func isToMany(_ name: String) -> Bool { kinds[name] != .toOne }

    /// Whether objects at the other end may have several; one owner where nothing leads back.
    func isOtherToMany(_ name: String) -> Bool {
      inverses[name].map(isToMany) ?? !isToMany(name)
    }

    /// Each pair by the end whose entity and name come first.
    var lists: [String] {
      kinds.keys.filter { name in
        inverses[name].map { (entities[side(name)], name) < (entities[side($0)], $0) } ?? true
      }.sorted()
    }

    func model(modifier: String) throws -> ObjectModel {
      let created = entities.indices.map { side in
        var entity = Entity(name: entities[side])
        entity.attributes = [Attribute(name: "n", type: .integer32, isOptional: true)]
        entity.versionHashModifier = modifier
        entity.relationships = Self.names[side].map { name in
          var found = Relationship(
            name: name, destinationName: entities[1 - side], isOptional: true,
            isToMany: isToMany(name))
          (found.inverseName, found.isOrdered) = (inverses[name], kinds[name] == .ordered)
          return found
        }
        return entity
      }
      // Keys that lead to B need the number of the entity beside them.
      var sub = Entity(name: "C")
      sub.superentityName = "B"
      return try ObjectModel(
        ModelDocument(entities: (created + [sub]).sorted { $0.name < $1.name }))
    }
  }

  struct Link: Hashable {
    var own: Int64
    var other: Int64

    var reversed: Link { Link(own: other, other: own) }
  }

  /// Links with the places of the other object for the own one, and of the own one for the other.
  typealias Links = [Link: (own: Int, other: Int)]

  private static func reversed(_ links: Links) -> Links {
    Dictionary(
      uniqueKeysWithValues: links.map { ($0.key.reversed, ($0.value.other, $0.value.own)) })
  }

  private static func links(_ version: Version, using random: inout SeededRandom) -> [String: Links]
  {
    var all: [String: Links] = [:]
    for name in version.lists {
      var links: Links = [:]
      for place in 0..<8 {
        let link = Link(
          own: .random(in: 1...5, using: &random), other: .random(in: 1...5, using: &random))
        guard links[link] == nil,
          version.isToMany(name) || !links.keys.contains(where: { $0.own == link.own }),
          version.isOtherToMany(name) || !links.keys.contains(where: { $0.other == link.other })
        else { continue }
        let isOtherOrdered = version.inverses[name].map { version.kinds[$0] == .ordered } == true
        links[link] = (
          version.kinds[name] == .ordered ? (place * 5) % 8 : 0,
          isOtherOrdered ? (place * 3) % 8 : 0
        )
      }
      all[name] = links
      if let inverse = version.inverses[name] { all[inverse] = reversed(links) }
    }
    return all
  }

  /// Of each list of the new version, what the end that comes first says, as far as the ends have room.
  private static func migrated(
    _ links: [String: Links], from old: Version, to new: Version
  ) -> [String: Links] {
    var all: [String: Links] = [:]
    for name in new.lists {
      var kept = links[name] ?? [:]
      func keepFirst(_ own: KeyPath<Link, Int64>, _ order: (Links.Element) -> (Int, Int64)) {
        let groups = Dictionary(grouping: kept) { $0.key[keyPath: own] }
        kept = [:]
        for group in groups.values {
          if let first = group.min(by: { order($0) < order($1) }) { kept[first.key] = first.value }
        }
      }
      if old.isToMany(name), !new.isToMany(name) {
        keepFirst(\.own) { ($0.value.own, $0.key.other) }
      }
      if old.isOtherToMany(name), !new.isOtherToMany(name) {
        keepFirst(\.other) { ($0.value.other, $0.key.own) }
      }
      if old.inverses[name] != new.inverses[name] {
        kept = kept.mapValues { (own: $0.own, other: 0) }
      }
      all[name] = kept
      if let inverse = new.inverses[name] { all[inverse] = reversed(kept) }
    }
    return all
  }

  private static func make(
    _ path: String, _ model: ObjectModel, _ version: Version, _ links: [String: Links]
  ) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    for entity in version.entities {
      for key in Int64(1)...5 {
        let entity = entity == "B" && key > 3 ? "C" : entity
        guard let shape = store.shape(of: entity) else { throw MigrationError.finished }
        var values = [AttributeValue](repeating: .null, count: shape.names.count)
        if let index = shape.index(of: "n") { values[index] = .integer(key) }
        try store.insert(ObjectRow(key: key, values: values), of: entity)
      }
    }
    for (name, links) in links.sorted(by: { $0.key < $1.key }) {
      let end = try #require(model.relationship(name, of: version.entities[version.side(name)]))
      for own in Int64(1)...5 {
        let others = links.filter { $0.key.own == own }
          .sorted { ($0.value.own, $0.key.other) < ($1.value.own, $1.key.other) }.map(\.key.other)
        if !others.isEmpty { try store.connect(end, of: own, to: others) }
      }
    }
    try store.finish()
  }

  /// The objects that each relationship leads to, in their order where they have one.
  private static func read(
    _ path: String, _ model: ObjectModel, _ version: Version
  ) throws -> (found: [String: [Int64: [Int64]]], problems: [String]) {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    var found: [String: [Int64: [Int64]]] = [:]
    for name in version.kinds.keys {
      let end = try #require(model.relationship(name, of: version.entities[version.side(name)]))
      for own in Int64(1)...5 {
        let others = try reader.destinations(of: end, from: own)
        if !others.isEmpty {
          found[name, default: [:]][own] =
            version.kinds[name] == .ordered ? others : others.sorted()
        }
      }
    }
    var problems: [String] = []
    for entity in model.entityNames {
      try reader.forEachProblem(of: entity) {
        problems.append("\($0.location): \($0.reason)")
      }
    }
    return (found, problems)
  }

  private static func expected(
    _ links: [String: Links], _ version: Version
  ) -> [String: [Int64: [Int64]]] {
    var found: [String: [Int64: [Int64]]] = [:]
    for (name, links) in links {
      for (own, group) in Dictionary(grouping: links, by: { $0.key.own }) {
        let sorted = group.sorted { ($0.value.own, $0.key.other) < ($1.value.own, $1.key.other) }
        let others = sorted.map(\.key.other)
        found[name, default: [:]][own] = version.kinds[name] == .ordered ? others : others.sorted()
      }
    }
    return found
  }

  @Test("both ends have equal links in all executors, and lost links are counted", .part(4))
  func crossed() throws {
    let folder = try TemporaryFolder()
    var (migrated, crossed, counted) = (0, 0, 0)
    for seed in UInt64(1)...150 {
      var random = SeededRandom(seed: seed)
      let entities = [seed % 2 == 0 ? "A" : "Z", "B"]
      let old = Version(entities, using: &random)
      var new = Version(entities, using: &random)
      if seed % 3 == 0 {
        // Two pairs exchange their inverses, and nothing else changes.
        new = old
        for (name, other) in [("p", "y"), ("q", "x")] {
          (new.inverses[name], new.inverses[other]) = (other, name)
        }
        if old.inverses["p"] == "y" {
          for (name, other) in [("p", "x"), ("q", "y")] {
            (new.inverses[name], new.inverses[other]) = (other, name)
          }
        }
      }
      let (from, to) = (
        NamedModel(name: "old", model: try old.model(modifier: "1")),
        NamedModel(name: "new", model: try new.model(modifier: "2"))
      )
      let links = Self.links(old, using: &random)
      let path = folder.path("\(seed).sqlite")
      try Self.make(path, from.model, old, links)
      let before = try Self.read(path, from.model, old)
      #expect(before.problems == [] && before.found == Self.expected(links, old), "\(seed) before")
      let kept = Self.migrated(links, from: old, to: new)
      let hop = try #require(try MigrationPlanner().plan(from: from, to: to).hops.first)
      let foreseen = try hop.losses(in: StoreReader(SQLiteStore(reading: path), model: from.model))
      var results: [(executor: String, path: String, report: MigrationReport)] = []
      for (executor, run, size) in Passes.executors {
        let output = folder.path("\(seed)-\(executor).sqlite")
        results.append(
          (
            executor, output,
            try Passes.run(hop, from: path, into: output, executor: run, batchSize: size).report
          ))
      }
      results.append(("in place", path, try InPlace.run(hop, at: path).report))
      // A link has two directions, and is lost with either.
      let lost = old.lists.reduce(0) { sum, name in
        sum
          + (links[name] ?? [:]).keys.count { link in
            kept[name]?[link] == nil
              || old.inverses[name].map { kept[$0]?[link.reversed] == nil } ?? false
          }
      }
      let shown = foreseen.map {
        "\($0.finding.location) \($0.finding.id) \($0.finding.evidence.count ?? 0)"
      }
      let orders = foreseen.filter { $0.loss.kind == .order }
        .reduce(0) { $0 + ($1.finding.evidence.count ?? 0) }
      #expect(
        (foreseen.count { $0.loss.kind != .order } == 0) == (lost == 0),
        "\(seed) \(old) -> \(new): \(shown), lost \(lost)")
      for (executor, path, report) in results {
        let name = "\(seed) \(executor): \(old) -> \(new)"
        let found = try Self.read(path, to.model, new)
        #expect(found.found == Self.expected(kept, new), "\(name)")
        #expect(found.problems == [], "\(name)")
        #expect(report.links.reduce(0) { $0 + $1.lost } == lost, "\(name): losses")
        let unordered = report.receipt.properties.flatMap(\.unordered).reduce(0) {
          $0 + $1.objects.count
        }
        #expect(unordered == orders, "\(name): orders")
        counted += 1
      }
      migrated += 1
      if new.inverses.contains(where: { old.inverses[$0.key] != $0.value }) { crossed += 1 }
    }
    print("migrated \(migrated), \(crossed) with other inverses, losses compared \(counted)")
    #expect(crossed > 60 && counted > 100)
  }
}
