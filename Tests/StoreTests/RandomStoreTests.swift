import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Random models, random graphs: made, written, read and compared by more than one road.
@Suite("Random stores")
struct RandomStoreTests {
  private static func store(
    _ seed: UInt64, in folder: TemporaryFolder
  ) throws -> (path: String, model: ObjectModel) {
    var random = SeededRandom(seed: seed)
    let model = try RandomModel.make(using: &random)
    let path = folder.path("\(seed).sqlite")
    var store = try NewStore(path: path, model: model, uuid: random.uuidText())
    var generator = StoreGenerator(model, rows: Int.random(in: 1...12, using: &random), seed: seed)
    try generator.fill(&store)
    try store.finish()
    return (path, model)
  }

  private static func reader(_ path: String, _ model: ObjectModel) throws -> StoreReader {
    try StoreReader(SQLiteStore(reading: path), model: model)
  }

  @Test("a generated store is valid, has its model's schema, and passes SQLite's integrity check")
  func generated() throws {
    let folder = try TemporaryFolder()
    var objects = 0
    for seed in UInt64(1)...150 {
      let (path, model) = try Self.store(seed, in: folder)
      let reader = try Self.reader(path, model)
      for entity in model.entities where !entity.isAbstract {
        objects += try reader.count(of: entity.name)
        try reader.forEachProblem(of: entity.name) { problem in
          Issue.record(
            "\(seed): \(problem.location) \(problem.reason)")
        }
      }
      let comparison = SchemaComparison(StoreSchema(model), found: try reader.store.schema())
      #expect(comparison.isInOrder && comparison.missing.isEmpty && comparison.different.isEmpty)
      #expect(try reader.store.cachedModel()?.versionHashes() == model.versionHashes(), "\(seed)")
      if seed % 10 == 0 { #expect(try Python.integrity(of: path) == "ok", "\(seed)") }
    }
    #expect(objects > 1000)
  }

  @Test("generated links keep every bound, in relationships of all shapes", arguments: [1, 2, 20])
  func bounds(rows: Int) throws {
    let folder = try TemporaryFolder()
    let model = try ObjectModel(
      brief: """
        P
          name String
          spouse -> P inverse=spouse
          friends -> P many inverse=friends
        R
          peers -> R many ordered inverse=peers
          ts -> T many maxCount=2 inverse=rs
          kids -> T many maxCount=2 inverse=parent
        T
          flag Boolean
          number Integer_16
          word String derived derivationExpression=parent.name
          rs -> R many inverse=ts
          parent -> R inverse=kids
          unique flag number
          unique word number
        """)
    let path = folder.path("s.sqlite")
    var store = try NewStore(path: path, model: model, uuid: "A")
    var generator = StoreGenerator(model, rows: rows, seed: 3)
    try generator.fill(&store)
    try store.finish()
    let reader = try Self.reader(path, model)
    for entity in model.entityNames {
      try reader.forEachProblem(of: entity) { Issue.record("\($0)") }
    }
    for (name, entity) in [("spouse", "P"), ("friends", "P"), ("peers", "R")] {
      let end = try #require(model.relationship(name, of: entity))
      let keys = try reader.keys(of: entity)
      let links = try keys.map { try Set(reader.destinations(of: end, from: $0)) }
      for (key, found) in zip(keys, links) {
        for other in found { #expect(links[Int(other) - 1].contains(key), "\(name) \(key)") }
      }
      #expect(rows == 1 || links.contains { !$0.isEmpty }, "\(name)")
    }
  }

  @Test(
    "unique values are within their bounds, where there are enough",
    arguments: [
      "Integer_16 required maxValueString=10", "Integer_16 required maxValueString=-5",
      "Integer_64 required minValueString=3 maxValueString=12", "Integer_64 maxValueString=9",
      "Boolean", "Double required maxValueString=2.5", "Float required maxValueString=0.1",
      "Double required minValueString=1 maxValueString=2",
      "Float required minValueString=0.1 maxValueString=0.2", "Decimal required maxValueString=-1",
      "Date required", "String required maxValueString=2", "Transformable required",
    ])
  func unique(attribute: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    let model = try ObjectModel(brief: "A\n  a \(attribute)\n  unique a")
    var store = try NewStore(path: path, model: model, uuid: "A")
    var generator = StoreGenerator(model, rows: 10, seed: 1)
    try generator.fill(&store)
    try store.finish()
    var problems: [Finding] = []
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    try reader.forEachProblem(of: "A") { problems.append($0) }
    #expect(problems.isEmpty, "\(problems)")
    let repeated = "SELECT count(ZA) - count(DISTINCT ZA) FROM ZA"
    #expect(try Python.value(repeated, in: path) == "0")
  }

  @Test(
    "objects of a bounded relationship that is its own inverse have partners within the bounds, where that is possible",
    arguments: [0, 1, 2, 3, 4], [false, true])
  func partners(minimum: Int, isOrdered: Bool) throws {
    let folder = try TemporaryFolder()
    for maximum in [0, 2, 3, 5]
    where (maximum == 0 || maximum >= minimum) && maximum + minimum > 0 {
      var peers = Relationship(name: "peers", destinationName: "A")
      (peers.inverseName, peers.inverseEntityName) = ("peers", "A")
      (peers.isDeclaredToMany, peers.isOrdered, peers.isOptional) = (true, isOrdered, minimum == 0)
      (peers.minCount, peers.declaredMaxCount) = (minimum, maximum)
      var entity = Entity(name: "A")
      entity.relationships = [peers]
      let model = try ObjectModel(ModelDocument(entities: [entity]))
      for rows in 1...8 {
        let path = folder.path("\(maximum) \(rows).sqlite")
        var store = try NewStore(path: path, model: model, uuid: "A")
        var generator = StoreGenerator(model, rows: rows, seed: 1)
        try generator.fill(&store)
        try store.finish()
        let counts = try Python.run(
          """
          import sqlite3, sys
          links = sqlite3.connect(sys.argv[1]).execute("SELECT * FROM Z_1PEERS").fetchall()
          links = {row[:2] for row in links}
          assert links == {(b, a) for a, b in links} and not any(a == b for a, b in links)
          print(*(sum(a == key for a, b in links) for key in range(1, int(sys.argv[2]) + 1)))
          """, arguments: [path, String(rows)]
        ).split(separator: " ").compactMap { Int($0.trimmingCharacters(in: .newlines)) }
        let wanted = max(1, minimum)
        // An odd number of objects cannot have an odd number of partners each.
        let isPossible = rows > wanted && (maximum != wanted || rows * wanted % 2 == 0)
        #expect(maximum == 0 || counts.allSatisfy { $0 <= maximum }, "\(maximum) \(rows) \(counts)")
        #expect(!isPossible || counts.allSatisfy { $0 >= wanted }, "\(maximum) \(rows) \(counts)")
      }
    }
  }

  @Test("the same seed gives the same file, byte for byte; another seed a different one")
  func repeatable() throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    for seed in UInt64(1)...10 {
      let one = try Data(contentsOf: URL(fileURLWithPath: Self.store(seed, in: first).path))
      let other = try Data(contentsOf: URL(fileURLWithPath: Self.store(seed, in: second).path))
      #expect(one == other, "\(seed)")
    }
  }

  /// Writes a store anew with other keys: what `compare --rows` must not see.
  private static func shuffled(
    _ reader: borrowing StoreReader, to path: String, using random: inout SeededRandom
  ) throws {
    let model = reader.model
    var keys: [String: [Int64: Int64]] = [:]
    for table in reader.layout.tables {
      var old: [Int64] = []
      for entity in reader.layout.entityOrder where model.rootName(of: entity) == table.rootEntity {
        old += try reader.keys(of: entity)
      }
      let new = (0..<old.count).map { Int64($0 * 3 + 7) }.shuffled(using: &random)
      keys[table.rootEntity] = Dictionary(uniqueKeysWithValues: zip(old, new))
    }
    var store = try NewStore(path: path, model: model, uuid: reader.store.metadata.uuid)
    for entity in reader.layout.entityOrder {
      guard let shape = reader.shape(of: entity) else { continue }
      try reader.forEachRow(of: entity) { row in
        var moved = row
        moved.key = keys[model.rootName(of: entity)]?[row.key] ?? 0
        for (place, content) in shape.contents.enumerated() {
          guard let destination = content.destination, case .integer(let key) = row.values[place]
          else { continue }
          moved.values[place] = .integer(keys[model.rootName(of: destination)]?[key] ?? 0)
        }
        try store.insert(moved, of: entity)
      }
    }
    for relationship in reader.joinedRelationships {
      let own = keys[model.rootName(of: relationship.declaringEntity)] ?? [:]
      let other = keys[model.rootName(of: relationship.property.destinationName)] ?? [:]
      try reader.forEachLink(of: relationship) { link in
        var moved = link
        moved.own = own[link.own] ?? 0
        moved.other = other[link.other] ?? 0
        try store.insert(moved, of: relationship)
      }
    }
    try store.finish()
  }

  @Test("copies, shuffled copies and XML documents have equal objects")
  func readers() throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom(seed: 77)
    for seed in UInt64(1)...80 {
      let (path, model) = try Self.store(seed, in: folder)
      let original = try Self.reader(path, model)

      var copy = try NewStore(path: nil, model: model, uuid: "COPY")
      try copy.copy(original)
      try copy.finish()
      let copied = try StoreReader(SQLiteStore(inMemory: copy), model: model)
      #expect(try StoreDifference(between: original, and: copied).isEmpty, "copy \(seed)")

      let other = folder.path("shuffled\(seed).sqlite")
      try Self.shuffled(original, to: other, using: &random)
      let difference = try StoreDifference(between: original, and: Self.reader(other, model))
      #expect(difference.isEmpty, "shuffled \(seed): \(difference.entities.filter { !$0.isEmpty })")

      let document = try XMLDatabase(original).encoded()
      try Data(document).write(to: folder.url.appendingPathComponent("\(seed).xml"))
      let xml = try XMLStore(reading: folder.path("\(seed).xml"))
      let read = try StoreReader(xml.inMemoryStore(of: model), model: model)
      let lost = try StoreDifference(between: original, and: read)
      #expect(lost.isEmpty, "XML \(seed): \(lost.entities.filter { !$0.isEmpty })")
      #expect(try XMLDatabase(read, from: xml.database) == xml.database, "XML again \(seed)")
    }
  }

