import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import StrataWitness
import TestSupport
import Testing

@Suite("The witness")
struct WitnessTests {
  enum Method: CaseIterable {
    case inPlace, objects, fastest
  }

  // MARK: A library

  private static func library(isNew: Bool) throws -> ObjectModel {
    func relationship(
      _ name: String, _ to: String, _ inverse: String?, isToMany: Bool = false,
      isOrdered: Bool = false
    ) -> Relationship {
      var found = Relationship(
        name: name, destinationName: to, isOptional: true, isToMany: isToMany)
      (found.inverseName, found.isOrdered) = (inverse, isOrdered)
      return found
    }
    func entity(_ name: String, _ attributes: [Attribute], _ links: [Relationship]) -> Entity {
      var found = Entity(name: name)
      (found.attributes, found.relationships) = (attributes, links)
      if isNew {
        found.attributes.append(
          Attribute(name: "added", type: .integer16, isOptional: false, defaultValue: "7"))
      }
      return found
    }
    var title = Attribute(name: isNew ? "heading" : "title", type: .string, isOptional: true)
    title.renamingIdentifier = isNew ? "title" : nil
    var novel = entity(
      "Novel", [Attribute(name: "genre", type: .string, isOptional: true)], [])
    novel.superentityName = "Book"
    novel.attributes.removeAll { $0.name == "added" }
    return try ObjectModel(
      ModelDocument(
        entities: [
          entity(
            "Owner", [Attribute(name: "age", type: .integer32, isOptional: true)],
            [
              relationship("books", "Book", "owner", isToMany: true, isOrdered: true),
              relationship("tags", "Tag", "owners", isToMany: true, isOrdered: true),
              relationship("card", "Card", "owner"),
            ]),
          entity(
            "Book",
            [
              title,
              Attribute(name: "price", type: isNew ? .double : .integer32, isOptional: true),
              Attribute(name: "pages", type: .integer32, isOptional: true),
            ],
            [
              relationship("owner", "Owner", "books"),
              relationship("reviews", "Review", "book", isToMany: true),
            ]),
          novel,
          entity(
            "Review", [Attribute(name: "text", type: .string, isOptional: true)],
            [relationship("book", "Book", "reviews")]),
          entity(
            "Tag", [Attribute(name: "label", type: .string, isOptional: true)],
            [relationship("owners", "Owner", "tags", isToMany: true)]),
          entity(
            "Card", [Attribute(name: "number", type: .integer64, isOptional: true)],
            [relationship("owner", "Owner", "card")]),
          // A new entity moves the numbers.
        ] + (isNew ? [Entity(name: "Author")] : [])))
  }

  /// A migrated library, and what the witness saw of it before.
  private static func migrated(
    _ method: Method, in folder: TemporaryFolder
  ) throws -> (witness: Witness, path: String) {
    let (old, new) = try (library(isNew: false), library(isNew: true))
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    let path = folder.path("library.sqlite")
    var store = try NewStore(path: path, model: old, uuid: "A")
    var generator = StoreGenerator(old, rows: 40, seed: 11)
    try generator.fill(&store)
    try store.finish()
    var witness = Witness(
      parts: hop.parts.map(\.mapping), from: old, to: new,
      means: Witness.Means(isInferred: true, isInPlace: method == .inPlace))
    try witness.observeSource(SQLiteConnection(path: path, mode: .readWrite))
    guard method != .inPlace else {
      _ = try InPlace.run(hop, at: path)
      return (witness, path)
    }
    let output = folder.path("made.sqlite")
    _ = try Passes.run(
      hop, from: path, into: output, executor: method == .fastest ? .fastest : .objects)
    return (witness, output)
  }

  private static let first = "(SELECT min(Z_PK) FROM ZBOOK)"
  private static let last = "(SELECT max(Z_PK) FROM ZBOOK)"
  /// A book and its neighbour under one owner.
  private static let siblings =
    "(SELECT a.Z_PK FROM ZBOOK a JOIN ZBOOK b ON a.ZOWNER = b.ZOWNER AND a.Z_PK <> b.Z_PK LIMIT 2)"

