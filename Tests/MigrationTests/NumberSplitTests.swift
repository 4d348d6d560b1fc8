import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// A split converts numbers as inference does in one step: of every pair of number types, the same values and the
/// same losses.
@Suite("Numbers of split migrations")
struct NumberSplitTests {
  private static let types = AttributeType.allCases.filter(\.isNumber)
  private static let pairs = types.flatMap { old in
    types.filter { $0 != old }.map { (old: old, new: $0) }
  }
  private static let numbers: [AttributeValue] = [
    .integer(0), .integer(1), .integer(-1), .integer(2), .integer(32767), .integer(32768),
    .integer(-40000), .integer(2_147_483_648), .integer(9_007_199_254_740_993), .real(0.5),
    .real(-1.5), .real(3), .real(-32768.5), .real(3e9), .real(1e19), .real(1e300),
  ]

  private static func name(_ pair: (old: AttributeType, new: AttributeType)) -> String {
    "n\(pair.old.rawValue)to\(pair.new.rawValue)"
  }

  /// - Parameter isRequired: With the default value 1 in the new model.
  private static func model(isNew: Bool, isRequired: Bool) throws -> ObjectModel {
    let attributes = pairs.map { pair in
      let rest =
        isNew && isRequired ? #"defaultValueString="1""# : #"optional="YES""#
      return
        #"<attribute name="\#(name(pair))" attributeType="\#((isNew ? pair.new : pair.old).name)" \#(rest)/>"#
    }
    return try ObjectModel(
      ModelDocument(
        reading: Array("<model><entity name=\"A\">\(attributes.joined())</entity></model>".utf8)))
  }

  private static func fits(_ value: AttributeValue, _ type: AttributeType) -> Bool {
    switch value {
    case .integer(let number): type.wholeNumbers?.contains(number) == true
    case .real(let number):
      type.wholeNumbers == nil && (type != .float || abs(number) < 1e38)
        && (type != .decimal || abs(number) < 1e100)
    default: false
    }
  }

  private static func create(_ model: ObjectModel, at path: String) throws {
    var store = try NewStore(
      path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for number in numbers {
      let values = pairs.filter { fits(number, $0.old) }.map { (name($0), number) }
      _ = try store.insert("A", attributes: Dictionary(uniqueKeysWithValues: values))
    }
    try store.finish()
  }

  /// The values by attribute, and the objects that lose something: fractions, digits, all.
  private struct Result: Equatable {
    var values: [String: [AttributeValue]] = [:]
    var losses: [String: [Int]] = [:]
  }

  private static func result(
    of hops: [MigrationPlan.Hop], at path: String
  ) throws -> Result {
    var result = Result()
    for hop in hops {
      for fate in try InPlace.run(hop, at: path).report.receipt.properties {
        guard let name = fate.destinations.first?.name, name.hasPrefix("n") else { continue }
        let losses = [fate.truncated.count, fate.rounded.count, fate.unfitting.count]
        let known = result.losses[name] ?? [0, 0, 0]
        result.losses[name] = zip(known, losses).map(+)
        // What does not fit is told as such, and not as a removed value.
        #expect(fate.lost.count == fate.unfitting.count, "\(name): \(fate)")
      }
    }
    let model = hops[hops.count - 1].to.model
    let objects = StoreObjects(try StoreReader(SQLiteStore(reading: path), model: model))
    for name in pairs.map(name) {
      result.values[name] = try objects.keys(of: "A", where: nil).map {
        try objects.object($0, of: "A").attributeValue(name)
      }
    }
    return result
  }

  @Test(
    "every pair of number types is converted equally in stages and in one step",
    arguments: [false, true])
  func allPairs(isRequired: Bool) throws {
    let (old, new) = (
      NamedModel(name: "Old", model: try Self.model(isNew: false, isRequired: isRequired)),
      NamedModel(name: "New", model: try Self.model(isNew: true, isRequired: isRequired))
    )
    let chain = try #require(
      VersionChain(from: MatchableModel(old.model), to: MatchableModel(new.model)))
    let text = StagesText(chain, from: "Old", names: ["Middle", "New"]).text
    let versions = zip(["Old", "Middle", "New"], [old.model] + chain.steps.map(\.model)).map {
      NamedModel(name: $0, model: $1)
    }
    let stages = try StageScript(parsing: text).resolved(
      among: versions, policies: PolicyRegistry(), folder: "/nowhere")
    let planner = MigrationPlanner(versions: versions, stages: stages)
    let folder = try TemporaryFolder()
    for name in ["staged", "straight"] { try Self.create(old.model, at: folder.path(name)) }
    let staged = try Self.result(
      of: planner.plan(from: versions[0], to: versions[2], by: .staged).hops,
      at: folder.path("staged"))
    let straight = try Self.result(
      of: MigrationPlanner().plan(from: old, to: new).hops, at: folder.path("straight"))
    for name in Self.pairs.map(Self.name) {
      #expect(staged.values[name] == straight.values[name], "\(name)")
      #expect(staged.losses[name] == straight.losses[name], "\(name)")
    }
    // What narrows is split, told in the warnings and said in a comment.
    let narrowed = Self.pairs.filter { pair in
      straight.losses[Self.name(pair)] != [0, 0, 0] && (pair.new.wholeNumbers != nil)
    }
    #expect(narrowed.count > 15)
    for pair in narrowed {
      #expect(text.contains("set tmpN\(Self.name(pair).dropFirst()) = \(Self.name(pair)) "))
      #expect(
        text.contains("  # A.\(Self.name(pair)): \(pair.old.name) becomes \(pair.new.name); "))
      #expect(
        chain.warnings.contains {
          $0.property == Self.name(pair) && $0.id == "loss.narrowedNumber"
        })
    }
  }
}
