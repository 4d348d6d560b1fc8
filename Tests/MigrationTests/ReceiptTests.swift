import Foundation
import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Receipts beside what Python's SQLite counts in both stores.
@Suite("Receipts")
struct ReceiptTests {
  private static let numbers: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
  ]

  // MARK: Random renames, conversions and losses

  /// Values at the borders of all number types.
  private static func value(
    _ type: AttributeType, using random: inout SeededRandom
  ) -> AttributeValue {
    guard Int.random(in: 0..<4, using: &random) > 0 else { return .null }
    let whole: [Int64] = [
      0, 1, 2, -1, 32_767, 32_768, -32_768, -32_769, 2_147_483_647, 2_147_483_648, .max, .min,
    ]
    let real: [Double] = [0, 1, 0.5, -0.25, 1.5, 40_000.75, 1e10, -1e20, 1e39, 1e200]
    switch type {
    case .boolean: return .integer(Int64.random(in: 0...1, using: &random))
    case .integer16, .integer32, .integer64:
      let fitting = whole.filter { type.wholeNumbers?.contains($0) == true }
      return .integer(fitting.randomElement(using: &random) ?? 0)
    case .float: return .real(real.filter { $0 < 1e38 }.randomElement(using: &random) ?? 0)
    case .double, .decimal:
      return .real(real.filter { type == .double || $0 < 1e100 }.randomElement(using: &random) ?? 0)
    case .date: return .real(1.5)
    default: return .text("text")
    }
  }

  private static func attribute(_ name: String, _ type: AttributeType) -> Attribute {
    Attribute(name: name, type: type, isOptional: true)
  }

  /// P with Q below it, and R.
  private static func models(
    using random: inout SeededRandom
  ) throws -> (old: ObjectModel, new: ObjectModel) {
    var old = ModelDocument(entities: ["P", "Q", "R"].map { Entity(name: $0) })
    old.entities[1].superentityName = "P"
    for place in 0..<3 {
      old.entities[place].attributes = (0..<4).map { number in
        attribute(
          "\("pqr".dropFirst(place).prefix(1))\(number)",
          (numbers + [.string, .date]).randomElement(using: &random) ?? .string)
      }
      if place != 1 { old.entities[place].attributes.append(attribute("marker", .string)) }
    }
    var new = old
    for place in 0..<3 {
      new.entities[place].attributes = old.entities[place].attributes.compactMap {
        $0.name == "marker" ? $0 : changed($0, using: &random)
      }
      new.entities[place].attributes.append(attribute("added\(place)", .string))
    }
    if Bool.random(using: &random) {
      new.entities[1].name = "QNext"
      new.entities[1].renamingIdentifier = "Q"
    }
    if Int.random(in: 0..<3, using: &random) == 0 { new.entities.remove(at: 2) }
    return (try ObjectModel(old), try ObjectModel(new))
  }

  private static func changed(
    _ attribute: Attribute, using random: inout SeededRandom
  ) -> Attribute? {
    var attribute = attribute
    let change = Int.random(in: 0..<6, using: &random)
    if change == 0 { return nil }
    if change == 1 || change == 2 {
      attribute.renamingIdentifier = attribute.name
      attribute.name += "Next"
    }
    guard numbers.contains(attribute.type) else { return attribute }
    if change >= 2, change < 5 {
      attribute.type = numbers.randomElement(using: &random) ?? .double
    }
    if change == 4 { (attribute.isOptional, attribute.defaultValue) = (false, "1") }
    return attribute
  }

  private static func fill(
    _ path: String, _ model: ObjectModel, using random: inout SeededRandom
  ) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    for number in 0..<40 {
      let entity = ["P", "Q", "R"].randomElement(using: &random) ?? "P"
      var values: [String: AttributeValue] = ["marker": .text("\(number)")]
      for attribute in model.allAttributes(of: entity).map(\.property)
      where attribute.name != "marker" {
        values[attribute.name] = value(attribute.type, using: &random)
      }
      _ = try store.insert(entity, attributes: values)
    }
    try store.finish()
  }

  @Test("renames, conversions and losses equal those counted by Python, in every kind of migration")
  func random() throws {
    let folder = try TemporaryFolder()
    let oracle = try Oracle()
    var kinds: [Receipt.PropertyFate.Kind: Int] = [:]
    var (truncated, unfitting, filled) = (0, 0, 0)
    for seed in UInt64(1)...40 {
      var random = SeededRandom(seed: seed)
      let (old, new) = try Self.models(using: &random)
      guard
        let hop = try MigrationPlanner().plan(
          from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new)
        ).hops.first
      else { continue }
      let path = folder.path("\(seed).sqlite")
      try Self.fill(path, old, using: &random)
      let description = OracleDescription(hop)
      for executor in [PassesRun.Executor.objects, .fastest] {
        let target = folder.path("\(seed)-\(executor).sqlite")
        let report = try Passes.run(hop, from: path, into: target, executor: executor).report
        #expect(!report.stopsMigration)
        #expect(
          try oracle.check(OracleReceipt(report.receipt), of: path, to: target, description) == [],
          "\(seed) \(executor)")
      }
      let target = folder.path("\(seed)-in-place.sqlite")
      try FileManager.default.copyItem(atPath: path, toPath: target)
      let receipt = try InPlace.run(hop, at: target).report.receipt
      #expect(
        try oracle.check(OracleReceipt(receipt), of: path, to: target, description) == [],
        "\(seed) in place")
      for fate in receipt.properties {
        kinds[fate.kind, default: 0] += 1
        truncated += fate.truncated.count
        unfitting += fate.unfitting.count
        filled += fate.filled
      }
      // What the models foretell is, counted in the store before, what the receipt tells.
      let predicted = try hop.losses(in: StoreReader(SQLiteStore(reading: path), model: old))
      #expect(
        predicted.filter { $0.loss.kind == .values }
          .reduce(0) { $0 + ($1.finding.evidence.count ?? 0) }
          == receipt.properties.filter {
            $0.kind == .lost && !$0.isRelationship && !$0.isLostWithObjects
          }.reduce(0) { $0 + $1.lost.count }, "\(seed)")
      // Of two stores, the same is told without the migration.
      let compared = try Receipt(
        of: hop, from: StoreReader(SQLiteStore(reading: path), model: old),
        to: StoreReader(SQLiteStore(reading: target), model: new))
      #expect(
        compared.properties.map { "\($0.destinations) \($0.kind) \($0.lost.count)" }
          == receipt.properties.map { "\($0.destinations) \($0.kind) \($0.lost.count)" }, "\(seed)")
    }
    for kind in [Receipt.PropertyFate.Kind.kept, .renamed, .converted, .lost, .new] {
      #expect(kinds[kind] ?? 0 > 20, "\(kind)")
    }
    #expect(truncated > 20 && unfitting > 20 && filled > 20)
  }

  // MARK: Objects

  private static func hop(
    _ mappings: [EntityMapping], parts: [[EntityMapping]] = [],
    to names: [String] = ["number", "kind", "title"]
  ) throws -> MigrationPlan.Hop {
    let all = [mappings] + parts
    return MigrationPlan.Hop(
      from: NamedModel(name: "old", model: try itemModel(["number", "kind", "name"])),
      to: NamedModel(name: "new", model: try itemModel(names)),
      parts: all.enumerated().map {
        NamedMappingModel(name: "part\($0)", mapping: MappingModel(entityMappings: $1))
      }, reason: "")
  }

  private static func itemModel(_ names: [String]) throws -> ObjectModel {
    var item = Entity(name: "Item")
    item.attributes = names.map { attribute($0, $0 == "number" ? .integer32 : .string) }
    return try ObjectModel(ModelDocument(entities: [item]))
  }

  private static func mapping(
    _ name: String, filter: String? = nil, policy: String? = nil,
    copying names: [(new: String, old: String)] = [
      ("number", "number"), ("kind", "kind"), ("title", "name"),
    ]
  ) -> EntityMapping {
    var mapping = EntityMapping(
      name: name, kind: policy == nil ? .transform : .custom, sourceName: "Item",
      destinationName: "Item",
      attributeMappings: names.map {
        PropertyMapping(name: $0, expression: .keyPath(of: .variable("source"), [$1]))
      })
    mapping.filter = filter
    mapping.policyName = policy
    return mapping
  }

  /// Items 1 to 12 of the kinds a, b and c in turn; every fourth has no name.
  private static func makeItems(_ path: String) throws {
    var store = try NewStore(
      path: path, model: try itemModel(["number", "kind", "name"]), uuid: "A")
    for number in 1...12 {
      let kind = ["a", "b", "c"][number % 3]
      _ = try store.insert(
        "Item",
        attributes: [
          "number": .integer(Int64(number)), "kind": .text(kind),
          "name": number % 4 == 0 ? .null : .text("n\(number)"),
        ])
    }
    try store.finish()
  }

  private static let policies = """
    policy Skip
      skip when $source.kind == 'a'
    policy Join
      one destination for each $source.kind
    """

  private static func registry() throws -> PolicyRegistry {
    var registry = PolicyRegistry()
    registry.add(try PolicyScript.policies(parsing: policies))
    return registry
  }

  /// Each object fate as `mapping: source created joined skipped lost keys`.
  private static func objects(_ receipt: Receipt) -> [String] {
    receipt.objects.map {
      "\($0.mapping): \($0.source) \($0.created ?? -1) \($0.joined) \($0.skipped) \($0.lost) "
        + ($0.keys?.rawValue ?? "none")
    }
  }

  @Test(
    "both executors report equal numbers of created, merged, skipped and lost objects",
    arguments: [PassesRun.Executor.objects, .fastest])
  func objects(executor: PassesRun.Executor) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("items.sqlite")
    try Self.makeItems(path)
    let policies = try Self.registry()
    func receipt(_ mappings: [EntityMapping], parts: [[EntityMapping]] = []) throws -> Receipt {
      try Passes.run(
        Self.hop(mappings, parts: parts), from: path, into: folder.path(UUID().uuidString),
        policies: policies, executor: executor
      ).report.receipt
    }
    var remove = Self.mapping("Remove")
    (remove.kind, remove.destinationName, remove.attributeMappings) = (.remove, nil, [])
    #expect(try Self.objects(receipt([Self.mapping("All")])) == ["All: 12 12 0 0 0 kept"])
    // Items 2, 5, 8 and 11 are of kind c, 3, 6, 9 and 12 of kind a.
    #expect(
      try Self.objects(receipt([Self.mapping("Skip", policy: "Skip")]))
        == ["Skip: 12 8 0 0 4 changed"])
    #expect(
      try Self.objects(receipt([Self.mapping("Join", policy: "Join")]))
        == ["Join: 12 3 9 0 0 changed"])
    #expect(
      try Self.objects(receipt([Self.mapping("C", filter: "kind == 'c'")]))
        == ["C: 4 4 0 0 0 changed"])
    // What one leaves out, another takes; each lost object is counted once.
    #expect(
      try Self.objects(
        receipt([
          Self.mapping("Skip", policy: "Skip"), Self.mapping("A", filter: "kind == 'a'"),
        ])) == ["Skip: 12 8 0 4 0 changed", "A: 4 4 0 0 0 changed"])
    #expect(
      try Self.objects(receipt([remove, Self.mapping("C", filter: "kind == 'c'")]))
        == ["Remove: 12 0 0 4 8 none", "C: 4 4 0 0 0 changed"])
    #expect(
      try Self.objects(receipt([remove], parts: [[Self.mapping("Skip", policy: "Skip")]]))
        == ["Remove: 12 0 0 8 4 none", "Skip: 12 8 0 4 0 changed"])
    var other = remove
    other.name = "Again"
    #expect(
      try Self.objects(receipt([remove, other]))
        == ["Remove: 12 0 0 0 12 none", "Again: 12 0 0 12 0 none"])
  }

  @Test(
    "values of merged or lost objects are distinguished from lost values",
    arguments: [PassesRun.Executor.objects, .fastest])
  func values(executor: PassesRun.Executor) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("items.sqlite")
    try Self.makeItems(path)
    let policies = try Self.registry()
    func title(_ mapping: EntityMapping) throws -> Receipt.PropertyFate {
      let receipt = try Passes.run(
        Self.hop([mapping]), from: path, into: folder.path(UUID().uuidString),
        policies: policies, executor: executor
      ).report.receipt
      return try #require(
        receipt.properties.first { $0.destinations.map(\.name) == ["title"] })
    }
    let skipped = try title(Self.mapping("Skip", policy: "Skip"))
    // Of the items 3, 6, 9 and 12, the last has no name.
    #expect(skipped.kind == .renamed && skipped.before == 9 && skipped.after == 6)
    #expect(skipped.inLostObjects == 3 && skipped.lost.count == 0 && skipped.joined == 0)
    let joined = try title(Self.mapping("Join", policy: "Join"))
    #expect(joined.after == 3 && joined.joined == 6 && joined.lost.count == 0)
    var unread = Self.mapping("Unread")
    unread.attributeMappings.removeLast()
    let receipt = try Passes.run(
      Self.hop([unread]), from: path, into: folder.path("unread.sqlite"), executor: executor
    ).report.receipt
    let lost = try #require(receipt.properties.first { $0.sources.map(\.name) == ["name"] })
    #expect(lost.kind == .lost && lost.lost.count == 9 && lost.lost.keys == [1, 2, 3])
    #expect(receipt.losses == Receipt.Losses(values: 9))
  }

  @Test(
    "of several attributes with the value of one, its namesake keeps it, otherwise the first",
    arguments: [PassesRun.Executor.objects, .fastest])
  func copiedTwice(executor: PassesRun.Executor) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("items.sqlite")
    try Self.makeItems(path)
    for (names, kept) in [(["name", "title"], "name"), (["title", "other"], "other")] {
      let mapping = Self.mapping(
        "Twice",
        copying: [("number", "number"), ("kind", "kind")] + names.map { ($0, "name") })
      let receipt = try Passes.run(
        Self.hop([mapping], to: ["number", "kind"] + names), from: path,
        into: folder.path(UUID().uuidString), executor: executor
      ).report.receipt
      for name in names {
        let fate = try #require(receipt.properties.first { $0.destinations.map(\.name) == [name] })
        #expect(
          fate.kind == (name != kept ? .computed : name == "name" ? .kept : .renamed), "\(name)")
        #expect(fate.before == 9 && fate.after == 9 && fate.filled == 0 && fate.lost.count == 0)
      }
      #expect(receipt.losses == Receipt.Losses())
    }
  }
}
