import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Derived attributes that come, go and change in a migration, alone and beside other changes.
@Suite("Derived attributes")
struct DerivedAttributeTests {
  /// What an attribute is in one of the two models.
  enum Kind: String, CaseIterable {
    case absent, plain, derived
    /// Derived, under another name with a renaming identifier.
    case renamed
    /// Derived by another expression.
    case other
  }

  /// What changes beside it.
  enum Change: String, CaseIterable {
    case nothing, narrowedNumber, narrowedDestination, newEntity, lostAttribute, renamedEntity
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var (isCount, old, new, change): (Bool, Kind, Kind, Change)

    var testDescription: String {
      "\(isCount ? "count" : "copy"): \(old.rawValue) -> \(new.rawValue), \(change.rawValue)"
    }
  }

  static let cases = [true, false].flatMap { isCount in
    [Kind.absent, .plain, .derived].flatMap { old in
      Kind.allCases.flatMap { new in
        Change.allCases.map { Case(isCount: isCount, old: old, new: new, change: $0) }
      }
    }
  }

  private static func attribute(_ name: String, _ kind: Kind, _ paths: [String]) -> [Attribute] {
    guard kind != .absent else { return [] }
    var attribute = Attribute(
      name: kind == .renamed ? name + "New" : name, type: .integer64, isOptional: true)
    if kind == .renamed { attribute.renamingIdentifier = name }
    attribute.isDerived = kind != .plain
    if attribute.isDerived { attribute.derivation = paths[kind == .other ? 1 : 0] }
    return [attribute]
  }

  /// A with many B in two relationships, and an entity below each; in the new model with the change.
  private static func model(
    _ isCount: Bool, _ kind: Kind, _ change: Change?
  ) throws -> NamedModel {
    func relationship(_ name: String, _ to: String, _ inverse: String, toMany: Bool = false)
      -> Relationship
    {
      var relationship = Relationship(
        name: name, destinationName: to, isOptional: true, isToMany: toMany)
      relationship.inverseName = inverse
      return relationship
    }
    func number(_ name: String, _ type: AttributeType = .integer64) -> Attribute {
      Attribute(name: name, type: type, isOptional: true)
    }
    var a = Entity(name: change == .renamedEntity ? "ZA" : "A")
    if change == .renamedEntity { a.renamingIdentifier = "A" }
    let isNarrowed = change == .narrowedDestination
    a.attributes = [number("x", change == .narrowedNumber ? .integer16 : .integer64), number("y")]
    if change != .lostAttribute { a.attributes.append(number("z")) }
    a.relationships = [
      relationship("bs", isNarrowed ? "B2" : "B", "a", toMany: true),
      relationship("cs", "B", "c", toMany: true),
    ]
    var below = Entity(name: "A2")
    below.superentityName = a.name
    var b = Entity(name: "B")
    var b2 = Entity(name: "B2")
    b2.superentityName = "B"
    b.relationships = [relationship("c", a.name, "cs")]
    let own = relationship("a", a.name, "bs")
    let copies = attribute("copy", kind, ["a.x", "a.y"])
    if isCount { a.attributes += attribute("count", kind, ["bs.@count", "cs.@count"]) }
    if isNarrowed {
      b2.relationships = [own]
      if !isCount { b2.attributes = copies }
    } else {
      b.relationships.append(own)
      if !isCount { b.attributes = copies }
    }
    var entities = [a, below, b, b2]
    if change == .newEntity { entities.append(Entity(name: "AA")) }
    return NamedModel(
      name: change == nil ? "old" : "new", model: try ObjectModel(ModelDocument(entities: entities))
    )
  }

