internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMigration
internal import StrataNotebook
internal import StrataObjectModel
internal import StrataPages
internal import StrataRendering
internal import StrataStepping
internal import StrataStore

/// `export STORE FILE.html --to MODEL`, `export NOTEBOOK FILE.html`, `export NOTEBOOK FILE.ipynb`, `export MODEL FILE.svg`
struct Export: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "export",
    abstract:
      "Writes migrations, notebooks and lessons as pages, and models and plans as pictures.",
    discussion: """
      The page of a migration is one file that needs no network. It shows the old store, the association tables and \
      the new store at every stop of the stepper, what the step did and its SQL; without scripts and on paper, a \
      table of all stops. The migration runs in a private folder: the store is only read. Of an entity mapping with \
      many objects only the first ones are recorded, so that the page stays under 2 MB; it says how many are left out.

      Of a notebook, script or lesson (lesson:NAME), FILE.html has the prose, the commands and the recorded answers, \
      and FILE.ipynb is the same for Jupyter. It runs in private, as `replay` runs it: each `debug` becomes such a \
      stepper, and the picture that an `export FILE.svg` writes is shown.

      FILE.svg is a picture, and FILE.mmd the same for Mermaid, which code hosts draw:

        MODEL             entities with attributes (`?`: optional), relationships with crow's feet, and the first \
      bytes of their hashes
        MODEL.Entity      an entity with its neighbors
        MODEL..MODEL      what was added (+), removed (−) and changed (≠); of more than 60 entities, those that \
      changed and their neighbors
        MAPPING           source entities, entity mappings with filters and policies, destination entities
        BUNDLE            its versions with what changed, and the migrations to the next and the current version
        STORE --to MODEL  the versions, and the hops of each strategy: dashed if there is no path, ⚠ if one loses or \
      refuses objects

      Values of the store are replaced by their types, unless --reveal is given or the store has the model of a \
      built-in sample. Keys of objects and counts are shown, and recorded answers as they are in the document.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "a page with questions", "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "export lists.sqlite lists.html --to sample:Topics/Model2 --questions"),
    CommandExample(
      "a notebook", "debug sample:Phone --to sample:Topics/Model2", "save phone.md",
      "export phone.md phone.html", "export phone.md phone.ipynb"),
    CommandExample("a lesson", "export lesson:passes passes.html"),
    CommandExample(
      "pictures", "load sample:Topics", "export Model5 topics.svg",
      "export Model4..Model5 changes.mmd", "export Model3ToModel4 mapping.svg",
      "export Topics history.svg", "export Model1 plan.svg --to Model5"),
  ]

  @Argument(.store, "The store; a notebook, script or lesson:NAME; what a picture shows.")
  var store: String
  @Argument(.file, "The file to write: .html, .ipynb, .svg or .mmd.") var file: String
  @Option(.model, "The model to migrate the store to.", name: .customLong("to")) var target: String?
  @Option(
    help: ArgumentHelp(
      "Record the first n objects of each entity mapping and pass.", valueName: "n"))
  var objects: Int?
  @Flag(help: "Ask what the reader expects before the steps that matter.") var questions = false
  @Flag(help: "Show the values of the store.") var reveal = false
  @Flag(help: "Use the default behavior for unknown policies.") var withoutPolicy = false
  @Flag(help: "Replace an existing page or picture.") var force = false
  @OptionGroup var strategy: StrategyOptions
  @OptionGroup var output: OutputOptions

  private enum Form: String {
    case page = "html"
    case notebook = "ipynb"
    case picture = "svg"
    case mermaid = "mmd"

    var isPicture: Bool { self == .picture || self == .mermaid }

    init?(of file: String) {
      self.init(rawValue: URL(fileURLWithPath: file).pathExtension.lowercased())
    }
  }

  private static let lessonPrefix = "lesson:"
  private var isLesson: Bool { store.hasPrefix(Self.lessonPrefix) }
  private var isDocument: Bool { isLesson || SessionForm.form(forPath: store) != nil }

  mutating func validate() throws {
    guard (1...100_000).contains(objects ?? 1) else {
      throw ValidationError("--objects is between 1 and 100000")
    }
    guard let form = Form(of: file) else { return }
    if form.isPicture {
      guard !isDocument else {
        throw ValidationError("a notebook or lesson is a page: .html or .ipynb")
      }
      guard objects == nil, !questions, !reveal, !withoutPolicy else {
        throw ValidationError("a picture shows no objects: omit the options for pages")
      }
      return
    }
    guard isDocument == (target == nil) else {
      throw ValidationError(
        isDocument
          ? "--to is for stores"
          : "a page is of a store with --to MODEL, of a notebook, or of lesson:NAME; a model is a picture: .svg"
      )
    }
    guard isDocument || form == .page else {
      throw ValidationError("an .ipynb is made of a notebook or lesson")
    }
    guard !isDocument || !strategy.isUsed else {
      throw ValidationError("a notebook has the options of its migrations in its commands")
    }
  }

  func run(in session: Session) throws -> Outcome {
    guard let form = Form(of: file) else {
      throw Diagnostic(
        id: "command.unknownForm", what: "\(file) is neither a page nor a picture",
        fix: "end its name in .html, .ipynb, .svg or .mmd")
    }
    guard !form.isPicture else { return try exportPicture(as: form, in: session) }
    guard let target else { return try exportDocument(as: form, in: session) }
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
        json: ["stops": 0], status: .no)
    }
    let path = try session.newPath(file, as: .page, force: force)
    let recorded = try RecordedMigration(
      planned, options, withoutPolicies: withoutPolicy, in: session)
    var page = HTMLPage(title: recorded.title)
    for part in recorded.parts { page.add(part) }
    return try write(page.bytes, [recorded], to: path)
  }

  private var options: RecordedMigration.Options {
    .init(objects: objects, asks: questions, reveals: reveal)
  }

  private func exportDocument(as form: Form, in session: Session) throws -> Outcome {
    try session.checkReplayDepth()
    let empty = try PrivateFolder()
    let (document, folder): (SessionDocument, String)
    var options = options
    if isLesson {
      let source = try session.lesson(String(store.dropFirst(Self.lessonPrefix.count)))
      (document, folder) = (source.lesson.document, source.file?.folder ?? empty.path)
      // The stores of built-in lessons are not private.
      options.reveals = reveal || source.file == nil
    } else {
      (document, folder) = try session.document(store)
      try session.access.check(folder)
    }
    let path = try session.newPath(file, as: form == .page ? .page : .notebook, force: force)
    var replay = PrivateReplay(
      folder: folder, readable: session.access.readableFolders, depth: session.replayDepth + 1,
      written: session.replayDepth == 0 ? nil : session.overlay?.contents)
    replay.readable.add(folder)
    let notebook = try withExtendedLifetime(empty) {
      try NotebookExport(of: document, named: store, options, by: replay)
    }
    let count = Phrase.count(notebook.unrecorded, "command has", "commands have")
    return try write(
      form == .page ? notebook.page.bytes : notebook.jupyter, notebook.migrations,
      notes: notebook.unrecorded == 0
        ? [] : ["\(count) no recorded answer: `replay \(store) --update --all` records them"],
      warnings: notebook.warnings, to: path)
  }

  private func exportPicture(as form: Form, in session: Session) throws -> Outcome {
    let path = try session.newPath(file, as: .picture, force: force)
    let diagram = try session.diagram(of: store, to: target, by: strategy)
    let bytes = Array((form == .picture ? diagram.svg : diagram.mermaid).utf8)
    try FolderUpdate.write(bytes, to: path)
    return Outcome(
      .line("wrote " + StyledText(file, .name) + StyledText(": \(diagram.summary)")),
      json: [
        "file": file, "shows": diagram.summary, "boxes": diagram.boxes.count,
        "lines": diagram.lines.count + diagram.lanes.reduce(0) { $0 + $1.arcs.count },
        "bytes": bytes.count,
      ])
  }

  private func write(
    _ bytes: [UInt8], _ migrations: [RecordedMigration], notes: [String] = [],
    warnings: [Diagnostic] = [],
    to path: String
  ) throws -> Outcome {
    try FolderUpdate.write(bytes, to: path)
    let stops = migrations.reduce(0) { $0 + $1.recording.stops }
    var notes = notes
    for note in migrations.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
    let asked = migrations.reduce(0) { $0 + $1.recording.questions }
    if questions, asked == 0 { notes.append("No step has an answer that would surprise") }
    let size =
      (stops > 0 ? Phrase.count(stops, "stop") : "no migration")
      + (asked > 0 ? ", \(Phrase.count(asked, "question"))" : "")
      + ", \((bytes.count + 999) / 1000) KB"
    var outcome = Outcome(
      .stack([
        .line("wrote " + StyledText(file, .name) + StyledText(": \(size)")),
        .lines(notes.map { StyledText("  \($0)", .faint) }),
      ]),
      json: [
        "file": file, "stops": stops, "bytes": bytes.count,
        "leftOut": migrations.reduce(0) { $0 + $1.recording.leftOut },
        "reveals": migrations.allSatisfy(\.reveals),
      ])
    outcome.warnings =
      warnings + migrations.flatMap(\.problems)
      + migrations.compactMap { migration in
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
