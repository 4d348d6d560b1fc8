import Foundation
import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Stores that really migrate along the versions and stages into which a change is split.
@Suite("Split migrations")
struct SplitMigrationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var old: String
    var new: String
    /// Attributes of the objects before, by entity, in the order of their keys.
    var rows: [(entity: String, values: [String: AttributeValue])]
    /// The objects after: `Aircraft p1 tailNumber=N1 FLIGHT_DATA=p1`; what is nil is left out.
    var expected: [String]

    var testDescription: String { name }
  }

  private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#
  }

  private static func toOne(_ name: String, _ other: String, inverse: String?) -> String {
    let back = inverse.map { #"inverseName="\#($0)" inverseEntity="\#(other)""# } ?? ""
    return
      #"<relationship name="\#(name)" optional="YES" maxCount="1" destinationEntity="\#(other)" \#(back)/>"#
  }

  private static func toMany(_ name: String, _ other: String, inverse: String) -> String {
    #"<relationship name="\#(name)" optional="YES" toMany="YES" destinationEntity="\#(other)" inverseName="\#(inverse)" inverseEntity="\#(other)"/>"#
  }

  private static func entity(_ name: String, _ parts: String..., parent: String? = nil) -> String {
    #"<entity name="\#(name)" \#(parent.map { #"parentEntity="\#($0)""# } ?? "")>\#(parts.joined())</entity>"#
  }

  private static let cuisine = entity(
    "Cuisine", attribute("name", "String"), toMany("recipes", "Recipe", inverse: "cuisine"))

  static let cases = [
    Case(
      name: "an attribute is renamed without an identifier",
      old: entity("Car", attribute("colour", "String")),
      new: entity("Car", attribute("color", "String")),
      rows: [("Car", ["colour": .text("red")]), ("Car", [:])],
      expected: ["Car p1 color=red", "Car p2"]),
    Case(
      name: "an entity and its attribute are renamed without identifiers",
      old: entity(
        "Mood", attribute("note", "String"), attribute("colour", "String"),
        attribute("n", "Integer 16")),
      new: entity(
        "Temper", attribute("note", "String"), attribute("color", "String"),
        attribute("n", "Integer 16")),
      rows: [("Mood", ["note": .text("a"), "colour": .text("b"), "n": .integer(3)])],
      expected: ["Temper p1 color=b n=3 note=a"]),
    Case(
      name: "an attribute becomes an entity of its own",
      old: entity("Aircraft", attribute("data", "Binary"), attribute("tail", "String")),
      new: entity(
        "Aircraft", attribute("tail", "String"), toOne("data", "FlightData", inverse: "craft"))
        + entity(
          "FlightData", attribute("bytes", "Binary"), toOne("craft", "Aircraft", inverse: "data")),
      rows: [
        ("Aircraft", ["tail": .text("N1"), "data": .bytes([1, 2])]),
        ("Aircraft", ["tail": .text("N2"), "data": .bytes([1, 2])]),
        ("Aircraft", ["tail": .text("N3")]),
      ],
      expected: [
        "Aircraft p1 tail=N1 data=p1", "Aircraft p2 tail=N2 data=p2", "Aircraft p3 tail=N3",
        "FlightData p1 bytes=[1, 2] craft=p1", "FlightData p2 bytes=[1, 2] craft=p2",
      ]),
    Case(
      name: "an attribute becomes a relationship without an inverse",
      old: entity("Aircraft", attribute("data", "String")),
      new: entity("Aircraft", toOne("data", "FlightData", inverse: nil))
        + entity("FlightData", attribute("text", "String")),
      rows: [("Aircraft", ["data": .text("a")]), ("Aircraft", ["data": .text("a")])],
      expected: [
        "Aircraft p1 data=p1", "Aircraft p2 data=p2", "FlightData p1 text=a",
        "FlightData p2 text=a",
      ]),
    Case(
      name: "an attribute becomes an entity that several objects share",
      old: entity("Recipe", attribute("cuisine", "String"), attribute("title", "String")),
      new: entity(
        "Recipe", attribute("title", "String"), toOne("cuisine", "Cuisine", inverse: "recipes"))
        + cuisine,
      rows: [
        ("Recipe", ["title": .text("a"), "cuisine": .text("Thai")]),
        ("Recipe", ["title": .text("b"), "cuisine": .text("Greek")]),
        ("Recipe", ["title": .text("c"), "cuisine": .text("Thai")]),
      ],
      expected: [
        "Cuisine p1 name=Thai", "Cuisine p2 name=Greek", "Recipe p1 title=a cuisine=p1",
        "Recipe p2 title=b cuisine=p2", "Recipe p3 title=c cuisine=p1",
      ]),
    Case(
      name: "an attribute becomes a relationship to an entity that there is",
      old: entity("Recipe", attribute("cuisine", "String"))
        + entity("Cuisine", attribute("name", "String")),
      new: entity("Recipe", toOne("cuisine", "Cuisine", inverse: "recipes")) + cuisine,
      rows: [
        ("Cuisine", ["name": .text("Greek")]), ("Recipe", ["cuisine": .text("Thai")]),
        ("Recipe", ["cuisine": .text("Greek")]),
      ],
      expected: [
        "Cuisine p1 name=Greek", "Cuisine p2 name=Thai", "Recipe p1 cuisine=p2",
        "Recipe p2 cuisine=p1",
      ]),
    Case(
      name: "an entity is divided",
      old: entity(
        "Person", attribute("name", "String"), attribute("street", "String"),
        attribute("zip", "Integer 32")),
      new: entity(
        "Person", attribute("name", "String"), toOne("address", "Address", inverse: "person"))
        + entity(
          "Address", attribute("street", "String"), attribute("zip", "Integer 32"),
          toOne("person", "Person", inverse: "address")),
      rows: [
        ("Person", ["name": .text("Ann"), "street": .text("Elm"), "zip": .integer(7)]),
        ("Person", ["name": .text("Ben"), "zip": .integer(8)]), ("Person", ["name": .text("Cid")]),
      ],
      expected: [
        "Address p1 street=Elm zip=7 person=p1", "Address p2 zip=8 person=p2",
        "Person p1 name=Ann address=p1", "Person p2 name=Ben address=p2", "Person p3 name=Cid",
      ]),
    Case(
      name: "a type is narrowed",
      old: entity("A", attribute("n", "Double"), attribute("m", "Integer 64")),
      new: entity("A", attribute("n", "Integer 16"), attribute("m", "Integer 32")),
      rows: [("A", ["n": .real(5), "m": .integer(-70000)]), ("A", [:])],
      expected: ["A p1 m=-70000 n=5", "A p2"]),
    Case(
      name: "an inherited type is narrowed",
      old: entity("A", attribute("n", "Integer 64"))
        + entity("B", attribute("b", "String"), parent: "A"),
      new: entity("A", attribute("n", "Integer 16"))
        + entity("B", attribute("b", "String"), parent: "A"),
      rows: [("A", ["n": .integer(1)]), ("B", ["n": .integer(2), "b": .text("x")])],
      expected: ["A p1 n=1", "B p2 b=x n=2"]),
    Case(
      name: "a text is divided",
      old: entity("Chef", attribute("name", "String")),
      new: entity("Chef", attribute("firstName", "String"), attribute("lastName", "String")),
      rows: [("Chef", ["name": .text("Ann Lee Fox")]), ("Chef", ["name": .text("Bo")])],
      expected: ["Chef p1 firstName=Ann lastName=Lee Fox", "Chef p2 firstName=Bo"]),
    Case(
      name: "an attribute has an identifier of its own",
      old: entity("A", attribute("a", "String")),
      new: entity("A", attribute("a", "String", #"elementID="mark" versionHashModifier="2""#)),
      rows: [("A", ["a": .text("x")])], expected: ["A p1 a=x"]),
    Case(
      name: "several changes at once",
      old: entity(
        "Chef", attribute("name", "String"), attribute("age", "Integer 64"),
        attribute("home", "String")),
      new: entity(
        "Chef", attribute("firstName", "String"), attribute("lastName", "String"),
        attribute("age", "Integer 16"),
        toOne("home", "Town", inverse: "chefs"))
        + entity("Town", attribute("name", "String"), toMany("chefs", "Chef", inverse: "home")),
      rows: [
        ("Chef", ["name": .text("Ann Lee"), "age": .integer(40), "home": .text("Rome")]),
        ("Chef", ["name": .text("Bo Fox"), "home": .text("Rome")]),
      ],
      expected: [
        "Chef p1 age=40 firstName=Ann lastName=Lee home=p1",
        "Chef p2 firstName=Bo lastName=Fox home=p1",
        "Town p1 name=Rome",
      ]),
  ]

  // MARK: The road

  private static func model(_ entities: String) throws -> MatchableModel {
    MatchableModel(
      try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8))))
  }

  /// The versions of a split, with the plan of its own stages file.
  private static func plan(
    _ old: MatchableModel, _ new: MatchableModel
  ) throws -> (chain: VersionChain, plan: MigrationPlan) {
    let chain = try #require(VersionChain(from: old, to: new))
    let names = chain.steps.count == 1 ? ["New"] : ["Middle", "New"]
    let versions =
      [NamedModel(name: "Old", model: old.model)]
      + zip(names, chain.steps).map { NamedModel(name: $0, model: $1.model) }
    let stages = try StageScript(parsing: StagesText(chain, from: "Old", names: names).text)
      .resolved(among: versions, policies: PolicyRegistry(), folder: "/nowhere")
    let plan = try MigrationPlanner(versions: versions, stages: stages).plan(
      from: versions[0], to: versions[versions.count - 1], by: .staged)
    return (chain, plan)
  }

  private static func create(_ example: Case, _ model: ObjectModel, at path: String) throws {
    var store = try NewStore(
      path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for (entity, values) in example.rows { _ = try store.insert(entity, attributes: values) }
    try store.finish()
  }

  private static func objects(at path: String, _ model: ObjectModel) throws -> [String] {
    let objects = StoreObjects(try StoreReader(SQLiteStore(reading: path), model: model))
    return try model.entityNames.flatMap { entity in
      try objects.keys(of: entity, where: nil).map { key in
        let object = objects.object(key, of: entity)
        let values = try model.allAttributes(of: entity).map(\.property.name).sorted()
          .compactMap { name -> String? in
            switch try object.attributeValue(name) {
            case .null: nil
            case .integer(let number): "\(name)=\(number)"
            case .real(let number): "\(name)=\(number)"
            case .text(let text): "\(name)=\(text)"
            case .bytes(let bytes): "\(name)=\(bytes)"
            }
          }
        let links = try model.allRelationships(of: entity).filter { !$0.property.isToMany }
          .compactMap { relationship in
            try object.destinations(of: relationship).first.map {
              "\(relationship.property.name)=p\($0)"
            }
          }
        return (["\(entity) p\(key)"] + values + links).joined(separator: " ")
      }
    }.sorted()
  }

  @Test("a split migration loses nothing", arguments: cases)
  func losesNothing(example: Case) throws {
    let (old, new) = (try Self.model(example.old), try Self.model(example.new))
    let warnings = Inference(from: old, to: new).warnings
    #expect(!warnings.isEmpty)
    let (chain, plan) = try Self.plan(old, new)
    #expect(chain.steps.last?.model.versionHashes() == new.hashes)
    #expect(chain.notKept.isEmpty && chain.warnings.allSatisfy { $0.id == "loss.narrowedNumber" })
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    try Self.create(example, old.model, at: path)
    for hop in plan.hops {
      #expect(hop.warnings.isEmpty, "\(hop.warnings)")
      let report = try InPlace.run(hop, at: path).report
      #expect(report.problems.isEmpty && report.receipt.losses.isEmpty, "\(report.receipt)")
      #expect(LossCounts(report).amounts(in: Set(LossCategory.allCases)).isEmpty)
    }
    let found = try Self.objects(at: path, plan.hops[plan.hops.count - 1].to.model)
    #expect(found == example.expected.sorted())
  }

  @Test("the store loses values if it is migrated by inference in one step", arguments: cases)
  func oneStepLoses(example: Case) throws {
    let (old, new) = (try Self.model(example.old), try Self.model(example.new))
    guard example.name != "a type is narrowed", example.name != "an inherited type is narrowed"
    else {
      return
    }
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    try Self.create(example, old.model, at: path)
    let hop = try MigrationPlanner().plan(
      from: NamedModel(name: "Old", model: old.model), to: NamedModel(name: "New", model: new.model)
    ).hops[0]
    #expect(try !InPlace.run(hop, at: path).report.receipt.losses.isEmpty)
  }

  @Test("a missing conversion stops the migration if there are values")
  func unknownConversion() throws {
    let (old, new) = (
      try Self.model(Self.entity("A", Self.attribute("a", "String"))),
      try Self.model(Self.entity("A", Self.attribute("a", "Date")))
    )
    let plan = try Self.plan(old, new).plan
    for (value, stops) in [(AttributeValue.null, false), (.text("2001"), true)] {
      let folder = try TemporaryFolder()
      let path = folder.path("s.sqlite")
      var store = try NewStore(
        path: path, model: old.model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
      _ = try store.insert("A", attributes: ["a": value])
      try store.finish()
      _ = try InPlace.run(plan.hops[0], at: path)
      if stops {
        #expect(throws: MigrationError.self) { try InPlace.run(plan.hops[1], at: path) }
      } else {
        _ = try InPlace.run(plan.hops[1], at: path)
      }
    }
  }

  @Test("a stage can be repeated, and values that it omits are lost")
  func repeatedAndPartial() throws {
    let example = Self.cases[2]
    let (old, new) = (try Self.model(example.old), try Self.model(example.new))
    let chain = try #require(VersionChain(from: old, to: new))
    let versions = zip(["Old", "Middle", "New"], [old.model] + chain.steps.map(\.model)).map {
      NamedModel(name: $0, model: $1)
    }
    let copy =
      "  will: Aircraft: set tmpData = create FlightData with bytes = data when data != nil AND tmpData == nil"
    for (steps, lost, count) in [
      ([copy, copy], 0, 2),
      (["\(copy) AND tail == \"N1\""], 1, 1),
      (["  will: Aircraft: set tail = tail"], 2, 0),
    ] {
      let folder = try TemporaryFolder()
      let path = folder.path("s.sqlite")
      try Self.create(example, old.model, at: path)
      let text =
        "stage lightweight Old\nstage custom Middle -> New\n" + steps.joined(separator: "\n")
      let stages = try StageScript(parsing: text).resolved(
        among: versions, policies: PolicyRegistry(), folder: "/nowhere")
      let plan = try MigrationPlanner(versions: versions, stages: stages).plan(
        from: versions[0], to: versions[2], by: .staged)
      _ = try InPlace.run(plan.hops[0], at: path)
      let report = try InPlace.run(plan.hops[1], at: path).report
      #expect(report.receipt.losses.values == lost, "\(steps)")
      let amounts = LossCounts(report).amounts(in: [.values])
      #expect(amounts.reduce(0) { $0 + $1.count } == lost, "\(steps)")
      let objects = try Self.objects(at: path, versions[2].model)
      #expect(objects.count { $0.hasPrefix("FlightData") } == count)
    }
  }

  @Test("a string that cannot be split is lost once, although two attributes come from it")
  func emptyText() throws {
    let example = try #require(Self.cases.first { $0.name == "a text is divided" })
    let (old, new) = (try Self.model(example.old), try Self.model(example.new))
    let plan = try Self.plan(old, new).plan
    let folder = try TemporaryFolder()
    let path = folder.path("s.sqlite")
    var store = try NewStore(
      path: path, model: old.model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for name in ["", "Ann Lee"] { _ = try store.insert("Chef", attributes: ["name": .text(name)]) }
    try store.finish()
    _ = try InPlace.run(plan.hops[0], at: path)
    let report = try InPlace.run(plan.hops[1], at: path).report
    #expect(report.receipt.losses.values == 1)
    let fates = report.receipt.properties.filter { $0.lost.count > 0 }
    #expect(fates.map(\.lost.keys) == [[1]])
    #expect(LossCounts(report).amounts(in: [.values]).map(\.count) == [1])
  }

  @Test("objects are created before the migration, but not after it")
  func createdInDid() throws {
    let versions = try zip(
      ["A", "B"],
      [
        Self.entity("A"),
        Self.entity("A", Self.attribute("a", "String"), Self.toOne("r", "A", inverse: nil)),
      ]
    ).map { NamedModel(name: $0, model: try Self.model($1).model) }
    let error = try #require(throws: LineError.self) {
      _ = try StageScript(
        parsing: "stage custom A -> B\n  did: A: set r = create A with a = a"
      ).resolved(among: versions, policies: PolicyRegistry(), folder: "/nowhere")
    }
    #expect(error.diagnostic.what.hasPrefix("did cannot create objects"))
  }
}