  /// What may go wrong, done to a sound result; `JOIN`, `OWN` and `OTHER` are the join table and its columns.
  private static let mutants: [(name: String, sql: [String])] = [
    ("a value changed", ["UPDATE ZBOOK SET ZHEADING = 'another' WHERE Z_PK = \(first)"]),
    ("a number changed", ["UPDATE ZCARD SET ZNUMBER = ZNUMBER + 1 WHERE Z_PK = 3"]),
    (
      "two values swapped",
      [
        "UPDATE ZBOOK SET ZHEADING = (SELECT b.ZHEADING FROM ZBOOK b WHERE b.Z_PK = "
          + "\(first) + \(last) - ZBOOK.Z_PK) WHERE Z_PK IN (\(first), \(last))"
      ]
    ),
    ("a column emptied", ["UPDATE ZBOOK SET ZPAGES = NULL"]),
    ("a default missing", ["UPDATE ZTAG SET ZADDED = NULL WHERE Z_PK = 2"]),
    ("another default", ["UPDATE ZTAG SET ZADDED = 8 WHERE Z_PK = 2"]),
    (
      "a link moved",
      [
        "UPDATE ZREVIEW SET ZBOOK = \(first), ZNBOOK = (SELECT Z_ENT FROM ZBOOK WHERE Z_PK = \(first)) "
          + "WHERE Z_PK = (SELECT min(Z_PK) FROM ZREVIEW WHERE ZBOOK <> \(first))"
      ]
    ),
    (
      "a join row moved",
      [
        "UPDATE OR IGNORE JOIN SET OTHER = (SELECT max(Z_PK) FROM ZTAG) "
          + "WHERE OTHER <> (SELECT max(Z_PK) FROM ZTAG) AND rowid = (SELECT min(rowid) FROM JOIN)"
      ]
    ),
    (
      "a link doubled",
      [
        "INSERT OR IGNORE INTO JOIN (OWN, OTHER, FOK) SELECT o.Z_PK, t.Z_PK, 999 + o.Z_PK * 100 + "
          + "t.Z_PK FROM ZOWNER o, ZTAG t WHERE (o.Z_PK, t.Z_PK) NOT IN (SELECT OWN, OTHER FROM JOIN) "
          + "LIMIT 1"
      ]
    ),
    (
      "a link lost",
      [
        "UPDATE ZBOOK SET ZOWNER = NULL, Z_FOK_OWNER = NULL WHERE Z_PK = "
          + "(SELECT min(Z_PK) FROM ZBOOK WHERE ZOWNER IS NOT NULL)"
      ]
    ),
    ("a join row lost", ["DELETE FROM JOIN WHERE rowid = (SELECT min(rowid) FROM JOIN)"]),
    (
      "an order key doubled",
      ["UPDATE ZBOOK SET Z_FOK_OWNER = 2048 WHERE Z_PK IN \(siblings)"]
    ),
    ("an order key lost", ["UPDATE ZBOOK SET Z_FOK_OWNER = NULL WHERE Z_PK IN \(siblings)"]),
    ("an order turned round", ["UPDATE ZBOOK SET Z_FOK_OWNER = -Z_FOK_OWNER"]),
    ("an order of a join turned round", ["UPDATE JOIN SET FOK = -FOK"]),
    ("Z_MAX lowered", ["UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX - 1 WHERE Z_NAME = 'Book'"]),
    (
      "the number beside a key wrong",
      ["UPDATE ZREVIEW SET ZNBOOK = 1 WHERE Z_PK = (SELECT min(Z_PK) FROM ZREVIEW)"]
    ),
    ("a row lost", ["DELETE FROM ZCARD WHERE Z_PK = (SELECT max(Z_PK) FROM ZCARD)"]),
    (
      "a row doubled",
      ["INSERT INTO ZTAG (Z_ENT, Z_OPT, ZLABEL) SELECT Z_ENT, 1, ZLABEL FROM ZTAG LIMIT 1"]
    ),
    ("a join row dangling", ["INSERT INTO JOIN (OWN, OTHER, FOK) VALUES (1, 99999, 5)"]),
    (
      "one end of a pair lost",
      ["UPDATE ZCARD SET ZOWNER = NULL WHERE Z_PK = (SELECT min(Z_PK) FROM ZCARD WHERE ZOWNER > 0)"]
    ),
    ("an object of another entity", ["UPDATE ZBOOK SET Z_ENT = 99 WHERE Z_PK = \(first)"]),
    ("Z_OPT missing", ["UPDATE ZTAG SET Z_OPT = NULL WHERE Z_PK = 1"]),
  ]

