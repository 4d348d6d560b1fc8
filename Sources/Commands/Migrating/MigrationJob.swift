internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// A migration or a rehearsal: the implementation of `migrate`, and of `commit` in the stepper.
struct MigrationJob {
  let migration: MigrationArguments
  var dryRun = false
  var newStore: String?
  var force = false
  /// Whether the objects are added to an existing store.
  var appends = false
  var oldStore: OldStoreOptions
  var isProof = false
  var traceOptions: TraceOptions?

  /// - Parameter known: The plan, if it was made before.
  func run(in session: Session, as known: PlannedMigration? = nil) throws -> Outcome {
    try answer(in: session, as: known).outcome
  }

  /// The answer, and the results of the hops.
  func answer(
    in session: Session, as known: PlannedMigration? = nil
  ) throws -> (outcome: Outcome, hops: [HopResult]) {
    let planned = try known ?? session.plan(migration)
    let (name, path, plan) = (planned.name, planned.path, planned.plan)
    // Entities that a part does not map are migrated by other parts.
    let problems = planned.problems.filter {
      !appends || $0.id != MigrationPlan.Hop.droppedEntityID
    }
    guard !plan.hops.isEmpty || planned.pending != nil else {
      if appends {
        throw Diagnostic(
          id: "migration.nothingToAppend",
          what: "\(name) is at \(planned.target.name) already: there is no migration to append",
          fix: "name a store of an older version")
      }
      if let newStore { return (try copy(planned, to: newStore, in: session), []) }
      let outcome = Outcome(
        .line("nothing to do: \(name) is at \(planned.target.name) already"),
        json: MigrationVerdict.nothingToDo.json(dryRun: dryRun, store: name),
        warnings: try session.warningOfPendingScripts(of: path))
      return (outcome, [])
    }
    if let refusal = session.stagesNeedSQLite(planned, by: migration, hasOutput: newStore != nil) {
      throw refusal
    }
    if let pending = planned.pending, newStore != nil || !plan.isInPlace {
      throw session.unfinished(pending)
    }
    let method = try method(plan, from: planned.source, path, in: session)
    let keeper = keeper(plan, path, method, in: session)
    try checkSomethingRemains(plan, method, name)
    let traceFile = try traceOptions.flatMap {
      try session.traceFile(
        $0, force: force, beside: path, revealing: migration.reveal)
    }
    let runner = HopRunner(
      session: session,
      policies: planned.policies, withoutPolicy: migration.withoutPolicy,
      strict: migration.strict, traceFile: traceFile, isProof: isProof,
      isRevealing: migration.reveal, keeper: keeper)
    var proof: MethodComparison?
    var (results, rehearsalSize): ([HopResult], RehearsalSize?)
    do {
      (results, rehearsalSize) = try Interruption.inOrder {
        if isProof {
          proof = try MethodComparison(of: path, by: plan.hops, after: planned.pending, runner)
        }
        return try runner.run(
          plan.hops, after: planned.pending, from: path, at: planned.source.versionName, method)
      }
    } catch let error as Diagnostic where dryRun && error.id == Session.roundedID {
      // The answer of a rehearsal is that the migration would be refused.
      let json = MigrationVerdict.refused.json(dryRun: true, store: newStore ?? name, hops: [], [:])
      return (Outcome(.nothing, json: json, status: .no, warnings: [error]), [])
    }
    if !results.isEmpty {
      results[0].report.roundedAsRead = session.running?.warnings?.roundedCount ?? 0
    }
    let stops = results.last?.stops == true
    // After the commit, no error may be reported as a failure of the migration.
    let hasCommitted = !stops && !dryRun
    var late: [Diagnostic] = []
    do {
      try traceFile?.close()
    } catch let error as Diagnostic where hasCommitted {
      late.append(error.asWarning)
    }
    let aside = stops && dryRun ? nil : keeper?.name ?? (stops ? nil : method.asideName)
    let verdict: MigrationVerdict = stops ? .refused : dryRun ? .rehearsed : .migrated
    let json = verdict.json(
      dryRun: dryRun, store: newStore ?? name, hops: results,
      ["aside": aside, "proof": proof?.json])
    let outcome = Outcome(
      .stack(
        results.map(\.view)
          + [
            .lines(proof.map { [$0.line] } ?? []),
            .line(
              conclusion(
                results, method, name: name, aside: aside,
                commitsHops: newStore == nil && migration.strict.isEmpty
                  && plan.isInPlace, ranScripts: planned.pending != nil)),
            .lines(cost(results, rehearsalSize, in: session)),
          ]),
      json: json, status: !stops ? .done : dryRun ? .no : .failed,
      warnings: problems + late + users(of: path, in: session)
        + room(for: rehearsalSize, beside: path, in: session)
        + (newStore == nil ? [] : Diagnostic.unprovenNames(of: planned.target.model))
        + (newStore.map(NewStoreFile.isXML) ?? session.isAtomicStore(planned.path)
          ? [] : Diagnostic.uncachedRules(of: planned.target.model))
        + roundedDates(planned, in: session)
        + results.flatMap { result in
          strayRows(result, name) + extras(result.report) + leftOut(result.hop, runner.policies)
        })
    return (outcome, results)
  }

