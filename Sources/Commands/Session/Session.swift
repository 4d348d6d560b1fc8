internal import StrataArchives
internal import StrataBase
internal import StrataMapping
package import StrataMigration
package import StrataObjectModel
package import StrataRendering
internal import StrataSQLite
package import StrataStore

/// What a user has loaded, tried and asked: the state that commands work on.
///
/// One front end owns it; it is not shared between threads.
package final class Session {
  /// What relative paths are relative to: the current folder, or that of a script.
  package internal(set) var folder: String
  /// Which files commands may touch.
  let access: FileAccess
  /// Where what it writes goes instead, if it may write no real file.
  private(set) var overlay: FileOverlay? { didSet { knownNames = nil } }
  /// How many documents are replaying one another: 0 for a user's own session.
  let replayDepth: Int
  /// Seconds since some instant, for durations; sessions that are recorded have none, so that they
  /// repeat to the byte.
  package let clock: (() -> Double)?
  package var trace = TraceLevels()
  /// The policies that mapping models may name.
  package var policies = PolicyRegistry()
  package internal(set) var loaded: [LoadedItem] = [] { didSet { knownNames = nil } }
  /// Edited copies of models, by the name of the original.
  package internal(set) var trials: [String: ModelDocument] = [:] { didSet { knownNames = nil } }
  /// What ``namesByLength()`` last found, until something is loaded, tried or written elsewhere.
  var knownNames: KnownNames?
  /// Whether what is asked is kept for `save`: the program asks a session of one command nothing more.
  package var keepsAnswers = true
  /// What was asked and answered.
  var record = SessionRecord()
  /// What belongs to the running command; `nil` where none runs.
  var running: CommandContext?
  /// How files were named when they were last.
  private(set) var typedNames: [String: String] = [:]
  /// Whether the user has asked to leave.
  package internal(set) var isOver = false
  /// How answers are shown.
  package var renderer: Renderer
  package internal(set) var settings = Settings()
  /// What was typed at the prompt, in earlier sessions too.
  package var typed = CommandHistory()
  /// Shows what a command of a script answered, as soon as it has; without it the answers are
  /// gathered in that of `run`.
  package var deliver: ((Evaluation) -> Void)?
  /// Shows a text and asks a question, where somebody is there to answer; `nil` is no answer.
  package typealias Asking = (_ text: String, _ question: String) -> String?
  package var ask: Asking?
  /// Shows a line of a trace as soon as it comes; without it they are in the answer.
  package var showTrace: ((StyledText) -> Void)?
  /// The migration that is being stepped through.
  var stepping: SteppingSession?
  /// Whether a migration is being stepped through: the prompt says it.
  package var isStepping: Bool { stepping != nil }
  /// Hears of migrations while they run.
  package var progress: (any ProgressListener)?
  /// The scripts that are running one another, and how many a script has started in all.
  var runningScripts: [String] = []
  var nestedScriptCount = 0
  var modelCache = StampedCache<ModelVersion, Result<ObjectModel, Diagnostic>>()
  /// Of files that are no text, by their paths: each holds two models, and every plan asks all of them.
  var mappingCache = StampedCache<String, MappingDocument>()
  /// How much room disks have.
  package var diskSpace = DiskSpace.system
  /// Where `doctor` looks for what killed processes have left; `nil` for nowhere: what lies there is of the machine,
  /// and no answer of a document.
  package var temporaryFolder: String?

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

  /// A session of somebody else's document, which reaches only what lies below some folders.
  ///
  /// - Parameter mayWrite: Whether it changes files there; else what it writes is seen by nobody else, and
  ///   gone with it.
  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  package convenience init(
    replayingIn folder: String, below folders: [String], mayWrite: Bool = false
  ) throws {
    try self.init(
      replayingIn: folder, below: ReadableFolders(folders), mayWrite: mayWrite, depth: 1, on: nil)
  }

  /// - Parameters:
  ///   - depth: How many documents are replaying one another, this one included.
  ///   - written: What the document that replays this one has written.
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
  /// Keeps in mind which file a word of the running command means.
  func note(path: String, typedAs typed: String) {
    running?.typedPaths[typed] = path
    typedNames[path] = typed
  }

  /// Forgets what was loaded and tried, as if the session had just begun.
  ///
  /// - Parameter inPrivate: Whether what is written from now on is seen by this session alone.
  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  func startAnew(inPrivate: Bool) throws {
    // A replayed document finds what it wrote.
    if access.isAnywhere { overlay = inPrivate ? try FileOverlay() : nil }
    loaded = []
    trials = [:]
    trace = TraceLevels()
    stepping = nil
    typedNames = [:]
    modelCache = StampedCache()
    mappingCache = StampedCache()
  }

  /// What was asked until now was the user's start-up file.
  package func endStartup() { record.endStartup() }

  /// Whether a command comes from the user, or from a document that may do what the user may.
  var isUsersOwn: Bool {
    access.isAnywhere && (overlay == nil || runningScripts.allSatisfy { $0 == "-" })
  }

  /// How many times something was written that only this session sees.
  var privateWrites: Int { overlay?.writeCount ?? 0 }

  /// How many times a file came to lie elsewhere than the session says.
  var moveCount: Int { overlay?.moveCount ?? 0 }

  /// Whether a document is open.
  package var hasDocument: Bool { record.document != nil }

  /// The open document, and how many lines of the session it does not have yet; `nil` where nothing
  /// would be lost.
  package var unsaved: (document: String, count: Int)? {
    guard let document = record.document, record.unsavedCount > 0 else { return nil }
    return (shown(document.path), record.unsavedCount)
  }

  /// Goes on after the user has asked to leave.
  package func stay() { isOver = false }
}

/// How much migrations and stores tell of what they do: `MigrationDebug` and `SQLDebug`.
package struct TraceLevels: Sendable, Hashable {
  package var migration = 0
  package var sql = 0
  /// Whether an answer that is kept has the values of statements in it.
  package var isRevealed = false
  /// Whether Strata's own statements are shown too.
  package var tellsOwn = false

  /// What is told of statements at the level.
  var detail: TraceDetail { TraceDetail(rawValue: sql) ?? .none }

  package init() {}
}
