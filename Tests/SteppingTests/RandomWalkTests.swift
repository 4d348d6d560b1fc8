import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataPolicy
import StrataStepping
import StrataStore
import TestSupport
import Testing

import struct StrataPolicy.EntityMapping

/// Random migrations, walked forward and back at random: wherever somebody stops, all is as in a run that
/// went there straight.
@Suite("Random walks")
struct RandomWalkTests {
  @Test("at each stop, the state equals that of a fresh run to that point")
  func walks() throws {
    let folder = try TemporaryFolder()
    let count = UInt64(ProcessInfo.processInfo.environment["WALKS"] ?? "") ?? 60
    var (stops, walked) = (0, 0)
    for seed in 1...count {
      var random = SeededRandom(seed: seed)
      guard
        let migration = try RandomMigration(
          seed: seed, at: folder.path("\(seed).sqlite"), using: &random)
      else { continue }
      walked += 1
      let detail: TraceDetail = seed % 3 == 0 ? .rows : .none
      let straight = try StraightRun(migration.setup(.every(.max)), detail)
      let spacing = CheckpointSpacing.every(Int.random(in: 1...15, using: &random))
      let stepper = try Stepper(migration.setup(spacing))
      stepper.detail = detail
      var last: StopState?
      for _ in 0..<12 {
        last = try Self.wander(stepper, straight, seed, using: &random)
        guard let last, let wanted = straight.states[stepper.position] else {
          Issue.record("\(seed): no stop at \(stepper.position)")
          return
        }
        stops += 1
        if last != wanted {
          Issue.record("\(seed) at \(stepper.position): \(last.difference(from: wanted))")
          return
        }
      }
    }
    #expect(walked * 3 > count && stops > walked * 10, "\(walked) walks, \(stops) stops")
  }

  /// Makes one movement, and compares the received events with those of the straight run.
  private static func wander(
    _ stepper: Stepper, _ straight: StraightRun, _ seed: UInt64,
    using random: inout SeededRandom
  ) throws -> StopState {
    let unit = StepUnit.allCases.randomElement(using: &random) ?? .step
    let count = Int.random(in: 1...4, using: &random)
    switch Int.random(in: 0...9, using: &random) {
    case 0...3:
      let from = stepper.position
      var received: [TraceEvent] = []
      _ = stepper.move(.unit(.step, count: count)) { received.append($0) }
      let wanted = straight.events(from: from, to: stepper.position)
      #expect(received.map(\.untimed) == wanted, "\(seed) from \(from)")
    case 4: _ = stepper.move(.unit(unit, count: 1))
    case 5...7: try stepper.goBack(by: unit == .hop ? .mapping : unit, count: count)
    case 8: _ = try stepper.go(toMark: Int.random(in: 1...max(1, straight.mark), using: &random))
    default: try stepper.goBack(by: .hop)
    }
    return try StopState(stepper)
  }
}

/// A chain of random models with a store of the first.
private struct RandomMigration {
  var hops: [MigrationPlan.Hop]
  var path: String
  var policies: PolicyRegistry

  init?(seed: UInt64, at path: String, using random: inout SeededRandom) throws {
    let first = try RandomModel.make(using: &random)
    var models = [first]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let last = models.last else { break }
      models.append(try RandomModel.edited(last, edits: 2, using: &random))
    }
    hops = []
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
      hops.append(hop)
    }
    guard !hops.isEmpty else { return nil }
    self.path = path
    policies = PolicyRegistry([RememberingPolicy.self])
    var store = try NewStore(path: path, model: first, uuid: random.uuidText())
    var generator = StoreGenerator(first, rows: Int.random(in: 1...6, using: &random), seed: seed)
    try generator.fill(&store)
    try store.finish()
  }

  func setup(_ spacing: CheckpointSpacing) -> StepperSetup {
    StepperSetup(hops: hops, policies: policies, spacing: spacing) {
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
