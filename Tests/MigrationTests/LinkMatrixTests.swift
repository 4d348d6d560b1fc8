import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Every kind of relationship through every kind of change, by every executor, against the rule stated anew
/// over plain lists.
@Suite("Links through every change of a relationship")
struct LinkMatrixTests {
  enum Kind: String, CaseIterable {
    case toOne, toMany, ordered

    var isToMany: Bool { self != .toOne }
  }

  enum Inverse: Hashable {
    case kind(Kind)
    case none
    case own
  }

  enum Change: String, CaseIterable {
    case kinds, destination, widened, narrowed, renamed, unchanged
  }

  /// One end of `A.r`, its inverse `s`, and the entity that it leads to.
  struct Shape: CustomStringConvertible {
    var kind: Kind
    var inverse: Inverse
    var destination: String

    var description: String { "\(kind.rawValue) to \(destination), inverse \(inverse)" }
    var isOtherToMany: Bool {
      switch inverse {
      case .kind(let kind): kind.isToMany
      // In a store an object has one owner where nothing leads back.
      case .none: !kind.isToMany
      case .own: kind.isToMany
      }
    }
    var isOtherOrdered: Bool { inverse == .kind(.ordered) }

    func model(renamed: Bool = false, modifier: String) throws -> ObjectModel {
      func relationship(_ name: String, _ to: String, _ inverse: String?, _ kind: Kind)
        -> Relationship
      {
        var found = Relationship(
          name: name, destinationName: to, isOptional: true, isToMany: kind.isToMany)
        found.isOrdered = kind == .ordered
        found.inverseName = inverse
        return found
      }
      var entities: [String: Entity] = [:]
      for name in ["A", "B", "C", "D"] {
        entities[name] = Entity(name: name)
        if name != "C" {
          entities[name]?.attributes = [Attribute(name: "n", type: .string, isOptional: true)]
        }
      }
      entities["C"]?.superentityName = "B"
      let name = renamed ? "r2" : "r"
      let inverseName: String? =
        switch inverse {
        case .none: nil
        case .own: name
        case .kind: "s"
        }
      var own = relationship(name, destination, inverseName, kind)
      if renamed { own.renamingIdentifier = "r" }
      entities["A"]?.relationships = [own]
      entities["A"]?.versionHashModifier = modifier
      if case .kind(let kind) = inverse {
        entities[destination]?.relationships.append(relationship("s", "A", name, kind))
      }
      return try ObjectModel(ModelDocument(entities: entities.values.sorted { $0.name < $1.name }))
    }
  }

  struct Link: Hashable {
    var own: Int
    var other: Int
  }

  /// The links of `A.r` by the numbers of the objects, with the places of both ends where they have an order.
  struct Graph {
    /// By number: the entity. Objects 1 … of A, and of the other hierarchy or A itself.
    var entities: [Int: String]
    var places: [Link: (own: Int?, other: Int?)]

    /// Random links that the shape allows.
    init(_ shape: Shape, using random: inout SeededRandom) {
      entities = [:]
      for number in 1...6 { entities[number] = "A" }
      if shape.destination != "A" {
        for number in 11...14 { entities[number] = "B" }
        for number in 15...17 { entities[number] = "C" }
        for number in 18...21 { entities[number] = "D" }
      }
      let targets = entities.filter { shape.accepts($0.value) }.map(\.key).sorted()
      var links: [Link] = []
      for _ in 0..<12 {
        guard let own = (1...6).randomElement(using: &random),
          let other = targets.randomElement(using: &random)
        else { continue }
        let link = Link(own: own, other: other)
        let isUsed =
          links.contains(link)
          || !shape.kind.isToMany
            && links.contains { $0.own == own || shape.inverse == .own && $0.other == own }
          || !shape.isOtherToMany
            && links.contains { $0.other == other || shape.inverse == .own && $0.own == other }
          || shape.inverse == .own && !shape.kind.isToMany
            && (own == other
              || links.contains {
                [$0.own, $0.other].contains(own) || [$0.own, $0.other].contains(other)
              })
        guard !isUsed else { continue }
        links.append(link)
        if shape.inverse == .own, own != other, !links.contains(Link(own: other, other: own)) {
          links.append(Link(own: other, other: own))
        }
      }
      places = [:]
      links.shuffle(using: &random)
      for (index, link) in links.enumerated() {
        places[link] = (
          shape.kind == .ordered && shape.inverse != .own ? index : nil,
          shape.isOtherOrdered ? (index * 7) % 13 : nil
        )
      }
    }

