import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Arithmetic and equality of values in mapping models and policies, by objects and by SQL.
@Suite("Arithmetic of value expressions in a migration")
struct ValueExpressionArithmeticTests {
  private static let columns: [(name: String, type: AttributeType)] = [
    ("big", .integer64), ("dec", .decimal), ("mid", .integer32), ("name", .string),
    ("real", .double), ("small", .integer16), ("other", .decimal), ("when", .date),
  ]

  private static func model(_ modifier: String?) throws -> ObjectModel {
    var item = Entity(name: "Item")
    item.attributes = columns.map { Attribute(name: $0.name, type: $0.type, isOptional: true) }
    item.versionHashModifier = modifier
    var tag = Relationship(name: "tag", destinationName: "Tag", isOptional: true)
    tag.inverseName = "items"
    item.relationships = [tag]
    var label = Entity(name: "Tag")
    label.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
    var items = Relationship(
      name: "items", destinationName: "Item", isOptional: true, isToMany: true)
    items.inverseName = "tag"
    label.relationships = [items]
    return try ObjectModel(ModelDocument(entities: [item, label]))
  }

  private static let executors: [PassesRun.Executor] = [.objects, .fastest]

  /// Runs the mapping by both executors, or by the given ones.
  ///
  /// - Returns: The attributes of the new items by each, in the order of their keys.
  private static func run(
    _ mapping: String, policy: String? = nil, _ rows: [[String: AttributeValue]],
    by executors: [PassesRun.Executor] = executors
  ) throws -> [[[String: AttributeValue]]] {
    let folder = try TemporaryFolder()
    let (old, new) = (
      NamedModel(name: "old", model: try model(nil)), NamedModel(name: "new", model: try model("2"))
    )
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: old.model, uuid: "A")
    for row in rows { _ = try store.insert("Item", attributes: row) }
    try store.finish()
    var policies = PolicyRegistry()
    if let policy { policies.add(try PolicyScript.policies(parsing: policy)) }
    let hop = try MigrationPlan.Hop(from: old, to: new, by: mapping)
    return try executors.enumerated().map { place, executor in
      let destination = folder.path("new\(place).sqlite")
      _ = try Passes.run(hop, from: path, into: destination, policies: policies, executor: executor)
      let reader = try StoreReader(SQLiteStore(reading: destination), model: new.model)
      return try reader.keys(of: "Item").map {
        try #require(try reader.object($0, of: "Item")).attributes
      }
    }
  }

  private static func mapping(_ lines: String..., policy: Bool = false) -> String {
    (["ItemToItem: Item -> Item"] + (policy ? ["  policy P"] : []) + lines.map { "  " + $0 }
      + ["TagToTag: Tag -> Tag"])
      .joined(separator: "\n")
  }

  @Test(
    "decimal arithmetic is used if a Decimal attribute is read or set",
    arguments: [
      // Read by a Double, given by Doubles and integers, and neither.
      ("real = $source.dec + 0.2", "real", .real(0.3)),
      ("other = $source.real + 0.2", "other", .real(0.3)),
      ("other = $source.small / $source.mid", "other", .real(3.5)),
      ("other = $source.dec * 3", "other", .real(0.3)),
      ("other = $source.small + 1", "other", .integer(8)),
      ("real = $source.real + 0.2", "real", .real(0.1 + 0.2)),
      ("real = $source.small / $source.mid", "real", .real(3)),
      ("mid = $source.dec * 30", "mid", .integer(3)),
      ("other = $source.dec / 3 * 3", "other", .real(0.1)),
      ("big = $source.small * $source.mid", "big", .integer(14)),
    ] as [(String, String, AttributeValue)])
  func decimals(line: String, attribute: String, expected: AttributeValue) throws {
    let row: [String: AttributeValue] = [
      "dec": .real(0.1), "real": .real(0.1), "small": .integer(7), "mid": .integer(2),
    ]
    for items in try Self.run(Self.mapping(line), [row, row]) {
      #expect(items.map { $0[attribute] } == [expected, expected])
    }
    // As a policy does it.
    let policy = "policy P\n  set " + line
    for items in try Self.run(Self.mapping(policy: true), policy: policy, [row, row]) {
      #expect(items.map { $0[attribute] } == [expected, expected])
    }
  }

  @Test(
    "a date of whole seconds, which SQLite stores as an integer, is a number with a fraction",
    arguments: [
      ("real = CAST($source.when, \"NSNumber\") / 86400", "real", [.real(0.5), .real(0.75)]),
      ("real = $source.when / 7 * 7", "real", [.real(43200), .real(64800)]),
      (
        "name = CAST($source.when + 1, \"NSString\")", "name", [.text("43201.0"), .text("64801.0")]
      ),
      ("real = $source.when * 1000000000000000", "real", [.real(43200e15), .real(64800e15)]),
      ("when = $source.when", "when", [.integer(43200), .integer(64800)]),
    ] as [(String, String, [AttributeValue])])
  func dates(line: String, attribute: String, expected: [AttributeValue]) throws {
    let rows: [[String: AttributeValue]] = [["when": .real(43200)], ["when": .real(64800)]]
    for items in try Self.run(Self.mapping(line), rows) {
      #expect(items.map { $0[attribute] } == expected)
    }
    let policy = "policy P\n  set " + line
    for items in try Self.run(Self.mapping(policy: true), policy: policy, rows) {
      #expect(items.map { $0[attribute] } == expected)
    }
  }

  @Test(
    "a value of another type in a number column counts as 0 in no executor",
    arguments: ["small", "mid", "big", "real"])
  func otherTypes(column: String) throws {
    let values: [AttributeValue] = [
      .text("abc"), .text("7x"), .text("7"), .text(""), .bytes([0x37]), .real(2.5), .real(-1e30),
      .real(.infinity), .integer(40_000), .integer(3_000_000_000), .integer(.max), .integer(.min),
      .null,
    ]
    var (failures, results) = (0, 0)
    for (index, value) in values.enumerated() where CaseCount.includes(index) {
      for target in ["real", "big", "mid", "small"] where target != column {
        for formula in ["$source.\(column) * 3", "$source.\(column) + $source.\(column) - 1"] {
          for (policy, lines) in [
            (nil, ["\(target) = \(formula)", "omit \(column)"]),
            (
              "policy P\n  set name = 'x'",
              ["policy P", "\(target) = \(formula)", "omit \(column)"]
            ),
          ] {
            let mapping =
              (["ItemToItem: Item -> Item"] + lines.map { "  " + $0 } + ["TagToTag: Tag -> Tag"])
              .joined(separator: "\n")
            let rows: [[String: AttributeValue]] = [[column: .integer(3)], [column: value]]
            let answers = Self.executors.map { executor in
              Result { try Self.run(mapping, policy: policy, rows, by: [executor])[0] }
                .mapError {
                  ($0 as? any DiagnosticError)?.diagnostic ?? Diagnostic(id: "", what: "\($0)")
                }
            }
            #expect(answers[0] == answers[1], "\(value) \(lines)")
            if case .failure = answers[0] { failures += 1 } else { results += 1 }
          }
        }
      }
    }
    #expect(
      failures > CaseCount.least(11) && results > CaseCount.least(11), "\(failures) \(results)")
  }

  @Test("a condition of a policy that reads a Decimal compares decimal sums")
  func conditions() throws {
    let policy = """
      policy P
        skip when $source.dec + 0.2 == 0.3
        in relationships: set real = dec + 0.4
        in validation: require dec + 0.1 == 0.3, "wrong sum"
      """
    let rows: [[String: AttributeValue]] = [["dec": .real(0.1)], ["dec": .real(0.2)]]
    for items in try Self.run(
      Self.mapping("dec = $source.dec", policy: true), policy: policy, rows)
    {
      #expect(items.map { $0["dec"] } == [.real(0.2)])
      #expect(items.map { $0["real"] } == [.real(0.6)])
    }
  }

  /// Expressions of a 64-bit attribute, and what they come to; `nil` if it does not fit in 64 bits.
  private static let products: [(line: String, result: @Sendable (Int64) -> Int64?)] = [
    ("$source.big * 60", { $0.product(60) }), ("$source.big * -60", { $0.product(-60) }),
    ("$source.big + 5", { $0.sum(5) }), ("5 - $source.big", { $0.product(-1)?.sum(5) }),
    ("$source.big * $source.small", { $0.product(7) }),
    ("$source.big * 60 + $source.small", { $0.product(60)?.sum(7) }),
    ("($source.big + $source.small) * 3", { $0.sum(7)?.product(3) }),
    ("$source.big * 2 + 1000", { $0.product(2)?.sum(1000) }),
    ("$source.big * 4 * 2 - 9", { $0.product(4)?.product(2)?.sum(-9) }),
    ("3 * ($source.big - 1) + $source.small", { $0.sum(-1)?.product(3)?.sum(7) }),
    ("$source.big * $source.big", { $0.product($0) }),
  ]

  @Test(
    "integers of 64 bits near every limit, by objects, by SQL, and by Swift",
    arguments: products.indices)
  func limits(index: Int) throws {
    let (line, result) = Self.products[index]
    var values = Set<Int64>([.min, .max, 0, 1 << 32, -(1 << 32)])
    for divisor: Int64 in [1, 2, 3, 7, 8, 60] {
      for near: Int64 in [-500, -499, -9, -8, -2, -1, 0, 1, 2, 8, 9, 499, 500] {
        values.insert((.max / divisor).addingReportingOverflow(near).partialValue)
        values.insert((.min / divisor).addingReportingOverflow(near).partialValue)
      }
    }
    let sorted = values.sorted()
    let fitting = sorted.filter { result($0) != nil }
    // Those that fail first, and last.
    let failing = sorted.indices.filter { place in
      result(sorted[place]) == nil
        && [place - 3, place - 1, place + 1, place + 3].contains {
          !sorted.indices.contains($0) || result(sorted[$0]) != nil
        }
    }.map { sorted[$0] }
    func row(_ value: Int64) -> [String: AttributeValue] {
      ["big": .integer(value), "small": .integer(7)]
    }
    let mapping = Self.mapping("big = \(line)")
    for items in try Self.run(mapping, fitting.map(row)) {
      #expect(items.map { $0["big"] } == fitting.map { result($0).map { .integer($0) } })
    }
    for value in failing {
      for executor in Self.executors {
        #expect(throws: MigrationError.self, "\(value) \(executor)") {
          try Self.run(mapping, [row(value)], by: [executor])
        }
      }
    }
  }

  @Test(
    "an integer that overflows stops the object's migration, and the reason names the operation",
    arguments: [
      ("big = $source.big + 1", "big", "+"), ("big = $source.big * 2", "big", "*"),
      ("big = 0 - $source.big - 2", "big", "-"), ("real = $source.big + $source.small", "big", "+"),
      ("big = $source.mid * $source.mid * $source.mid", "mid", "*"),
      ("big = $source.small * $source.big", "big", "*"),
    ])
  func overflow(line: String, attribute: String, operation: String) throws {
    let largest: AttributeValue = attribute == "mid" ? .integer(2_147_483_647) : .integer(.max)
    let row: [String: AttributeValue] = ["small": .integer(2), attribute: largest]
    // Each by itself: the first to fail would hide the other.
    for executor in Self.executors {
      let error = #expect(throws: MigrationError.self, "\(executor)") {
        try Self.run(Self.mapping(line), [row], by: [executor])
      }
      #expect(
        error?.diagnostic.what.contains(
          "\(operation): the result does not fit in a 64-bit integer") == true,
        "\(executor): \(String(describing: error))")
    }
    // What does not overflow is computed.
    let harmless: [String: AttributeValue] = ["small": .integer(2), attribute: .integer(5)]
    let name = String(line.prefix { $0 != " " })
    for items in try Self.run(Self.mapping(line), [harmless]) {
      #expect(items.first?[name] != .null)
    }
  }

  /// Every pair of integer types and operators, with the values at the bounds of the types: what SQL and the
  /// evaluator make of them is the same, and exact.
  @Test("integers at the limits of their types are computed exactly, object by object and in SQL")
  func bounds() throws {
    let bounds: [(name: String, low: Int64, high: Int64)] = [
      ("small", -32_768, 32_767), ("mid", -2_147_483_648, 2_147_483_647),
    ]
    for first in bounds {
      for second in bounds {
        for (symbol, operation): (String, (Int64, Int64) -> Int64) in [
          ("+", { $0 + $1 }), ("-", { $0 - $1 }), ("*", { $0 * $1 }),
        ] {
          var rows: [[String: AttributeValue]] = []
          var expected: [AttributeValue?] = []
          for a in [first.low, first.high] {
            for b in first.name == second.name ? [a] : [second.low, second.high] {
              var row: [String: AttributeValue] = [first.name: .integer(a)]
              row[second.name] = .integer(b)
              rows.append(row)
              expected.append(.integer(operation(a, b)))
            }
          }
          let line = "big = $source.\(first.name) \(symbol) $source.\(second.name)"
          for items in try Self.run(Self.mapping(line), rows) {
            #expect(items.map { $0["big"] } == expected, "\(line)")
          }
        }
      }
    }
  }

  @Test("a number that exceeds Decimal stops the object's migration")
  func outOfRange() throws {
    for executor in Self.executors {
      let error = #expect(throws: MigrationError.self, "\(executor)") {
        try Self.run(
          Self.mapping("other = $source.real * 2"), [["real": .real(1e300)]], by: [executor])
      }
      #expect(error?.diagnostic.what.contains("does not fit in a Decimal") == true, "\(executor)")
    }
  }

  @Test("strings that only look equal become different objects")
  func texts() throws {
    let rows: [[String: AttributeValue]] = ["\u{E9}", "e\u{301}", "\u{E9}"].map {
      ["name": .text($0)]
    }
    let one = "policy P\n  one destination for each $source.name"
    for items in try Self.run(Self.mapping("name = $source.name", policy: true), policy: one, rows)
    {
      #expect(items.map { $0["name"] } == [.text("\u{E9}"), .text("e\u{301}")])
    }
    let create = """
      policy P
        in relationships: set tag = find or create Tag where name == $source.name
      """
    for items in try Self.run(
      Self.mapping("name = $source.name", policy: true), policy: create, rows)
    {
      #expect(items.count == 3)
    }
    try Self.checkTags(create, rows)
  }

  private static func checkTags(_ policy: String, _ rows: [[String: AttributeValue]]) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (
      NamedModel(name: "old", model: try model(nil)), NamedModel(name: "new", model: try model("2"))
    )
    var store = try NewStore(path: folder.path("old.sqlite"), model: old.model, uuid: "A")
    for row in rows { _ = try store.insert("Item", attributes: row) }
    try store.finish()
    var policies = PolicyRegistry()
    policies.add(try PolicyScript.policies(parsing: policy))
    let hop = try MigrationPlan.Hop(
      from: old, to: new, by: mapping("name = $source.name", policy: true))
    _ = try Passes.run(
      hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"), policies: policies)
    let answer = try Python.run(
      """
      import sqlite3, sys
      query = sqlite3.connect(sys.argv[1]).execute
      print(query("SELECT count(*) FROM ZTAG").fetchone()[0],
            query("SELECT count(DISTINCT ZNAME) FROM ZTAG").fetchone()[0],
            query("SELECT count(*) FROM ZITEM i JOIN ZTAG t ON t.Z_PK = i.ZTAG "
                  "WHERE t.ZNAME = i.ZNAME").fetchone()[0])
      """, arguments: [folder.path("new.sqlite")]
    ).trimmingCharacters(in: .newlines)
    #expect(answer == "2 2 3")
  }
}

extension Int64 {
  fileprivate func product(_ other: Int64) -> Int64? {
    let (value, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? nil : value
  }

  fileprivate func sum(_ other: Int64) -> Int64? {
    let (value, overflows) = addingReportingOverflow(other)
    return overflows ? nil : value
  }
}
