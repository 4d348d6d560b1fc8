import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Elements that a composite attribute loses, over all pairs of element sets.
@Suite("Losses of composite elements")
struct CompositeLossTests {
  private static let elements = ["city", "zip", "geo.lat", "geo.lon"]

  /// Every set of elements but the empty one.
  private static let sets = (1..<16).map { bits in
    elements.indices.filter { bits & 1 << $0 != 0 }.map { elements[$0] }
  }

  /// P with a composite attribute of these elements, and Q below it.
  private static func model(_ elements: [String], attribute: String = "home") throws -> NamedModel {
    func leaf(_ name: String) -> Attribute {
      Attribute(name: name, type: .string, isOptional: true)
    }
    func composite(_ name: String, _ type: String) -> Attribute {
      var attribute = Attribute(name: name, type: .composite, isOptional: true)
      attribute.compositeName = type
      return attribute
    }
    let inner = elements.filter { $0.hasPrefix("geo.") }.map { leaf(String($0.dropFirst(4))) }
    var document = ModelDocument(entities: [Entity(name: "P"), Entity(name: "Q")])
    document.composites = [
      CompositeType(
        name: "Address",
        attributes: elements.filter { !$0.hasPrefix("geo.") }.map(leaf)
          + (inner.isEmpty ? [] : [composite("geo", "Geo")])),
      CompositeType(name: "Geo", attributes: inner),
    ]
    document.entities[0].attributes = [leaf("name"), composite(attribute, "Address")]
    if attribute != "home" { document.entities[0].attributes[1].renamingIdentifier = "home" }
    document.entities[1].superentityName = "P"
    return NamedModel(name: "M", model: try ObjectModel(document))
  }

  @Test(
    "each lost element is reported and counted, and the others keep their values", .part(4),
    arguments: sets)
  func lost(old elements: [String]) throws {
    let folder = try TemporaryFolder()
    let old = try Self.model(elements)
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: old.model, uuid: "A")
    for entity in ["P", "Q", "Q"] {
      _ = try store.insert(
        entity,
        attributes: Dictionary(
          uniqueKeysWithValues: elements.map { ("home.\($0)", .text("\(entity) \($0)")) }))
    }
    try store.finish()
    for kept in Self.sets {
      for attribute in ["home", "address"] {
        let new = try Self.model(kept, attribute: attribute)
        guard old.model.versionHashes() != new.model.versionHashes() else { continue }
        let lost = elements.filter { !kept.contains($0) }.sorted()
        let inference = Inference(from: old.model, to: new.model)
        #expect(inference.obstacles == [])
        #expect(
          inference.warnings.filter { $0.lossRule == .removed(isRelationship: false) }.map(
            \.location.description
          )
          .sorted()
            == lost.map { "P.home.\($0)" })
        let hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
        let losses = try hop.losses(
          in: StoreReader(SQLiteStore(reading: path), model: old.model))
        #expect(
          losses.flatMap { loss in
            loss.sources.map { source, evidence in
              "\(source.entity).\(source.property ?? "") \(loss.finding.id) \(evidence.count ?? 0)"
            }
          }.sorted()
            == lost.flatMap { ["P.home.\($0) loss.removed 1", "Q.home.\($0) loss.removed 2"] }
            .sorted())
        let output = folder.path("\(kept)\(attribute).sqlite")
        _ = try Passes.run(hop, from: path, into: output)
        let reader = try StoreReader(SQLiteStore(reading: output), model: new.model)
        for entity in ["P", "Q"] {
          let object = try #require(try reader.object(reader.keys(of: entity)[0], of: entity))
          for element in kept {
            #expect(
              object.attributes["\(attribute).\(element)"]
                == (elements.contains(element) ? .text("\(entity) \(element)") : .null))
          }
        }
      }
    }
  }

  @Test("an element's renaming identifier is ignored, and its values are reported as lost")
  func renamedElement() throws {
    let old = try Self.model(["city", "zip"])
    var document = try Self.model(["city"]).model.document
    var renamed = Attribute(name: "code", type: .string, isOptional: true)
    renamed.renamingIdentifier = "zip"
    document.composites[0].attributes.append(renamed)
    let inference = Inference(from: old.model, to: try ObjectModel(document))
    #expect(
      inference.warnings.map { "\($0.location) \($0.reason)" }
        == ["P.home.zip is removed; its values are lost"])
  }

  @Test("an element with a smaller number type is reported like an attribute")
  func narrowedElement() throws {
    func model(_ type: AttributeType) throws -> ObjectModel {
      var document = try Self.model(["city"]).model.document
      document.composites[0].attributes.append(
        Attribute(name: "number", type: type, isOptional: true))
      return try ObjectModel(document)
    }
    let inference = Inference(from: try model(.integer64), to: try model(.integer16))
    #expect(
      inference.warnings.map { "\($0.location) \($0.reason)" }
        == ["P.home.number Integer 64 becomes Integer 16; not every number fits"])
    #expect(Inference(from: try model(.integer16), to: try model(.integer64)).warnings == [])
  }

  @Test("a mapping model that reads one element loses the others")
  func mappingModel() throws {
    let (old, new) = (try Self.model(["city", "zip"]), try Self.model(["city"]))
    var mapping = EntityMapping(
      name: "PToP", kind: .transform, sourceName: "P", destinationName: "P")
    func losses(_ expressions: [(String, [String])]) throws -> [String] {
      mapping.attributeMappings = expressions.map { name, keys in
        PropertyMapping(name: name, expression: .keyPath(of: .variable("source"), keys))
      }
      let hop = MigrationPlan.Hop(
        from: old, to: new,
        parts: [NamedMappingModel(name: "m", mapping: MappingModel(entityMappings: [mapping]))],
        reason: "")
      let folder = try TemporaryFolder()
      var store = try NewStore(path: folder.path("p.sqlite"), model: old.model, uuid: "A")
      _ = try store.insert(
        "P",
        attributes: [
          "home.city": .text("c"), "home.zip": .text("z"), "name": .text("n"),
        ])
      try store.finish()
      return try hop.losses(
        in: StoreReader(SQLiteStore(reading: folder.path("p.sqlite")), model: old.model)
      ).flatMap { $0.sources.keys.compactMap(\.property) }.sorted()
    }
    #expect(try losses([]) == ["home.city", "home.zip", "name"])
    #expect(try losses([("home", ["home"])]) == ["home.zip", "name"])
    #expect(try losses([("home", ["home"]), ("name", ["home", "zip"])]) == ["name"])
    #expect(try losses([("name", ["home", "zip"])]) == ["home.city", "name"])
    #expect(try losses([("name", ["home"])]) == ["name"])
  }
}
