internal import StrataBase
internal import StrataNotebook
internal import StrataObjectModel

/// The commands and answers of a session, for `save`.
struct SessionRecord {
  /// A line of the session.
  enum Step {
    /// A comment `# …`, which becomes prose.
    case remark(String)
    case command(ExecutedCommand)

    /// The line as typed.
    var line: String {
      switch self {
      case .remark(let text): "# " + text
      case .command(let command): command.line
      }
    }
  }

  /// The steps since the document was opened or saved, or since the session began.
  var steps: [Step] = []
  /// The open document: the one opened or saved last.
  var document: OpenDocument?
  /// The number of steps from the start-up file.
  private(set) var startupCount = 0
  /// The number of commands that earlier documents lack, because they failed or were undone.
  private(set) var leftOutCount = 0

  var commands: [ExecutedCommand] {
    steps.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  /// The number of steps that would be lost if the session ended now.
  var unsavedCount: Int {
    steps.dropFirst(startupCount).count { step in
      if case .command(let command) = step { command.status < .failed } else { true }
    }
  }

  /// The last commands, without the open document.
  func last(_ count: Int) -> SessionRecord {
    var last = SessionRecord()
    let commands = steps.filter { if case .command = $0 { true } else { false } }
    last.steps = commands.suffix(count)
    return last
  }

  mutating func add(_ step: Step) { steps.append(step) }

  /// Marks the steps so far as those of the start-up file.
  mutating func endStartup() { startupCount = steps.count }

  /// Sets the open document, which contains all steps but those that were left out.
  mutating func continueSession(in document: OpenDocument, leavingOut count: Int = 0) {
    self.document = document
    leftOutCount += count
    steps = []
    startupCount = 0
  }
}

/// An executed command.
struct ExecutedCommand: Hashable {
  var arguments: [String]
  var answer: Answer
  /// The version hashes of the stores whose values the answer contains.
  var shownStores: Set<[String: VersionHash]> = []
  /// The folder to which its relative paths are relative.
  var folder: String
  /// The paths among its arguments, with the paths of their files.
  var paths: [String: String]
  /// The names of these files in answers before the command was saved.
  var earlierNames: [String] = []
  /// The change that it made in the session.
  var change: SessionChange?
  var startsFresh = false

  var status: ExitStatus { answer.output.status }
}

/// A change that a command made in its session, so that `save` can omit undone changes.
enum SessionChange: Hashable {
  case loaded([String], isReplacing: Bool)
  case unloaded(String)
  /// An edit of the copy of a model.
  case tried
  /// All edited copies were discarded.
  case forgotTrials
}

/// A document that a session continues.
struct OpenDocument {
  /// The path of the file.
  var path: String
  /// The folder to which its paths are relative.
  var folder: String
  /// The contents of the file when it was read or written.
  var document: SessionDocument
  /// The executed commands, by index of their entry.
  var commands: [Int: ExecutedCommand]
  /// The index of the failed entry, if the commands after it were not run.
  var stop: Int?
}
