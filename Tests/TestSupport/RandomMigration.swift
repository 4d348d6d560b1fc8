package import StrataBase
import StrataMapping
package import StrataMigration
import StrataObjectModel
import StrataPolicy
package import StrataStepping
import StrataStore

import struct StrataPolicy.EntityMapping

/// A chain of random models with a store of the first.
package struct RandomMigration {
  package var hops: [MigrationPlan.Hop]
  package let path: String
  package private(set) var policies: PolicyRegistry

  /// - Parameters:
  ///   - hasScripts: Whether some entity mappings have a policy of a policy file.
  ///   - rows: The objects of each entity.
  package init?(
    seed: UInt64, at path: String, hasScripts: Bool = false, rows: ClosedRange<Int> = 1...6,
    using random: inout SeededRandom
  ) throws {
    let first = try RandomModel.make(using: &random)
    var models = [first]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let last = models.last else { break }
      models.append(try RandomModel.edited(last, edits: 2, using: &random))
    }
    hops = []
    var scripts: [PolicyScript] = []
    for (place, model) in models.dropFirst().enumerated() {
      let (old, new) = (
        NamedModel(name: "\(place)", model: models[place]),
        NamedModel(name: "\(place + 1)", model: model)
      )
      guard old.model.versionHashes() != model.versionHashes(),
        var hop = try? MigrationPlanner().plan(from: old, to: new).hops.first
      else { break }
      if Bool.random(using: &random) {
        // As if somebody had written the mapping model, with a policy that remembers.
        hop.isInferred = false
        for index in hop.parts[0].mapping.entityMappings.indices
        where hop.parts[0].mapping.entityMappings[index].destinationName != nil
          && hop.parts[0].mapping.entityMappings[index].sourceName != nil
          && Int.random(in: 0...2, using: &random) == 0
        {
          hop.parts[0].mapping.entityMappings[index].policyName = RememberingPolicy.policyName
        }
        if Int.random(in: 0...3, using: &random) == 0 { hop.parts.append(hop.parts[0]) }
      }
      if hasScripts, !hop.isInferred {
        scripts += try Self.addScripts(to: &hop, using: &random)
      }
      hops.append(hop)
    }
    guard !hops.isEmpty else { return nil }
    self.path = path
    policies = PolicyRegistry([RememberingPolicy.self])
    policies.add(scripts)
    var store = try NewStore(path: path, model: first, uuid: random.uuidText())
    var generator = StoreGenerator(first, rows: Int.random(in: rows, using: &random), seed: seed)
    try generator.fill(&store)
    try store.finish()
  }

  /// Gives entity mappings policies that skip, join and set at random.
  private static func addScripts(
    to hop: inout MigrationPlan.Hop, using random: inout SeededRandom
  ) throws -> [PolicyScript] {
    var scripts: [PolicyScript] = []
    let mappings = hop.parts[0].mapping.entityMappings
    for index in mappings.indices where mappings[index].policyName == nil {
      guard let source = mappings[index].sourceName,
        let destination = mappings[index].destinationName
      else { continue }
      let plain = hop.from.model.allAttributes(of: source).map(\.property).filter {
        !$0.isTransient && !$0.isDerived && [.string, .integer32, .integer16].contains($0.type)
      }
      let settable = hop.to.model.allAttributes(of: destination).map(\.property).filter {
        !$0.isTransient && !$0.isDerived && $0.type == .string
      }
      guard let first = plain.randomElement(using: &random) else { continue }
      var lines: [String] = []
      if Bool.random(using: &random) { lines.append("skip when $source.\(first.name) == nil") }
      if Bool.random(using: &random) {
        lines.append("one destination for each $source.\(first.name)")
      }
      if let attribute = settable.randomElement(using: &random) {
        lines.append(
          Bool.random(using: &random)
            ? "set \(attribute.name) = 'set'" : "in relationships: set \(attribute.name) = 'later'")
      }
      if let attribute = settable.last, (index + lines.count) % 3 == 0 {
        lines.append("find or create \(destination) where \(attribute.name) == 'set'")
      }
      guard !lines.isEmpty else { continue }
      let name = "Script\(hop.from.name)_\(index)"
      for part in hop.parts.indices {
        hop.parts[part].mapping.entityMappings[index].policyName = name
      }
      scripts += try PolicyScript.policies(
        parsing: "policy \(name)\n" + lines.map { "  \($0)\n" }.joined())
    }
    return scripts
  }

  package func setup(_ spacing: CheckpointSpacing, leaps: LeapSizes? = nil) -> StepperSetup {
    StepperSetup(hops: hops, policies: policies, spacing: spacing, leaps: leaps) {
      try SQLiteStore(reading: path)
    }
  }
}

/// Drops every third object, and makes a second one of every fourth: by what it has counted so far.
private struct RememberingPolicy: EntityMigrationPolicy {
  private var seen = 0

  mutating func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    seen += 1
    let total = (manager.userInfo["total"] as? Int ?? 0) + 1
    manager.userInfo["total"] = total
    guard seen % 3 != 0 else { return }
    try manager.createDestinationInstance(for: source, in: mapping)
    if total % 4 == 0, let entity = mapping.destinationEntityName {
      try manager.insert(entity)
    }
  }
}
