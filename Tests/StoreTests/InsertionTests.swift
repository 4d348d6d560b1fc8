import Foundation
import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("Insertions")
struct InsertionTests {
  /// People with a unique name, an age within bounds, one partner, friends in order, and a home.
  private static func model() throws -> ObjectModel {
    var person = Entity(name: "Person")
    person.attributes = [
      Attribute(name: "name", type: .string),
      Attribute(name: "age", type: .integer16, isOptional: true),
      Attribute(name: "photo", type: .binary, isOptional: true),
    ]
    person.attributes[1].extras.attributes["minValueString"] = "0"
    person.attributes[1].extras.attributes["maxValueString"] = "150"
    person.attributes[2].allowsExternalBinaryStorage = true
    person.uniquenessConstraints = [["name"]]
    var partner = Relationship(name: "partner", destinationName: "Person", isOptional: true)
    partner.inverseName = "partnerOf"
    var partnerOf = Relationship(name: "partnerOf", destinationName: "Person", isOptional: true)
    partnerOf.inverseName = "partner"
    var friends = Relationship(
      name: "friends", destinationName: "Person", isOptional: true, isToMany: true)
    friends.isOrdered = true
    friends.inverseName = "friendOf"
    friends.declaredMaxCount = 2
    var friendOf = Relationship(
      name: "friendOf", destinationName: "Person", isOptional: true, isToMany: true)
    friendOf.inverseName = "friends"
    var home = Relationship(name: "home", destinationName: "Place", isOptional: true)
    home.inverseName = "people"
    person.relationships = [friendOf, friends, home, partner, partnerOf]
    var place = Entity(name: "Place")
    place.attributes = [Attribute(name: "street", type: .string, isOptional: true)]
    var people = Relationship(
      name: "people", destinationName: "Person", isOptional: true, isToMany: true)
    people.isOrdered = true
    people.inverseName = "home"
    place.relationships = [people]
    var house = Entity(name: "House", superentityName: "Place")
    house.attributes = [Attribute(name: "floors", type: .integer32, defaultValue: "2")]
    return try ObjectModel(ModelDocument(entities: [person, place, house]))
  }

