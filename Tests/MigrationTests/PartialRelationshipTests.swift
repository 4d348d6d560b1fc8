import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Entity mappings that name each other in part: what one end leaves out, the other sets.
@Suite("Relationships through some of several entity mappings")
struct PartialRelationshipTests {
  private static func model(
    _ modifier: String?, toMany: (own: Bool, other: Bool)
  ) throws -> ObjectModel {
    func relationship(_ name: String, _ to: String, _ inverse: String, _ isToMany: Bool)
      -> Relationship
    {
      var relationship = Relationship(
        name: name, destinationName: to, isOptional: true, isToMany: isToMany)
      relationship.inverseName = inverse
      return relationship
    }
    var a = Entity(name: "A")
    a.versionHashModifier = modifier
    a.attributes = [Attribute(name: "s", type: .string, isOptional: true)]
    a.relationships = [relationship("b", "B", "a", toMany.own)]
    var b = Entity(name: "B")
    b.attributes = [Attribute(name: "t", type: .string, isOptional: true)]
    b.relationships = [relationship("a", "A", "b", toMany.other)]
    var below = Entity(name: "B1")
    below.superentityName = "B"
    return try ObjectModel(ModelDocument(entities: [a, b, below]))
  }

  /// Three objects of each, each A with a B of its own.
  private static func make(_ path: String, _ model: ObjectModel) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    var keys: [(a: Int64, b: Int64)] = []
    for number in 1...4 {
      let a = try store.insert("A", attributes: ["s": .text("a\(number)")])
      let b = try store.insert(
        number % 2 == 0 ? "B1" : "B", attributes: ["t": .text("b\(number)")])
      keys.append((a.key, b.key))
    }
    guard let own = model.relationship("b", of: "A"), let back = model.relationship("a", of: "B")
    else { throw MigrationError.finished }
    for (a, b) in keys {
      try store.connect(own, of: a, to: [b])
      if !own.property.isToMany || !back.property.isToMany {
        try store.connect(back, of: b, to: [a])
      }
    }
    try store.finish()
  }

  @Test(
    "SQL and object-by-object execution relate equal objects",
    arguments: [(false, false), (false, true), (true, false), (true, true)],
    [
      "b <- $source.b through BB|a <- $source.a through AA|a <- $source.a through AA",
      "b <- $source.b through B1|a <- $source.a through AA|a <- $source.a through AA",
      "omit b|a <- $source.a through AA|a <- $source.a through AA",
      "b <- $source.b through BB|omit a|a <- $source.a through AA",
    ])
  func named(toMany: (Bool, Bool), through: String) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (
      NamedModel(name: "old", model: try Self.model(nil, toMany: toMany)),
      NamedModel(name: "new", model: try Self.model("2", toMany: toMany))
    )
    let path = folder.path("old.sqlite")
    try Self.make(path, old.model)
    let lines = through.split(separator: "|")
    let hop = try MigrationPlan.Hop(
      from: old, to: new,
      by: """
        AA: A -> A
          \(lines[0])
        BB: B -> B
          \(lines[1])
        B1: B1 -> B1
          \(lines[2])
        """
    )
    let (one, all) = (folder.path("one.sqlite"), folder.path("all.sqlite"))
    let first = try Passes.run(hop, from: path, into: one).report
    let second = try Passes.run(hop, from: path, into: all, executor: .fastest).report
    #expect(first == second)
    let reader = try StoreReader(SQLiteStore(reading: one), model: new.model)
    let difference = try StoreDifference(
      between: reader, and: StoreReader(SQLiteStore(reading: all), model: new.model))
    #expect(difference.isEmpty, "\(difference.entities.filter { !$0.isEmpty })")
    // One end or the other says each link, but for B where both leave it out.
    let own = try #require(new.model.relationship("b", of: "A"))
    let linked = try reader.keys(of: "A").filter {
      try !reader.destinations(of: own, from: $0).isEmpty
    }
    #expect(linked.count == 4)
  }
}
