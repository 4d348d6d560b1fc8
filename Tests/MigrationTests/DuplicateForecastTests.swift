import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Violations of new uniqueness constraints that are counted before a migration, over every way in which a value
/// gets into the destination, alone and in pairs, for an entity and for its subentity.
@Suite("Forecast of duplicates")
struct DuplicateForecastTests {
  /// Copied, renamed, converted, with a stand-in, a default, nil, and a link.
  private static let properties = [
    "text", "renamed", "rounded", "filled", "given", "empty", "owner",
  ]

  private static let constraints =
    properties.map { [$0] }
    + properties.indices.flatMap { first in
      properties[(first + 1)...].map { [properties[first], $0] }
    }

  private static func models(_ constraint: [String], of entity: String) throws -> (
    old: NamedModel, new: NamedModel
  ) {
    var document = ModelDocument(entities: ["P", "S", "Q"].map { Entity(name: $0) })
    document.entities[1].superentityName = "P"
    document.entities[0].attributes = [
      Attribute(name: "text", type: .string, isOptional: true),
      Attribute(name: "name", type: .string, isOptional: true),
      Attribute(name: "rounded", type: .double, isOptional: true),
      Attribute(name: "filled", type: .integer32, isOptional: true),
    ]
    var owner = Relationship(name: "owner", destinationName: "Q", isOptional: true)
    owner.inverseName = "owned"
    var owned = Relationship(name: "owned", destinationName: "P", isOptional: true, isToMany: true)
    owned.inverseName = "owner"
    document.entities[0].relationships = [owner]
    document.entities[2].relationships = [owned]
    let old = try ObjectModel(document)
    document.entities[0].attributes[1].name = "renamed"
    document.entities[0].attributes[1].renamingIdentifier = "name"
    document.entities[0].attributes[2].type = .integer16
    document.entities[0].attributes[3].isOptional = false
    document.entities[0].attributes[3].defaultValue = "5"
    var given = Attribute(name: "given", type: .integer16)
    given.defaultValue = "1"
    document.entities[0].attributes += [
      given, Attribute(name: "empty", type: .date, isOptional: true),
    ]
    document.entities[entity == "P" ? 0 : 1].uniquenessConstraints = [constraint]
    return (
      NamedModel(name: "1", model: old), NamedModel(name: "2", model: try ObjectModel(document))
    )
  }

  private static func fill(_ path: String, _ model: ObjectModel) throws {
    var random = SeededRandom(seed: 3)
    var store = try NewStore(path: path, model: model, uuid: "A")
    let owners = try (0..<3).map { _ in try store.insert("Q", attributes: [:]).key }
    for entity in ["P", "S", "P", "S", "P", "S", "S"] {
      func any(_ values: AttributeValue...) -> AttributeValue {
        values.randomElement(using: &random) ?? .null
      }
      _ = try store.insert(
        entity,
        attributes: [
          "text": any(.text("a"), .text("b"), .text("c"), .null),
          "name": any(.text("a"), .text("b"), .text("c"), .text("d")),
          "rounded": any(.real(1.25), .real(1.5), .real(2), .real(3), .real(4.5), .null),
          "filled": any(.integer(5), .integer(6), .integer(7), .null),
          "owner": any(.integer(owners[0]), .integer(owners[1]), .integer(owners[2]), .null),
        ])
    }
    try store.finish()
  }

  @Test("is what the migration finds", arguments: ["P", "S"])
  func forecast(of entity: String) throws {
    let folder = try TemporaryFolder()
    var counts: Set<Int> = []
    for constraint in Self.constraints {
      let (old, new) = try Self.models(constraint, of: entity)
      let path = folder.path("\(constraint).sqlite")
      try Self.fill(path, old.model)
      let hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
      let forecast = try hop.duplicates(
        in: StoreReader(SQLiteStore(reading: path), model: old.model))
      let expected = forecast.map { "\($0.entity) \(constraint) \($0.evidence.count ?? 0)" }
      let passes = try Passes.run(hop, from: path, into: folder.path("\(constraint) new.sqlite"))
      let inPlace = try InPlace.run(hop, at: path)
      for report in [passes.report, inPlace.report] {
        let found = report.problems.filter(\.isOfConstraint).map { problem in
          "\(problem.entity) \(problem.property.split(separator: ", ").map(String.init)) \(problem.count)"
        }
        #expect(found == expected, "\(constraint) of \(entity)")
      }
      counts.formUnion(forecast.compactMap(\.evidence.count))
      if forecast.isEmpty { counts.insert(0) }
    }
    // The data shows violations and none.
    #expect(counts.count > 2 && counts.contains(0))
  }

  /// What becomes of the links to an object: kept, or lost in several ways.
  enum End: CaseIterable {
    case kept, toOne, removed, narrowed, dangling
  }