    init(entities: [Int: String], places: [Link: (own: Int?, other: Int?)]) {
      self.entities = entities
      self.places = places
    }

    func sequence(of own: Int) -> [Int] {
      places.keys.filter { $0.own == own }.sorted { a, b in
        (places[a]?.own ?? 0, a.other) < (places[b]?.own ?? 0, b.other)
      }.map(\.other)
    }

    func inverseSequence(of other: Int) -> [Int] {
      places.keys.filter { $0.other == other }.sorted { a, b in
        (places[a]?.other ?? 0, a.own) < (places[b]?.other ?? 0, b.own)
      }.map(\.own)
    }

    /// What is left of it in another shape: objects that the destination does not accept go, then each end
    /// that has become to-one keeps its first object.
    func migrated(from old: Shape, to new: Shape) -> Graph {
      var kept = places.filter { new.accepts(entities[$0.key.other] ?? "") }
      var graph: Graph { Graph(entities: entities, places: kept) }
      if new.inverse == .own, old.inverse != .own {
        for link in kept.keys { kept[Link(own: link.other, other: link.own)] = (nil, nil) }
        kept = kept.mapValues { _ in (nil, nil) }
      }
      if new.inverse == .own, !new.kind.isToMany {
        let before = graph
        kept = kept.filter { link, _ in
          before.sequence(of: link.own).first == link.other
            && before.sequence(of: link.other).first == link.own
        }
        return graph
      }
      // The end whose entity comes first by name chooses first.
      let steps = [("A", "r"), (new.destination, "s")].sorted { $0 < $1 }
      for step in steps {
        let before = graph
        if step.1 == "r", !new.kind.isToMany, old.kind.isToMany {
          kept = kept.filter { before.sequence(of: $0.key.own).first == $0.key.other }
        }
        if step.1 == "s", !new.isOtherToMany, old.isOtherToMany {
          kept = kept.filter { before.inverseSequence(of: $0.key.other).first == $0.key.own }
        }
      }
      return graph
    }
  }

