import Foundation
import StrataBase
import StrataExpressions
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

@Suite("Queries: SQLite and the evaluator give the same result")
struct QueryTests {
  private static let model = """
    <model>
      <entity name="Item">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="amount" optional="YES" attributeType="Integer 32"/>
        <attribute name="price" optional="YES" attributeType="Double"/>
        <attribute name="cost" optional="YES" attributeType="Decimal"/>
        <attribute name="made" optional="YES" attributeType="Date"/>
        <relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" inverseName="items" inverseEntity="Box"/>
        <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="items" inverseEntity="Tag"/>
      </entity>
      <entity name="Special" parentEntity="Item">
        <attribute name="extra" optional="YES" attributeType="String"/>
      </entity>
      <entity name="Box">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="size" optional="YES" attributeType="Integer 16"/>
        <relationship name="items" optional="YES" toMany="YES" ordered="YES" destinationEntity="Item" inverseName="box" inverseEntity="Item"/>
        <relationship name="outer" optional="YES" maxCount="1" destinationEntity="Box" inverseName="inner" inverseEntity="Box"/>
        <relationship name="inner" optional="YES" toMany="YES" destinationEntity="Box" inverseName="outer" inverseEntity="Box"/>
      </entity>
      <entity name="Tag">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="rank" optional="YES" attributeType="Integer 32"/>
        <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="tags" inverseEntity="Item"/>
      </entity>
    </model>
    """

  private static let texts = ["", "a", "ab", "abc", "b", "B", "Größe", "größe", "z", "%", "a*c"]

