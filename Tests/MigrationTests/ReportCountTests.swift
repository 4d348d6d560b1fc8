import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

@testable import struct StrataMigration.KeySet

/// Counts of many objects, of which the first ones are named.
@Suite("Counts and keys in reports")
struct ReportCountTests {
  private static func models(_ old: String, _ new: String) throws -> [NamedModel] {
    [
      NamedModel(name: "old", model: try ObjectModel(brief: old)),
      NamedModel(name: "new", model: try ObjectModel(brief: new)),
    ]
  }

  @Test("of many invalid objects, a thousand are named")
  func problems() throws {
    let folder = try TemporaryFolder()
    let models = try Self.models("T\n  a String", "T\n  a String required\n  b String")
    let path = folder.path("s.sqlite")
    var store = try NewStore(path: path, model: models[0].model, uuid: "A")
    for number in 1...1100 {
      _ = try store.insert("T", attributes: number == 7 ? ["a": .text("x")] : [:])
    }
    try store.finish()
    let hop = try MigrationPlan.Hop(from: models[0], to: models[1], by: "TToT: T -> T")
    let keys = (1...1001).filter { $0 != 7 }.map(Int64.init)
    for (name, executor, batchSize) in Passes.executors {
      let report = try Passes.run(
        hop, from: path, into: folder.path(name), executor: executor, batchSize: batchSize
      ).report
      #expect(report.problems.map(\.count) == [1099], "\(name)")
      #expect(report.problems.map(\.keys) == [keys], "\(name)")
    }
  }

  @Test("numbers that do not fit are counted by source entity, and three of each are named")
  func numbers() throws {
    let folder = try TemporaryFolder()
    let models = try Self.models(
      "A\n  n Double\nB\n  n Double", "X\n  n Integer_16\n  m Integer_16")
    let path = folder.path("s.sqlite")
    var store = try NewStore(path: path, model: models[0].model, uuid: "A")
    for number in [1.5, 2.5, 70_000, 3.5, 4, 5.5] {
      for entity in ["A", "B"] where entity == "A" || number > 3 {
        _ = try store.insert(entity, attributes: ["n": .real(number)])
      }
    }
    try store.finish()
    let hop = try MigrationPlan.Hop(
      from: models[0], to: models[1],
      by: "AToX: A -> X\n  n = $source.n\nBToX: B -> X\n  n = $source.n\n  m = $source.n")
    for (name, executor, batchSize) in Passes.executors {
      let report = try Passes.run(
        hop, from: path, into: folder.path(name), executor: executor, batchSize: batchSize
      ).report
      let found = report.numbers.map {
        "\($0.sourceEntity ?? "-") \($0.attribute.name) \($0.affected.count) \($0.affected.keys)"
      }
      #expect(
        Set(found) == [
          "A n 4 [1, 2, 4]", "A n 1 [3]", "B n 2 [2, 4]", "B n 1 [1]", "B m 2 [2, 4]", "B m 1 [1]",
        ], "\(name)")
    }
  }

  @Test("an expression of more attributes than SQLite has arguments gives the same value")
  func wide() throws {
    let folder = try TemporaryFolder()
    let names = (0..<140).map { "a\($0)" }
    let text = "T\n" + names.map { "  \($0) Integer_32" }.joined(separator: "\n")
    let models = try Self.models(text, "T\n  sum Integer_64\n  few Integer_64")
    let path = folder.path("s.sqlite")
    var store = try NewStore(path: path, model: models[0].model, uuid: "A")
    for factor in 1...3 {
      _ = try store.insert(
        "T",
        attributes: Dictionary(
          uniqueKeysWithValues: names.enumerated().map {
            ($0.element, .integer(Int64($0.offset * factor)))
          }))
    }
    try store.finish()
    let sum = names.map { "$source.\($0)" }.joined(separator: " + ")
    let hop = try MigrationPlan.Hop(
      from: models[0], to: models[1],
      by: "TToT: T -> T\n  sum = \(sum)\n  few = $source.a1 + $source.a139")
    for (name, executor, batchSize) in Passes.executors {
      _ = try Passes.run(
        hop, from: path, into: folder.path(name), executor: executor, batchSize: batchSize)
      let reader = try StoreReader(
        SQLiteStore(reading: folder.path(name)), model: models[1].model)
      var found: [[AttributeValue?]] = []
      for key in try reader.keys(of: "T") {
        let values = try reader.object(key, of: "T")?.attributes
        found.append([values?["sum"], values?["few"]])
      }
      #expect(found == (1...3).map { [.integer(9730 * $0), .integer(140 * $0)] }, "\(name)")
    }
  }

  @Test("a set of keys is one of numbers, also where all keys are in it")
  func keySets() {
    var random = SeededRandom(seed: 4)
    let keys = 0..<Int64(150)
    for _ in 0..<200 {
      var sets = [(KeySet(), Set<Int64>()), (KeySet(), Set<Int64>())]
      for _ in 0..<60 {
        let index = Int.random(in: 0...1, using: &random)
        let key = Int64.random(in: keys, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          sets[index].0.insertAll()
          sets[index].1.formUnion(keys)
        case 1:
          sets[index].0.formUnion(sets[1 - index].0)
          sets[index].1.formUnion(sets[1 - index].1)
        case 2..<10:
          sets[index].0.remove(key)
          sets[index].1.remove(key)
        default:
          sets[index].0.insert(key)
          sets[index].1.insert(key)
        }
      }
      for (set, numbers) in sets { #expect(Set(keys.filter(set.contains)) == numbers) }
    }
  }
}