  /// `A.b` to `B` or its subentity `C`, unique afterwards.
  private static func models(_ end: End) throws -> (old: NamedModel, new: NamedModel) {
    func model(isNew: Bool) throws -> NamedModel {
      var document = ModelDocument(entities: ["A", "B", "C"].map { Entity(name: $0) })
      document.entities[2].superentityName = "B"
      let target = isNew && end == .narrowed ? 2 : 1
      var link = Relationship(
        name: "b", destinationName: document.entities[target].name, isOptional: true)
      link.inverseName = "as"
      var inverse = Relationship(
        name: "as", destinationName: "A", isOptional: true, isToMany: !isNew || end != .toOne)
      inverse.inverseName = "b"
      document.entities[0].relationships = [link]
      document.entities[target].relationships = [inverse]
      if isNew {
        document.entities[0].uniquenessConstraints = [["b"]]
        if end == .removed { document.entities.removeLast() }
      }
      return NamedModel(name: isNew ? "2" : "1", model: try ObjectModel(document))
    }
    return (try model(isNew: false), try model(isNew: true))
  }

  @Test("counts only links that the migration keeps", arguments: End.allCases)
  func links(end: End) throws {
    let folder = try TemporaryFolder()
    let (old, new) = try Self.models(end)
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: old.model, uuid: "A")
    let owner = try store.insert(end == .removed ? "C" : "B", attributes: [:]).key
    for _ in 0..<3 { _ = try store.insert("A", attributes: ["b": .integer(owner)]) }
    try store.finish()
    if end == .dangling { try StoreFixture.run(["DELETE FROM ZB"], on: path) }
    let hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
    let forecast = try hop.duplicates(
      in: StoreReader(SQLiteStore(reading: path), model: old.model))
    #expect(forecast.compactMap(\.evidence.count) == (end == .kept ? [2] : []))
    let passes = try Passes.run(hop, from: path, into: folder.path("new.sqlite"))
    let inPlace = try InPlace.run(hop, at: path)
    for report in [passes.report, inPlace.report] {
      #expect(report.problems.filter(\.isOfConstraint).isEmpty == (end != .kept), "\(end)")
    }
  }

  @Test("does not compare data in files; the migration does", arguments: [true, false])
  func externalData(isExternal: Bool) throws {
    let folder = try TemporaryFolder()
    let kinds = ["external", isExternal ? "external\n  unique data" : "\n  unique data"]
    let models = try kinds.map { try ObjectModel(brief: "T\n  data Binary \($0)") }
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: models[0], uuid: "A")
    let large = [UInt8](repeating: 7, count: 200_000)
    for data in [[1], [1], large, large, [2]] {
      _ = try store.insert("T", attributes: ["data": .bytes(data)])
    }
    _ = try store.insert("T", attributes: [:])
    try store.finish()
    let hop = try MigrationPlan.Hop.inferred(from: models[0], to: models[1])
    let forecast = try hop.duplicates(
      in: StoreReader(SQLiteStore(reading: path), model: models[0]))
    #expect(forecast.isEmpty)
    let passes = try Passes.run(hop, from: path, into: folder.path("new.sqlite"))
    let inPlace = try InPlace.run(hop, at: path)
    for report in [passes.report, inPlace.report] {
      #expect(report.problems.filter(\.isOfConstraint).map(\.keys).joined().contains(2))
    }
  }

  @Test("names the later object where several entity mappings create one entity")
  func severalEntityMappings() throws {
    let folder = try TemporaryFolder()
    var document = ModelDocument(entities: ["X", "Y"].map { Entity(name: $0) })
    for index in 0...1 {
      document.entities[index].attributes = [
        Attribute(name: "n", type: .integer16, isOptional: true)
      ]
    }
    let old = NamedModel(name: "1", model: try ObjectModel(document))
    document.entities[0].uniquenessConstraints = [["n"]]
    let new = NamedModel(name: "2", model: try ObjectModel(document))
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: old.model, uuid: "A")
    for (entity, number) in [("X", 1), ("X", 2), ("X", 2), ("Y", 1), ("Y", 5)] {
      _ = try store.insert(entity, attributes: ["n": .integer(Int64(number))])
    }
    try store.finish()
    let hop = try MigrationPlan.Hop(
      from: old, to: new,
      by: """
        XToX: X -> X
          n = $source.n
        YToX: Y -> X
          n = $source.n
        """)
    let forecast = try hop.duplicates(
      in: StoreReader(SQLiteStore(reading: path), model: old.model))
    let report = try Passes.run(hop, from: path, into: folder.path("new.sqlite")).report
    let found = report.problems.filter(\.isOfConstraint)
    #expect(forecast.map { $0.evidence.keys.sorted() } == [[1, 3]])
    #expect(found.map { $0.keys.sorted() } == [[1, 3]])
  }
}