  /// A store with about 120 objects, a third of all values missing, some keys leading nowhere.
  private static func objects(
    seed: UInt64, in folder: TemporaryFolder
  ) throws -> StoreObjects {
    var generator = SeededRandom(seed: seed)
    func maybe(_ value: AttributeValue) -> AttributeValue {
      Int.random(in: 0..<3, using: &generator) == 0 ? .null : value
    }
    func text() -> AttributeValue { maybe(.text(texts.randomElement(using: &generator)!)) }
    func number(_ range: ClosedRange<Int64>) -> AttributeValue {
      maybe(.integer(.random(in: range, using: &generator)))
    }
    let model = try ObjectModel(ModelDocument(reading: Array(model.utf8)))
    let path = folder.path("\(seed).sqlite")
    var store = try NewStore(path: path, model: model, uuid: UUID().uuidString)
    var (boxes, items, tags): ([Int64], [Int64], [Int64]) = ([], [], [])
    for _ in 0..<12 {
      boxes.append(
        try store.insert("Box", attributes: ["name": text(), "size": number(0...4)]).key)
    }
    for _ in 0..<15 {
      tags.append(
        try store.insert("Tag", attributes: ["name": text(), "rank": number(-2...2)]).key)
    }
    for place in 0..<90 {
      var attributes = [
        "name": text(), "amount": number(-3...6),
        "price": maybe(.real(Double(Int.random(in: -4...8, using: &generator)) / 2)),
        "cost": maybe(.real(Double(Int.random(in: -4...8, using: &generator)) / 2)),
        "made": maybe(.real(Double(Int.random(in: 0...5, using: &generator)) * 43201)),
      ]
      if place % 3 == 0 { attributes["extra"] = text() }
      items.append(
        try store.insert(place % 3 == 0 ? "Special" : "Item", attributes: attributes).key)
    }
    let box = try #require(model.relationship("box", of: "Item"))
    let itemTags = try #require(model.relationship("tags", of: "Item"))
    let outer = try #require(model.relationship("outer", of: "Box"))
    for item in items {
      if Bool.random(using: &generator) {
        try store.connect(box, of: item, to: [boxes.randomElement(using: &generator)!])
      }
      let some = tags.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator))
      try store.connect(itemTags, of: item, to: Array(some))
    }
    for key in boxes where Bool.random(using: &generator) {
      try store.connect(outer, of: key, to: [boxes.randomElement(using: &generator)!])
    }
    try store.finish()
    try StoreFixture.run(
      [
        "UPDATE ZITEM SET ZBOX = 999 WHERE Z_PK % 17 = 0",
        "DELETE FROM ZTAG WHERE Z_PK = 3",
        "UPDATE ZITEM SET ZCOST = 'NaN' WHERE Z_PK % 13 = 0",
      ], on: path)
    return StoreObjects(try StoreReader(SQLiteStore(reading: path), model: model))
  }

  /// Predicates by their form, with random values in them.
  private struct Predicates {
    var generator: SeededRandom

    mutating func any(_ values: [String]) -> String { values.randomElement(using: &generator)! }

    mutating func text() -> String { any(texts.map { "'\($0)'" } + ["nil"]) }

    mutating func number() -> String { any(["-1", "0", "1", "2", "2.5", "3", "nil"]) }

    mutating func order() -> String { any(["==", "!=", "<", "<=", ">", ">="]) }

    mutating func itemPredicate(depth: Int) -> String {
      if depth > 0, Bool.random(using: &generator) {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return "NOT (\(itemPredicate(depth: depth - 1)))"
        case 1:
          return "(\(itemPredicate(depth: depth - 1)) AND \(itemPredicate(depth: depth - 1)))"
        default:
          return "(\(itemPredicate(depth: depth - 1)) OR \(itemPredicate(depth: depth - 1)))"
        }
      }
      let numeric = any([
        "amount", "price", "box.size", "box.outer.size", "tags.@count", "box.items.@count",
        "box.outer.inner.@count", "tags.@sum.rank", "tags.@avg.rank", "tags.@min.rank",
        "box.items.@max.price", "amount + price", "amount * 2 - box.size", "amount / 2",
        "amount / box.size", "price / 2", "TERNARY(amount > 1, price, box.size)", "name.length",
        "box.items.@sum.box.size", "sum:(tags.rank)", "abs:(amount)", "cost", "made / 2",
        "box.items.@avg.price", "box.items.@sum.cost", "box.items.@max.cost",
      ])
      let textual = any(["name", "box.name", "box.outer.name"])
      switch Int.random(in: 0..<14, using: &generator) {
      case 0, 1: return "\(numeric) \(order()) \(number())"
      case 2: return "\(numeric) \(order()) \(any(["amount", "box.size", "price"]))"
      case 3: return "\(numeric) BETWEEN {\(any(["-1", "0"])), \(any(["1", "3"]))}"
      case 4: return "\(textual) \(order()) \(text())"
      case 5:
        return "\(textual) \(any(["==", "!=", "BEGINSWITH", "CONTAINS"]))[\(any(["c", "cd"]))] 'Gr'"
      case 6:
        return
          "\(textual) \(any(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"])) \(any(["'a'", "'b'", "'Grö'", "'%'", "'a*'"]))"
      case 7: return "\(textual) IN {\(text()), \(text())}"
      case 8:
        return
          "\(any(["box", "box.outer", "SELF"])) \(any(["==", "!="])) \(any(["nil", "box", "box.outer", "SELF"]))"
      case 9: return "\(any(["ANY", "ALL", "NONE"])) tags.rank \(order()) \(number())"
      case 10:
        return
          "\(any(["ANY", "ALL", "NONE"])) \(any(["tags.name", "box.items.name", "box.outer.inner.name"])) \(order()) \(text())"
      case 11: return "\(any(["ANY", "ALL"])) box.items.tags.rank \(order()) \(number())"
      case 12 where Bool.random(using: &generator):
        return
          "\(any(["SELF", "box", "box.outer"])) \(any(["== 'p3'", "!= 'p5'", "IN {'p1', 'p2', 'p3'}"]))"
      case 12: return "made \(order()) '2001-01-0\(any(["1", "2", "3"]))'"
      default:
        return "SUBQUERY(tags, $t, $t.rank \(order()) \(number())).@count > \(any(["0", "1"]))"
      }
    }
  }

  @Test("random predicates on random stores", arguments: 1...4 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let objects = try Self.objects(seed: seed, in: folder)
    var predicates = Predicates(generator: SeededRandom(seed: seed))
    var translated = 0
    for _ in 0..<150 {
      let text = predicates.itemPredicate(depth: 3)
      let predicate = try objects.model.resolved(Predicate(parsing: text), for: "Item")
      for entity in ["Item", "Special"] {
        var query = StoreQuery(entity: entity, predicate: predicate)
        if try objects.explanation(of: query, isCount: true).evaluated == nil { translated += 1 }
        let found = try Self.keys(query, objects)
        #expect(try objects.count(query) == found.count, "\(text)")
        query.evaluatesEverything = true
        #expect(try Self.keys(query, objects) == found, "\(text)")
        #expect(try objects.count(query) == found.count, "\(text)")
      }
    }
    #expect(translated > 110, "of 300")
  }

  private static func keys(_ query: StoreQuery, _ objects: StoreObjects) throws -> [Int64] {
    var keys: [Int64] = []
    try objects.forEach(query) { object in
      keys.append(object.key)
      return true
    }
    return keys
  }

  @Test("decimals are divided as decimals, whatever a column holds, and each part by its own rule")
  func decimals() throws {
    let folder = try TemporaryFolder()
    let objects = try Self.objects(seed: 9, in: folder)
    try StoreFixture.run(
      ["UPDATE ZITEM SET ZCOST = 7, ZAMOUNT = 7, ZMADE = 7"], on: folder.path("9.sqlite"))
    let changed = StoreObjects(
      try StoreReader(SQLiteStore(reading: folder.path("9.sqlite")), model: objects.model))
    for (text, holds) in [
      ("cost / 2 == 3.5", true), ("cost / 2 == 3", false), ("3.5 == cost / 2", true),
      ("cost + 0.1 + 0.2 == 7.3", true), ("1.5 * cost == 10.5", true), ("amount / 2 == 3", true),
      ("cost / 2 == 3.5 AND amount / 2 == 3", true), ("made / 2 == 3.5", true),
      ("amount / 2 == 3 AND made / 2 > 3", true), ("NOT (cost / 2 == 3.5)", false),
      ("amount / 2 == 3 OR cost > 1000", true), ("cost > 1000 OR NOT (amount / 2 == 3)", false),
      ("SUBQUERY({SELF}, $i, $i.amount / 2 == 3 AND $i.cost / 2 == 3.5).@count == 1", true),
      // The other side computes in decimals too, also where it reads none.
      ("cost - 6.7 == 0.1 + 0.2", true), ("cost == 6.7 + 0.1 + 0.2", true),
      ("cost == amount / 2 + 3.5", true), ("cost IN {6.7 + 0.1 + 0.2}", true),
      ("cost BETWEEN {6.7 + 0.1 + 0.2, 8}", true), ("cost != 6.7 + 0.1 + 0.2", false),
      ("amount / 2 + 4 == cost", false),
    ] {
      let predicate = try changed.model.resolved(Predicate(parsing: text), for: "Item")
      var query = StoreQuery(entity: "Item", predicate: predicate)
      for everything in [false, true] {
        query.evaluatesEverything = everything
        #expect(try changed.count(query) == (holds ? 90 : 0), "\(text)")
      }
    }
  }

  @Test("data in files is compared by its contents, and may be missing")
  func externalData() throws {
    let folder = try TemporaryFolder()
    let model = try ObjectModel(
      brief: """
        A
          one Binary external
          two Binary external
          owner -> A inverse=owned
          owned -> A many inverse=owner
        """)
    var store = try NewStore(path: folder.path("a.sqlite"), model: model, uuid: "A")
    let large = AttributeValue.bytes(Array(repeating: 7, count: 200_000))
    for (one, two) in [
      (large, large), (.bytes([1]), .bytes([1])), (large, .bytes([1])), (.null, .null),
    ] as [(AttributeValue, AttributeValue)] {
      _ = try store.insert("A", attributes: ["one": one, "two": two, "owner": .integer(1)])
    }
    try store.finish()
    let objects = StoreObjects(
      try StoreReader(SQLiteStore(reading: folder.path("a.sqlite")), model: model))
    for (text, keys) in [
      ("one == two", [1, 2, 4]), ("one != two", [3]), ("one == owner.one", [1, 3]),
      ("one == nil", [4]), ("owner.one == nil", []), ("one.length > 1", [1, 3]),
      ("ANY owned.two == one", [1]),
    ] as [(String, [Int64])] {
      var query = StoreQuery(
        entity: "A", predicate: try model.resolved(Predicate(parsing: text), for: "A"))
      for everything in [false, true] {
        query.evaluatesEverything = everything
        #expect(try Self.keys(query, objects) == keys, "\(text)")
      }
    }
  }

  @Test("more tables than SQLite joins are read one by one")
  func manyJoins() throws {
    let folder = try TemporaryFolder()
    let objects = try Self.objects(seed: 5, in: folder)
    let path = "box." + String(repeating: "outer.", count: 70) + "name"
    let predicate = try objects.model.resolved(
      Predicate(parsing: "\(path) == nil"), for: "Item")
    #expect(try objects.count(StoreQuery(entity: "Item", predicate: predicate)) > 0)
  }

  @Test("long and deep predicates give the same result")
  func large() throws {
    let folder = try TemporaryFolder()
    let objects = try Self.objects(seed: 8, in: folder)
    func count(_ text: String) throws -> Int {
      let predicate = try objects.model.resolved(Predicate(parsing: text), for: "Item")
      return try objects.count(StoreQuery(entity: "Item", predicate: predicate))
    }
    let some = try count("amount == 1")
    #expect(some > 0)
    let numbers = (0..<1000).map { "amount == \($0 == 500 ? 1 : 100 + $0)" }
    #expect(try count(numbers.joined(separator: " OR ")) == some)
    #expect(try count(numbers.map { "NOT \($0)" }.joined(separator: " AND ")) == 90 - some)
    #expect(try count(String(repeating: "NOT ", count: 190) + "amount == 1") == some)
    #expect(try count(String(repeating: "0 + ", count: 180) + "amount == 1") == some)
    let nested = String(repeating: "TERNARY(price > 99, 0, ", count: 60)
    #expect(try count(nested + "amount" + String(repeating: ")", count: 60) + " == 1") == some)
  }

  @Test("objects are sorted and limited as requested")
  func ordering() throws {
    let folder = try TemporaryFolder()
    let objects = try Self.objects(seed: 7, in: folder)
    var query = StoreQuery(entity: "Item")
    query.order = [(["box", "size"], false), (["amount"], true)]
    let context = EvaluationContext()
    var rows: [(Double, Double)] = []
    try objects.forEach(query) { object in
      var context = context
      context.object = object
      func number(_ path: String) throws -> Double {
        switch try context.value(of: Expression(parsing: path)) {
        case .value(.integer(let number)): Double(number)
        default: -.infinity
        }
      }
      rows.append((try number("box.size"), try number("amount")))
      return true
    }
    #expect(rows.count == 90)
    for (first, second) in zip(rows, rows.dropFirst()) {
      #expect(first.0 > second.0 || first.0 == second.0 && first.1 <= second.1)
    }
    query.limit = 7
    #expect(try Self.keys(query, objects).count == 7)
    query.limit = 0
    #expect(try Self.keys(query, objects).isEmpty)
  }

  @Test("keys without a column are not read, at any place of a path")
  func transientKeys() throws {
    let model = try ObjectModel(
      brief: """
        A
          t String
          scratch String transient
          b -> A inverse=back
          back -> A many inverse=b
          near -> A transient
          others -> A many transient
        """)
    for text in [
      "scratch = 'x'", "b.scratch = 'x'", "near = nil", "near.t = 'x'", "b.near.t = 'x'",
      "ANY others.t = 'x'", "others.@count = 1", "SUBQUERY(others, $a, $a.t = 'x').@count = 1",
      "ANY back.scratch = 'x'",
    ] {
      let error = #expect(throws: ExpressionError.self, "\(text)") {
        try model.resolved(Predicate(parsing: text), for: "A")
      }
      #expect(error?.diagnostic.id == "expression.unstored", "\(text)")
    }
    for text in ["b.t = 'x'", "ANY back.t = 'x'", "back.@count = 1"] {
      _ = try model.resolved(Predicate(parsing: text), for: "A")
    }
  }

  @Test(
    "errors in a query are reported before anything is read",
    arguments: [
      ("nam = 'a'", "unknownKey"), ("box.nam = 'a'", "unknownKey"), ("name.size = 1", "keyOfValue"),
      ("amount = 'a'", "incomparable"), ("name = 1", "incomparable"), ("box = 1", "incomparable"),
      ("box > box", "wrongOperand"), ("tags.name = 'a'", "manyValues"),
      ("amount LIKE '1'", "wrongOperand"),
      ("name MATCHES '('", "badPattern"), ("made > 'yesterday'", "badText"),
      ("amount IN 5", "wrongOperand"),
      ("tags.@sum.name = 1", "wrongOperand"), ("name.@count = 1", "wrongOperand"),
      ("name = tags.name", "wrongOperand"),
      ("tags.@nosuch.rank = 1", "unknownFunction"),
      ("SUBQUERY(tags, $t, $t.nam = 1).@count = 1", "unknownKey"),
      ("$x = 1", "unknownVariable"), ("box = 'x'", "badText"), ("name + 1 = 2", "wrongOperand"),
      ("box + 1 > 0", "wrongOperand"),
      ("name BETWEEN {1, 'x'}", "incomparable"), ("amount IN {1, 'x'}", "incomparable"),
      ("tags.@count = 'x'", "incomparable"), ("name NOT IN {'a'}", "misplacedNot"),
      ("extra = 'a'", "unknownKey"),
      ("nosuch:(1) = 1", "unknownFunction"),
      ("FUNCTION(SELF, 'nosuch:', 1) = 1", "unknownFunction"),
    ])
  func typeErrors(text: String, id: String) throws {
    let model = try ObjectModel(ModelDocument(reading: Array(Self.model.utf8)))
    let error = #expect(throws: ExpressionError.self) {
      try model.resolved(Predicate(parsing: text), for: "Item")
    }
    #expect(error?.diagnostic.id == "expression." + id)
  }
}