  /// - Parameters:
  ///   - commitsHops: Whether a migration commits each hop, and does not refuse one before the first.
  ///   - ranScripts: Whether scripts of an earlier stage have run before the first hop.
  private func conclusion(
    _ results: [HopResult], _ method: MigrationMethod, name: String, aside: String?,
    commitsHops: Bool, ranScripts: Bool
  ) -> StyledText {
    guard let last = results.last else {
      return StyledText(
        dryRun
          ? "the scripts of the last stage would be run; \(name) is unchanged"
          : "the scripts of the last stage have been run\(kept(aside))", .good)
    }
    guard !last.stops else {
      let hopSuffix = results.count > 1 ? " in the hop to \(last.hop.to.name)" : ""
      let isChanged =
        results.count > 1 || ranScripts || last.hop.stage?.will.scripts.isEmpty == false
      let isThere = isChanged && method == .inPlace && !last.isForeseen
      let what =
        last.isRefused
        ? "refused by --strict\(hopSuffix): \(last.lossCounts.sentence(of: migration.strict))"
        : "the migration \(dryRun ? "would fail" : "fails")\(hopSuffix) (\(CoreDataError.migration))"
      return StyledText(what, .error)
        + StyledText(
          isThere
            ? "; \(name) is at \(last.hop.from.name)\(kept(aside))" : "; \(name) is unchanged")
        + StyledText(
          dryRun && commitsHops && results.count > 1
            ? "; a migration would leave it at \(last.hop.from.name)" : "")
    }
    let lost = StyledText(
      results.losses.text(dryRun ? "would be " : "").map { ": \($0)" } ?? "", .warning)
    guard !dryRun else {
      return StyledText("rehearsed", .good) + lost
        + StyledText(newStore.map { "; \($0) would be created" } ?? "")
        + StyledText("; \(name) is unchanged\(kept(aside))")
    }
    return StyledText("migrated", .good) + lost
      + StyledText(
        newStore.map {
          appends
            ? "; its objects are appended to \($0), \(name) is unchanged"
            : "; \($0) is at \(last.hop.to.name), \(name) is unchanged"
        }
          ?? "; \(name) is at \(last.hop.to.name)\(kept(aside))")
  }

  private func kept(_ aside: String?) -> String {
    aside.map {
      dryRun
        ? "; a migration would keep the old store as \($0)" : ", the old store is kept as \($0)"
    } ?? ""
  }

  /// The duration and memory of a rehearsal, if the session has a clock: recorded sessions are reproducible.
  private func cost(
    _ results: [HopResult], _ rehearsalSize: RehearsalSize?, in session: Session
  ) -> [StyledText] {
    guard dryRun, session.clock != nil, let rehearsalSize else { return [] }
    let seconds = results.reduce(0) { $0 + ($1.seconds ?? 0) }
    let statements = results.reduce(0) { $0 + ($1.report.statements ?? 0) }
    return [
      StyledText(
        live:
          "rehearsal: \(Double(Int(seconds * 100)) / 100) s, \(StoreView.size(ProcessMemory.highest)) of memory"
          + (statements > 0
            ? ", \(Phrase.count(statements, "statement")) in place" : "")
          + "; needs up to \(StoreView.size(rehearsalSize.bytes)) of disk space beside the store",
        kept: "")
    ]
  }

