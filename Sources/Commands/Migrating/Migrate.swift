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
      A mapping model that fits is taken, else Core Data's inference. What is inferred happens in the store \
      itself, in one transaction: all of it, or nothing. With --output a new store is made in three passes, \
      and the old one stays; a mapping model always needs that. --dry-run does all of it in a private \
      folder that goes afterwards, and tells what would happen. Policies that a mapping model names stand \
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
  @Flag(help: "Replace a store of the name given by --output.") var force = false
  @Option(
    name: .customLong("policies"),
    help: ArgumentHelp("A policy file, besides those beside the model.", valueName: "file"),
    completion: .file())
  var policyFiles: [String] = []
  @Flag(help: "Do the default work where a policy is not known.") var withoutPolicy = false
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !force || newStore != nil else {
      throw ValidationError("--force replaces the store of --output, and there is none")
    }
    guard !dryRun || newStore == nil else {
      throw ValidationError("--dry-run makes no store: leave --output out")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let target = try session.model(target)
    let (name, path) = try session.store(store)
    let source = try session.sourceModel(store, target: self.target)
    let (planner, problems) = try session.planner(
      target: target, references: [store, self.target])
    let plan = try planner.plan(from: source, to: target, by: .default)
    guard let hop = plan.hops.first else {
      return Outcome(
        .line(
          "nothing to do: \(name) is at \(target.name) already"
            + (newStore.map { "; \($0) is not made" } ?? "")),
        payload: MigrationPayload(hops: [], store: name))
    }
    if hop.isInferred, let unreadable = problems.first {
      // What is inferred could be quite another thing than what somebody wrote down.
      throw unreadable.asError(
        "a mapping model that may be the one for this cannot be read: ",
        mend: "mend it, or move it away from the model")
    }
    let way = try way(hop, path, in: session)
    try checkSomethingStays(hop, way, name)
    let start = session.clock?()
    let policies = try session.policies(for: [store, self.target], files: policyFiles)
    let (report, trace) = try Interruption.inOrder {
      try perform(hop, path: path, way, by: policies, in: session)
    }
    let seconds = start.flatMap { start in session.clock.map { $0() - start } }
    // What would fail, the migration itself tells.
    let losses = ObstacleReport(
      hop.warnings.filter { $0.code == 0 }, from: hop.from, to: hop.to)
    return Outcome(
      .stack([
        .lines(trace), report.view(of: hop), losses.beware,
        .line(conclusion(report, name: name, hop)),
      ]),
      payload: MigrationPayload(
        hops: [MigrationPayload.Hop(hop, report, means: way.means, seconds: seconds)],
        store: newStore ?? name),
      status: !report.stopsMigration ? .done : dryRun ? .no : .failed,
      warnings: problems + strayRows(report, source, name) + strangers(report)
        + leftOut(hop, policies))
  }

  private func conclusion(
    _ report: MigrationReport, name: String, _ hop: MigrationPlan.Hop
  ) -> StyledText {
    let dropped = report.lost
    guard !report.stopsMigration else {
      return StyledText(
        dryRun ? "the migration would fail (134110)" : "the migration fails (134110)", .error)
        + StyledText("; \(name) is unchanged")
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
        newStore.map { "; \($0) is at \(hop.to.name), \(name) is unchanged" }
          ?? "; \(name) is at \(hop.to.name)")
  }

  private func strayRows(
    _ report: MigrationReport, _ source: NamedModel, _ name: String
  ) -> [Diagnostic] {
    guard report.strayRows > 0 else { return [] }
    return [
      Diagnostic(
        id: "migration.strayRows", severity: .warning,
        what:
          "\(Words.count(report.strayRows, "row has", "rows have")) an entity number that \(source.name) lacks: no entity mapping takes them",
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
  private func checkSomethingStays(_ hop: MigrationPlan.Hop, _ way: Way, _ name: String) throws {
    guard case .inPlace = way,
      hop.entityMappings.allSatisfy({ $0.sourceName == nil || $0.destinationName == nil })
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

  // MARK: The run

  /// Where the migration happens.
  private enum Way {
    case rehearsalInPlace
    case rehearsalInPasses
    case inPlace
    /// A new store at this path.
    case passes(into: String)

    var means: MigrationPlan.Means {
      switch self {
      case .rehearsalInPlace, .inPlace: .inPlace
      case .rehearsalInPasses, .passes: .passes
      }
    }
  }

  private func way(
    _ hop: MigrationPlan.Hop, _ path: String, in session: Session
  ) throws -> Way {
    let isInPlace = hop.means == .inPlace && !session.isXMLStore(path)
    if dryRun { return isInPlace ? .rehearsalInPlace : .rehearsalInPasses }
    if let newStore {
      guard !newStore.hasSuffix(".xml") else {
        throw Diagnostic(
          id: "migration.noXML",
          what: "a migration makes SQLite stores, and this name is an XML store's",
          location: Location(file: newStore), mend: "name it .sqlite")
      }
      let target = try session.newPath(newStore, force: force)
      try Self.checkApart(target, newStore, path, session)
      return .passes(into: target)
    }
    guard isInPlace else {
      throw Diagnostic(
        id: "migration.needsOutput",
        what: hop.isInferred
          ? "an XML store is not migrated in place" : "a mapping model makes a new store",
        mend: "say where with --output <file>, or rehearse with --dry-run")
    }
    return .inPlace
  }

  /// The new store must be another one than the old, and take nothing that belongs to it.
  private static func checkApart(
    _ target: String, _ typed: String, _ path: String, _ session: Session
  ) throws {
    func resolved(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    let (new, old) = (resolved(target), resolved(path))
    let what: String
    if new == old {
      what = "this is the store that is migrated"
    } else if StoreFile.companions(of: old).contains(new) {
      what = "this belongs to the store that is migrated"
    } else if let shared = StoreFile.companions(of: old).last,
      shared == StoreFile.companions(of: new).last,
      FileManager.default.fileExists(atPath: shared)
    {
      what =
        "it would share the folder \(URL(fileURLWithPath: shared).lastPathComponent) with the store that is migrated"
    } else {
      return
    }
    throw Diagnostic(
      id: "migration.sameStore", what: what, location: Location(file: typed),
      mend: "choose another name for --output")
  }

  /// Returns the report and the trace lines.
  private func perform(
    _ hop: MigrationPlan.Hop, path: String, _ way: Way, by policies: PolicyRegistry,
    in session: Session
  ) throws -> (MigrationReport, [StyledText]) {
    do {
      switch way {
      case .inPlace:
        var run = try InPlaceRun(hop, number: 1, of: 1, path: session.writable(path))
        return try drive(&run, in: session)
      case .rehearsalInPlace:
        let workspace = try Workspace()
        let store = try session.open(path)
        var run = try InPlaceRun(
          hop, number: 1, of: 1, path: workspace.copyStore(store))
        let result = try drive(&run, in: session)
        try store.checkUnchanged()
        return result
      case .rehearsalInPasses:
        let workspace = try Workspace()
        return try runPasses(hop, path: path, policies, in: session) { uuid in
          try workspace.makeStore(named: "store", model: hop.to.model, uuid: uuid)
        }
      case .passes(let target):
        var result: (MigrationReport, [StyledText])?
        try StoreFile.create(at: target, replacing: force) { staged in
          result = try runPasses(hop, path: path, policies, in: session) { uuid in
            try NewStore(path: staged, model: hop.to.model, uuid: uuid)
          }
          if let report = result?.0, report.stopsMigration { throw Refused(report: report) }
        }
        return result ?? (MigrationReport(hop), [])
      }
    } catch let refused as Refused {
      return (refused.report, [])
    } catch _ where Interruption.isRequested {
      throw Interruption.leaving(session.shown(path))
    } catch let error as StoreError {
      let isOfSource =
        switch error {
        case .missingExternalFile, .badExternalReference: true
        default: newStore == nil
        }
      throw error.diagnostic.located(
        in: isOfSource ? session.shown(path) : newStore ?? session.shown(path))
    }
  }

  /// Objects of a step where nobody listens to each: Ctrl-C is looked for between two steps.
  private static let batchSize = 1000

  /// The new model allows no store with these objects: none is made.
  private struct Refused: Error {
    var report: MigrationReport
  }

  private func runPasses(
    _ hop: MigrationPlan.Hop, path: String, _ policies: PolicyRegistry, in session: Session,
    into makeStore: (_ uuid: String) throws -> NewStore
  ) throws -> (MigrationReport, [StyledText]) {
    let source = try reading(path, in: session) {
      try StoreReader(session.open(path, model: hop.from.model), model: hop.from.model)
    }
    let destination = try makeStore(source.store.metadata.uuid)
    var run = try PassesRun(
      hop, number: 1, of: 1, source: source,
      destination: destination, policies: policies, withoutPolicies: withoutPolicy,
      executor: session.trace.migration > 1 ? .objects : .fastest,
      batchSize: session.trace.migration > 1 ? 1 : Self.batchSize)
    let result = try drive(&run, in: session)
    try reading(path, in: session) { try run.checkSourceUnchanged() }
    return result
  }

  /// What goes wrong is the source's, whatever else the command names.
  private func reading<Result: ~Copyable>(
    _ path: String, in session: Session, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(path))
    }
  }

  private func drive<Run: MigrationRun & ~Copyable>(
    _ run: inout Run, in session: Session
  ) throws -> (MigrationReport, [StyledText]) {
    var trace: [StyledText] = []
    defer { session.progress?.end() }
    while run.pending != nil {
      try Interruption.check()
      for event in try run.step() {
        session.progress?.hear(event)
        trace += TraceText.migrationLines(event, level: session.trace.migration)
      }
    }
    return (run.report, trace)
  }
}
