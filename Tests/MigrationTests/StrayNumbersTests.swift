import Foundation
import StrataBase
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Entity numbers and keys of missing objects, where a new entity moves the numbers of all others.
@Suite("Unknown entity numbers and keys of missing objects")
struct StrayNumbersTests {
  private static func model(_ names: [String]) throws -> ObjectModel {
    let entities = names.map { name in
      var entity = Entity(name: name)
      if name == "B" {
        entity.relationships = [
          Relationship(name: "c", destinationName: "C", isOptional: true, isToMany: false)
        ]
      }
      entity.attributes = [Attribute(name: "n", type: .integer32, isOptional: true)]
      return entity
    }
    return try ObjectModel(ModelDocument(entities: entities))
  }

  private struct Result: Equatable, CustomStringConvertible {
    /// The objects of each entity and what `c` leads to.
    var objects: [String: [[AttributeValue]]] = [:]
    var links: [Int] = []

    init(_ path: String, _ model: ObjectModel, _ report: MigrationReport) throws {
      let reader = try StoreReader(SQLiteStore(reading: path), model: model)
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      for entity in model.entityNames {
        let keys = try reader.keys(of: entity)
        let list = keys.map(String.init).joined(separator: ", ")
        objects[entity] = try connection.rows(
          "SELECT ZN\(entity == "B" ? ", ZC" : "") FROM Z\(entity) WHERE Z_PK IN (\(list))")
      }
      links = report.links.map(\.dangling)
    }

    var description: String { "\(objects), dangling \(links)" }
  }

  @Test("they are kept, and no object is created or lost, in all executors")
  func everyMethod() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try Self.model(["B", "C", "D"]), try Self.model(["A", "B", "C"]))
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    let numbers = ["NULL", "1.5", "'x'", "16001"] + (-2...5).map(String.init)
    // What the objects of B lead to: that of C with the key 2 may be none.
    let keys = ["NULL", "1.5", "0.9", "9", "X'01'", "1", "2"]
    let empty = folder.path("empty.sqlite")
    var store = try NewStore(path: empty, model: old, uuid: "A")
    for (entity, count) in [("B", keys.count + 1), ("C", 2), ("D", 2)] {
      for key in Int64(1)...Int64(count) {
        let names = store.shape(of: entity)?.names ?? []
        try store.insert(
          ObjectRow(key: key, values: names.map { $0 == "n" ? .integer(key) : .null }), of: entity)
      }
    }
    try store.finish()
    try StoreFixture.run(
      keys.enumerated().map { "UPDATE ZB SET ZC = \($1) WHERE Z_PK = \($0 + 1)" }, on: empty)
    for (table, row, own) in [("ZB", keys.count + 1, "1"), ("ZC", 2, "2")] {
      for number in numbers {
        let place = "\(table) \(number)"
        let path = folder.path("\(place).sqlite")
        try FileManager.default.copyItem(atPath: empty, toPath: path)
        try StoreFixture.run(
          ["UPDATE \(table) SET Z_ENT = \(number) WHERE Z_PK = \(row)"], on: path)
        var results: [Result] = []
        for executor in [PassesRun.Executor.objects, .fastest] {
          let output = folder.path("made.sqlite")
          try? FileManager.default.removeItem(atPath: output)
          let report = try Passes.run(hop, from: path, into: output, executor: executor).report
          results.append(try Result(output, new, report))
        }
        let report = try InPlace.run(hop, at: path).report
        results.append(try Result(path, new, report))
        let isObject = number == own
        let leads = keys.map { $0 == "1" || $0 == "2" && (isObject || table == "ZB") }
        let dangling = zip(keys, leads).filter { $0 != "NULL" && !$1 }
        let (b, c) = (results[0].objects["B"] ?? [], results[0].objects["C"] ?? [])
        #expect(b.count == keys.count + (table == "ZC" || isObject ? 1 : 0), "\(place)")
        #expect(c.count == (table == "ZB" || isObject ? 2 : 1), "\(place)")
        #expect(b.prefix(keys.count).map { $0[1] != .null } == leads, "\(place): \(b)")
        #expect(results[0].links == [dangling.count], "\(place): \(results[0])")
        #expect(results.allSatisfy { $0 == results[0] }, "\(place): \(results)")
      }
    }
  }
}