  /// Makes the store: keys have gaps, and are not in the order of the links.
  private static func make(
    _ path: String, _ model: ObjectModel, _ shape: Shape, _ graph: Graph
  ) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    var keys: [Int: Int64] = [:]
    for (number, entity) in graph.entities.sorted(by: { $0.key < $1.key }) {
      let key = store.nextKey(of: entity) + (number % 3 == 0 ? 2 : 0)
      guard let shape = store.shape(of: entity) else { throw MigrationError.finished }
      var values = [AttributeValue](repeating: .null, count: shape.names.count)
      if let index = shape.index(of: "n") { values[index] = .text("\(number)") }
      try store.insert(ObjectRow(key: key, values: values), of: entity)
      keys[number] = key
    }
    let own = try #require(model.relationship("r", of: "A"))
    for number in 1...6 {
      let others = graph.sequence(of: number).compactMap { keys[$0] }
      guard let key = keys[number], !others.isEmpty else { continue }
      try store.connect(own, of: key, to: others)
    }
    if case .kind(let kind) = shape.inverse, kind.isToMany,
      let back = model.relationship("s", of: shape.destination)
    {
      for number in graph.entities.keys.sorted() where number > 10 {
        let owners = graph.inverseSequence(of: number).compactMap { keys[$0] }
        guard let key = keys[number], !owners.isEmpty else { continue }
        try store.connect(back, of: key, to: owners)
      }
    }
    try store.finish()
  }

  /// What a store says of `A.r` and its inverse, by the numbers of the objects.
  private static func read(
    _ path: String, _ model: ObjectModel, _ shape: Shape, _ name: String
  ) throws -> (own: [Int: [Int]], other: [Int: [Int]], problems: [String]) {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    func number(_ key: Int64, _ entity: String) throws -> Int {
      guard let object = try reader.object(key, of: entity),
        case .text(let text)? = object.attributes["n"], let number = Int(text)
      else { return -1 }
      return number
    }
    func links(_ relationship: Declared<Relationship>, _ isOrdered: Bool) throws -> [Int: [Int]] {
      var found: [Int: [Int]] = [:]
      for entity in model.familyNames(of: relationship.declaringEntity) {
        for key in try reader.keys(of: entity) {
          let others = try reader.destinations(of: relationship, from: key).map {
            try number($0, relationship.property.destinationName)
          }
          if !others.isEmpty {
            found[try number(key, entity)] = isOrdered ? others : others.sorted()
          }
        }
      }
      return found
    }
    var problems: [String] = []
    for entity in model.entityNames {
      try reader.forEachProblem(of: entity) {
        problems.append("\($0.location): \($0.reason)")
      }
    }
    let own = try #require(model.relationship(name, of: "A"))
    let inverse = shape.inverse == .own ? nil : model.inverse(of: own.property)
    return (
      try links(own, own.property.isOrdered && shape.inverse != .own),
      try inverse.map { try links($0, $0.property.isOrdered) } ?? [:], problems
    )
  }

  static let inverses: [Inverse] = Kind.allCases.map { .kind($0) } + [.none, .own]

  /// Every shape, its changed forms, and what is changed.
  static func cases() -> [(old: Shape, new: Shape, change: Change)] {
    var found: [(old: Shape, new: Shape, change: Change)] = []
    for kind in Kind.allCases {
      for inverse in inverses {
        let home = inverse == .own ? "A" : "B"
        let shape = Shape(kind: kind, inverse: inverse, destination: home)
        for change in Change.allCases {
          switch change {
          case .kinds:
            for newKind in Kind.allCases {
              for newInverse in inverses where (newInverse == .own) == (inverse == .own) {
                let new = Shape(kind: newKind, inverse: newInverse, destination: home)
                if newKind != kind || newInverse != inverse { found.append((shape, new, change)) }
              }
            }
          case .destination where inverse != .own:
            found.append((shape, Shape(kind: kind, inverse: inverse, destination: "D"), change))
          case .widened where inverse != .own:
            let narrow = Shape(kind: kind, inverse: inverse, destination: "C")
            found.append((narrow, shape, change))
          case .narrowed where inverse != .own:
            found.append((shape, Shape(kind: kind, inverse: inverse, destination: "C"), change))
          case .renamed, .unchanged: found.append((shape, shape, change))
          default: break
          }
        }
      }
    }
    // A relation within one entity that becomes its own inverse, or ceases to be it.
    for kind in [Kind.toOne, .toMany] {
      let own = Shape(kind: kind, inverse: .own, destination: "A")
      for inverse in [Inverse.none, .kind(.toOne), .kind(.toMany)] {
        for other in [Kind.toOne, .toMany] {
          let plain = Shape(kind: other, inverse: inverse, destination: "A")
          found.append((plain, own, .kinds))
          found.append((own, plain, .kinds))
        }
      }
    }
    return found
  }

  /// The migration as a custom stage, which leaves all as it is.
  private static func staged(
    _ hop: MigrationPlan.Hop, _ folder: TemporaryFolder
  ) throws -> MigrationPlan.Hop {
    let versions = [hop.from, hop.to]
    let text = "stage custom old -> new\n  will: A: set n = n\n  did: A: set n = n\n"
    let stages = try StageScript(parsing: text).resolved(
      among: versions, policies: PolicyRegistry(), folder: folder.path("."))
    let planner = MigrationPlanner(versions: versions, stages: stages)
    let plan = try planner.plan(from: hop.from, to: hop.to, by: .staged)
    return try #require(plan.hops.first)
  }

  /// Compares what is foreseen with the number of links that are lost. Objects with several destinations are counted as
  /// objects.
  private static func compare(_ foreseen: [CountedLoss], _ lost: Int, _ name: String) {
    let losses = foreseen.filter { $0.loss.kind != .order }
    let shown = losses.map {
      "\($0.finding.location) \($0.finding.id) \($0.finding.evidence.count ?? 0)"
    }
    #expect(losses.isEmpty == (lost == 0), "\(name), foreseen: \(shown), lost: \(lost)")
    guard !losses.contains(where: { $0.loss.kind == .others }) else { return }
    let count = losses.reduce(0) { $0 + ($1.finding.evidence.count ?? 0) }
    #expect(count == lost, "\(name), foreseen: \(shown), lost: \(lost)")
  }

  private static let partCount = 4

  /// In parts, which run at the same time.
  @Test(
    "all executors keep the links of the rule, the links are valid, and losses are counted",
    arguments: 0..<partCount)
  func matrix(part: Int) throws {
    let folder = try TemporaryFolder()
    var compared = 0
    for (index, (old, new, change)) in Self.cases().enumerated()
    where index % Self.partCount == part && CaseCount.includes(index / Self.partCount) {
      for seed in 0..<2 {
        var random = SeededRandom(seed: UInt64(index * 10 + seed + 1))
        let graph = Graph(old, using: &random)
        let isRenamed = change == .renamed
        let (from, to) = (
          NamedModel(name: "old", model: try old.model(modifier: "1")),
          NamedModel(name: "new", model: try new.model(renamed: isRenamed, modifier: "2"))
        )
        let name = "\(index).\(seed) \(change.rawValue): \(old) -> \(new)"
        let path = folder.path("\(index)-\(seed).sqlite")
        try Self.make(path, from.model, old, graph)
        let before = try Self.read(path, from.model, old, "r")
        #expect(before.problems == [], "\(name) before")
        let expected = graph.migrated(from: old, to: new)
        let hop = try #require(try MigrationPlanner().plan(from: from, to: to).hops.first)
        try Self.compare(
          hop.losses(in: StoreReader(SQLiteStore(reading: path), model: from.model)),
          graph.places.keys.count { expected.places[$0] == nil }, name)
        var results: [(executor: String, path: String, report: MigrationReport)] = []
        for (executor, run, size) in Passes.executors {
          let output = folder.path("\(index)-\(seed)-\(executor).sqlite")
          results.append(
            (
              executor, output,
              try Passes.run(hop, from: path, into: output, executor: run, batchSize: size).report
            ))
        }
        // One store of each shape is enough for the roads that go through the same executors.
        var walked: TableRows?
        if seed == 0 {
          let stepped = try WalkedMigration.rows(of: hop, from: path, isInPlace: false)
          #expect(
            try stepped == TableRows(ofStoreAt: results[0].path), "\(name), stepper by passes")
          walked = try WalkedMigration.rows(of: hop, from: path, isInPlace: true)
          let copy = folder.path("\(index)-staged.sqlite")
          try FileManager.default.copyItem(atPath: path, toPath: copy)
          results.append(
            ("staged", copy, try InPlace.run(try Self.staged(hop, folder), at: copy).report))
        }
        results.append(("in place", path, try InPlace.run(hop, at: path).report))
        if let walked {
          #expect(try walked == TableRows(ofStoreAt: path), "\(name), stepper in place")
        }
        for (executor, path, report) in results {
          let found = try Self.read(path, to.model, new, isRenamed ? "r2" : "r")
          var own: [Int: [Int]] = [:]
          var other: [Int: [Int]] = [:]
          for number in graph.entities.keys {
            let sequence = expected.sequence(of: number)
            if !sequence.isEmpty {
              own[number] =
                new.kind == .ordered && new.inverse != .own ? sequence : sequence.sorted()
            }
            let owners = expected.inverseSequence(of: number)
            if case .kind(let kind) = new.inverse, !owners.isEmpty {
              other[number] = kind == .ordered ? owners : owners.sorted()
            }
          }
          #expect(found.own == own, "\(name), \(executor)")
          #expect(found.other == other, "\(name), \(executor): inverse")
          #expect(found.problems == [], "\(name), \(executor)")
          let lost = report.links.reduce(0) { $0 + $1.lost }
          #expect(
            lost == graph.places.keys.filter { expected.places[$0] == nil }.count,
            "\(name), \(executor): losses")
          compared += 1
        }
      }
    }
    #expect(compared > CaseCount.least(1500 / Self.partCount))
  }
}

extension LinkMatrixTests.Shape {
  /// Whether an object of an entity may stand at the other end.
  func accepts(_ entity: String) -> Bool {
    entity == destination || destination == "B" && entity == "C"
  }
}