  private static func emptyStore(_ folder: TemporaryFolder) throws -> (String, ObjectModel) {
    let (path, model) = (folder.path("people.sqlite"), try model())
    var store = try NewStore(path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    try store.finish()
    return (path, model)
  }

  private static func value(_ sql: String, _ path: String) throws -> [[AttributeValue]] {
    var rows: [[AttributeValue]] = []
    let store = try SQLiteStore(reading: path)
    try store.connection.query(sql) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  @Test("keys, counters, order keys and entity numbers are as Core Data writes them")
  func columns() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.emptyStore(folder)
    func insert(
      _ entity: String, _ values: [String: AttributeValue], _ links: [String: [Int64]] = [:]
    ) throws -> (key: Int64, changed: [ObjectRef]) {
      try StoreInsertion(entity, attributes: values, relationships: links)
        .perform(at: path, model: model)
    }
    #expect(try insert("House", ["street": .text("Elm")]).key == 1)
    #expect(try insert("Person", ["name": .text("Ann")], ["home": [1]]).key == 1)
    let second = try insert(
      "Person", ["name": .text("Bob")], ["home": [1], "partner": [1], "friends": [1]])
    #expect(second.key == 2)
    #expect(second.changed.map(\.entity) == ["Person"] && second.changed.map(\.key) == [1])
    // Bob loses Ann to Cid.
    try #expect(
      insert("Person", ["name": .text("Cid")], ["partner": [1], "friends": [2, 1]]).key == 3)
    #expect(
      try Self.value(
        "SELECT Z_PK, Z_ENT, Z_OPT, ZHOME, Z2_HOME, Z_FOK_HOME, ZPARTNER, ZPARTNEROF FROM ZPERSON",
        path)
        == [
          [
            .integer(1), .integer(1), .integer(3), .integer(1), .integer(3), .integer(2048), .null,
            .integer(3),
          ],
          [
            .integer(2), .integer(1), .integer(2), .integer(1), .integer(3), .integer(3072), .null,
            .null,
          ],
          [.integer(3), .integer(1), .integer(1), .null, .null, .null, .integer(1), .null],
        ])
    #expect(
      try Self.value("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", path)
        == [[.integer(1), .integer(3)], [.integer(2), .integer(1)], [.integer(3), .integer(0)]])
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    let friends = try #require(model.relationship("friends", of: "Person"))
    #expect(try reader.destinations(of: friends, from: 3) == [2, 1])
    for entity in ["Person", "Place", "House"] {
      try reader.forEachProblem(of: entity) { Issue.record("\($0.location) \($0.reason)") }
    }
    #expect(try Python.integrity(of: path) == "ok")
  }

  private static func refusals() -> [(String, StoreInsertion, [Int])] {
    [
      (
        "a missing required value", StoreInsertion("Person", attributes: ["age": .integer(3)]),
        [1570]
      ),
      (
        "a wrong type",
        StoreInsertion("Person", attributes: ["name": .text("x"), "age": .text("old")]), [1550]
      ),
      (
        "a number that no Integer 16 holds",
        StoreInsertion("Person", attributes: ["name": .text("x"), "age": .integer(70_000)]), [1550]
      ),
      (
        "a value beyond its bound",
        StoreInsertion("Person", attributes: ["name": .text("x"), "age": .integer(151)]), [1610]
      ),
      (
        "a value below its bound, and a missing one",
        StoreInsertion("Person", attributes: ["age": .integer(-1)]), [1570, 1620]
      ),
      (
        "a dangling relationship",
        StoreInsertion("Person", attributes: ["name": .text("x")], relationships: ["home": [99]]),
        [133000]
      ),
      (
        "a duplicate of a unique constraint",
        StoreInsertion("Person", attributes: ["name": .text("Ann")]), [133021]
      ),
      (
        "more friends than there may be",
        StoreInsertion(
          "Person", attributes: ["name": .text("x")], relationships: ["friends": [1, 2, 3]]), [1590]
      ),
    ]
  }

  @Test("an invalid object is refused with Core Data's code, and no byte changes")
  func refused() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.emptyStore(folder)
    for name in ["Ann", "Bob", "Cid"] {
      _ = try StoreInsertion("Person", attributes: ["name": .text(name)])
        .perform(at: path, model: model)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for (what, insertion, codes) in Self.refusals() {
      let refusal = #expect(throws: RefusedChange.self, "\(what)") {
        try insertion.perform(at: path, model: model)
      }
      #expect(refusal?.problems.compactMap(\.code?.rawValue).sorted() == codes, "\(what)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before, "\(what)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["people.sqlite"])
  }

  @Test("large data is written to an external file and read back; a refused object leaves no file")
  func external() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.emptyStore(folder)
    let photo = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    _ = try StoreInsertion(
      "Person", attributes: ["name": .text("Ann"), "photo": .bytes(photo)]
    ).perform(at: path, model: model)
    let support = folder.path(".people_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: support).count == 1)
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    let shape = reader.shape(of: "Person")
    let index = try #require(shape?.index(of: "photo"))
    try reader.forEachRow(of: "Person") { #expect($0.values[index] == .bytes(photo)) }
    #expect(throws: RefusedChange.self) {
      try StoreInsertion(
        "Person", attributes: ["name": .text("Eve"), "photo": .bytes(photo), "age": .integer(999)]
      ).perform(at: path, model: model)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: support).count == 1)
  }

  @Test("an external reference that is not an upper-case UUID is an error, and not used as a path")
  func hostileReferences() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.emptyStore(folder)
    _ = try StoreInsertion("Person", attributes: ["name": .text("Ann"), "photo": .bytes([1, 2])])
      .perform(at: path, model: model)
    let good = "374C5961-3E41-43E5-915C-383EA914074C"
    let names = [
      "../../../../../../etc/hostname\0\0\0\0\0\0\0", good.lowercased() + "\0", good,
      "/etc/passwd\0",
      good.replacingOccurrences(of: "-", with: "/") + "\0", "",
    ]
    for name in names {
      let store = try StoreFixture.OpenStore(path)
      try store.run("UPDATE ZPERSON SET ZPHOTO = ?", blob: [2] + Array(name.utf8))
      store.close()
      let reader = try StoreReader(SQLiteStore(reading: path), model: model)
      #expect(throws: StoreError.badExternalReference, "\(name)") {
        try reader.forEachRow(of: "Person") { _ in }
      }
    }
    let store = try StoreFixture.OpenStore(path)
    try store.run("UPDATE ZPERSON SET ZPHOTO = ?", blob: [2] + Array(good.utf8) + [0])
    store.close()
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    #expect(throws: StoreError.missingExternalFile(good)) {
      try reader.forEachRow(of: "Person") { _ in }
    }
  }

  @Test("an object that loses a partner to the new object is reported and validated")
  func displaced() throws {
    let folder = try TemporaryFolder()
    var wing = Entity(name: "Wing")
    var bird = Relationship(name: "bird", destinationName: "Bird", isOptional: false)
    bird.inverseName = "wing"
    wing.relationships = [bird]
    var back = Relationship(name: "wing", destinationName: "Wing", isOptional: true)
    back.inverseName = "bird"
    var owner = Entity(name: "Bird")
    owner.relationships = [back]
    let model = try ObjectModel(ModelDocument(entities: [wing, owner]))
    let path = folder.path("birds.sqlite")
    var store = try NewStore(path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    try store.finish()
    func insert(_ entity: String, _ links: [String: [Int64]]) throws -> [ObjectRef] {
      try StoreInsertion(entity, relationships: links).perform(at: path, model: model).changed
    }
    _ = try insert("Bird", [:])
    _ = try insert("Wing", ["bird": [1]])
    // The first wing would be without its bird, which it needs.
    let refusal = #expect(throws: RefusedChange.self) {
      _ = try insert("Wing", ["bird": [1]])
    }
    #expect(
      refusal?.problems.map(\.code) == [.validationMissingMandatoryProperty]
        && refusal?.problems.first?.location.object == 1)
    // A bird may be without a wing: it is told.
    let changed = try insert("Bird", ["wing": [1]])
    #expect(changed.map(\.entity) == ["Bird", "Wing"] && changed.map(\.key) == [1, 1])
  }

  @Test(
    "a relationship that is its own inverse gets both directions",
    arguments: [false, true])
  func ownInverse(isToMany: Bool) throws {
    var person = Entity(name: "Person")
    var friends = Relationship(
      name: "friends", destinationName: "Person", isOptional: true, isToMany: isToMany)
    friends.inverseName = "friends"
    person.relationships = [friends]
    let model = try ObjectModel(ModelDocument(entities: [person]))
    let folder = try TemporaryFolder()
    let path = folder.path("friends.sqlite")
    var store = try NewStore(path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    try store.finish()
    for links in isToMany ? [[], [1], [2, 1]] : [[], [1]] as [[Int64]] {
      _ = try StoreInsertion("Person", relationships: ["friends": links])
        .perform(at: path, model: model)
    }
    let found: String
    if isToMany {
      found = try (1...3).map { key in
        try Python.value(
          "SELECT group_concat(REFLEXIVE) FROM (SELECT REFLEXIVE FROM Z_1FRIENDS WHERE Z_1FRIENDS = \(key) ORDER BY 1)",
          in: path)
      }.joined(separator: " ")
    } else {
      found = try Python.value(
        "SELECT group_concat(ZFRIENDS) FROM (SELECT ZFRIENDS FROM ZPERSON ORDER BY Z_PK)", in: path)
    }
    #expect(found == (isToMany ? "2,3 1,3 1,2" : "2,1"))
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    var problems: [Finding] = []
    try reader.forEachProblem(of: "Person", .stored) { problems.append($0) }
    try reader.forEachTableProblem { problems.append($0) }
    #expect(problems.isEmpty, "\(problems)")
  }

  /// Triggers of a hostile store: without end, without bound, and against what a store needs.
  private static let triggers = [
    "AFTER INSERT ON ZPERSON BEGIN INSERT INTO loot WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c; END",
    "AFTER INSERT ON ZPERSON BEGIN INSERT INTO loot WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 300) SELECT randomblob(10000000) FROM c; END",
    "BEFORE INSERT ON ZPERSON BEGIN SELECT raise(IGNORE); END",
    "AFTER INSERT ON ZPERSON BEGIN DELETE FROM Z_METADATA; DELETE FROM Z_PRIMARYKEY; END",
  ]

  @Test(
    "triggers of a hostile store neither run forever nor fill the disk, and nothing is inserted",
    arguments: triggers)
  func hostileTriggers(trigger: String) throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.emptyStore(folder)
    try StoreFixture.run(["CREATE TABLE loot (x)", "CREATE TRIGGER t \(trigger)"], on: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: StoreError.self) {
      try StoreInsertion("Person", attributes: ["name": .text("Ann")])
        .perform(at: path, model: model)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["people.sqlite"])
  }

  @Test(
    "without a row that counts the keys of its table, nothing is inserted",
    arguments: ["DELETE FROM Z_PRIMARYKEY", "DROP TABLE Z_PRIMARYKEY"])
  func uncountedKeys(sql: String) throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.emptyStore(folder)
    try StoreFixture.run([sql], on: path)
    let error = #expect(throws: RefusedChange.self) {
      try StoreInsertion("Person", attributes: ["name": .text("Ann")])
        .perform(at: path, model: model)
    }
    #expect(error?.problems.map(\.id) == ["validation.noEntityRow"])
  }

  @Test("an insertion after the highest key is an error")
  func lastKey() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.emptyStore(folder)
    try StoreFixture.run(["UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807"], on: path)
    #expect(throws: StoreError.noKeysLeft(entity: "Person")) {
      try StoreInsertion("Person", attributes: ["name": .text("Ann")])
        .perform(at: path, model: model)
    }
  }

  @Test("an insertion waits for another writer, then fails")
  func busy() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.emptyStore(folder)
    let other = try StoreFixture.OpenStore(path)
    try other.run("BEGIN IMMEDIATE")
    #expect(throws: StoreError.self) {
      try StoreInsertion("Person", attributes: ["name": .text("Ann")]).perform(
        at: path, model: model)
    }
    try other.run("ROLLBACK")
    other.close()
    #expect(
      try StoreInsertion("Person", attributes: ["name": .text("Ann")]).perform(
        at: path, model: model
      )
      .key == 1)
  }
}
