import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// What a hop lets go or cuts, found in the store before it.
@Suite("Losses")
struct LossTests {
  private static func model(_ build: (inout Entity) -> Void) throws -> NamedModel {
    var entity = Entity(name: "E")
    build(&entity)
    var other = Entity(name: "F")
    var back = Relationship(name: "es", destinationName: "E", isOptional: true, isToMany: true)
    back.inverseName = "f"
    other.relationships = [back]
    var forth = Relationship(name: "f", destinationName: "F", isOptional: true)
    forth.inverseName = "es"
    entity.relationships = [forth]
    return NamedModel(name: "M", model: try ObjectModel(ModelDocument(entities: [entity, other])))
  }

  /// The losses of a hop from objects with these values, as `property kind count keys`.
  private static func losses(
    _ old: [Attribute], _ new: [Attribute], _ objects: [[String: AttributeValue]],
    _ mappings: [EntityMapping]? = nil
  ) throws -> [String] {
    let (from, to) = (try model { $0.attributes = old }, try model { $0.attributes = new })
    let mapping = Inference(from: from.model, to: to.model).mapping
    let hop = MigrationPlan.Hop(
      from: from, to: to,
      parts: [
        NamedMappingModel(
          name: "m",
          mapping: try mappings.map { MappingModel(entityMappings: $0) } ?? #require(mapping))
      ], isInferred: mappings == nil, reason: "")
    let folder = try TemporaryFolder()
    var store = try NewStore(
      path: folder.path("e.sqlite"), model: from.model,
      uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for object in objects { _ = try store.insert("E", attributes: object) }
    try store.finish()
    let reader = try StoreReader(
      SQLiteStore(reading: folder.path("e.sqlite")), model: from.model)
    return try hop.losses(in: reader).map(\.finding).map { loss in
      "\(loss.property ?? "") \(loss.id) \(loss.reason) \(loss.evidence.count ?? 0) \(loss.evidence.keys.map(String.init).joined(separator: ","))"
    }
  }

  private static func attribute(_ name: String, _ type: AttributeType) -> Attribute {
    Attribute(name: name, type: type, isOptional: true)
  }

  @Test("values of a removed property are counted, and no loss is reported without values")
  func removed() throws {
    let (a, b) = (Self.attribute("a", .string), Self.attribute("b", .string))
    let found = try Self.losses(
      [a, b], [a],
      [
        ["b": .text("x")], ["a": .text("y")], ["b": .text("z")], ["b": .text("")],
        ["b": .text("1")],
      ])
    #expect(found == ["b loss.removed is removed; its values are lost 4 1,3,4"])
    #expect(try Self.losses([a, b], [a], [["a": .text("y")]]) == [])
  }

  /// The losses of an inferred hop, in a store with objects of these entities and these links of `A.o`, by their keys.
  private static func linkLosses(
    from old: String, to new: String, of entities: [String], _ links: [(Int64, Int64)]
  ) throws -> [CountedLoss] {
    func model(_ text: String) throws -> NamedModel {
      NamedModel(
        name: "M",
        model: try ObjectModel(ModelDocument(reading: Array("<model>\(text)</model>".utf8))))
    }
    let (from, to) = (try model(old), try model(new))
    let hop = MigrationPlan.Hop(
      from: from, to: to,
      parts: [
        NamedMappingModel(
          name: "m", mapping: try #require(Inference(from: from.model, to: to.model).mapping))
      ], isInferred: true, reason: "")
    let folder = try TemporaryFolder()
    var store = try NewStore(
      path: folder.path("e.sqlite"), model: from.model,
      uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for entity in entities { _ = try store.insert(entity, attributes: [:]) }
    let relationship = try #require(from.model.relationship("o", of: "A"))
    for (key, other) in links { try store.connect(relationship, of: key, to: [other]) }
    try store.finish()
    let reader = try StoreReader(SQLiteStore(reading: folder.path("e.sqlite")), model: from.model)
    return try hop.losses(in: reader)
  }

  /// The to-one end `o` of an entity and the to-many end `es` of another one.
  private static func ends(_ one: String, _ other: String) -> (o: String, es: String) {
    (
      #"<relationship name="o" optional="YES" maxCount="1" destinationEntity="\#(other)" inverseName="es" inverseEntity="\#(other)"/>"#,
      #"<relationship name="es" optional="YES" toMany="YES" destinationEntity="\#(one)" inverseName="o" inverseEntity="\#(one)"/>"#
    )
  }

  @Test(
    "links are lost where the other end no longer takes the objects: an entity leaves its parent, or the end moves down",
    arguments: [false, true])
  func narrowedDestination(movesDown: Bool) throws {
    let (before, after) = (Self.ends("A", "O"), Self.ends("B", "O"))
    let lost = try Self.linkLosses(
      from:
        #"<entity name="A">\#(before.o)</entity><entity name="B" parentEntity="A"/><entity name="O">\#(before.es)</entity>"#,
      to: movesDown
        ? #"<entity name="A"/><entity name="B" parentEntity="A">\#(after.o)</entity><entity name="O">\#(after.es)</entity>"#
        : #"<entity name="A">\#(before.o)</entity><entity name="B"/><entity name="O">\#(before.es)</entity>"#,
      of: ["O", "A", "B", "A"], [(1, 1), (2, 1), (3, 1)]
    ).map { "\($0.finding.location) \($0.finding.id) \($0.finding.evidence.count ?? 0)" }
    // Two objects of A, or one of B.
    #expect(lost == (movesDown ? ["A.o loss.removed 2"] : ["B.o loss.removed 1"]), "\(lost)")
  }

  @Test("a link that both ends lose is lost once")
  func narrowedEnds() throws {
    let (before, after) = (Self.ends("A", "O"), Self.ends("B", "P"))
    let lost = try Self.linkLosses(
      from:
        #"<entity name="A">\#(before.o)</entity><entity name="B" parentEntity="A"/><entity name="O">\#(before.es)</entity><entity name="P" parentEntity="O"/>"#,
      to:
        #"<entity name="A"/><entity name="B" parentEntity="A">\#(after.o)</entity><entity name="O"/><entity name="P" parentEntity="O">\#(after.es)</entity>"#,
      of: ["A", "B", "A", "B", "O", "P"], [(1, 1), (2, 1), (3, 2), (4, 2)])
    // Only that of B and P stays.
    #expect(
      lost.reduce(0) { $0 + ($1.finding.evidence.count ?? 0) } == 3, "\(lost.map(\.finding))")
  }

  @Test("values of a renamed property are kept")
  func renamed() throws {
    var renamed = Self.attribute("c", .string)
    renamed.renamingIdentifier = "a"
    #expect(try Self.losses([Self.attribute("a", .string)], [renamed], [["a": .text("y")]]) == [])
  }

  @Test(
    "numbers out of range for a type are counted",
    arguments: [
      (
        AttributeType.double, AttributeType.integer16,
        [
          "a loss.outOfRange does not fit Integer 16 1 3",
          "a loss.truncated is truncated to Integer 16 1 2",
        ]
      ),
      (.integer64, .integer16, ["a loss.outOfRange does not fit Integer 16 1 3"]),
      (.integer64, .integer32, []),
      (.double, .boolean, ["a loss.outOfRange is neither 0 nor 1 and is stored as true 2 2,3"]),
      (.integer16, .integer64, []),
      (.integer16, .double, []),
    ] as [(AttributeType, AttributeType, [String])])
  func numbers(old: AttributeType, new: AttributeType, expected: [String]) throws {
    let second: AttributeValue = old == .double ? .real(2.5) : .integer(1)
    let third: AttributeValue = old == .double ? .real(70_000) : .integer(70_000)
    let found = try Self.losses(
      [Self.attribute("a", old)], [Self.attribute("a", new)],
      [["a": old == .double ? .real(1) : .integer(1)], ["a": second], ["a": third]])
    #expect(found.sorted() == expected)
  }

  @Test(
    "a number other than 0 and 1 becomes true in all executors, and is counted",
    arguments: [.integer16, .integer32, .integer64, .decimal, .double, .float] as [AttributeType])
  func booleans(old: AttributeType) throws {
    let isWhole = [.integer16, .integer32, .integer64].contains(old)
    let numbers: [Double] = isWhole ? [-3, -1, 0, 1, 2, 7] : [-3, -0.25, 0, 0.25, 0.5, 1, 1.5, 7]
    let (from, to) = (
      try Self.model { $0.attributes = [Self.attribute("a", old)] },
      try Self.model { $0.attributes = [Self.attribute("a", .boolean)] }
    )
    let hop = try #require(try MigrationPlanner().plan(from: from, to: to).hops.first)
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: from.model, uuid: "A")
    for number in numbers {
      let value: AttributeValue = isWhole ? .integer(Int64(number)) : .real(number)
      _ = try store.insert("E", attributes: ["a": value])
    }
    _ = try store.insert("E", attributes: [:])
    try store.finish()
    var reports: [String: MigrationReport] = [:]
    for (name, executor) in [("objects", PassesRun.Executor.objects), ("sql", .fastest)] {
      reports[name] =
        try Passes.run(hop, from: path, into: folder.path(name), executor: executor).report
    }
    reports["old.sqlite"] = try InPlace.run(hop, at: path).report
    let expected: [AttributeValue?] = numbers.map { .integer($0 == 0 ? 0 : 1) } + [.null]
    for (name, report) in reports {
      #expect(
        report.numbers.map { "\($0.affected.count) \($0.finding.reason)" } == [
          "\(numbers.count - 2) is neither 0 nor 1 and is stored as true"
        ], "\(name)")
      let reader = try StoreReader(SQLiteStore(reading: folder.path(name)), model: to.model)
      let values = try reader.keys(of: "E").map { try reader.object($0, of: "E")?.attributes["a"] }
      #expect(values == expected, "\(name)")
    }
  }

  @Test(
    "an integer that exceeds the precision of a double is rounded in all executors, and counted",
    arguments: [AttributeType.double, .float])
  func rounded(new: AttributeType) throws {
    let numbers: [Int64] = [
      .min, -9_007_199_254_740_993, 0, 1, 9_007_199_254_740_991, 9_007_199_254_740_992,
      9_007_199_254_740_993, .max,
    ]
    let (from, to) = (
      try Self.model { $0.attributes = [Self.attribute("a", .integer64)] },
      try Self.model { $0.attributes = [Self.attribute("a", new)] }
    )
    let hop = try #require(try MigrationPlanner().plan(from: from, to: to).hops.first)
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: from.model, uuid: "A")
    for number in numbers { _ = try store.insert("E", attributes: ["a": .integer(number)]) }
    try store.finish()
    let predicted = try hop.losses(
      in: StoreReader(SQLiteStore(reading: path), model: from.model)
    ).map(\.finding)
    var reports: [String: MigrationReport] = [:]
    for (name, executor) in [("objects", PassesRun.Executor.objects), ("sql", .fastest)] {
      reports[name] =
        try Passes.run(hop, from: path, into: folder.path(name), executor: executor).report
    }
    reports["in place"] = try InPlace.run(hop, at: path).report
    for (name, report) in reports {
      #expect(report.numbers.map(\.affected.keys) == [[2, 7, 8]], "\(name)")
      #expect(report.numbers.map(\.rule.caseName) == ["rounded"], "\(name)")
      #expect(report.receipt.losses == Receipt.Losses(rounded: 3), "\(name)")
    }
    #expect(predicted.map(\.evidence.keys) == [[2, 7, 8]])
  }

