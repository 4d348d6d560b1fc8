import Foundation
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStepping
import StrataStore
import StrataTraceEvents
import StrataValues
import TestSupport
import Testing

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
      let straight = try StraightRun(migration, detail)
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

  /// Makes one movement, and compares what was heard with what the straight run heard there.
  private static func wander(
    _ stepper: Stepper, _ straight: StraightRun, _ seed: UInt64,
    using random: inout SeededRandom
  ) throws -> StopState {
    let unit = StepUnit.allCases.randomElement(using: &random) ?? .step
    let count = Int.random(in: 1...4, using: &random)
    switch Int.random(in: 0...9, using: &random) {
    case 0...3:
      let from = stepper.position
      var heard: [TraceEvent] = []
      _ = stepper.move(.unit(.step, count: count)) { heard.append($0) }
      let wanted = straight.events(from: from, to: stepper.position)
      #expect(heard.map(\.untimed) == wanted, "\(seed) from \(from)")
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
    if total % 4 == 0, let entity = mapping.destinationName {
      try manager.destination.insert(entity)
    }
  }
}

/// A run that only goes forward, object by object.
private struct StraightRun {
  private(set) var states: [StepPosition: StopState] = [:]
  /// In order, the places at which steps began, with what they did.
  private var steps: [(from: StepPosition, to: StepPosition, events: [TraceEvent])] = []
  private(set) var mark = 0

  init(_ migration: RandomMigration, _ detail: TraceDetail) throws {
    let stepper = try Stepper(migration.setup(.every(.max)))
    stepper.detail = detail
    states[stepper.position] = try StopState(stepper)
    while !stepper.isAtEnd {
      let from = stepper.position
      var heard: [TraceEvent] = []
      let stop = stepper.move(.unit(.step, count: 1)) { heard.append($0) }
      if case .failed(let diagnostic, _) = stop.reason { throw diagnostic }
      steps.append((from, stepper.position, heard.map(\.untimed)))
      states[stepper.position] = try StopState(stepper)
    }
    mark = stepper.mark
  }

  func events(from: StepPosition, to: StepPosition) -> [TraceEvent] {
    steps.filter { $0.from >= from && $0.to <= to }.flatMap(\.events)
  }
}

/// What a stepper is at a stop: what both stores hold, and what it says of itself.
private struct StopState: Equatable {
  var place: StepPlace
  var report: MigrationReport?
  var events: [TraceEvent]
  var associations: [PassesRun.Associations]
  var tables: [String: [String]]

  init(_ stepper: Stepper) throws {
    place = try stepper.place
    report = stepper.report
    events = stepper.lastEvents(30)
    associations = try stepper.associations(limit: 100)
    tables = [:]
    var names: [String] = []
    for master in ["sqlite_master", "sqlite_temp_master"] {
      _ = try stepper.query(.destination, "SELECT name, sql FROM \(master) ORDER BY name") { row in
        if case .text(let name) = row[0], case .text(let sql) = row[1] {
          tables["\(master) \(name)"] = [sql]
          if sql.hasPrefix("CREATE TABLE") { names.append(name) }
        }
        return true
      }
    }
    for name in names {
      _ = try stepper.query(.destination, "SELECT * FROM \"\(name)\"") { row in
        tables[name, default: []].append("\(row)")
        return true
      }
    }
  }

  func difference(from wanted: StopState) -> String {
    if place != wanted.place { return "\(place), and not \(wanted.place)" }
    if report != wanted.report { return "the reports differ" }
    if events != wanted.events { return "\(events), and not \(wanted.events)" }
    if associations != wanted.associations { return "the associations differ" }
    let names = Set(tables.keys).union(wanted.tables.keys).filter {
      tables[$0] != wanted.tables[$0]
    }
    return names.map {
      "\($0): \(tables[$0] ?? []), and not \(wanted.tables[$0] ?? [])"
    }.joined(separator: "\n")
  }
}

extension TraceEvent {
  /// Without what differs from run to run.
  fileprivate var untimed: TraceEvent {
    guard case .sqlRan(var statement) = kind else { return self }
    statement.seconds = 0
    return TraceEvent(mark: mark, kind: .sqlRan(statement))
  }
}
