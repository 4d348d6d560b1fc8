internal import StrataBase
internal import StrataNotebook

/// What a session was asked and what it said: what `save` writes down.
struct SessionRecord {
  /// A line of the session.
  enum Step {
    /// A line `# …`: prose.
    case remark(String)
    case command(ExecutedCommand)

    /// As it was typed.
    var line: String {
      switch self {
      case .remark(let words): "# " + words
      case .command(let command): command.line
      }
    }
  }

  /// What was asked since the document was opened or saved, or since the session began.
  var steps: [Step] = []
  /// The document that the session goes on in: the one opened or saved last.
  var document: OpenDocument?
  /// How many steps nobody typed: those of the start-up file.
  private(set) var startupCount = 0

  var commands: [ExecutedCommand] {
    steps.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  /// How many steps would be lost if the session ended now.
  var unsavedCount: Int {
    steps.dropFirst(startupCount).count { step in
      if case .command(let command) = step { command.status < .failed } else { true }
    }
  }

  mutating func add(_ step: Step) { steps.append(step) }

  /// What came until now was the start-up file.
  mutating func endStartup() { startupCount = steps.count }

  /// Everything is in a document now.
  mutating func goOn(in document: OpenDocument) {
    self.document = document
    steps = []
    startupCount = 0
  }
}

/// A command as it was run.
struct ExecutedCommand: Hashable {
  var words: [String]
  var answer: Answer
  /// Whether values of a store of a user's own are in the answer.
  var showsPrivateValues = false
  /// What its relative paths are relative to.
  var folder: String
  /// The paths among its words, with the files they meant.
  var paths: [String: String]
  /// How answers named these files before the command was saved.
  var earlierNames: [String] = []
  /// What it changed in the session.
  var change: SessionChange?
  var startsFresh = false

  var status: ExitStatus { answer.output.status }
}

/// What a command changed in its session, so that `save` can leave out what was undone.
enum SessionChange: Hashable {
  case loaded([String], isReplacing: Bool)
  case unloaded(String)
  /// An edit of a trial copy.
  case tried
  /// Every trial copy was given up.
  case forgotTrials
}

/// A document that a session goes on in.
struct OpenDocument {
  /// The file itself.
  var path: String
  /// What its paths are relative to.
  var folder: String
  /// What the file was when it was read or written.
  var document: SessionDocument
  /// The entries that were run, by their index.
  var commands: [Int: ExecutedCommand]
  /// The entry that could not be done, where the commands below it were not run.
  var stop: Int?
}
