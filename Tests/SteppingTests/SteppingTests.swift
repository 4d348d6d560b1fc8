import Foundation
import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataPolicy
import StrataStepping
import StrataStore
import TestSupport
import Testing

import struct StrataPolicy.EntityMapping

@Suite("Stepping")
struct SteppingTests {
  /// From Topics Model1 to Model2, by a mapping model that somebody wrote, or by what is inferred.
  private static func hop(
    isInferred: Bool, _ change: (inout MappingModel) -> Void = { _ in }
  ) throws -> MigrationPlan.Hop {
    var hop = try #require(
      MigrationPlanner().plan(
        from: NamedModel(name: "Model1", model: SampleStore.model("Topics", "Model1")),
        to: NamedModel(name: "Model2", model: SampleStore.model("Topics", "Model2"))
      ).hops.first)
    hop.isInferred = isInferred
    change(&hop.parts[0].mapping)
    return hop
  }

  private static func stepper(
    _ hops: [MigrationPlan.Hop], at path: String, policies: PolicyRegistry = PolicyRegistry()
  ) throws -> Stepper {
    try Stepper(
      StepperSetup(hops: hops, policies: policies, spacing: .every(2)) {
        try SQLiteStore(reading: path)
      })
  }

  /// The breakpoints that stop the stepper.
  private static func numbers(_ stop: StepStop) -> [Int] {
    if case .hits(let hits, _) = stop.reason { hits.map(\.breakpoint.number) } else { [] }
  }

  // MARK: Breakpoints

  @Test("each kind of breakpoint is hit at the expected positions only")
  func breakpoints() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let hop = try Self.hop(isInferred: false) { mapping in
      mapping.entityMappings[0].policyName = "Quiet"
    }
    let name = try #require(hop.entityMappings.first?.name)
    let condition = try Predicate(parsing: #"$source.presenterName == "Ben""#)
    let predicate = try Predicate(parsing: "$destination.timeBudget == 5")
    let cases: [(Breakpoint, [String])] = [
      (Breakpoint(.pass(.validate)), ["begin 3"]),
      (Breakpoint(.pass(nil)), ["begin 2", "begin 3"]),
      (Breakpoint(.entityMapping(name)), ["begin 2", "begin 3"]),
      (Breakpoint(.entityMapping(name), when: condition), ["object 2 in 1", "object 2 in 2"]),
      (Breakpoint(.entityMapping(name), when: condition, ignoring: 1), ["object 2 in 2"]),
      (Breakpoint(.entityMapping(name), when: condition, once: true), ["object 2 in 1"]),
      // Behind the step that makes the object; in pass 2 in front of it.
      (
        Breakpoint(.entityMapping(name), when: predicate, ignoring: 1),
        ["object 3 in 1", "end 1", "object 1 in 2", "object 2 in 2", "object 3 in 2"]
      ),
      (
        Breakpoint(.object(ObjectRef(entity: "Topic", key: 3))),
        ["object 3 in 1", "object 3 in 2"]
      ),
      (
        Breakpoint(.property(PropertyID(entity: "Topic", name: "presenterName"))),
        ["object 1 in 1", "object 2 in 1", "object 3 in 1"]
      ),
      (
        Breakpoint(.property(PropertyID(entity: "Topic", name: "topicList"))),
        ["object 1 in 2", "object 2 in 2", "object 3 in 2"]
      ),
      (
        Breakpoint(.sql("insert into ZTOPICLIST(*")),
        ["object 1 in 1", "object 2 in 1"]
      ),
      (Breakpoint(.policy("Quiet", call: .endInstanceCreation)), ["end 1"]),
      (Breakpoint(.policy(nil, call: .performCustomValidation)), ["begin 3"]),
      (Breakpoint(.policy("Other", call: nil)), []),
      (Breakpoint(.error), []), (Breakpoint(.warning), []),
    ]
    let all = try Self.stepper([hop], at: path, policies: PolicyRegistry([QuietPolicy.self]))
    var (hitsAlone, stopsAlone): ([Int: Int], [Int: Int]) = ([:], [:])
    for (breakpoint, wanted) in cases {
      let stepper = try Self.stepper(
        [hop], at: path, policies: PolicyRegistry([QuietPolicy.self]))
      stepper.add(breakpoint)
      all.add(breakpoint)
      var hits: [String] = []
      while !stepper.isAtEnd {
        let stop = stepper.move(.toEnd)
        if case .failed(let diagnostic, _) = stop.reason { throw diagnostic }
        if !Self.numbers(stop).isEmpty { hits.append(try Self.description(stepper.location)) }
      }
      #expect(hits == wanted, "\(breakpoint.kind)")
      if let last = all.breakpoints.last {
        hitsAlone[last.number] = stepper.breakpoints.first?.hits
        if !hits.isEmpty { stopsAlone[last.number] = hits.count }
      }
    }
    // At a place with several breakpoints each of them is hit, and the stop names each.
    var stops: [Int: Int] = [:]
    while !all.isAtEnd {
      for number in Self.numbers(all.move(.toEnd)) { stops[number, default: 0] += 1 }
    }
    #expect(stops == stopsAlone)
    let hits = Dictionary(uniqueKeysWithValues: all.breakpoints.map { ($0.number, $0.hits) })
    #expect(hits == hitsAlone)
  }

  private static func description(_ location: StepLocation) -> String {
    switch location.next {
    case .beginEntityMapping(_, let pass, _): "begin \(pass.rawValue)"
    case .object(let number, _, _, let pass, _, _): "object \(number) in \(pass.rawValue)"
    case .endEntityMapping(_, let pass): "end \(pass.rawValue)"
    default: "\(String(describing: location.next))"
    }
  }

  @Test("a step that fails changes nothing, and fails again")
  func failure() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let hop = try Self.hop(isInferred: false) { mapping in
      mapping.entityMappings[0].policyName = "Failing"
    }
    let stepper = try Self.stepper(
      [hop], at: path, policies: PolicyRegistry([FailingPolicy.self]))
    for _ in 0..<2 {
      let stop = stepper.move(.toEnd)
      guard case .failed(let diagnostic, nil) = stop.reason else {
        Issue.record("\(stop.reason)")
        return
      }
      #expect(diagnostic.what.contains("the second one"))
      #expect(try Self.description(stepper.location) == "object 2 in 1")
      #expect(try stepper.destinationObjects().reader.count(of: "Topic") == 1)
      // What it had made before it failed is gone.
      #expect(try stepper.destinationObjects().reader.count(of: "TopicList") == 0)
    }
    #expect(try stepper.goBack(by: .step))
    #expect(try stepper.destinationObjects().reader.count(of: "Topic") == 0)
  }

  // MARK: Looking around

  @Test("inspection changes nothing and sends no events")
  func inspection() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    var received: [[TraceEvent.Kind]] = []
    for isLooking in [false, true] {
      let stepper = try Self.stepper([Self.hop(isInferred: false)], at: path)
      stepper.detail = .bindings
      var events: [TraceEvent] = []
      while !stepper.isAtEnd {
        _ = stepper.move(.unit(.step, count: 1)) { events.append($0) }
        guard isLooking else { continue }
        _ = try stepper.associations(limit: 3)
        _ = try? stepper.value(of: Expression(parsing: "$source.topicList.title"))
        _ = try stepper.query(.destination, "SELECT * FROM ZTOPIC") { _ in true }
        _ = try stepper.query(.source, "SELECT * FROM ZTOPIC") { _ in true }
        for statement in ["DELETE FROM ZTOPIC", "PRAGMA user_version = 3", "COMMIT", "VACUUM"] {
          #expect(throws: (any Error).self) {
            try stepper.query(.destination, statement) { _ in true }
          }
        }
      }
      received.append(
        events.map(\.untimed.kind))
    }
    #expect(received[0] == received[1])
  }

  @Test("reported statements depend on the trace level and not on checkpoints")
  func levels() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let received = try [1, 2, 3, .max].map { spacing in
      let setup = StepperSetup(hops: [try Self.hop(isInferred: false)], spacing: .every(spacing)) {
        try SQLiteStore(reading: path)
      }
      let stepper = try Stepper(setup)
      var events: [TraceEvent] = []
      func step(_ detail: TraceDetail, own: Bool = false, _ count: Int) {
        (stepper.detail, stepper.reportsOwn) = (detail, own)
        _ = stepper.move(.unit(.step, count: count)) { events.append($0.untimed) }
      }
      step(.none, 2)
      step(.rows, 1)
      try stepper.goBack(by: .step, count: 2)
      step(.bindings, 3)
      try stepper.goBack(by: .step, count: 1)
      step(.none, 1)
      step(.plans, own: true, 4)
      try stepper.goBack(by: .pass)
      step(.rows, 2)
      try stepper.restart()
      step(.rows, own: true, 30)
      return events
    }
    #expect(received[0].contains { $0.kind.statement?.tag == .strata })
    #expect(received[0].contains { $0.kind.statement?.entity == "Topic" })
    for other in received.dropFirst() { #expect(other == received[0]) }
  }

  @Test("external binary data is restored when going back and forward")
  func externalData() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try PhotoStore.write([1, 2, 3, 4], to: path)
    let model = try PhotoStore.model()
    var photo = try #require(model.entities.first)
    photo.versionHashModifier = "2"
    let changed = try ObjectModel(ModelDocument(entities: [photo]))
    var hop = try #require(
      MigrationPlanner().plan(
        from: NamedModel(name: "1", model: model), to: NamedModel(name: "2", model: changed)
      ).hops.first)
    hop.isInferred = false
    let before = try folder.state()
    let stepper = try Self.stepper([hop], at: path)
    func seen() throws -> [ExpressionValue] {
      let objects = try stepper.destinationObjects()
      return try objects.keys(of: "Photo", where: nil).map {
        try objects.object($0, of: "Photo").value(forKey: "data")
      }
    }
    let images = (1...4).map { ExpressionValue.value(.bytes(PhotoStore.image($0))) }
    _ = stepper.move(.endOfMapping)
    #expect(try seen().elementsEqual(images) { "\($0)" == "\($1)" })
    for count in [1, 2, 3] {
      try stepper.goBack(by: .step, count: count)
      #expect(try seen().count == 4 - count)
      _ = stepper.move(.endOfMapping)
      #expect(try seen().elementsEqual(images) { "\($0)" == "\($1)" })
    }
    try stepper.restart()
    #expect(try seen().isEmpty)
    #expect(try folder.state() == before)
  }

  @Test("external binary data written by a stage stays in the private folder")
  func stagesOfExternalData() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try PhotoStore.write([1, 2], to: path)
    let model = try PhotoStore.model()
    var photo = try #require(model.entities.first)
    photo.attributes.append(Attribute(name: "copy", type: .binary, isOptional: true))
    photo.attributes[2].allowsExternalBinaryStorage = true
    let (from, to) = (
      NamedModel(name: "1", model: model),
      NamedModel(name: "2", model: try ObjectModel(ModelDocument(entities: [photo])))
    )
    let stages = try StageScript(
      parsing: "stage custom 1 -> 2\n  will: Photo: set data = data\n  did: Photo: set copy = data"
    ).resolved(among: [from, to], policies: PolicyRegistry(), folder: "/nowhere")
    let plan = try MigrationPlanner(versions: [from, to], stages: stages).plan(
      from: from, to: to, by: .staged)
    let before = try folder.state()
    let stepper = try Self.stepper(plan.hops, at: path)
    _ = stepper.move(.toEnd)
    #expect(stepper.isAtEnd && !stepper.isRefused)
    let objects = try stepper.destinationObjects()
    for (key, number) in zip(try objects.keys(of: "Photo", where: nil), 1...) {
      let copy = try objects.object(key, of: "Photo").value(forKey: "copy")
      #expect("\(copy)" == "\(ExpressionValue.value(.bytes(PhotoStore.image(number))))")
    }
    #expect(try folder.state() == before)
  }
}

private struct QuietPolicy: EntityMigrationPolicy {
  static let policyName = "Quiet"
}

/// Makes a list, and then fails at the second object.
private struct FailingPolicy: EntityMigrationPolicy {
  static let policyName = "Failing"

  struct Failure: Error, CustomStringConvertible {
    var description: String { "the second one" }
  }

  func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard source.key == 2 else {
      try manager.createDestinationInstance(for: source, in: mapping)
      return
    }
    try manager.insert("TopicList")
    throw Failure()
  }
}
