internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `migrate STORE --to MODEL --dry-run`
struct Migrate: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Rehearses a migration and reports what it would do.",
    discussion: """
      The rehearsal is the real run in a private folder that goes afterwards: the store and its folder \
      stay as they are. A mapping model that fits is taken, else Core Data's inference. Policies that a \
      mapping model names stand in policy files (`help policies`), beside the model or named by \
      --policies, or are linked into the program (StrataKit). `trace migration 1` shows the \
      passes as they happen. Migrating in earnest is \
      not part of this version: --dry-run must be given.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "a rehearsal, which changes nothing",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2 --dry-run")
  ]

  @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .file()) var store:
    String
  @Option(
    name: .customLong("to"), help: ArgumentHelp("The model to migrate to.", valueName: "model"),
    completion: .file())
  var target: String
  @Flag(help: "Rehearse only: change nothing.") var dryRun = false
  @Option(
    name: .customLong("policies"),
    help: ArgumentHelp("A policy file, besides those beside the model.", valueName: "file"),
    completion: .file())
  var policyFiles: [String] = []
  @Flag(help: "Do the default work where a policy is not known.") var withoutPolicy = false
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard dryRun else {
      throw ValidationError("this version of Strata rehearses migrations; add --dry-run")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let target = try session.model(target)
    let (name, path) = try session.store(store)
    let source = try session.sourceModel(store, target: self.target)
    let (choice, problems) = try session.mappingChoice(
      from: source, to: target, references: [store, self.target])
    let plan = try MigrationPlan(from: source, to: target, mappings: choice)
    let policies = try session.policies(for: [store, self.target], files: policyFiles)
    guard !plan.hops.isEmpty else {
      return Outcome(
        .line("nothing to do: \(name) is at \(target.name) already"),
        payload: MigrationPayload(hops: [], store: name))
    }
    var views: [View] = []
    var hops: [MigrationPayload.Hop] = []
    var reports: [MigrationReport] = []
    for (index, hop) in plan.hops.enumerated() {
      let start = session.clock?()
      let (report, trace) = try rehearse(
        hop, number: index + 1, of: plan.hops.count, path: path, by: policies, in: session)
      // What would fail, the rehearsal itself tells.
      let losses = ObstacleReport(
        hop.warnings.filter { $0.code == 0 }, from: hop.from, to: hop.to)
      views += [.lines(trace), report.view(of: hop), losses.beware]
      hops.append(
        MigrationPayload.Hop(
          hop, report, seconds: start.flatMap { start in session.clock.map { $0() - start } }))
      reports.append(report)
    }
    let failed = reports.contains(where: \.stopsMigration)
    let dropped = reports.reduce(0) { $0 + $1.dropped + $1.untaken.reduce(0) { $0 + $1.count } }
    views.append(
      .line(
        failed
          ? StyledText("the migration would fail (134110)", .error)
            + StyledText("; \(name) is unchanged")
          : StyledText("rehearsed", .good)
            + StyledText(
              dropped == 0 ? "" : ": \(Words.count(dropped, "object", "objects")) would be let go",
              .warning)
            + StyledText("; \(name) is unchanged")))
    let stray = reports.reduce(0) { $0 + $1.strayRows }
    return Outcome(
      .stack(views), payload: MigrationPayload(hops: hops, store: name),
      status: failed ? .failed : .done,
      warnings: problems
        + (stray == 0
          ? []
          : [
            Diagnostic(
              id: "migration.strayRows", severity: .warning,
              what:
                "\(Words.count(stray, "row has", "rows have")) an entity number that \(source.name) lacks: no entity mapping takes them",
              mend: "`show \(name)` counts the rows of each entity")
          ]))
  }

  /// Runs one hop in a workspace of its own; returns the report and the trace lines.
  private func rehearse(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, path: String, by policies: PolicyRegistry,
    in session: Session
  ) throws -> (MigrationReport, [StyledText]) {
    do {
      return try run(hop, number: number, of: count, path: path, by: policies, in: session)
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(path))
    }
  }

  private func run(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, path: String, by policies: PolicyRegistry,
    in session: Session
  ) throws -> (MigrationReport, [StyledText]) {
    let store = try session.open(path)
    let uuid = store.metadata.uuid
    let workspace = try Workspace()
    let destination = try workspace.makeStore(
      named: "hop\(number)", model: hop.to.model, uuid: uuid)
    var run = try MigrationRun(
      hop, number: number, of: count, source: StoreReader(store, model: hop.from.model),
      destination: destination, policies: policies, withoutPolicies: withoutPolicy)
    var trace: [StyledText] = []
    while run.pending != nil {
      try Interruption.check()
      for event in try run.step() {
        trace += TraceText.migrationLines(event, level: session.trace.migration)
      }
    }
    try run.checkSourceUnchanged()
    return (run.report, trace)
  }
}

extension MigrationReport {
  fileprivate func view(of hop: MigrationPlan.Hop) -> View {
    let rows: [[StyledText]] = entities.map { entity in
      [
        StyledText(entity.mapping, .name), StyledText(String(entity.source)),
        StyledText(String(entity.created)),
        StyledText(String(entity.dropped), entity.dropped > 0 ? .warning : .plain),
      ]
    }
    let table = Table(
      columns: [
        .init("\(hop.from.name) -> \(hop.to.name)"), .init("source", .right),
        .init("created", .right), .init("dropped", .right),
      ], rows: rows)
    let lines = problems.map { problem in
      StyledText("  \(problem.entity).\(problem.property)", .name)
        + StyledText(
          " \(problem.reason) in \(Words.count(problem.count, "object", "objects")), first p\(problem.firstKey)"
        )
        + StyledText(
          problem.stopsMigration ? "" : ": migrates, but cannot be saved as it is", .warning)
    }
    let left = untaken.map { untaken in
      StyledText("  \(untaken.entity)", .name)
        + StyledText(
          " \(Words.count(untaken.count, "object is", "objects are")) taken by no entity mapping, first p\(untaken.firstKey)",
          .warning)
    }
    return .stack([.table(table), .lines(left), .lines(lines)])
  }
}

/// The JSON shape of `migrate`.
struct MigrationPayload: Encodable, Sendable {
  struct Entity: Encodable, Sendable {
    var mapping: String
    var source: Int
    var created: Int
    var dropped: Int
  }

  struct Problem: Encodable, Sendable {
    var entity: String
    var property: String
    var reason: String
    var objects: Int
    var stopsMigration: Bool
  }

  struct Untaken: Encodable, Sendable {
    var entity: String
    var objects: Int
  }

  struct Hop: Encodable, Sendable {
    var from: String
    var to: String
    var means = "passes"
    var mapping: String
    var entities: [Entity]
    /// Objects that no entity mapping takes.
    var untaken: [Untaken]
    /// What the destination model does not allow.
    var problems: [Problem]
    /// 134110 where the migration would fail.
    var failure: Int?
    /// Only where the session has a clock: recorded sessions repeat to the byte.
    var seconds: Double?

    init(_ hop: MigrationPlan.Hop, _ report: MigrationReport, seconds: Double?) {
      from = hop.from.name
      to = hop.to.name
      mapping = hop.mappingName
      untaken = report.untaken.map { Untaken(entity: $0.entity, objects: $0.count) }
      entities = report.entities.map {
        Entity(mapping: $0.mapping, source: $0.source, created: $0.created, dropped: $0.dropped)
      }
      problems = report.problems.map {
        Problem(
          entity: $0.entity, property: $0.property, reason: $0.reason, objects: $0.count,
          stopsMigration: $0.stopsMigration)
      }
      failure = report.stopsMigration ? 134110 : nil
      self.seconds = seconds
    }
  }

  var hops: [Hop]
  var store: String
}
