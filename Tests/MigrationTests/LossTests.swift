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
  ///
  /// - Parameter edit: A change of the inferred mapping model, which is then a written one.
  private static func linkLosses(
    from old: String, to new: String, of entities: [String], _ links: [(Int64, Int64)],
    editing edit: ((inout MappingModel) -> Void)? = nil
  ) throws -> [CountedLoss] {
    func model(_ text: String) throws -> NamedModel {
      NamedModel(
        name: "M",
        model: try ObjectModel(ModelDocument(reading: Array("<model>\(text)</model>".utf8))))
    }
    let (from, to) = (try model(old), try model(new))
    let inference = Inference(from: from.model, to: to.model)
    var mapping = try #require(inference.mapping)
    edit?(&mapping)
    let hop = MigrationPlan.Hop(
      from: from, to: to, parts: [NamedMappingModel(name: "m", mapping: mapping)],
      isInferred: edit == nil, losses: edit == nil ? inference.losses : nil, reason: "")
    let folder = try TemporaryFolder()
    let path = folder.path("e.sqlite")
    var store = try NewStore(
      path: path, model: from.model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for entity in entities { _ = try store.insert(entity, attributes: [:]) }
    let relationship = try #require(from.model.relationship("o", of: "A"))
    for (key, others) in Dictionary(grouping: links, by: \.0).sorted(by: { $0.key < $1.key }) {
      try store.connect(relationship, of: key, to: others.map(\.1))
    }
    try store.finish()
    let losses = try hop.losses(
      in: StoreReader(SQLiteStore(reading: path), model: from.model))
    // What is foreseen is lost.
    let report = try Passes.run(hop, from: path, into: folder.path("new.sqlite")).report
    #expect(
      losses.contains { $0.loss.kind != .order } == (report.links.reduce(0) { $0 + $1.lost } > 0),
      "\(losses.map(\.finding.message)), \(report.links)")
    return losses
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

  /// Models of entities A to D, with relationships such as `A.i=>*P:r` (to-many, inverse `r`) and parents such as `B<P`.
  private static func entities(_ text: String) -> String {
    let parts = text.split(separator: " ")
    return parts.filter { !$0.contains(".") }.map { part in
      let names = part.split(separator: "<")
      let relationships = parts.filter { $0.hasPrefix("\(names[0]).") }.map { relationship in
        let ends = relationship.dropFirst(2).split(separator: "=").map(String.init)
        let isToMany = ends[1].hasPrefix(">*")
        let target = ends[1].drop { ">*".contains($0) }.split(separator: ":")
        let inverse =
          target.count > 1 ? #"inverseName="\#(target[1])" inverseEntity="\#(target[0])""# : ""
        return
          #"<relationship name="\#(ends[0])" optional="YES" \#(isToMany ? #"toMany="YES""# : #"maxCount="1""#) destinationEntity="\#(target[0])" \#(inverse)/>"#
      }
      let parent = names.count > 1 ? #"parentEntity="\#(names[1])""# : ""
      return #"<entity name="\#(names[0])" \#(parent)>\#(relationships.joined())</entity>"#
    }.joined()
  }

  @Test(
    "links that a direction of a relationship loses are foreseen, with or without an inverse before",
    arguments: [
      // B leaves the destination, and has the other direction by itself.
      ("A P B<P A.o=>*P:r P.r=>A:o", "A P B A.o=>*P P.r=>A B.r=>A", ["A", "P", "B"], 1),
      ("A P B<P A.o=>*P:r P.r=>A:o", "A P B A.o=>*P:r P.r=>A:o B.r=>A", ["A", "P", "B"], 1),
      ("A P B<P A.o=>*P:r P.r=>A:o", "A P B<P A.o=>*B P.r=>A", ["A", "P", "B"], 1),
      ("A P B<P A.o=>*P", "A P B<P A.o=>*B", ["A", "P", "B"], 1),
      // An own inverse without a hash of its own.
      ("A A.o=>*A:o", "A A.o=>*A", ["A", "A", "A"], 1),
      ("A P B<P A.o=>*P:r P.r=>A:o", "A P B<P A.o=>*P:r P.r=>A:o", ["A", "P", "B"], 0),
    ] as [(String, String, [String], Int)])
  func directions(old: String, new: String, entities: [String], lost: Int) throws {
    let ends: [(Int64, Int64)] = old.contains("P") ? [(1, 1), (1, 2)] : [(1, 2), (1, 3)]
    let losses = try Self.linkLosses(
      from: Self.entities(old), to: Self.entities(new), of: entities, ends)
    let shown = losses.map {
      "\($0.finding.location) \($0.finding.id) \($0.finding.evidence.count ?? 0)"
    }
    #expect(losses.isEmpty == (lost == 0), "\(shown)")
    if lost > 0 { #expect(shown.allSatisfy { $0.hasPrefix("A.o ") }, "\(shown)") }
  }

  @Test("a direction that a written mapping model leaves unset is lost, although the other is kept")
  func unsetDirection() throws {
    for (old, new) in [
      ("A B A.o=>B:s B.s=>A:o", "A B A.o=>B B.s=>A"),
      ("A B A.o=>B:s B.s=>A:o", "A B A.o=>B:n B.n=>A:o B.s=>A"),
      ("A B A.o=>*B:s B.s=>*A:o", "A B A.o=>*B B.s=>*A"),
    ] {
      let losses = try Self.linkLosses(
        from: Self.entities(old), to: Self.entities(new), of: ["A", "B"], [(1, 1)]
      ) { mapping in
        for index in mapping.entityMappings.indices
        where mapping.entityMappings[index].sourceName == "A" {
          for other in mapping.entityMappings[index].relationshipMappings.indices {
            mapping.entityMappings[index].relationshipMappings[other].expression = nil
          }
        }
      }
      #expect(
        losses.map { "\($0.finding.location) \($0.finding.id) \($0.finding.evidence.count ?? 0)" }
          == [
            "A.o loss.unread 1"
          ], "\(new)")
    }
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
