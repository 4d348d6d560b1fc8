import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// A random store and mapping model, in which several entity mappings and policies set the same relationships.
private struct RandomMapping {
  struct End {
    var entity: String
    var name: String
    var destination: String
    var inverse: String
    var kind = LinkMatrixTests.Kind.toOne
  }

  /// The ends of relationships; one if a relationship is its own inverse or has none.
  static let relationships: [[End]] = [
    [
      End(entity: "A", name: "r", destination: "B", inverse: "s"),
      End(entity: "B", name: "s", destination: "A", inverse: "r"),
    ],
    [
      End(entity: "A", name: "q", destination: "B", inverse: "t"),
      End(entity: "B", name: "t", destination: "A", inverse: "q"),
    ],
    [
      End(entity: "A", name: "p", destination: "A", inverse: "c"),
      End(entity: "A", name: "c", destination: "A", inverse: "p"),
    ],
    [End(entity: "A", name: "f", destination: "A", inverse: "f")],
    [End(entity: "A", name: "u", destination: "B", inverse: "")],
  ]

  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func one<Element>(of all: [Element]) -> Element? {
    all.randomElement(using: &random)
  }

  mutating func kinds(of ends: [End]) -> [End] {
    ends.map { end in
      var end = end
      let all = LinkMatrixTests.Kind.allCases.filter { $0 != .ordered || end.name != end.inverse }
      end.kind = one(of: all) ?? .toOne
      return end
    }
  }

  static func model(_ name: String, _ ends: [End]) throws -> NamedModel {
    let entities = ["A", "A2", "B"].map { name in
      var entity = Entity(name: name)
      guard name != "A2" else {
        entity.superentityName = "A"
        return entity
      }
      entity.attributes = ["k", "n", "want"].map {
        Attribute(name: $0, type: .integer16, isOptional: true)
      }
      entity.relationships = ends.filter { $0.entity == name }.map { end in
        var relationship = Relationship(
          name: end.name, destinationName: end.destination, isOptional: true,
          isToMany: end.kind.isToMany)
        relationship.isOrdered = end.kind == .ordered
        relationship.inverseName = end.inverse.isEmpty ? nil : end.inverse
        return relationship
      }
      return entity
    }
    return NamedModel(name: name, model: try ObjectModel(ModelDocument(entities: entities)))
  }

  mutating func fill(_ path: String, _ model: ObjectModel, _ ends: [[End]]) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    var keys: [String: [Int64]] = [:]
    for (number, entity) in ["A", "A2", "B", "A", "A2", "B", "A", "B"].enumerated() {
      let values: [String: AttributeValue] = [
        "k": .integer(.random(in: 0...1, using: &random)), "n": .integer(Int64(number)),
        "want": .integer(.random(in: 0...9, using: &random)),
      ]
      let key = try store.insert(entity, attributes: values).key
      keys[entity == "A2" ? "A" : entity, default: []].append(key)
    }
    for end in ends.compactMap(\.first) {
      let relationship = try #require(model.relationship(end.name, of: end.entity))
      for key in keys[end.entity] ?? [] where !chance(3) {
        let others = (keys[end.destination] ?? []).shuffled(using: &random)
        try store.connect(
          relationship, of: key, to: Array(others.prefix(end.kind.isToMany ? 2 : 1)))
      }
    }
    try store.finish()
  }

  /// The texts of a mapping model and of its policies.
  mutating func mapping(
    _ old: ObjectModel, _ new: ObjectModel
  ) -> (text: String, policies: String) {
    var names: [(name: String, source: String)] = []
    for source in ["A", "A2", "B"] {
      names.append(("\(source)x", source))
      if chance(2) { names.append(("\(source)y", source)) }
    }
    var blocks: [String] = []
    var policies: [String] = []
    for (name, source) in names {
      let destination = source == "A" && chance(4) ? "A2" : source
      var lines = ["\(name): \(source) -> \(destination)"]
      if chance(2) { lines.append("  where k == \(Int.random(in: 0...1, using: &random))") }
      let ends = new.allRelationships(of: destination).map(\.property)
      if chance(3) {
        lines.append("  policy P\(name)")
        policies.append("policy P\(name)\n  \(statement(ends))")
      }
      for end in ends where chance(3) {
        let origins = old.allRelationships(of: source).map(\.property).filter {
          $0.destinationName == end.destinationName
        }
        let others = names.filter { ($0.source == "B") == (end.destinationName == "B") }
        if !chance(4), let origin = one(of: origins), let other = one(of: others) {
          lines.append("  \(end.name) <- $source.\(origin.name) through \(other.name)")
        } else {
          lines.append(chance(2) ? "  omit \(end.name)" : "  \(end.name) <- nothing")
        }
      }
      blocks.append(lines.joined(separator: "\n"))
    }
    return (
      blocks.shuffled(using: &random).joined(separator: "\n\n"),
      policies.joined(separator: "\n\n")
    )
  }

  private mutating func statement(_ ends: [Relationship]) -> String {
    let late = ["in end of creation: ", "in end of relationships: ", "in end: "]
    guard !chance(3), let end = one(of: ends) else {
      let statements =
        [
          "skip when k == 1", "one destination for each $source.k", "set n = $source.want",
          "create B with n = 20", "keep first by n descending",
        ] + late.map { $0 + "delete when k == 1" }
      return one(of: statements) ?? ""
    }
    let pass = one(of: ["", "in relationships: "] + late) ?? ""
    return
      "\(pass)set \(end.name) = find \(chance(4) ? "or create " : "")\(end.destinationName) where n == $source.want"
  }
}

@Suite("Entity mappings that set the same relationships")
struct RandomMappingTests {
  @Test("SQL and batches set the links that visiting the objects one by one sets")
  func agreement() throws {
    var stored = 0
    let seeds = CaseCount.seeds(240, "STRATA_MAPPINGS")
    for seed in seeds {
      var random = RandomMapping(seed: seed)
      let count = Int.random(in: 1...2, using: &random.random)
      let ends = RandomMapping.relationships.shuffled(using: &random.random).prefix(count).map {
        random.kinds(of: $0)
      }
      let old = try RandomMapping.model("old", ends.flatMap { $0 })
      let new =
        random.chance(2)
        ? old : try RandomMapping.model("new", ends.flatMap { random.kinds(of: $0) })
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let path = folder.path("old.sqlite")
      try random.fill(path, old.model, ends)
      let (mapping, policies) = random.mapping(old.model, new.model)
      let context =
        "\(seed): \(ends.joined().map { "\($0.name) \($0.kind)" })\n\(mapping)\n\(policies)"
      let hop = try MigrationPlan.Hop(from: old, to: new, by: mapping)
      var registry = PolicyRegistry()
      if !policies.isEmpty { registry.add(try PolicyScript.policies(parsing: policies)) }
      var found: [TableRows?] = []
      var receipts: [Receipt] = []
      for (name, executor, batchSize) in Passes.executors {
        let output = folder.path("\(name).sqlite")
        do {
          let report = try Passes.run(
            hop, from: path, into: output, policies: registry, executor: executor,
            batchSize: batchSize
          ).report
          found.append(report.stopsMigration ? nil : try TableRows(ofStoreAt: output))
          receipts.append(report.receipt)
        } catch {
          Issue.record("\(name) of \(context): \(error)")
          found.append(nil)
        }
        #expect(found[0] == found[found.count - 1], "\(name) of \(context)")
      }
      #expect(Set(receipts).count == 1, "receipts of \(context)")
      if found[0] != nil { stored += 1 }
    }
    #expect(stored > seeds.count / 2)
  }
}
