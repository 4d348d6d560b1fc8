internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// The result of a hop.
struct HopResult {
  var hop: MigrationPlan.Hop
  var means: MigrationPlan.Means
  var report: MigrationReport
  var seconds: Double?
  /// The lost values and links; truncated numbers are in the report.
  var losses: [CountedLoss] = []
  /// The categories of `--strict`.
  var strict: Set<LossCategory>
  /// Whether all objects were compared.
  var isProof = false
  /// Whether the hop was only rehearsed because `--strict` refuses it or a later one.
  var isForeseen = false

  /// The warnings that follow from the models alone; errors are reported by the migration itself.
  var warnings: InferenceReport {
    InferenceReport(hop, counted: losses + countedNumbers) { $0.code == nil && !isLeft($0) }
  }

  /// Whether a finding reports objects that a part leaves to other mapping models as lost.
  func isLeft(_ finding: Finding) -> Bool {
    guard report.isPart else { return false }
    if case .gap? = finding.rule as? MappingRule { return true }
    return finding.lossRule?.isOfObjects == true
  }

  /// The counts of numbers in the migration, combined with the findings of the models.
  private var countedNumbers: [CountedLoss] {
    hop.losses.flatMap { loss in
      report.numbers.filter { number in
        number.attribute.name == loss.finding.property
          && loss.sources.contains { $0.entity == number.sourceEntity }
          && hop.to.model.isKind(number.attribute.entity, of: loss.finding.entity)
      }.map { CountedLoss(loss: loss, finding: $0.finding) }
    }
  }

  var lossCounts: LossCounts { LossCounts(report) }

  /// Whether the migration stops here.
  var stops: Bool { report.stopsMigration || isRefused }

  /// Whether it would lose something that `--strict` refuses.
  var isRefused: Bool { !refusedAmounts.isEmpty }

  /// The losses that `--strict` refuses.
  var refusedAmounts: [(unit: LossCounts.Unit, count: Int)] { lossCounts.amounts(in: strict) }
}

/// Runs the hops of a plan one after the other, up to the first hop that stops the migration.
struct HopRunner {
  let session: Session
  let policies: PolicyRegistry
  /// Whether unknown policies are replaced by the default behavior.
  let withoutPolicy: Bool
  /// The losses to refuse.
  let strict: Set<LossCategory>
  /// The file for its events, in addition to the session's trace.
  let traceFile: TraceFile?
  /// Whether all objects are compared, however many there are.
  var isProof = false
  /// Whether values of the store are shown.
  var isRevealing = false
  /// Whether anything observes its events.
  var isObserved = true
  /// The store to which the objects are added; other mapping models create the rest.
  var appendTarget: String?
  /// The objects of that store.
  var existing: ExistingObjects?
  /// Whether an XML store is made of the last new store.
  var makesDocument = false
  /// Keeps the old store of a migration in place.
  var keeper: OldStoreKeeper?

  /// Migrates the store in place, each hop in one transaction.
  ///
  /// - Parameter versionName: The current version of the store.
  func change(
    _ given: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage?,
    at versionName: String
  ) throws -> [HopResult] {
    let path = try session.writable(given)
    let scripts = StageScriptRunner(session: session, isRehearsal: false)
    defer { keeper?.end(path) }
    try keeper?.begin(path, hops, after: pending, at: versionName)
    if hops.isEmpty, let pending {
      try scripts.resumeLast(pending, path, refuses: false, isObserved: isObserved)
      return []
    }
    let left = try scripts.resume(pending, path)
    var results: [HopResult] = []
    for (number, hop) in hops.enumerated() {
      do {
        results.append(
          try timed(hop, .inPlace) {
            try inPlace(hop, number: number + 1, of: hops.count, path, scripts, keeper)
          })
      } catch {
        if number == 0 { scripts.warn(of: left) }
        throw error
      }
      if number == 0 { results[0].report.deleted.insert(contentsOf: left, at: 0) }
      if results.last?.stops == true { break }
    }
    return results
  }

  /// Migrates a store that is not changed, in a folder that is deleted afterwards.
  ///
  /// - Parameter versionName: The current version of the store.
  func rehearse(
    _ path: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage?,
    at versionName: String
  ) throws -> (results: [HopResult], rehearsalSize: RehearsalSize?) {
    let workspace = try Workspace()
    // If a store replaces the old one, the last hop creates it, as in the migration.
    let isReplaced = session.isAtomicStore(path) || !MigrationPlan(hops: hops).isInPlace
    let chain = try migrate(
      path, by: hops, after: pending, in: workspace,
      into: isReplaced ? workspace.path(ofStore: "result") : nil, keeping: keeper, at: versionName)
    guard chain.output != nil, !chain.stops else { return (chain.results, nil) }
    return (chain.results, RehearsalSize(in: workspace.folder))
  }