  @Test("values of a kept property that a mapping model omits are unread")
  func unread() throws {
    let a = Self.attribute("a", .string)
    let mapping = EntityMapping(
      name: "EToE", kind: .custom, sourceName: "E", destinationName: "E")
    #expect(
      try Self.losses([a], [a], [["a": .text("x")]], [mapping])
        == ["a loss.unread no property mapping reads it; its values are lost 1 1"])
  }

  @Test("values that a policy or a complex expression can read are not reported as lost")
  func policies() throws {
    let (a, b) = (Self.attribute("a", .string), Self.attribute("b", .string))
    var mapping = EntityMapping(
      name: "EToE", kind: .custom, sourceName: "E", destinationName: "E")
    #expect(
      try Self.losses([a, b], [a], [["b": .text("x")]], [mapping]) == [
        "b loss.removed is removed; its values are lost 1 1"
      ]
    )
    mapping.attributeMappings = [
      PropertyMapping(name: "a", expression: .keyPath(of: .variable("source"), ["b"]))
    ]
    #expect(try Self.losses([a, b], [a], [["b": .text("x")]], [mapping]) == [])
    mapping.attributeMappings = []
    mapping.policyName = "Policy"
    #expect(try Self.losses([a, b], [a], [["b": .text("x")]], [mapping]) == [])
  }
}
