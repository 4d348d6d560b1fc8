internal import ArgumentParser
internal import Foundation
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `migrate STORE --to MODEL [--output FILE] [--dry-run]`
struct Migrate: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Migrates a store to another model, or rehearses it.",
    discussion: """
      A mapping model that fits is taken, else Core Data's inference; --strategy names other ways, which \
      `plan` shows hop by hop. What is inferred happens in the store \
      itself, in one transaction: all of it, or nothing. By a mapping model, a new store is made in three \
      passes and checked; then it takes the place of the old one in one instant, and the old one is kept \
      beside it as <store>.before-<version>, unless --discard-old says otherwise. With --output the new \
      store is made there, and the old one stays. --dry-run does all of it in a private \
      folder that goes afterwards, and tells what would happen. The store must not be open elsewhere: \
      SQLite's locks tell, and on Linux the open files of this user's programs. Policies that a mapping model names stand \
      in policy files (`help policies`), beside the model or named by --policies, or are linked into the \
      program (StrataKit). `trace migration 1` shows the passes as they happen.
      """)
  static let effect = CommandEffect.writesStore
  static let examples = [
    CommandExample(
      "a rehearsal, which changes nothing",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2 --dry-run"),
    CommandExample(
      "in the store itself, by what is inferred",
      "create lists.sqlite --model sample:Topics/Model2 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model3",
      "identify lists.sqlite sample:Topics"),
    CommandExample(
      "by a mapping model; the old store is kept",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2",
      "identify lists.sqlite.before-Model1 sample:Topics"),
    CommandExample(
      "by a mapping model, into a new store",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2 --output new.sqlite",
      "rows new.sqlite Topic --limit 1"),
  ]

  @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .file()) var store:
    String
  @Option(
    name: .customLong("to"), help: ArgumentHelp("The model to migrate to.", valueName: "model"),
    completion: .file())
  var target: String
  @Flag(help: "Rehearse only: change nothing.") var dryRun = false
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("Make a new store here; the old one stays.", valueName: "file"),
    completion: .file())
  var newStore: String?
  @Flag(help: "Replace a file of the name given by --output or --trace-json.") var force = false
  @Flag(help: "Keep nothing of the old store where a new one takes its place.") var discardOld =
    false
  @Option(
    name: .customLong("policies"),
    help: ArgumentHelp("A policy file, besides those beside the model.", valueName: "file"),
    completion: .file())
  var policyFiles: [String] = []
  @Flag(help: "Let no object go: refuse a migration that would.") var strict = false
  @Flag(help: "Do the default work where a policy is not known.") var withoutPolicy = false
  @OptionGroup var strategy: StrategyOptions
  @OptionGroup var traceOptions: TraceOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !force || newStore != nil || traceOptions.file != nil else {
      throw ValidationError(
        "--force replaces the file of --output or --trace-json, and there is none")
    }
    guard strategy.chosen != .staged || newStore == nil else {
      throw ValidationError("stages happen in the store itself: leave --output out")
    }
    guard !dryRun || newStore == nil else {
      throw ValidationError("--dry-run makes no store: leave --output out")
    }
    guard !discardOld || !dryRun && newStore == nil else {
      throw ValidationError("--discard-old is for the store that is migrated where it is")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let target = try session.model(target)
    let (name, path) = try session.store(store)
    let source = try session.sourceModel(store, target: self.target)
    let references = [store, self.target]
    let policies = try session.policies(for: references, files: policyFiles)
    let (planner, problems) = try session.planner(
      by: strategy, target: target, references: references, policies: policies)
    let plan = try planner.plan(from: source, to: target, by: strategy.chosen)
    let pending = try session.pendingStage(of: path, among: planner.stages)
    guard !plan.hops.isEmpty || pending != nil else {
      return Outcome(
        .line(
          "nothing to do: \(name) is at \(target.name) already"
            + (newStore.map { "; \($0) is not made" } ?? "")),
        payload: MigrationPayload(outcome: .nothingToDo, dryRun: dryRun, hops: [], store: name),
        warnings: try session.warningOfPendingScripts(of: path, among: planner.stages))
    }
    if plan.hops.contains(where: \.isInferred), let unreadable = problems.first {
      // What is inferred could be quite another thing than what somebody wrote down.
      throw unreadable.asError(
        "a mapping model that may be the one for this cannot be read: ",
        mend: "mend it, or move it away from the model")
    }
    let way = try way(plan, from: source, path, in: session)
    try checkSomethingStays(plan, way, name)
    let traceFile = try session.traceFile(traceOptions, force: force)
    let runner = HopRunner(
      session: session,
      policies: policies, withoutPolicy: withoutPolicy, isStrict: strict, traceFile: traceFile)
    let (results, aftermath) = try Interruption.inOrder {
      try runner.run(plan.hops, after: pending, from: path, way)
    }
    try traceFile?.close()
    let stops = results.last?.stops == true
    return Outcome(
      .stack(
        results.map(\.view)
          + [
            aftermath?.view ?? .nothing, .line(conclusion(results, way, name: name)),
            .lines(cost(results, aftermath, in: session)),
          ]),
      payload: MigrationPayload(
        outcome: stops ? .refused : dryRun ? .rehearsed : .migrated, dryRun: dryRun,
        hops: results.map { MigrationPayload.Hop($0) }, store: newStore ?? name,
        aside: stops ? nil : way.asideName, lost: results.reduce(0) { $0 + $1.report.lost },
        afterwards: aftermath?.payload),
      status: !stops ? .done : dryRun ? .no : .failed,
      warnings: try problems + planner.hint(of: plan, by: strategy.chosen, to: target)
        + session.warningOfPendingScripts(of: path, among: planner.stages)
        + results.flatMap { result in
          strayRows(result, name) + strangers(result.report) + leftOut(result.hop, runner.policies)
        })
  }

  private func conclusion(
    _ results: [HopResult], _ way: MigrationWay, name: String
  ) -> StyledText {
    guard let last = results.last else {
      return StyledText(
        dryRun
          ? "the scripts of the last stage would be run; \(name) is unchanged"
          : "the scripts of the last stage have been run", .good)
    }
    let dropped = results.reduce(0) { $0 + $1.report.lost }
    guard !last.stops else {
      let place = results.count > 1 ? " on the way to \(last.hop.to.name)" : ""
      let isThere = results.count > 1 && way == .inPlace
      let what =
        last.isRefused
        ? "refused by --strict\(place): \(Words.count(last.report.lost + last.report.strayRows, "row", "rows")) would be let go"
        : "the migration \(dryRun ? "would fail" : "fails")\(place) (134110)"
      return StyledText(what, .error)
        + StyledText(
          isThere ? "; \(name) is at \(last.hop.from.name)" : "; \(name) is unchanged")
    }
    let lost = StyledText(
      dropped == 0
        ? ""
        : ": \(Words.count(dropped, "object", "objects")) \(dryRun ? "would be" : dropped == 1 ? "was" : "were") let go",
      .warning)
    guard !dryRun else {
      return StyledText("rehearsed", .good) + lost + StyledText("; \(name) is unchanged")
    }
    return StyledText("migrated", .good) + lost
      + StyledText(
        newStore.map { "; \($0) is at \(last.hop.to.name), \(name) is unchanged" }
          ?? "; \(name) is at \(last.hop.to.name)"
          + (way.asideName.map { ", the old store is kept as \($0)" } ?? ""))
  }

  /// What the rehearsal took, where the session has a clock: recorded sessions repeat to the byte.
  private func cost(
    _ results: [HopResult], _ aftermath: Aftermath?, in session: Session
  ) -> [StyledText] {
    guard dryRun, session.clock != nil, let aftermath else { return [] }
    let seconds = results.reduce(0) { $0 + ($1.seconds ?? 0) }
    let statements = results.reduce(0) { $0 + ($1.report.statements ?? 0) }
    return [
      StyledText(
        "it took \(Double(Int(seconds * 100)) / 100) s and \(StoreView.size(ProcessMemory.highest)) of memory"
          + (statements > 0
            ? ", \(Words.count(statements, "statement", "statements")) in place" : "")
          + "; it needs up to \(StoreView.size(aftermath.bytes)) beside the store", .faint)
    ]
  }

  private func strayRows(_ result: HopResult, _ name: String) -> [Diagnostic] {
    let count = result.report.strayRows
    guard count > 0 else { return [] }
    return [
      Diagnostic(
        id: "migration.strayRows", severity: .warning,
        what:
          "\(Words.count(count, "row has", "rows have")) an entity number that \(result.hop.from.name) lacks: no entity mapping takes them",
        mend: "`show \(name)` counts the rows of each entity")
    ]
  }

  /// Work that was left out, because nobody knows how it is done.
  private func leftOut(_ hop: MigrationPlan.Hop, _ policies: PolicyRegistry) -> [Diagnostic] {
    guard withoutPolicy else { return [] }
    let unknown = hop.entityMappings.compactMap { mapping in
      mapping.policyName.flatMap { policies.knows($0) ? nil : "\($0) (\(mapping.name))" }
    }
    guard !unknown.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "migration.withoutPolicy", severity: .warning,
        what: "the default work \(dryRun ? "would be" : "was") done in the place of "
          + Words.list(unknown),
        mend: "what only a policy sets has no value: `help policies`")
    ]
  }

  /// A slip in --to would empty the store.
  private func checkSomethingStays(_ plan: MigrationPlan, _ way: MigrationWay, _ name: String)
    throws
  {
    guard way == .inPlace || way == .rehearsal && plan.hops.allSatisfy(\.isInferred),
      let hop = plan.hops.first(where: { hop in
        hop.entityMappings.allSatisfy { $0.sourceName == nil || $0.destinationName == nil }
      })
    else { return }
    throw Diagnostic(
      id: "migration.nothingStays",
      what:
        "\(hop.from.name) and \(hop.to.name) have no entity in common: nothing of \(name) would be left",
      mend: "check --to; with --output <file> the old store stays")
  }

  private func strangers(_ report: MigrationReport) -> [Diagnostic] {
    guard !report.strangers.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "migration.strangers", severity: .warning,
        what: "what is not Core Data's \(dryRun ? "would go" : "goes") with its table: "
          + report.strangers.joined(separator: ", "),
        mend: "keep the old store with --output, and add it to the new one again")
    ]
  }
}