  @Test("a single changed value is found, independent of keys")
  func changes() throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom(seed: 5)
    var found = 0
    for seed in UInt64(1)...80 {
      let (path, model) = try Self.store(seed, in: folder)
      let original = try Self.reader(path, model)
      let entity = model.entities.first { entity in
        !entity.isAbstract
          && model.allAttributes(of: entity.name).contains { $0.property.type == .string }
      }
      guard let entity = entity?.name,
        let name = model.allAttributes(of: entity).map(\.property).first(where: {
          $0.type == .string
        })?.name,
        let owner = model.allAttributes(of: entity).first(where: { $0.property.name == name })?
          .declaringEntity,
        let table = original.layout.table(of: entity)?.name,
        let column = original.layout.column(of: name, declaredBy: owner)?.name,
        let key = try original.keys(of: entity).randomElement(using: &random)
      else { continue }
      let other = folder.path("changed\(seed).sqlite")
      try FileManager.default.copyItem(atPath: path, toPath: other)
      try? FileManager.default.copyItem(
        atPath: folder.path(".\(seed)_SUPPORT"), toPath: folder.path(".changed\(seed)_SUPPORT"))
      try StoreFixture.run(
        ["UPDATE \(table) SET \(column) = 'changed here' WHERE Z_PK = \(key)"], on: other)
      let difference = try StoreDifference(between: original, and: Self.reader(other, model))
      let changed = difference.entities.flatMap(\.changed)
      #expect(changed.map(\.first.key) == [key] && changed.first?.properties == [name], "\(seed)")
      #expect(difference.entities.allSatisfy { $0.onlyInFirst.isEmpty && $0.onlyInSecond.isEmpty })
      found += 1

      let shuffled = folder.path("both\(seed).sqlite")
      try Self.shuffled(Self.reader(other, model), to: shuffled, using: &random)
      #expect(try !StoreDifference(between: original, and: Self.reader(shuffled, model)).isEmpty)
    }
    #expect(found > 20)
  }
}
