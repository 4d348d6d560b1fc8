internal import StrataArchives
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// Checks what learners hand in: scripts and notebooks that are run in private, each against the tasks of a lesson.
struct LessonReview {
  private let lesson: LessonSource
  private let session: Session

  static func outcome(
    of folder: String, lesson name: String?, _ report: FindingReportOptions, in session: Session
  ) throws -> Outcome {
    guard let name else {
      throw Diagnostic(
        id: "command.usage", what: "the lesson is missing",
        fix: "name it: lesson check \(CommandLineLexer.quoted(folder)) --of LESSON")
    }
    let source = try session.lesson(name)
    guard let names = try session.documents(inFolder: folder) else {
      throw Diagnostic(
        id: "file.noFolder", what: "there is no such folder", location: Location(file: folder),
        fix: "name the folder with the scripts and notebooks")
    }
    let review = LessonReview(lesson: source, session: session)
    let readable = ReadableFolders([try session.path(folder)])
    let handedIn = names.filter { (try? session.path($0)) != source.file?.path }
    return try LessonReport(
      handedIn.map { try review.checked($0, readable) }, of: "tasks done"
    ).outcome(report, in: session)
  }

  private func checked(_ name: String, _ readable: ReadableFolders) throws -> CheckedFile {
    do {
      let (document, folder) = try readable.only { try session.document(name) }
      let replay = PrivateReplay(
        folder: folder, readable: readable, depth: session.replayDepth + 1)
      return CheckedFile(name: name, cases: try cases(of: document, in: replay))
    } catch let error as any DiagnosticError {
      if Interruption.isRequested { throw error }
      return CheckedFile(
        name: name, cases: [], error: CheckedCase.Failure(message: error.diagnostic.what))
    }
  }

  /// A task is done if all its conditions are true after one of the commands.
  private func cases(
    of document: SessionDocument, in replay: PrivateReplay
  ) throws -> [CheckedCase] {
    let tasks = lesson.lesson.tasks
    var failures: [Int: [String]] = [:]
    func look(at session: Session) {
      for (index, task) in tasks.enumerated() where failures[index]?.isEmpty != true {
        failures[index] = task.failures(in: session)
      }
    }
    var run = try PrivateRun(replay)
    try run.after([], look)
    for entry in document.entries {
      if entry.startsFresh { try run.restart() }
      try run.after([entry], look)
    }
    return tasks.enumerated().map { index, task in
      let messages = failures[index] ?? []
      return CheckedCase(
        name: "task \(index + 1)", line: task.line,
        result: messages.isEmpty
          ? .passed
          : .found(
            .error, CheckedCase.Failure(message: messages[0], details: messages)))
    }
  }
}
