import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import TestSupport
import Testing

/// The ways from version to version.
///
/// Source: facts on the demonstrations, section 2.
@Suite("Strategies")
struct MigrationPlannerTests {
  /// Versions 1 to 12 of one entity, each with an attribute more.
  private static func versions(_ names: [String]) throws -> [NamedModel] {
    try names.enumerated().map { index, name in
      var entity = Entity(name: "E")
      entity.attributes = (0...index).map {
        Attribute(name: "a\($0)", type: .string, isOptional: true)
      }
      return NamedModel(
        name: "M/\(name)", model: try ObjectModel(ModelDocument(entities: [entity])))
    }
  }

  private static let numbers = (1...12).map { "V\($0)" }

  private static func planner(_ names: [String], _ mappings: [String]) throws -> MigrationPlanner {
    let versions = try versions(names)
    let named = mappings.map { name -> NamedMappingModel in
      let reading = MappingConvention.readings(of: name).first
      let find = { (wanted: String?) in versions.first { $0.versionName == wanted } }
      guard let from = find(reading?.source), let to = find(reading?.destination) else {
        return NamedMappingModel(name: name, mapping: MappingModel(entityMappings: []))
      }
      var mapping = MappingModel(
        startingFrom: MatchableModel(from.model), to: MatchableModel(to.model))
      // Parts have different content.
      mapping.entityMappings[0].filter = "a0 == '\(name)'"
      return NamedMappingModel(name: name, mapping: mapping)
    }
    // In any order: the names tell.
    return MigrationPlanner(versions: versions.reversed(), mappings: named.reversed())
  }

  private static func hops(
    _ planner: MigrationPlanner, _ from: String, _ to: String, _ strategy: MigrationStrategy
  ) throws -> [String] {
    let find = { (name: String) in try #require(planner.versions.first { $0.versionName == name }) }
    return try planner.plan(from: find(from), to: find(to), by: strategy).hops.map { hop in
      "\(hop.from.versionName)>\(hop.to.versionName)"
        + (hop.isInferred ? "" : " " + hop.parts.map(\.name).joined(separator: " "))
    }
  }

  @Test(
    "the hybrid strategy follows its rule",
    arguments: [
      // With 1 to 2 and 5 to 6 only: mapping, one leap, mapping.
      (["V1ToV2", "V5ToV6"], "V1", "V6", ["V1>V2 V1ToV2", "V2>V5", "V5>V6 V5ToV6"]),
      ([], "V1", "V6", ["V1>V6"]),
      (["V1ToV6"], "V1", "V6", ["V1>V6 V1ToV6"]),
      // The one to the final version, else the highest below it; what goes beyond does not count.
      (["V1ToV2", "V1ToV4"], "V1", "V4", ["V1>V4 V1ToV4"]),
      (["V1ToV2", "V1ToV3", "V1ToV7"], "V1", "V4", ["V1>V3 V1ToV3", "V3>V4"]),
      (["V1ToV7"], "V1", "V4", ["V1>V4"]),
      (["V1ToV7", "V3ToV4"], "V1", "V4", ["V1>V3", "V3>V4 V3ToV4"]),
      // By number: 10 comes after 9.
      (["V1ToV9", "V1ToV10"], "V1", "V12", ["V1>V10 V1ToV10", "V10>V12"]),
      (["V9ToV10", "V10ToV11"], "V2", "V11", ["V2>V9", "V9>V10 V9ToV10", "V10>V11 V10ToV11"]),
      // Parts go one after the other into one destination.
      (
        ["V1ToV2-2", "V1ToV2-10", "V1ToV2-1"], "V1", "V2",
        ["V1>V2 V1ToV2-1 V1ToV2-2 V1ToV2-10"]
      ),
      (["V1ToV2", "V1ToV2-1"], "V1", "V2", ["V1>V2 V1ToV2"]),
      // Of the version itself, and of none in between.
      (["V4ToV5"], "V4", "V5", ["V4>V5 V4ToV5"]),
      (["V5ToV6"], "V1", "V5", ["V1>V5"]),
      (["V5ToV6"], "V6", "V6", []),
    ])
  func hybrid(mappings: [String], from: String, to: String, expected: [String]) throws {
    let planner = try Self.planner(Self.numbers, mappings)
    #expect(try Self.hops(planner, from, to, .hybrid) == expected)
  }

  @Test("a mapping model that was found in two places is run once, by every strategy")
  func copies() throws {
    let once = try Self.planner(Self.numbers, ["V1ToV2-1", "V1ToV2-2"])
    var copies = once.mappings
    for index in copies.indices { copies[index].path = "elsewhere/\(copies[index].name)" }
    var other = copies[0]
    other.name = "Other"
    for areNamed in [true, false] {
      let planner = MigrationPlanner(
        versions: once.versions, mappings: once.mappings + copies + [other],
        areMappingsNamed: areNamed)
      for strategy in [MigrationStrategy.custom, .hybrid] {
        let hop = try #require(
          try planner.plan(from: once.versions[0], to: once.versions[1], by: strategy).hops.first)
        #expect(hop.parts.map(\.name).sorted() == ["V1ToV2-1", "V1ToV2-2"], "\(strategy)")
      }
    }
  }