  @Test(
    "every mutation of a migrated store is found, in every kind of migration",
    arguments: Method.allCases)
  func mutants(method: Method) throws {
    let folder = try TemporaryFolder()
    var (witness, path) = try Self.migrated(method, in: folder)
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    #expect(try witness.objections(to: connection) == [])
    #expect(witness.receipt.notPredicted == [:])
    let tables = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    guard case .text(let join)? = tables.first?.first else {
      Issue.record("no join table")
      return
    }
    var columns: [String] = []
    for case .text(let name) in try connection.rows("PRAGMA table_info(\(join))").map({ $0[1] }) {
      columns.append(name)
    }
    let own = try #require(columns.first { $0.hasSuffix("OWNERS") })
    let other = try #require(columns.first { $0.hasSuffix("TAGS") && !$0.contains("FOK") })
    let order = try #require(columns.first { $0.contains("FOK") })
    let numbered = try connection.rows("PRAGMA table_info(ZREVIEW)").compactMap { row in
      if case .text(let name) = row[1], name.hasSuffix("_BOOK") { name } else { nil }
    }
    for mutant in Self.mutants {
      try connection.execute("SAVEPOINT mutant")
      for sql in mutant.sql {
        try connection.execute(
          sql.replacing("JOIN SET", with: "\(join) SET")
            .replacing("INTO JOIN", with: "INTO \(join)").replacing(
              "FROM JOIN", with: "FROM \(join)"
            )
            .replacing("(OWN, OTHER, FOK)", with: "(\(own), \(other), \(order))")
            .replacing("SELECT OWN, OTHER", with: "SELECT \(own), \(other)")
            .replacing("SET OTHER", with: "SET \(other)").replacing(
              "WHERE OTHER", with: "WHERE \(other)"
            )
            .replacing("FOK = -FOK", with: "\(order) = -\(order)")
            .replacing("ZNBOOK", with: numbered.first ?? ""))
      }
      #expect(connection.changeCount > 0, "\(mutant.name) changes nothing")
      var copy = witness
      let found = try copy.objections(to: connection)
      #expect(!found.isEmpty, "\(mutant.name), \(method)")
      try connection.execute("ROLLBACK TO mutant")
      try connection.execute("RELEASE mutant")
    }
    print("\(Self.mutants.count) mutants, \(method)")
  }

  // MARK: Random migrations

  @Test("nearly everything in random migrations is predicted, without objections")
  func random() throws {
    let folder = try TemporaryFolder()
    var (compared, open): (Int, [String: Int]) = (0, [:])
    for seed in UInt64(1)...150 {
      let path = folder.path("\(seed).sqlite")
      guard let hop = try MigrationPlan.Hop.random(seed: seed, at: path) else { continue }
      var witness = Witness(
        parts: hop.parts.map(\.mapping), from: hop.from.model, to: hop.to.model,
        means: Witness.Means(isInferred: true, isInPlace: true))
      try witness.observeSource(SQLiteConnection(path: path, mode: .readWrite))
      do {
        guard try !InPlace.run(hop, at: path).report.stopsMigration else { continue }
      } catch {
        Issue.record("\(seed): \(error)")
        continue
      }
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      #expect(try witness.objections(to: connection) == [], "\(seed)")
      compared += witness.receipt.compared.count
      for (name, reason) in witness.receipt.notPredicted {
        open[reason, default: 0] += 1
        if open[reason] == 1 { print("\(seed) \(name): \(reason)") }
      }
    }
    print("compared \(compared), left open \(open)")
    #expect(compared > 20 * open.values.reduce(0, +))
  }

  @Test(
    "keys of missing objects are found, whether the other keys have gaps or not",
    arguments: [false, true])
  func strayKeys(haveGaps: Bool) throws {
    let folder = try TemporaryFolder()
    var (witness, path) = try Self.migrated(.inPlace, in: folder)
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    if haveGaps {
      try connection.execute(
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) SELECT max(Z_PK) + 7, min(Z_ENT), 1 FROM ZBOOK")
    }
    let fault = "Review.book: keys of missing objects: 1"
    #expect(try !witness.objections(to: connection).contains(fault))
    for key in ["0", "-1", "\(Self.last) + 1", "\(Int64.max)", "1.5", "1e300", "'text'", "x'01'"] {
      try connection.execute("SAVEPOINT one")
      try connection.execute("UPDATE ZREVIEW SET ZBOOK = \(key) WHERE Z_PK = 1")
      #expect(try witness.objections(to: connection).contains(fault), "\(key)")
      try connection.execute("ROLLBACK TO one")
      try connection.execute("RELEASE one")
    }
  }

