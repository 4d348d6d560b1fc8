import Foundation
import StrataBase
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// One-to-one relationships whose ends say different things, as damaged stores have them.
@Suite("Inconsistent one-to-one relationships")
struct DisagreeingEndsTests {
  private static func model(_ modifier: String) throws -> ObjectModel {
    let entities = [("A", "b", "B", "a"), ("B", "a", "A", "b")].map { name, own, other, inverse in
      var entity = Entity(name: name)
      var end = Relationship(name: own, destinationName: other, isOptional: true, isToMany: false)
      end.inverseName = inverse
      entity.relationships = [end]
      entity.attributes = [Attribute(name: "n", type: .integer32, isOptional: true)]
      entity.versionHashModifier = name == "A" ? modifier : nil
      return entity
    }
    return try ObjectModel(ModelDocument(entities: entities))
  }

  /// The keys in the columns of both tables.
  private static func keys(_ path: String) throws -> [[AttributeValue]] {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    return try connection.rows("SELECT Z_PK, ZB FROM ZA ORDER BY Z_PK")
      + connection.rows("SELECT Z_PK, ZA FROM ZB ORDER BY Z_PK")
  }

  @Test("each end keeps its links, and links to missing objects are removed, in all executors")
  func disagreeing() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try Self.model("1"), try Self.model("2"))
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    let empty = folder.path("empty.sqlite")
    var store = try NewStore(path: empty, model: old, uuid: "A")
    for entity in ["A", "B"] {
      for key in Int64(1)...2 {
        let count = store.shape(of: entity)?.names.count ?? 0
        try store.insert(
          ObjectRow(key: key, values: Array(repeating: .null, count: count)), of: entity)
      }
    }
    try store.finish()
    let choices: [Int64?] = [nil, 1, 2, 9]
    var count = 0
    // The second object of B leads where the first one of A does not.
    for number in 0..<64 {
      let said = (0..<3).map { choices[number >> (2 * $0) & 3] } + [1]
      let path = folder.path("\(number).sqlite")
      try FileManager.default.copyItem(atPath: empty, toPath: path)
      do {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for (place, key) in said.enumerated() {
          try connection.execute(
            "UPDATE \(place < 2 ? "ZA SET ZB" : "ZB SET ZA") = ? WHERE Z_PK = ?",
            [key.map { .integer($0) } ?? .null, .integer(Int64(place % 2 + 1))])
        }
      }
      let expected = said.enumerated().map { place, key in
        [.integer(Int64(place % 2 + 1)), key.flatMap { $0 < 9 ? .integer($0) : nil } ?? .null]
          as [AttributeValue]
      }
      let dangling = said.count { $0 == 9 }
      for executor in [PassesRun.Executor.objects, .fastest] {
        let output = folder.path("made.sqlite")
        try? FileManager.default.removeItem(atPath: output)
        let report = try Passes.run(hop, from: path, into: output, executor: executor).report
        #expect(try Self.keys(output) == expected, "\(said), \(executor)")
        #expect(report.links.map(\.dangling) == [dangling], "\(said), \(executor)")
        #expect(report.links.map(\.lost) == [0], "\(said), \(executor)")
      }
      let report = try InPlace.run(hop, at: path).report
      #expect(try Self.keys(path) == expected, "\(said), in place")
      #expect(report.links.map(\.dangling) == [dangling], "\(said), in place")
      #expect(report.links.map(\.lost) == [0], "\(said), in place")
      count += 1
    }
    #expect(count == 64)
  }
}
