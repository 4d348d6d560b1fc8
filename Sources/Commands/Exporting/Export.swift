internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataMigration
internal import StrataNotebook
internal import StrataObjectModel
internal import StrataPages
internal import StrataRendering
internal import StrataStepping

/// `export STORE FILE.html --to MODEL`, `export NOTEBOOK FILE.html`
struct Export: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes a migration or a notebook as a page for a browser.",
    discussion: """
      The page is one file that needs no network. It shows the old store, the association tables and the new store \
      at every stop of the stepper, what the step did and its SQL; without scripts and on paper, a table of all \
      stops. The migration runs in a private folder: the store is only read. Of an entity mapping with many \
      objects only the first ones are recorded, so that the page stays under 2 MB; it says how many are left out.

      Of a notebook or script, the page has the prose, the commands and the recorded answers. It runs in private, \
      as `replay` runs it, and each `debug` becomes such a stepper.

      Values of the store are replaced by their types, unless --reveal is given or the store has the model of a \
      built-in sample. Keys of objects and counts are shown, and recorded answers as they are in the document.
      """)
  static let effect = CommandEffect.writesFiles
  static let examples = [
    CommandExample(
      "a page with questions", "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "export lists.sqlite lists.html --to sample:Topics/Model2 --questions"),
    CommandExample(
      "a notebook", "debug sample:Phone --to sample:Topics/Model2", "save phone.md",
      "export phone.md phone.html"),
  ]

  @Argument(
    help: ArgumentHelp(.store, "The store, or a notebook or script."), completion: .file())
  var store: String
  @Argument(help: ArgumentHelp(.file, "The page to write, .html."), completion: .file())
  var file: String
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(.model, "The model to migrate the store to."), completion: .file())
  var target: String?
  @Option(
    help: ArgumentHelp(
      "Record the first n objects of each entity mapping and pass.", valueName: "n"))
  var objects: Int?
  @Flag(help: "Ask what the reader expects before the steps that matter.") var questions = false
  @Flag(help: "Show the values of the store.") var reveal = false
  @Flag(help: "Use the default behavior for unknown policies.") var withoutPolicy = false
  @Flag(help: "Replace an existing page.") var force = false
  @OptionGroup var strategy: StrategyOptions
  @OptionGroup var output: OutputOptions

  private var isDocument: Bool { SessionForm.form(forPath: store) != nil }

  mutating func validate() throws {
    guard (1...100_000).contains(objects ?? 1) else {
      throw ValidationError("--objects is between 1 and 100000")
    }
    guard isDocument == (target == nil) else {
      throw ValidationError(
        isDocument ? "--to is for stores" : "the migration of a store requires --to")
    }
  }

  func run(in session: Session) throws -> Outcome {
    guard file.hasSuffix(".html") else {
      throw Diagnostic(
        id: "command.unknownForm", what: "\(file) is not the name of a page",
        fix: "end its name in .html")
    }
    guard let target else { return try exportDocument(in: session) }
    var migration = MigrationArguments()
    (migration.store, migration.target) = (store, target)
    (migration.strictCategories, migration.withoutPolicy) = (nil, withoutPolicy)
    (migration.reveal, migration.strategy) = (reveal, strategy)
    let planned = try session.plan(migration)
    if let refusal = session.stagesNeedSQLite(planned, by: migration, hasOutput: false) {
      throw refusal
    }
    guard !planned.plan.hops.isEmpty else {
      return Outcome(
        .line("nothing to export: \(planned.name) is at \(planned.target.name) already"),
        payload: ["stops": 0], status: .no)
    }
    let path = try session.newPath(file, as: .page, force: force)
    let recorded = try RecordedMigration(
      planned, options, withoutPolicies: withoutPolicy, in: session)
    var page = HTMLPage(title: recorded.title)
    page.add(recorded)
    return try write(page, [recorded], to: path)
  }

  private var options: RecordedMigration.Options {
    .init(objects: objects, asks: questions, reveals: reveal)
  }

  private func exportDocument(in session: Session) throws -> Outcome {
    try session.checkReplayDepth()
    let (document, folder) = try session.document(store)
    try session.access.check(folder)
    let path = try session.newPath(file, as: .page, force: force)
    var replay = PrivateReplay(
      folder: folder, readable: session.access.readableFolders, depth: session.replayDepth + 1,
      written: session.replayDepth == 0 ? nil : session.overlay?.contents)
    replay.readable.add(folder)
    let notebook = try NotebookPage(of: document, named: store, options, by: replay)
    return try write(notebook.page, notebook.migrations, to: path)
  }

  private func write(
    _ page: HTMLPage, _ migrations: [RecordedMigration], to path: String
  ) throws -> Outcome {
    let bytes = page.bytes
    var update = FolderUpdate()
    update.write(bytes, to: path)
    try update.commit()
    let stops = migrations.reduce(0) { $0 + $1.recording.stops }
    let left = migrations.reduce(0) { $0 + $1.recording.leftOut }
    let masked = migrations.contains { !$0.reveals }
    var notes: [String] = []
    if left > 0 { notes.append("\(Phrase.count(left, "object")) not recorded one by one") }
    if masked { notes.append("values are masked: --reveal shows them") }
    let size = Phrase.count(stops, "stop") + ", \((bytes.count + 999) / 1000) KB"
    var outcome = Outcome(
      .stack([
        .line("wrote " + StyledText(file, .name) + StyledText(": \(size)")),
        .lines(notes.map { StyledText("  \($0)", .faint) }),
      ]),
      payload: ExportPayload(
        file: file, stops: stops, bytes: bytes.count, leftOut: left, reveals: !masked))
    outcome.warnings = migrations.compactMap { migration in
      migration.recording.failure.map { failure in
        Diagnostic(
          id: "step.stopped", severity: .warning,
          what: "the migration stops, and so does the page: "
            + (migration.reveals ? failure.what : failure.id))
      }
    }
    return outcome
  }
}

/// The JSON shape of `export`.
struct ExportPayload: Encodable, Sendable {
  var file: String
  /// The recorded stops of the stepper.
  var stops: Int
  var bytes: Int
  /// The objects that are not recorded one by one.
  var leftOut: Int
  /// Whether the page has the values of the store.
  var reveals: Bool
}