  /// A warning if other programs have the store open that would be changed or replaced, which is then refused.
  private func users(of store: String, in session: Session) -> [Diagnostic] {
    // Recorded sessions are reproducible byte for byte.
    guard dryRun, newStore == nil || force, session.clock != nil,
      let path = newStore.map({ try? session.path($0) }) ?? store
    else { return [] }
    let others = StoreUsers.others(of: path)
    guard !others.isEmpty else { return [] }
    return [
      StoreError.openElsewhere(others).diagnostic.located(in: session.shown(path)).asWarning
    ]
  }

  /// A warning if the disk has less free space than the rehearsal used.
  private func room(
    for rehearsalSize: RehearsalSize?, beside path: String, in session: Session
  ) -> [Diagnostic] {
    let target = newStore.flatMap { try? session.path($0) } ?? path
    let folder = URL(fileURLWithPath: RealPath.resolving(target)).deletingLastPathComponent()
    // Recorded sessions are reproducible byte for byte.
    guard dryRun, session.clock != nil, let rehearsalSize,
      let free = session.diskSpace.available(folder.path), free < rehearsalSize.bytes
    else { return [] }
    return [
      Diagnostic(
        id: "migration.littleRoom", severity: .warning,
        what:
          "the migration needs up to \(StoreView.size(rehearsalSize.bytes)) of disk space, \(StoreView.size(free)) are free",
        location: Location(file: session.shown(folder.path)),
        fix: "free disk space before you migrate")
    ]
  }

  /// The warning about dates of the store's metadata that lose a fraction of a second.
  func roundedDates(_ planned: PlannedMigration, in session: Session) -> [Diagnostic] {
    guard let newStore, NewStoreFile.isXML(newStore),
      let store = try? session.open(planned.path, among: [planned.source.model])
    else { return [] }
    let keys = XMLDatabase.Info.roundedDates(in: store.metadata.others)
    guard !keys.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "store.leftOut", severity: .warning,
        what: "dates in the metadata \(dryRun ? "would lose" : "lose") their fractions of a second "
          + "in \(newStore): \(Phrase.list(keys))",
        fix: "write a SQLite store if the app compares these dates")
    ]
  }

  private func strayRows(_ result: HopResult, _ name: String) -> [Diagnostic] {
    [
      (result.report.strayRows, dryRun ? "they would be lost" : "they are lost"),
      (result.report.keptStrayRows, "they are unchanged"),
    ].filter { $0.0 > 0 }.map { count, fate in
      Diagnostic(
        id: "migration.strayRows", severity: .warning,
        what: "\(Phrase.count(count, "row has", "rows have")) an entity number that "
          + "is not in \(result.hop.from.name): no entity mapping reads them, \(fate)",
        fix: "`show \(CommandLineLexer.quoted(migration.store))` counts the rows of each entity")
    }
  }

  /// The warning about unknown policies whose work was replaced by the default behavior.
  private func leftOut(_ hop: MigrationPlan.Hop, _ policies: PolicyRegistry) -> [Diagnostic] {
    guard migration.withoutPolicy else { return [] }
    let unknown = hop.policyUses.filter { !policies.knows($0) }
      .map { "\($0.policyName) (\($0.entityMapping))" }
    guard !unknown.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "migration.withoutPolicy", severity: .warning,
        what: "the default behavior \(dryRun ? "would be" : "was") used instead of "
          + Phrase.list(unknown),
        fix: "values that only a policy sets are missing: `help policies`")
    ]
  }

  /// Throws if no entity is mapped: a wrong `--to` would empty the store.
  private func checkSomethingRemains(
    _ plan: MigrationPlan, _ method: MigrationMethod, _ name: String
  )
    throws
  {
    guard method == .inPlace || method.isRehearsal && plan.isInPlace,
      let error = plan.nothingStays(of: name)
    else { return }
    throw error
  }

  /// The maximum number of extras in a warning.
  private static let extraLimit = 20

  private func extras(_ report: MigrationReport) -> [Diagnostic] {
    let (extras, count) = (report.extras, report.extras.count)
    guard count > 0 else { return [] }
    return [
      Diagnostic(
        id: "migration.extras", severity: .warning,
        what: "\(Phrase.count(count, "item")) outside the model "
          + "\(dryRun ? "would be" : count == 1 ? "is" : "are") lost",
        fix: "keep a copy of the old store, and recreate them in the new one",
        notes: Phrase.first(Self.extraLimit, of: extras))
    ]
  }
}
