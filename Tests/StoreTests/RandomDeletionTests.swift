import Foundation
import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Deletions in random stores against a graph of objects in memory, to which the delete rules are applied.
@Suite("Random deletions")
struct RandomDeletionTests {
  /// All objects of a store, with their values and the objects at the other end of each relationship.
  private struct Graph: Equatable {
    var values: [ObjectRef: [String: AttributeValue]] = [:]
    var links: [ObjectRef: [String: [ObjectRef]]] = [:]
    /// The to-one relationships with a key of no object.
    var dangling: Set<String> = []

    init(_ path: String, _ model: ObjectModel) throws {
      let reader = try StoreReader(SQLiteStore(reading: path), model: model)
      for entity in model.entities where !entity.isAbstract {
        for key in try reader.keys(of: entity.name) {
          let object = ObjectRef(entity: entity.name, key: key)
          values[object] = try #require(try reader.object(key, of: entity.name)).attributes
          for relationship in model.allRelationships(of: entity.name) {
            let destination = relationship.property.destinationName
            var found: [ObjectRef] = []
            for key in try reader.destinations(of: relationship, from: key) {
              if let entity = try reader.concreteEntity(ofKey: key, in: destination) {
                found.append(ObjectRef(entity: entity, key: key))
              } else {
                dangling.insert("\(object) \(relationship.property.name)")
              }
            }
            links[object, default: [:]][relationship.property.name] = found
          }
        }
      }
    }

    func destinations(of object: ObjectRef, _ relationship: String) -> [ObjectRef] {
      links[object]?[relationship] ?? []
    }
  }

  /// What the rules say of a deletion.
  private struct Expectation {
    var deleted: Set<ObjectRef> = []
    var changed: Set<ObjectRef> = []
    var left = 0
    var isRefused = false
    var graph: Graph

    init(deleting start: ObjectRef, from before: Graph, _ model: ObjectModel) {
      graph = before
      var waiting = [start]
      while let object = waiting.popLast() {
        guard deleted.insert(object).inserted else { continue }
        for relationship in model.allRelationships(of: object.entity)
        where relationship.property.deleteRule == .cascade {
          waiting += before.destinations(of: object, relationship.property.name)
        }
      }
      for object in deleted { (graph.values[object], graph.links[object]) = (nil, nil) }
      graph.links = graph.links.mapValues { $0.mapValues { $0.filter { !deleted.contains($0) } } }
      for object in deleted {
        for relationship in model.allRelationships(of: object.entity) {
          note(object, relationship.property, in: before, model)
        }
      }
      for (object, links) in before.links where !deleted.contains(object) {
        for relationship in model.allRelationships(of: object.entity)
        where !relationship.property.isToMany {
          let property = relationship.property
          let rule = model.inverse(of: property)?.property.deleteRule
          let isLost = (links[property.name] ?? []).contains(where: deleted.contains)
          guard isLost, rule == nil || rule == .noAction else { continue }
          graph.dangling.insert("\(object) \(property.name)")
          left += 1
        }
      }
    }

    /// Notes what the deletion of an object does to the objects that remain.
    private mutating func note(
      _ object: ObjectRef, _ relationship: Relationship, in before: Graph, _ model: ObjectModel
    ) {
      let remaining = before.destinations(of: object, relationship.name)
        .filter { !deleted.contains($0) }
      if relationship.deleteRule == .deny, !remaining.isEmpty { isRefused = true }
      guard let inverse = model.inverse(of: relationship)?.property else {
        if relationship.isToMany { left += remaining.count }
        return
      }
      guard relationship.deleteRule != .noAction else { return }
      for other in remaining {
        if !inverse.isToMany { changed.insert(other) }
        if !inverse.isOptional, graph.destinations(of: other, inverse.name).isEmpty {
          isRefused = true
        }
      }
    }
  }

  /// The model with other delete rules, which are not part of the schema.
  private static func model(
    _ model: ObjectModel, using random: inout SeededRandom
  ) throws -> ObjectModel {
    var entities = model.entities
    for entity in entities.indices {
      for relationship in entities[entity].relationships.indices {
        let rule = Relationship.DeleteRule.allCases.randomElement(using: &random) ?? .nullify
        entities[entity].relationships[relationship].deleteRule = rule
      }
    }
    return try ObjectModel(ModelDocument(entities: entities))
  }

  @Test("the remaining objects, values, links and keys are those that the rules leave")
  func rules() throws {
    let folder = try TemporaryFolder()
    var (performed, refused, cascaded, left) = (0, 0, 0, 0)
    for seed in UInt64(1)...40 where CaseCount.includes(Int(seed)) {
      var random = SeededRandom(seed: seed)
      let plain = try RandomModel.make(using: &random)
      let path = folder.path("\(seed).sqlite")
      var store = try NewStore(path: path, model: plain, uuid: random.uuidText())
      var generator = StoreGenerator(plain, rows: 6, seed: seed)
      try generator.fill(&store)
      try store.finish()
      let before = try Graph(path, plain)
      let objects = before.values.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
      for turn in 0..<8 {
        guard let object = objects.randomElement(using: &random) else { continue }
        let model = try Self.model(plain, using: &random)
        let copy = folder.path("copy\(seed)-\(turn).sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try? FileManager.default.copyItem(
          atPath: folder.path(".\(seed)_SUPPORT"),
          toPath: folder.path(".copy\(seed)-\(turn)_SUPPORT"))
        let expected = Expectation(deleting: object, from: before, model)
        let label: Comment = "seed \(seed), turn \(turn), \(object)"
        do {
          let result = try StoreDeletion(object.entity, object.key).perform(at: copy, model: model)
          #expect(!expected.isRefused, label)
          #expect(Set(result.deleted) == expected.deleted, label)
          #expect(result.deleted.first == object, label)
          #expect(Set(result.changed) == expected.changed, label)
          #expect(result.left.count == expected.left, label)
          #expect(try Graph(copy, model) == expected.graph, label)
          performed += 1
          cascaded += result.deleted.count > 1 ? 1 : 0
          left += result.left.isEmpty ? 0 : 1
        } catch is RefusedChange {
          #expect(expected.isRefused, label)
          #expect(try Graph(copy, model) == before, label)
          refused += 1
        }
      }
    }
    #expect(performed > CaseCount.least(150) && refused > CaseCount.least(60))
    #expect(cascaded > CaseCount.least(20) && left > CaseCount.least(20))
  }
}