  @Test("versions of an app with build numbers are ordered")
  func builds() throws {
    let planner = try Self.planner(
      ["1.2.1 {2}", "1.2.1 {10}", "1.10", "2"], ["1.2.1 {10}To1.10"])
    // 1.10 comes after 1.2: numbers count by their value.
    #expect(
      try Self.hops(planner, "1.2.1 {2}", "2", .hybrid) == [
        "1.2.1 {2}>1.2.1 {10}", "1.2.1 {10}>1.10 1.2.1 {10}To1.10", "1.10>2",
      ])
  }

  @Test("progressive migrates through every version, lightweight and default through none")
  func others() throws {
    let planner = try Self.planner(Self.numbers, ["V2ToV3"])
    #expect(
      try Self.hops(planner, "V1", "V4", .progressive) == ["V1>V2", "V2>V3 V2ToV3", "V3>V4"])
    #expect(try Self.hops(planner, "V4", "V2", .progressive) == ["V4>V3", "V3>V2"])
    #expect(try Self.hops(planner, "V1", "V4", .default) == ["V1>V4"])
    #expect(try Self.hops(planner, "V2", "V3", .default) == ["V2>V3 V2ToV3"])
    #expect(try Self.hops(planner, "V2", "V3", .lightweight) == ["V2>V3"])
    #expect(try Self.hops(planner, "V2", "V3", .custom) == ["V2>V3 V2ToV3"])
  }

  @Test("rejected mapping models have reasons, and nothing is inferred if inference is not allowed")
  func refusals() throws {
    let planner = try Self.planner(Self.numbers, ["V2ToV3"])
    let (first, second) = (planner.versions[0], planner.versions[1])
    do {
      _ = try planner.plan(from: first, to: second, by: .custom)
      Issue.record("V2ToV3 does not migrate V1 to V2")
    } catch {
      let said = error.diagnostic.what
      #expect(
        said.contains("V2ToV3 does not migrate M/V1 to M/V2: created for another version of E"),
        "\(said)")
    }
    let strict = MigrationPlanner(
      versions: planner.versions, mappings: planner.mappings, infers: false)
    for strategy in [MigrationStrategy.default, .progressive, .hybrid] {
      #expect(throws: MigrationError.self) {
        try strict.plan(from: first, to: planner.versions[3], by: strategy)
      }
    }
    let stranger = NamedModel(name: "X/V1", model: try SampleStore.model("Topics", "Model1"))
    for strategy in [MigrationStrategy.progressive, .hybrid] {
      #expect(throws: MigrationError.self) {
        try planner.plan(from: stranger, to: second, by: strategy)
      }
    }
  }
}