  /// A p1 with B p1, p2 and B2 p3, A2 p3 with B p4, B p5 without; the other relationship leads to A p2.
  private static func make(_ path: String, _ model: ObjectModel, isPlain: Bool) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    func plain(_ name: String, of entity: String) -> [String: AttributeValue] {
      isPlain && declares(name, of: entity, in: model) != nil ? [name: .integer(42)] : [:]
    }
    var keys: [Int64] = []
    for (entity, x) in [("A", 70_000), ("A", 5), ("A2", 7)] as [(String, Int64)] {
      let values = ["x": AttributeValue.integer(x), "y": .integer(x + 1), "z": .integer(1)]
      keys.append(
        try store.insert(
          entity, attributes: values.merging(plain("count", of: entity)) { $1 }
        ).key)
    }
    let a = try #require(model.relationship("a", of: "B"))
    let c = try #require(model.relationship("c", of: "B"))
    for (entity, owner) in [("B", 0), ("B", 0), ("B2", 0), ("B", 2), ("B", nil)]
      as [(String, Int?)]
    {
      let b = try store.insert(entity, attributes: plain("copy", of: entity)).key
      if let owner { try store.connect(a, of: b, to: [keys[owner]]) }
      try store.connect(c, of: b, to: [keys[1]])
    }
    try store.finish()
  }

  private static func declares(_ name: String, of entity: String, in model: ObjectModel)
    -> Attribute?
  {
    model.allAttributes(of: entity).map(\.property).first { $0.name == name }
  }

  /// What each derived attribute must be, from the links and values of the store itself.
  private static func expected(_ reader: borrowing StoreReader, _ name: String) throws -> [String:
    AttributeValue]
  {
    var found: [String: AttributeValue] = [:]
    for entity in reader.model.entityNames.sorted() {
      guard let attribute = declares(name, of: entity, in: reader.model), attribute.isDerived else {
        continue
      }
      let path = try #require(attribute.derivation).split(separator: ".").map(String.init)
      let relationship = try #require(reader.model.relationship(path[0], of: entity))
      for key in try reader.keys(of: entity) {
        let ends = try reader.destinations(of: relationship, from: key)
        if path[1] == "@count" {
          found["\(entity) \(key)"] = .integer(Int64(ends.count))
        } else if let end = ends.first {
          let owner = try #require(
            try reader.concreteEntity(ofKey: end, in: relationship.property.destinationName))
          found["\(entity) \(key)"] = try reader.object(end, of: owner)?.attributes[path[1]]
        } else {
          found["\(entity) \(key)"] = .null
        }
      }
    }
    return found
  }

  @Test(
    "values and triggers are those of the new model, in place and in three passes", .part(4),
    arguments: cases)
  func agree(_ example: Case) throws {
    let (old, new) = (
      try Self.model(example.isCount, example.old, nil),
      try Self.model(example.isCount, example.new, example.change)
    )
    guard old.model.versionHashes() != new.model.versionHashes() else { return }
    let hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
    let folder = try TemporaryFolder()
    let (path, output) = (folder.path("old.sqlite"), folder.path("new.sqlite"))
    try Self.make(path, old.model, isPlain: example.old == .plain)
    _ = try Passes.run(hop, from: path, into: output)
    _ = try InPlace.run(hop, at: path)
    let name = (example.isCount ? "count" : "copy") + (example.new == .renamed ? "New" : "")
    let triggers = StoreSchema(new.model).triggers.map(\.sql).sorted()
    for path in [path, output] {
      let reader = try StoreReader(SQLiteStore(reading: path), model: new.model)
      for (object, value) in try Self.expected(reader, name) {
        let parts = object.split(separator: " ")
        let found = try reader.object(#require(Int64(parts[1])), of: String(parts[0]))
        #expect(found?.attributes[name] == value, "\(object)")
      }
      #expect(
        try reader.store.schema().filter { $0.kind == .trigger }.map(\.sql).sorted() == triggers)
    }
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: path), model: new.model),
      and: StoreReader(SQLiteStore(reading: output), model: new.model))
    #expect(difference.isEmpty, "\(difference.entities.filter { !$0.isEmpty })")
  }

  @Test("a value that is copied from a derived attribute is computed after it")
  func chain() throws {
    var a = Entity(name: "A")
    var z = Entity(name: "Z")
    func derived(_ name: String, _ path: String) -> Attribute {
      var attribute = Attribute(name: name, type: .integer64, isOptional: true)
      attribute.isDerived = true
      attribute.derivation = path
      return attribute
    }
    var (up, down) = (
      Relationship(name: "z", destinationName: "Z", isOptional: true, isToMany: false),
      Relationship(name: "bs", destinationName: "A", isOptional: true, isToMany: true)
    )
    (up.inverseName, down.inverseName) = ("bs", "z")
    a.attributes = [derived("n", "z.count")]
    a.relationships = [up]
    z.attributes = [derived("count", "bs.@count")]
    z.relationships = [down]
    let folder = try TemporaryFolder()
    let model = try ObjectModel(ModelDocument(entities: [a, z]))
    var store = try NewStore(path: folder.path("a.sqlite"), model: model, uuid: "A")
    let key = try store.insert("Z", attributes: [:]).key
    let relationship = try #require(model.relationship("z", of: "A"))
    for _ in 0..<3 {
      try store.connect(relationship, of: store.insert("A", attributes: [:]).key, to: [key])
    }
    try store.finish()
    let reader = try StoreReader(SQLiteStore(reading: folder.path("a.sqlite")), model: model)
    for key in try reader.keys(of: "A") {
      #expect(try reader.object(key, of: "A")?.attributes["n"] == .integer(3))
    }
  }
}