  // MARK: Samples

  /// An entity with so many objects that only a sample is compared, as a migration in place left it.
  private static func large(
    isComplete: Bool, in folder: TemporaryFolder
  ) throws -> (witness: Witness, connection: SQLiteConnection) {
    func model(_ names: [String]) throws -> ObjectModel {
      var entity = Entity(name: "Item")
      entity.attributes = names.map { Attribute(name: $0, type: .integer64, isOptional: true) }
      return try ObjectModel(ModelDocument(entities: [entity]))
    }
    let (old, new) = (try model(["a"]), try model(["a", "b"]))
    let path = folder.path("large.sqlite")
    var store = try NewStore(path: path, model: old, uuid: "A")
    try store.finish()
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      try connection.execute(
        "INSERT INTO ZITEM (Z_ENT, Z_OPT, ZA) WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
          + "WHERE i < \(Witness.limit + 1)) SELECT 1, 1, i * 3 FROM n")
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Witness.limit + 1)")
    }
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    var witness = Witness(
      parts: hop.parts.map(\.mapping), from: old, to: new,
      means: Witness.Means(isInferred: true, isInPlace: true, isComplete: isComplete))
    try witness.observeSource(SQLiteConnection(path: path, mode: .readWrite))
    _ = try InPlace.run(hop, at: path)
    return (witness, try SQLiteConnection(path: path, mode: .readWrite))
  }

  @Test(
    "a sample of many objects is compared, with all value counts; with --proof, all objects are")
  func samples() throws {
    for isComplete in [false, true] {
      let folder = try TemporaryFolder()
      var (witness, connection) = try Self.large(isComplete: isComplete, in: folder)
      #expect(try witness.objections(to: connection) == [])
      #expect(witness.receipt.sampled == (isComplete ? [:] : ["Item": Witness.limit + 1]))
      // Every tenth key is in the sample.
      for (key, isFound) in [(Int64(20), true), (21, isComplete)] {
        try connection.execute("SAVEPOINT one")
        try connection.execute("UPDATE ZITEM SET ZA = ZA + 1 WHERE Z_PK = \(key)")
        #expect(try witness.objections(to: connection).isEmpty != isFound, "p\(key)")
        try connection.execute("UPDATE ZITEM SET ZA = NULL WHERE Z_PK = \(key)")
        #expect(try !witness.objections(to: connection).isEmpty, "p\(key)")
        try connection.execute("ROLLBACK TO one")
        try connection.execute("RELEASE one")
      }
    }
  }

  @Test(
    "an entity with the maximum number of columns of an SQLite query is compared",
    arguments: [0, 1, 900, 1100])
  func wide(count: Int) throws {
    let folder = try TemporaryFolder()
    func model(_ modifier: String) throws -> ObjectModel {
      var entity = Entity(name: "Item")
      entity.attributes = (0..<count).map {
        Attribute(name: "a\($0)", type: .integer64, isOptional: true)
      }
      entity.versionHashModifier = modifier
      return try ObjectModel(ModelDocument(entities: [entity]))
    }
    let (old, new) = (try model("1"), try model("2"))
    let path = folder.path("wide.sqlite")
    var store = try NewStore(path: path, model: old, uuid: "A")
    var generator = StoreGenerator(old, rows: 3, seed: 5)
    try generator.fill(&store)
    try store.finish()
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    let report = try InPlace.run(hop, at: path).report
    #expect(report.witnessed?.compared.count == count)
    #expect(report.witnessed?.notPredicted == [:])
  }

  // MARK: Numbers

  private static let numbers: [AttributeType] = [
    .integer16, .integer32, .integer64, .boolean, .decimal, .double, .float,
  ]
  private static let values: [AttributeValue] =
    [
      0, 1, 2, -1, 32767, 32768, -32768, -32769, 2_147_483_647, 2_147_483_648, -2_147_483_648,
      -2_147_483_649, Int64.max, Int64.min,
    ].map { .integer($0) }
    + [
      0.5, -0.5, 1.5, 32767.9, 32768, -32768.9, -32769, 2_147_483_647.5, 9.3e18, -9.3e18, 1e30,
      3.5e38,
      -3.5e38, 3.5e165, 1e300, .infinity, -.infinity,
    ].map { .real($0) } + [.null]

  @Test(
    "the conversion of each number to each type is predicted, for optional and required attributes")
  func conversions() throws {
    let folder = try TemporaryFolder()
    for (place, old) in Self.numbers.enumerated() {
      func model(_ isNew: Bool) throws -> ObjectModel {
        var entity = Entity(name: "Item")
        for (index, new) in Self.numbers.enumerated() {
          let type = isNew ? new : old
          var required = Attribute(name: "r\(index)", type: type, isOptional: !isNew)
          required.defaultValue = "1"
          entity.attributes += [
            required, Attribute(name: "o\(index)", type: type, isOptional: true),
          ]
        }
        entity.versionHashModifier = isNew ? "2" : nil
        return try ObjectModel(ModelDocument(entities: [entity]))
      }
      let (from, to) = (try model(false), try model(true))
      let path = folder.path("\(place).sqlite")
      var store = try NewStore(path: path, model: from, uuid: "A")
      try store.finish()
      do {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let columns = Self.numbers.indices.flatMap { ["ZR\($0)", "ZO\($0)"] }
        for value in Self.values {
          try connection.execute(
            "INSERT INTO ZITEM (Z_ENT, Z_OPT, \(columns.joined(separator: ", "))) "
              + "VALUES (1, 1, \(columns.map { _ in "?" }.joined(separator: ", ")))",
            columns.map { _ in value })
        }
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.values.count)")
      }
      let hop = try MigrationPlan.Hop.inferred(from: from, to: to)
      for isInPlace in [false, true] {
        var witness = Witness(
          parts: hop.parts.map(\.mapping), from: from, to: to,
          means: Witness.Means(isInferred: true, isInPlace: isInPlace))
        try witness.observeSource(SQLiteConnection(path: path, mode: .readWrite))
        let output = isInPlace ? path : folder.path("\(place)-made.sqlite")
        if isInPlace {
          _ = try InPlace.run(hop, at: path)
        } else {
          _ = try Passes.run(hop, from: path, into: output, executor: .fastest)
        }
        let connection = try SQLiteConnection(path: output, mode: .readWrite)
        #expect(try witness.objections(to: connection) == [], "\(old), in place: \(isInPlace)")
        #expect(witness.receipt.notPredicted == [:], "\(old)")
      }
    }
  }

  // MARK: Parts

  @Test("the objects of each part of a divided mapping model are predicted")
  func parts() throws {
    let folder = try TemporaryFolder()
    let (old, new) = try (Self.library(isNew: false), Self.library(isNew: true))
    var hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    let whole = try #require(hop.parts.first)
    hop.parts = [["Owner", "Book", "Novel", "Review", "Tag"], ["Card", "Author"]].map { names in
      var part = whole
      part.mapping.entityMappings.removeAll { !names.contains($0.destinationName ?? "") }
      // No part knows the objects of another.
      for place in part.mapping.entityMappings.indices {
        let isCard = part.mapping.entityMappings[place].destinationName == "Card"
        part.mapping.entityMappings[place].relationshipMappings.removeAll {
          $0.name == (isCard ? "owner" : "card")
        }
      }
      return part
    }
    hop.isInferred = false
    let path = folder.path("library.sqlite")
    var store = try NewStore(path: path, model: old, uuid: "A")
    var generator = StoreGenerator(old, rows: 20, seed: 3)
    try generator.fill(&store)
    try store.finish()
    var witness = Witness(
      parts: hop.parts.map(\.mapping), from: old, to: new,
      means: Witness.Means(isInferred: false, isInPlace: false))
    try witness.observeSource(SQLiteConnection(path: path, mode: .readWrite))
    let output = folder.path("made.sqlite")
    _ = try Passes.run(hop, from: path, into: output)
    let connection = try SQLiteConnection(path: output, mode: .readWrite)
    #expect(try witness.objections(to: connection) == [])
    #expect(witness.receipt.notPredicted == [:])
    #expect(witness.receipt.compared.isSuperset(of: ["Book.owner", "Card.owner", "Card.number"]))
    // No part gives the owner of a card.
    try connection.execute("UPDATE ZCARD SET ZOWNER = 1 WHERE Z_PK = 1")
    try connection.execute("UPDATE ZOWNER SET ZCARD = 1 WHERE Z_PK = 1")
    #expect(try witness.objections(to: connection) == ["Card.owner: 1 links instead of 0"])
  }
}
