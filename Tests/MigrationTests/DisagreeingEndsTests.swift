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
  /// The entities of both ends, which may be the same, with the columns of their keys.
  enum Ends: CaseIterable {
    case two, one

    var all: [(entity: String, own: String, other: String, inverse: String)] {
      switch self {
      case .two: [("A", "b", "B", "a"), ("B", "a", "A", "b")]
      case .one: [("A", "r", "A", "s"), ("A", "s", "A", "r")]
      }
    }
  }

  private static func model(
    _ ends: Ends, _ modifier: String, hasSubentity: Bool = false
  ) throws -> ObjectModel {
    var entities: [String: Entity] = [:]
    for (name, own, other, inverse) in ends.all {
      var end = Relationship(name: own, destinationName: other, isOptional: true, isToMany: false)
      end.inverseName = inverse
      entities[name, default: Entity(name: name)].relationships.append(end)
      entities[name]?.attributes = [Attribute(name: "n", type: .integer32, isOptional: true)]
      entities[name]?.versionHashModifier = name == "A" ? modifier : nil
    }
    if hasSubentity { entities["X"] = Entity(name: "X", superentityName: "A") }
    return try ObjectModel(ModelDocument(entities: entities.values.sorted { $0.name < $1.name }))
  }

  /// The keys in the columns of both ends.
  private static func keys(_ path: String, _ ends: Ends) throws -> [[AttributeValue]] {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    return try ends.all.flatMap { end in
      try connection.rows(
        "SELECT Z_PK, Z\(end.own.uppercased()) FROM Z\(end.entity) ORDER BY Z_PK")
    }
  }

  @Test(
    "each end keeps its links, and links to missing objects are removed, in all executors",
    .part(3),
    arguments: Ends.allCases, [false, true])
  func disagreeing(ends: Ends, addsSubentity: Bool) throws {
    let folder = try TemporaryFolder()
    let old = try Self.model(ends, "1")
    let new = try Self.model(ends, "2", hasSubentity: addsSubentity)
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    let empty = folder.path("empty.sqlite")
    var store = try NewStore(path: empty, model: old, uuid: "A")
    for entity in Set(ends.all.map(\.entity)).sorted() {
      for key in Int64(1)...2 {
        let count = store.shape(of: entity)?.names.count ?? 0
        try store.insert(
          ObjectRow(key: key, values: Array(repeating: .null, count: count)), of: entity)
      }
    }
    try store.finish()
    let choices: [Int64?] = [nil, 1, 2, 9]
    var count = 0
    // The second object of the other end leads where the first one does not.
    for number in 0..<64 {
      let said = (0..<3).map { choices[number >> (2 * $0) & 3] } + [1]
      let path = folder.path("\(number).sqlite")
      try FileManager.default.copyItem(atPath: empty, toPath: path)
      do {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for (place, key) in said.enumerated() {
          let end = ends.all[place / 2]
          try connection.execute(
            "UPDATE Z\(end.entity) SET Z\(end.own.uppercased()) = ? WHERE Z_PK = ?",
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
        #expect(try Self.keys(output, ends) == expected, "\(said), \(executor)")
        #expect(report.links.map(\.dangling) == [dangling], "\(said), \(executor)")
        #expect(report.links.map(\.lost) == [0], "\(said), \(executor)")
      }
      let report = try InPlace.run(hop, at: path).report
      #expect(try Self.keys(path, ends) == expected, "\(said), in place")
      #expect(report.links.map(\.dangling) == [dangling], "\(said), in place")
      #expect(report.links.map(\.lost) == [0], "\(said), in place")
      count += 1
    }
    #expect(count == 64)
  }
}
