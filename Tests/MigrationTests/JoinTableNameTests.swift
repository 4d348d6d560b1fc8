import StrataBase
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Join tables whose new name another table had, since the numbers or names of entities and relationships change.
@Suite("Names of join tables that change hands")
struct JoinTableNameTests {
  /// The change of a version with the entities B and C, each with two many-to-many relationships with itself.
  enum Change: String, CaseIterable {
    case added, addedAndRemoved, addedAndNarrowed, addedAndReflexive, entityRemoved, renamed,
      swapped, entitiesSwapped
  }

  private static func pair(
    _ name: String, _ inverse: String, from old: String? = nil, isToMany: Bool = true
  ) -> [Relationship] {
    [(name, inverse), (inverse, name)].enumerated().filter { $1.0 != $1.1 || $0 == 0 }.map {
      index, names in
      var end = Relationship(
        name: names.0, destinationName: "", isOptional: true, isToMany: index == 1 || isToMany)
      end.inverseName = names.1
      if index == 0 { end.renamingIdentifier = old }
      return end
    }
  }

  private static func model(_ entities: [String: [Relationship]], from olds: [String: String] = [:])
    throws -> ObjectModel
  {
    try ObjectModel(
      ModelDocument(
        entities: entities.sorted { $0.key < $1.key }.map { name, relationships in
          var entity = Entity(name: name)
          entity.attributes = [Attribute(name: "t", type: .string, isOptional: true)]
          entity.relationships = relationships.map { relationship in
            var own = relationship
            own.destinationName = name
            return own
          }
          entity.renamingIdentifier = olds[name]
          return entity
        }))
  }

  private static func next(_ change: Change) throws -> ObjectModel {
    let (b, c) = (pair("r", "s") + pair("q", "u"), pair("r", "s"))
    switch change {
    case .added: return try model(["A": [], "B": b, "C": c])
    case .addedAndRemoved: return try model(["A": [], "B": b, "C": []])
    case .addedAndNarrowed:
      return try model(["A": [], "B": b, "C": pair("r", "s", isToMany: false)])
    case .addedAndReflexive: return try model(["A": [], "B": b, "C": pair("r", "r")])
    case .entityRemoved: return try model(["C": c])
    case .renamed: return try model(["B": pair("r", "u", from: "q"), "C": c])
    case .swapped:
      return try model([
        "B": pair("r", "u", from: "q") + pair("q", "s", from: "r"), "C": c,
      ])
    case .entitiesSwapped: return try model(["B": c, "C": b], from: ["B": "C", "C": "B"])
    }
  }

  @Test("in place the links are those that passes keep", arguments: Change.allCases)
  func names(change: Change) throws {
    let old = try Self.model([
      "B": Self.pair("r", "s") + Self.pair("q", "u"), "C": Self.pair("r", "s"),
    ])
    try Self.compareMethods(from: old, to: Self.next(change))
  }

  @Test(
    "entities that trade names keep their links, also if both ends have one name",
    arguments: ["", "ordered"], ["", "ordered"])
  func oneName(first: String, second: String) throws {
    for (one, other) in [("ends", "ends"), ("ends", "others")] {
      let old = try ObjectModel(
        brief: """
          B
            t String
            \(one) -> C many \(first) inverseName=\(other)
          C
            t String
            \(other) -> B many \(second) inverseName=\(one)
          """)
      let new = try ObjectModel(
        brief: """
          B elementID=C
            t String
            more String
            \(other) -> C many \(second) inverseName=\(one)
          C elementID=B
            t String
            \(one) -> B many \(first) inverseName=\(other)
          """)
      try Self.compareMethods(from: old, to: new)
    }
  }

  /// Migrates random stores in place and by passes, and compares all links.
  private static func compareMethods(from old: ObjectModel, to new: ObjectModel) throws {
    let folder = try TemporaryFolder()
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    for seed in UInt64(1)...3 {
      let path = folder.path("\(seed).sqlite")
      var store = try NewStore(path: path, model: old, uuid: "A")
      var generator = StoreGenerator(old, rows: 7, seed: seed)
      try generator.fill(&store)
      try store.finish()
      let passes = try Passes.run(hop, from: path, into: folder.path("p\(seed).sqlite")).report
      let report = try InPlace.run(hop, at: path).report
      #expect(report.links == passes.links, "\(seed)")
      #expect(passes.links.contains { ($0.kept ?? 0) > 0 }, "\(passes.links)")
      let path2 = folder.path("p\(seed).sqlite")
      let (a, b) = try (Self.links(path, hop.to.model), Self.links(path2, hop.to.model))
      #expect(a == b && !a.isEmpty, "\(seed)")
    }
  }

  /// The links of every relationship.
  private static func links(_ path: String, _ model: ObjectModel) throws -> [[String]] {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    return try model.storedRelationships.map { end in
      try reader.keys(of: end.declaringEntity).flatMap { key in
        let keys = try reader.destinations(of: end, from: key)
        return (end.property.isOrdered ? keys : keys.sorted()).map {
          "\(end.qualifiedName) \(key) \($0)"
        }
      }
    }
  }
}
