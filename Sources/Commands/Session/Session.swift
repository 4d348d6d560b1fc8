internal import StrataArchives
internal import StrataBase
internal import StrataMapping
package import StrataMigration
internal import StrataObjectModel
package import StrataRendering
internal import StrataSQLite
package import StrataStore

/// The state that commands work on: loaded items, edited copies and the record of commands.
///
/// It is owned by one front end and not shared between threads.
package final class Session {
  /// The base of relative paths: the current folder, or the folder of a script.
  package internal(set) var folder: String
  /// The files that commands may access.
  private(set) var access: FileAccess
  /// The private files of a session that may not write real files.
  private(set) var overlay: FileOverlay? { didSet { knownNames = nil } }
  /// The number of nested replays: 0 for a user's own session.
  let replayDepth: Int
  /// A clock in seconds, for durations; `nil` in recorded sessions, so that their output is reproducible.
  package let clock: (() -> Double)?
  /// The date in UTC, such as `2026-11-25`. An answer that depends on it says so: ``Outcome/dependsOnTime``.
  package var today: () -> String = Session.systemDate
  package var trace = TraceLevels()
  /// The policy classes that mapping models can name.
  package var policies = PolicyRegistry()
  package internal(set) var loaded: [LoadedItem] = [] { didSet { knownNames = nil } }
  /// Edited copies of models, by the name of the original.
  package internal(set) var trials: [String: ModelTrial] = [:] { didSet { knownNames = nil } }
  /// The cached result of ``namesByLength()``; reset when an item is loaded, edited or written elsewhere.
  var knownNames: KnownNames?
  /// Whether commands are recorded for `save`; not if the program runs a single command.
  package var keepsAnswers = true
  /// The record of commands and answers.
  var record = SessionRecord()
  /// The context of the running command; `nil` if none is running.
  var running: CommandContext?
  /// The sample stores that were named.
  var sampleFolder: SampleFolder?
  /// The most recently typed names of files.
  private(set) var typedNames: [String: String] = [:]
  /// Whether the user has quit.
  package internal(set) var isOver = false
  /// The renderer of answers.
  package var renderer: Renderer
  package internal(set) var settings = Settings()
  /// The lines typed at the prompt, including those of earlier sessions.
  package var typed = CommandHistory()
  /// Shows the answer of each command of a script immediately; if `nil`, the answers are collected in that of
  /// `run`.
  package var deliver: ((Evaluation) -> Void)?
  /// Shows a text and asks the user a question; `nil` if there is no terminal. It returns `nil` for no
  /// answer.
  package typealias Prompt = (_ text: String, _ question: String) -> String?
  package var prompt: Prompt?
  /// Shows each line of a trace immediately; if `nil`, the lines are in the answer.
  package var showTrace: ((StyledText) -> Void)?
  /// The migration in the stepper.
  var stepping: SteppingSession?
  /// Whether a migration is in the stepper, which the prompt shows.
  package var isStepping: Bool { stepping != nil }
  /// The number of lines of the terminal at the prompt; `nil` elsewhere. Lessons pause when it is full.
  package var screenRows: Int?
  /// The objects that `rows` or `show` showed last.
  var shown = ShownObjects()
  /// The lesson that is played.
  var lesson: LessonRun?
  /// Whether a lesson was begun.
  var hasPlayedLesson = false
  /// Whether a lesson is played, in which a session continues.
  package var isInLesson: Bool { lesson != nil }
  /// The user's progress in lessons; `nil` in documents.
  package var lessons: LessonStorage?
  /// The observer of running migrations.
  package var progress: (any ProgressListener)?
  /// The stack of running scripts, and the total number of scripts started.
  var runningScripts: [String] = []
  var nestedScriptCount = 0
  /// The models that were read, by the bytes of their files.
  let sharedModels = SharedModels()
  var modelCache = StampedCache<ModelVersion, Result<ObjectModel, Diagnostic>>()
  /// Parsed mapping models: every plan reads all of them.
  var mappingCache = StampedCache<MappingFile.Source, MappingFile.Content>()
  /// The policies in files, by their paths, and in samples, by their texts.
  var policyCache = StampedCache<String, [PolicyScript]>()
  /// The free space of disks.
  package var diskSpace = DiskSpace.system
  /// The folder in which `doctor` looks for files of killed processes; `nil` in documents, whose answers must
  /// not depend on the machine.
  package var temporaryFolder: (() -> String)?
  /// The file with the summary of the workflow step that runs Strata; `nil` in documents.
  package var summaryFile: String?

  package init(
    folder: String,
    renderer: Renderer = Renderer(style: .plain), clock: (() -> Double)? = nil
  ) {
    self.folder = folder
    access = .anywhere
    overlay = nil
    replayDepth = 0
    self.renderer = renderer
    self.clock = clock
  }

  /// A session for a replayed document, which can access only some folders.
  ///
  /// - Parameter mayWrite: Whether it may change files there; otherwise its files are private and deleted
  ///   with the session.
  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  package convenience init(
    replayingIn folder: String, below folders: [String], mayWrite: Bool = false
  ) throws {
    try self.init(
      replayingIn: folder, below: ReadableFolders(folders), mayWrite: mayWrite, depth: 1, on: nil)
  }

  /// - Parameters:
  ///   - depth: The number of nested replays, including this one.
  ///   - written: The files written by the document that replays this one.
  init(
    replayingIn folder: String, below folders: ReadableFolders, mayWrite: Bool, depth: Int,
    on written: FileOverlay.Contents?
  ) throws {
    let overlay = mayWrite ? nil : try FileOverlay(on: written)
    self.folder = folder
    var readable = folders
    for root in overlay?.roots ?? [] { readable.add(root) }
    access = .below(readable)
    self.overlay = overlay
    replayDepth = depth
    renderer = Renderer(style: .plain)
    clock = nil
  }
}