  /// Migrates a store that is not changed, into a store in the workspace.
  ///
  /// - Parameters:
  ///     - target: The path at which the last hop creates its store.
  ///     - isReplacing: Whether the new store will replace the old one.
  func migrate(
    _ path: String, by hops: [MigrationPlan.Hop], into target: String, isReplacing: Bool = false
  ) throws -> [HopResult] {
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    return try migrate(
      path, by: hops, in: Workspace(in: folder), into: target, isReplacing: isReplacing
    ).results
  }

  /// The results of hops, one after the other.
  struct Chain {
    var results: [HopResult] = []
    /// The path of the store of the last hop.
    var output: String?

    var stops: Bool { results.last?.stops == true }
  }

  /// - Parameters:
  ///     - start: A store in a workspace to start with instead of the one at the path; it may be changed.
  ///     - byPasses: Whether hops that are possible in place are done in passes too.
  ///     - keeper: Determines whether the old store would be kept.
  ///     - versionName: The current version of the store.
  func migrate(
    _ path: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage? = nil,
    in workspace: borrowing Workspace, from start: String? = nil, into target: String? = nil,
    isReplacing: Bool = false, byPasses: Bool = false,
    keeping keeper: OldStoreKeeper? = nil, at versionName: String = ""
  ) throws -> Chain {
    let scripts = StageScriptRunner(session: session, isRehearsal: true)
    var chain = Chain()
    chain.output = start
    if hops.isEmpty, let pending {
      let copy = try workspace.copyStore(session.open(path))
      try keeper?.begin(copy, hops, after: pending, at: versionName)
      try scripts.resumeLast(
        pending, copy, refuses: strict.contains(.rows), isObserved: isObserved)
    }
    for (number, hop) in hops.enumerated() {
      let finalPath = number == hops.count - 1 ? target : nil
      let isInPlace =
        hop.isInferred && finalPath == nil && !(byPasses && hop.mayUsePasses)
        && (chain.output != nil || !session.isAtomicStore(path))
      chain.results.append(
        try timed(hop, isInPlace ? .inPlace : .passes) {
          guard isInPlace else {
            let output = finalPath ?? workspace.path(ofStore: "hop\(number + 1)")
            let result = try passes(
              hop, number: number + 1, of: hops.count, from: chain.output, else: path, into: output,
              isReplacing: isReplacing && finalPath != nil)
            chain.output = output
            return result
          }
          guard let copy = chain.output else {
            let store = try session.open(path)
            let copy = try workspace.copyStore(store)
            chain.output = copy
            try keeper?.begin(copy, hops, after: pending, at: versionName)
            let left = try scripts.resume(pending, copy)
            var result = try inPlace(
              hop, number: number + 1, of: hops.count, copy, scripts, keeper)
            result.report.deleted.insert(contentsOf: left, at: 0)
            try store.checkUnchanged()
            return result
          }
          return try inPlace(hop, number: number + 1, of: hops.count, copy, scripts, keeper)
        })
      if chain.stops { break }
    }
    return chain
  }

  /// - Parameter start: The store that an earlier hop created; `nil` to read the user's store.
  private func sourceReader(
    of hop: MigrationPlan.Hop, from start: String?, else path: String
  ) throws -> StoreReader {
    let store =
      try start.map { try SQLiteStore(reading: $0) } ?? session.open(path, among: [hop.from.model])
    // Another program may have migrated it since the plan was made.
    guard store.metadata.versionHashes == hop.from.model.versionHashes() else {
      throw StoreError.changedMeanwhile
    }
    if strict.contains(.values) { try session.checkNothingRounded() }
    return try StoreReader(store, model: hop.from.model)
  }

  // MARK: One hop

  /// The report of a hop, and the losses other than numbers.
  private typealias Work = (report: MigrationReport, losses: [CountedLoss])

  private func timed(
    _ hop: MigrationPlan.Hop, _ means: MigrationPlan.Means, _ work: () throws -> Work
  ) throws -> HopResult {
    let start = session.clock?()
    let (report, losses) = try work()
    let seconds = start.flatMap { start in session.clock.map { $0() - start } }
    return HopResult(
      hop: hop, means: means, report: report, seconds: seconds, losses: losses, strict: strict,
      isProof: isProof)
  }

