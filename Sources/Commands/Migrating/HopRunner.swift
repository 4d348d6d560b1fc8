internal import Foundation
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore
internal import StrataTraceEvents

/// What became of a hop.
struct HopResult {
  var hop: MigrationPlan.Hop
  var means: MigrationPlan.Means
  var report: MigrationReport
  var seconds: Double?
  /// The values that it lets go or cuts: asked in a rehearsal.
  var losses: [ValueLoss] = []
  /// Whether nothing may be lost.
  var isStrict: Bool
  /// Whether everything was compared.
  var isProof = false
  /// Whether values of the store are shown.
  var isRevealing = false

  /// What the models alone say will be lost or may not be meant; what would fail, the migration itself tells.
  var warnings: ObstacleReport {
    ObstacleReport(hop.warnings.filter { $0.code == 0 }, from: hop.from, to: hop.to)
  }

  /// Whether the migration goes no further.
  var stops: Bool { report.stopsMigration || isRefused }

  /// Whether it would lose something, and must not.
  var isRefused: Bool { isStrict && !report.losses.isEmpty }
}

extension MigrationReport {
  /// What the migration loses, in words: `2 rows`, `3 numbers`.
  var losses: [String] {
    [
      Words.count(lost + strayRows, "row", "rows"),
      Words.count(
        numbers.filter(\.isWhole).reduce(0) { $0 + $1.count }, "number", "numbers"),
      Words.count(links.reduce(0) { $0 + $1.lost }, "link", "links"),
      Words.count(extras.count, "item outside the model", "items outside the model"),
    ].filter { !$0.hasPrefix("0 ") }
  }
}

/// Runs the hops of a plan one after the other, up to the first that stops the migration.
struct HopRunner {
  let session: Session
  let policies: PolicyRegistry
  /// Whether the default work is done where a policy is not known.
  let withoutPolicy: Bool
  /// Whether a migration that lets objects go is none.
  let isStrict: Bool
  /// Where its events go, besides to the session.
  let traceFile: TraceFile?
  /// Whether what is made is compared in all objects, however many there are.
  var isProof = false
  /// Whether values of the store are shown.
  var isRevealing = false
  /// Whether anybody hears of its events.
  var isHeard = true

  /// In the store itself, each hop in one transaction.
  func change(
    _ given: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage?
  ) throws -> [HopResult] {
    let path = try session.writable(given)
    let scripts = StageScripts(session: session, isRehearsal: false)
    try pending.map { try scripts.finish($0, path) }
    var results: [HopResult] = []
    for (number, hop) in hops.enumerated() {
      results.append(
        try timed(hop, .inPlace) {
          try inPlace(hop, number: number + 1, of: hops.count, path, scripts)
        })
      if results.last?.stops == true { break }
    }
    return results
  }

  /// From a store that stays as it is, all in a folder that goes when it is done.
  func rehearse(
    _ path: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage?
  ) throws -> (results: [HopResult], aftermath: Aftermath?) {
    let workspace = try Workspace()
    let chain = try migrate(
      path, by: hops, after: pending, in: workspace, countsLosses: true)
    guard let made = chain.made, !chain.stops, let first = hops.first, let last = hops.last else {
      return (chain.results, nil)
    }
    let aftermath = try Aftermath(
      before: StoreReader(
        session.open(path, model: first.from.model), model: first.from.model),
      after: StoreReader(SQLiteStore(reading: made), model: last.to.model),
      in: workspace.folder)
    return (chain.results, aftermath)
  }

  /// From a store that stays as it is, into one of which the workspace is a part.
  ///
  /// - Parameters:
  ///   - target: Where the last hop makes its store.
  ///   - isReplacing: Whether it is to take the place of the old one.
  func migrate(
    _ path: String, by hops: [MigrationPlan.Hop], into target: String, isReplacing: Bool = false
  ) throws -> [HopResult] {
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    return try migrate(
      path, by: hops, in: Workspace(in: folder), into: target, isReplacing: isReplacing
    ).results
  }

  /// What hops have made, one after the other.
  struct Chain {
    var results: [HopResult] = []
    /// The store that the last hop has left.
    var made: String?

    var stops: Bool { results.last?.stops == true }
  }

