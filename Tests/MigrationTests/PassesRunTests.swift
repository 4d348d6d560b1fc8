import Foundation
import StrataBase
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("Migrations in three passes")
struct PassesRunTests {
  private static func plan(_ old: String, _ new: String) throws -> MigrationPlan {
    try MigrationPlanner().plan(
      from: NamedModel(name: old, model: SampleStore.model("Topics", old)),
      to: NamedModel(name: new, model: SampleStore.model("Topics", new)))
  }

  /// Runs a plan's only hop into a store that stays; returns the events and the report.
  private static func run(
    _ plan: MigrationPlan, from source: String, into destination: String
  ) throws -> (events: [TraceEvent], report: MigrationReport, steps: Int) {
    let hop = try #require(plan.hops.first)
    var run = try PassesRun(
      hop, number: 1, of: 1,
      source: StoreReader(SQLiteStore(reading: source), model: hop.from.model),
      destination: NewStore(path: destination, model: hop.to.model, uuid: "B"))
    var events: [TraceEvent] = []
    var steps = 0
    while run.pending != nil {
      events += try run.step()
      steps += 1
    }
    try run.checkSourceUnchanged()
    return (events, run.report, steps)
  }

  @Test(
    "an added attribute gets its default value; all else is kept, including relationships")
  func addedAttribute() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("old.sqlite"))
    let plan = try Self.plan("Model1", "Model2")
    let (_, report, _) = try Self.run(
      plan, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"))
    #expect(report.entities.map(\.created) == [3, 2])
    #expect(report.problems.isEmpty && report.lost == 0 && report.strayRows == 0)

    let model = try SampleStore.model("Topics", "Model2")
    let reader = try StoreReader(SQLiteStore(reading: folder.path("new.sqlite")), model: model)
    for key in try reader.keys(of: "Topic") {
      #expect(try reader.object(key, of: "Topic")?.attributes["timeBudget"] == .integer(5))
      #expect(try reader.object(key, of: "Topic")?.attributes["dateCreated"] == .real(1.5))
    }
    let list = try #require(model.relationship("topicList", of: "Topic"))
    let owners = try reader.keys(of: "Topic").map {
      try reader.destinations(of: list, from: $0).count
    }
    #expect(owners == [1, 1, 0])
    #expect(reader.store.metadata.versionHashes == model.versionHashes())
  }

  @Test("a renamed attribute keeps its values")
  func renamedAttribute() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("old.sqlite"))
    let plan = try Self.plan("Model1", "Model3")
    _ = try Self.run(plan, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"))
    let reader = try StoreReader(
      SQLiteStore(reading: folder.path("new.sqlite")), model: SampleStore.model("Topics", "Model3"))
    let titles = try reader.keys(of: "Topic").map {
      try reader.object($0, of: "Topic")?.attributes["title"]
    }
    #expect(titles == [.text("How migrations work"), .text("Hashes"), .text("Alone")])
  }

  @Test(
    "an unordered relationship becomes ordered, and inference loses the presenters"
  )
  func orderedRelationship() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("old.sqlite"))
    let plan = try Self.plan("Model1", "Model5")
    let (_, report, _) = try Self.run(
      plan, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"))
    #expect(report.entities.first { $0.mapping == "IEM_Add_Member" }?.created == 0)
    let model = try SampleStore.model("Topics", "Model5")
    let reader = try StoreReader(SQLiteStore(reading: folder.path("new.sqlite")), model: model)
    let topics = try #require(model.relationship("topics", of: "TopicList"))
    let counts = try reader.keys(of: "TopicList").map {
      try reader.destinations(of: topics, from: $0).count
    }
    #expect(counts == [1, 1])
  }

  @Test("each of three passes runs all entity mappings, and the events are in order")
  func events() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("old.sqlite"))
    let (events, _, steps) = try Self.run(
      Self.plan("Model1", "Model2"), from: folder.path("old.sqlite"),
      into: folder.path("new.sqlite"))
    let numbered = events.filter(\.isNumbered)
    #expect(numbered.map(\.mark) == Array(1...numbered.count))
    // A detail follows the event whose number it has.
    #expect(events.map(\.mark) == events.map(\.mark).sorted())
    // Five objects in two passes, and the frames of hop, passes and entity mappings: what is validated is
    // all objects of an entity at once. The frame of the hop has three steps: begin, end, commit.
    #expect(steps == 3 + 2 * (2 + 2 * 2 + 5) + (2 + 2 * 2))
    let passes = events.compactMap { event -> Pass? in
      if case .passBegan(let pass) = event.kind { return pass }
      return nil
    }
    #expect(passes == [.createInstances, .createRelationships, .validate])
    let created = events.firstIndex { if case .objectCreated = $0.kind { true } else { false } }
    let related = events.firstIndex { if case .relationshipsSet = $0.kind { true } else { false } }
    let lastCreated = events.lastIndex { if case .objectCreated = $0.kind { true } else { false } }
    #expect(try #require(created) < #require(related))
    #expect(try #require(lastCreated) < #require(related))
  }

  @Test(
    "the witness on a thread of its own finds what it finds between the logged statements",
    arguments: [("Model1", "Model2"), ("Model2", "Model3"), ("Model3", "Model4")])
  func witnessThread(old: String, new: String) throws {
    let folder = try TemporaryFolder()
    let hop = try #require(Self.plan(old, new).hops.first)
    let source = folder.path("old.sqlite")
    var store = try NewStore(path: source, model: hop.from.model, uuid: "A")
    var generator = StoreGenerator(hop.from.model, rows: 20, seed: 1)
    try generator.fill(&store)
    try store.finish()
    func reports(_ log: StatementLog?) throws -> (MigrationReport, Int) {
      let reader = try StoreReader(SQLiteStore(reading: source), model: hop.from.model)
      reader.store.setLog(log)
      var run = try PassesRun(
        hop, number: 1, of: 1, source: reader,
        destination: NewStore(
          path: folder.path(log == nil ? "apart.sqlite" : "between.sqlite"), model: hop.to.model,
          uuid: "B", log: log),
        executor: .fastest, batchSize: 1000, log: log)
      let begun = log?.takeReceived().count ?? 0
      while run.pending != nil { _ = try run.step() }
      return (run.report, begun)
    }
    let (apart, _) = try reports(nil)
    let (between, statements) = try reports(StatementLog(detail: .statements, reportsOwn: true))
    #expect(statements > 10)
    #expect(apart.witnessed == between.witnessed && apart.witnessed?.compared.isEmpty == false)
    #expect(apart.receipt == between.receipt)
  }

  @Test("the next step is known in advance, and a finished run rejects a step")
  func pending() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("old.sqlite"))
    let hop = try #require(Self.plan("Model1", "Model2").hops.first)
    var run = try PassesRun(
      hop, number: 1, of: 1,
      source: StoreReader(SQLiteStore(reading: folder.path("old.sqlite")), model: hop.from.model),
      destination: NewStore(path: folder.path("new.sqlite"), model: hop.to.model, uuid: "B"))
    #expect(run.pending == .beginHop)
    _ = try run.step()
    #expect(run.pending == .beginPass(.createInstances))
    _ = try run.step()
    #expect(run.pending == .beginEntityMapping("IEM_Transform_Topic", pass: .createInstances))
    while run.pending != nil { _ = try run.step() }
    var refused = false
    do { _ = try run.step() } catch MigrationError.finished { refused = true }
    #expect(refused)
  }

  @Test(
    "a required attribute without a default fails in all objects, uniqueness in all but one")
  func validation() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("old.sqlite"))
    let old = try SampleStore.model("Topics", "Model1")
    var document = old.document
    try document.apply(
      .add(.attribute, named: "rating", to: .entity("Topic"), keys: ["attributeType": "Integer 16"])
    )
    try document.apply(.add(.constraint, named: "dateCreated", to: .entity("Topic"), keys: [:]))
    let plan = try MigrationPlanner().plan(
      from: NamedModel(name: "old", model: old),
      to: NamedModel(name: "new", model: ObjectModel(document)))
    let (_, report, _) = try Self.run(
      plan, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"))
    #expect(report.stopsMigration)
    #expect(report.problems.map(\.property) == ["rating", "dateCreated"])
    #expect(report.problems.map(\.count) == [3, 2])
  }

  @Test("equal hashes need no migration, and an obstacle prevents it")
  func plans() throws {
    #expect(try Self.plan("Model1", "Model1").hops.isEmpty)
    let old = try SampleStore.model("Topics", "Model1")
    var document = old.document
    try document.apply(
      .set(.property("content", of: "Topic"), key: "attributeType", value: "Binary"))
    let edited = try ObjectModel(document)
    #expect(throws: MigrationError.self) {
      try MigrationPlanner().plan(
        from: NamedModel(name: "a", model: old), to: NamedModel(name: "b", model: edited))
    }
  }
}