  private func inPlace(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, _ path: String,
    _ scripts: StageScriptRunner, _ keeper: OldStoreKeeper?
  ) throws -> Work {
    guard let stage = hop.stage else {
      return try inPlace(hop, number: number, of: count, path, keeper)
    }
    let deletions = try scripts.begin(stage, path)
    var work: Work
    do {
      work = try inPlace(hop, number: number, of: count, path, keeper)
    } catch {
      scripts.warn(of: deletions)
      throw error
    }
    work.report.deleted = deletions
    if !stage.did.scripts.isEmpty, !work.report.stopsMigration {
      work.report.deleted += try scripts.finish(stage, path)
    }
    return work
  }

  private func inPlace(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, _ path: String,
    _ keeper: OldStoreKeeper?
  ) throws -> Work {
    if let work = try attempt(hop, number: number, of: count, path, keeper) { return work }
    // A loss was found only at the end: run the hop again, with a copy.
    return try attempt(hop, number: number, of: count, path, keeper, isLossy: true)
      ?? { throw StoreError.changedMeanwhile }()
  }

  /// - Parameter isLossy: Whether an earlier attempt lost something.
  /// - Returns: `nil` if something is lost and no copy was kept; the store is then unchanged.
  private func attempt(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, _ path: String,
    _ keeper: OldStoreKeeper?, isLossy: Bool = false
  ) throws -> Work? {
    var run = try InPlaceRun(
      hop, number: number, of: count, path: path, isProof: isProof, log: log)
    try keeper?.keep(run, isLossy: isLossy)
    try drive(&run, until: .commit)
    guard run.pending == .commit, !isRefused(run.report) else {
      return (run.report, run.losses)
    }
    if let keeper, keeper.lacksCopy(for: run.report) { return nil }
    defer { if run.hasCommitted { keeper?.noteCommit() } }
    try drive(&run)
    // Without a keeper the store belongs to a rehearsal or a proof.
    if keeper?.isRehearsal == false {
      noteCommit(
        path, at: hop.to.name, isDone: number == count, run.warningAfterCommit.map { [$0] } ?? [])
    }
    return (run.report, run.losses)
  }

  private func isRefused(_ report: MigrationReport) -> Bool {
    !LossCounts(report).amounts(in: strict).isEmpty
  }

  /// Whether the events of single objects are shown or written to a file.
  private var tracesObjects: Bool {
    isObserved && (session.trace.migration > 1 || traceFile != nil)
  }

  private var log: StatementLog? { isObserved ? session.migrationLog : nil }

  /// The number of objects per step when nothing observes them: Ctrl-C is checked between two steps.
  private static let batchSize = 1000

  private func passes(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, from start: String?, else path: String,
    into target: String, isReplacing: Bool
  ) throws -> Work {
    let log = log
    let source = try reading(path) {
      let reader = try sourceReader(of: hop, from: start, else: path)
      try reader.checkKeys()
      return reader
    }
    source.store.setLog(log)
    let destination = try NewStore(
      path: target, encoding: source.store.textEncoding, replacing: isReplacing ? path : nil,
      model: hop.to.model, uuid: source.store.metadata.uuid, log: log)
    var run = try PassesRun(
      hop, number: number, of: count, source: source,
      destination: destination, policies: policies, withoutPolicies: withoutPolicy,
      executor: tracesObjects ? .objects : .fastest,
      batchSize: tracesObjects ? 1 : Self.batchSize, isProof: isProof,
      isPart: appendTarget != nil,
      appendingTo: number == count ? existing : nil,
      keepsExtras: !makesDocument || number < count, log: log)
    run.hasDetails = session.trace.migration > 2 || traceFile != nil
    try drive(&run, until: .commit)
    // Lost links are known only at the end; without the last step nothing is committed.
    if !isRefused(run.report) { try drive(&run) }
    try reading(path) { try run.checkSourceUnchanged() }
    return (run.report, run.losses)
  }

  /// Errors concern the source, whatever else the command names.
  private func reading<Result: ~Copyable>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(path))
    }
  }

  /// Runs the pending steps, up to a step or to the end.
  private func drive<Run: MigrationRun & ~Copyable>(
    _ run: inout Run, until last: MigrationStep? = nil
  ) throws {
    defer { session.progress?.end() }
    while let step = run.pending, step != last {
      try Interruption.check()
      for event in try run.step() where isObserved { session.receive(event, traceFile) }
    }
  }
}