@available(*, unavailable)
extension Session: Sendable {}

extension Session {
  /// Runs commands of a document, which read only files in its folder and private ones.
  func whileReading<Answer>(below folder: String, _ work: () throws -> Answer) rethrows -> Answer {
    guard access.isAnywhere else { return try work() }
    var readable = ReadableFolders([folder])
    for root in overlay?.roots ?? [] { readable.add(root) }
    access = .below(readable)
    defer { access = .anywhere }
    return try work()
  }

  /// Records the file that a word of the running command means.
  func note(path: String, typedAs typed: String) {
    running?.typedPaths[typed] = path
    typedNames[path] = typed
  }

  /// Shows a file in answers under the name of a sample.
  func showSample(_ path: String, as name: String) { typedNames[path] = name }

  /// Does work of which no answer and no trace is shown immediately, if it is silent.
  func showingNothing<Result>(
    if isSilent: Bool, _ work: () throws -> Result
  ) rethrows -> Result {
    let shown = (deliver, showTrace)
    if isSilent { (deliver, showTrace) = (nil, nil) }
    defer { (deliver, showTrace) = shown }
    return try work()
  }

  /// Removes loaded items and edited copies, as in a new session.
  ///
  /// - Parameter inPrivate: Whether files written from now on are visible only in this session.
  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  func restart(inPrivate: Bool) throws {
    // A replayed document keeps the files that it wrote.
    if access.isAnywhere { overlay = inPrivate ? try FileOverlay() : nil }
    loaded = []
    trials = [:]
    trace = TraceLevels()
    stepping = nil
    typedNames = [:]
    modelCache = StampedCache()
    mappingCache = StampedCache()
    policyCache = StampedCache()
  }

  /// Leaves a session for one in which the files written since then do not exist.
  ///
  /// - Parameter inPrivate: Whether files written from now on are visible only in this session.
  func restart(after suspended: Suspended, inPrivate: Bool) throws {
    try restart(inPrivate: inPrivate)
    guard case .below(var readable) = suspended.access else { return }
    let overlay = try FileOverlay(on: suspended.overlay?.contents)
    for root in overlay.roots { readable.add(root) }
    (self.overlay, access) = (overlay, .below(readable))
  }

  /// What ``restart(inPrivate:)`` discards, to return to it later.
  struct Suspended {
    fileprivate let access: FileAccess
    fileprivate let folder: String
    fileprivate let overlay: FileOverlay?
    fileprivate let loaded: [LoadedItem]
    fileprivate let trials: [String: ModelTrial]
    fileprivate let trace: TraceLevels
    fileprivate let stepping: SteppingSession?
    fileprivate let typedNames: [String: String]
    fileprivate let record: SessionRecord
  }

  func suspended() -> Suspended {
    Suspended(
      access: access, folder: folder, overlay: overlay, loaded: loaded, trials: trials,
      trace: trace,
      stepping: stepping, typedNames: typedNames, record: record)
  }

  /// Continues a session that was left.
  func `return`(to suspended: Suspended) throws {
    try restart(inPrivate: false)
    access = suspended.access
    folder = suspended.folder
    overlay = suspended.overlay
    loaded = suspended.loaded
    trials = suspended.trials
    trace = suspended.trace
    stepping = suspended.stepping
    typedNames = suspended.typedNames
    record = suspended.record
  }

  /// Marks the commands so far as those of the start-up file.
  package func endStartup() { record.endStartup() }

  /// Whether commands have the permissions of the user, as opposed to those of a replayed document.
  var isUsersOwn: Bool {
    access.isAnywhere && (overlay == nil || runningScripts.allSatisfy { $0 == "-" })
  }

  /// The number of private writes of the session.
  var privateWrites: Int { overlay?.writeCount ?? 0 }

  /// The number of files whose private path differs from the path that the session shows.
  var moveCount: Int { overlay?.moveCount ?? 0 }

  /// Whether a document is open.
  package var hasDocument: Bool { record.document != nil }

  /// The open document and the number of unsaved lines; `nil` if nothing would be lost.
  package var unsaved: (document: String, count: Int)? {
    guard let document = record.document, record.unsavedCount > 0 else { return nil }
    return (shown(document.path), record.unsavedCount)
  }

  /// Continues the session after `quit`.
  package func reopen() { isOver = false }
}

/// The trace levels of migrations and stores: `MigrationDebug` and `SQLDebug`.
package struct TraceLevels: Sendable, Hashable {
  package var migration = 0
  package var sql = 0
  /// Whether recorded answers contain the values of statements.
  package var isRevealed = false
  /// Whether Strata's own statements are also shown.
  package var reportsOwn = false

  /// The details of statements at the trace level.
  var detail: TraceDetail { TraceDetail(rawValue: sql) ?? .none }

  package init() {}
}
