package import StrataBase
import StrataMapping
package import StrataMigration
package import StrataObjectModel
package import StrataStore
import Testing

/// Migrations that run to their end.
package enum InPlace {
  package static func run(
    _ hop: MigrationPlan.Hop, at path: String, version: FrameworkVersion = .newest
  ) throws -> (events: [TraceEvent], report: MigrationReport, statements: [InPlaceStatement]) {
    var run = try InPlaceRun(hop, number: 1, of: 1, path: path, version: version)
    var events: [TraceEvent] = []
    while run.pending != nil { events += try run.step() }
    run.report.expectAllNumbersInReceipt()
    return (events, run.report, run.plan.statements)
  }
}

package enum Passes {
  /// Every way in which objects are migrated, with the number of objects in one step.
  package static let executors: [(name: String, executor: PassesRun.Executor, batchSize: Int)] = [
    ("objects", .objects, 1), ("batches", .objects, 100), ("sql", .fastest, 100),
  ]

  /// Three passes into a new store.
  ///
  /// - Parameter batchSize: The number of objects in one step; with several, single objects have no events.
  package static func run(
    _ hop: MigrationPlan.Hop, from source: String, into destination: String,
    policies: PolicyRegistry = PolicyRegistry(), withoutPolicies: Bool = false,
    executor: PassesRun.Executor = .objects, batchSize: Int? = nil
  ) throws -> (events: [TraceEvent], report: MigrationReport) {
    var run = try PassesRun(
      hop, number: 1, of: 1,
      source: StoreReader(SQLiteStore(reading: source), model: hop.from.model),
      destination: NewStore(path: destination, model: hop.to.model, uuid: "B"),
      policies: policies, withoutPolicies: withoutPolicies,
      executor: executor, batchSize: batchSize ?? (executor == .objects ? 1 : 100))
    var events: [TraceEvent] = []
    while run.pending != nil { events += try run.step() }
    run.report.expectAllNumbersInReceipt()
    return (events, run.report)
  }
}

extension MigrationPlan.Hop {
  /// A hop by the text of a mapping model.
  package init(from old: NamedModel, to new: NamedModel, by mapping: String) throws {
    let script = try MappingScript(parsing: mapping).mapping(
      from: MatchableModel(old.model), to: MatchableModel(new.model))
    self.init(
      from: old, to: new, parts: [NamedMappingModel(name: "a", mapping: script)], reason: "a test")
  }
}

extension MigrationReport {
  /// Each number that loses something stands in the receipt once: what it does not say, `--strict` accepts.
  fileprivate func expectAllNumbersInReceipt() {
    guard !stopsMigration, !receipt.properties.isEmpty else { return }
    let told = receipt.properties.reduce(0) {
      $0 + $1.truncated.count + $1.rounded.count + $1.unfitting.count
    }
    let noted = numbers.reduce(0) { $0 + $1.affected.count }
    #expect(told == noted, "the receipt has \(told) numbers of \(numbers)")
  }
}