  /// - Parameters:
  ///   - made: The store of a workspace to begin with, in the stead of the one at the path; it may change.
  ///   - byPasses: Whether what could happen in place goes by passes as well.
  ///   - countsLosses: Whether the values are counted that the hops let go.
  func migrate(
    _ path: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage? = nil,
    in workspace: borrowing Workspace, from made: String? = nil, into target: String? = nil,
    isReplacing: Bool = false, byPasses: Bool = false, countsLosses: Bool = false
  ) throws -> Chain {
    let scripts = StageScripts(session: session, isRehearsal: true)
    var chain = Chain()
    chain.made = made
    if hops.isEmpty, let pending {
      let copy = try workspace.copyStore(session.open(path))
      try scripts.finish(pending, copy)
    }
    for (number, hop) in hops.enumerated() {
      let place = number == hops.count - 1 ? target : nil
      let losses = countsLosses ? try losses(of: hop, from: chain.made, else: path) : []
      let isInPlace =
        hop.isInferred && place == nil && !(byPasses && hop.mayGoByPasses)
        && (chain.made != nil || !session.isXMLStore(path))
      chain.results.append(
        try timed(hop, isInPlace ? .inPlace : .passes) {
          guard isInPlace else {
            let made = place ?? workspace.path(ofStore: "hop\(number + 1)")
            let result = try passes(
              hop, number: number + 1, of: hops.count, from: chain.made, else: path, into: made,
              isReplacing: isReplacing && place != nil)
            chain.made = made
            return result
          }
          guard let copy = chain.made else {
            let store = try session.open(path)
            let copy = try workspace.copyStore(store)
            chain.made = copy
            try pending.map { try scripts.finish($0, copy) }
            let result = try inPlace(hop, number: number + 1, of: hops.count, copy, scripts)
            try store.checkUnchanged()
            return result
          }
          return try inPlace(hop, number: number + 1, of: hops.count, copy, scripts)
        })
      chain.results[number].losses = losses
      if chain.stops { break }
    }
    return chain
  }

  private func losses(
    of hop: MigrationPlan.Hop, from made: String?, else path: String
  ) throws -> [ValueLoss] {
    // Numbers are counted by the migration itself.
    try reading(path) {
      try LossFinder(hop).losses(in: sourceReader(of: hop, from: made, else: path))
        .filter { !$0.isOfNumbers }
    }
  }

  /// - Parameter made: The store that an earlier hop has made; else that of the user is read.
  private func sourceReader(
    of hop: MigrationPlan.Hop, from made: String?, else path: String
  ) throws -> StoreReader {
    let store =
      try made.map { try SQLiteStore(reading: $0) } ?? session.open(path, model: hop.from.model)
    // Somebody else may have migrated it since the way was chosen.
    guard store.metadata.versionHashes == hop.from.model.versionHashes() else {
      throw StoreError.changedMeanwhile
    }
    return try StoreReader(store, model: hop.from.model)
  }

  // MARK: One hop

  private func timed(
    _ hop: MigrationPlan.Hop, _ means: MigrationPlan.Means,
    _ work: () throws -> MigrationReport
  ) throws -> HopResult {
    let start = session.clock?()
    let report = try work()
    let seconds = start.flatMap { start in session.clock.map { $0() - start } }
    return HopResult(
      hop: hop, means: means, report: report, seconds: seconds, isStrict: isStrict,
      isProof: isProof, isRevealing: isRevealing)
  }

  private func inPlace(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, _ path: String, _ scripts: StageScripts
  ) throws -> MigrationReport {
    for script in hop.stage?.will.scripts ?? [] { try scripts.run(script, path) }
    let result = try inPlace(hop, number: number, of: count, path)
    if let stage = hop.stage, !stage.did.scripts.isEmpty, !result.stopsMigration {
      try scripts.finish(stage, path)
    }
    return result
  }

  private func inPlace(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, _ path: String
  ) throws -> MigrationReport {
    var run = try InPlaceRun(
      hop, number: number, of: count, path: path, isProof: isProof, log: session.statementLog)
    // What goes is known before the first statement.
    guard !isStrict || run.report.losses.isEmpty else { return run.report }
    return try drive(&run)
  }

  /// Objects of a step where nobody listens to each: Ctrl-C is looked for between two steps.
  private static let batchSize = 1000

  private func passes(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, from made: String?, else path: String,
    into target: String, isReplacing: Bool
  ) throws -> MigrationReport {
    let log = session.statementLog
    let source = try reading(path) {
      let reader = try sourceReader(of: hop, from: made, else: path)
      try reader.checkKeys()
      return reader
    }
    source.store.tell(log, as: .source)
    let destination = try NewStore(
      path: target, replacing: isReplacing ? path : nil, model: hop.to.model,
      uuid: source.store.metadata.uuid, log: log)
    var run = try PassesRun(
      hop, number: number, of: count, source: source,
      destination: destination, policies: policies, withoutPolicies: withoutPolicy,
      executor: session.trace.migration > 1 ? .objects : .fastest,
      batchSize: session.trace.migration > 1 ? 1 : Self.batchSize, isProof: isProof, log: log)
    let result = try drive(&run)
    try reading(path) { try run.checkSourceUnchanged() }
    return result
  }

  /// What goes wrong is the source's, whatever else the command names.
  private func reading<Result: ~Copyable>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(path))
    }
  }

  private func drive<Run: MigrationRun & ~Copyable>(
    _ run: inout Run
  ) throws -> MigrationReport {
    defer { session.progress?.end() }
    while run.pending != nil {
      // Which links are lost is known at the end: without its last step nothing has happened.
      if run.pending == .commit, isStrict, !run.report.losses.isEmpty { break }
      try Interruption.check()
      for event in try run.step() where isHeard { session.hear(event, traceFile) }
    }
    return run.report
  }
}
