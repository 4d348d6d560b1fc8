internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
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
        fix: "name it: `lesson check \(CommandLineLexer.quoted(folder)) --of LESSON`")
    }
    try session.checkReplayDepth()
    let source = try session.lesson(name)
    guard let names = try session.documents(inFolder: folder) else {
      throw Diagnostic(
        id: "file.noFolder", what: "there is no such folder", location: Location(file: folder),
        fix: "name the folder with the scripts and notebooks")
    }
    let review = LessonReview(lesson: source, session: session)
    let readable = ReadableFolders([try session.path(folder)])
    let lesson = source.file.map { RealPath.resolving($0.path) }
    let handedIn = names.filter { name in
      (try? session.path(name)).map(RealPath.resolving) != lesson
    }
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
      return CheckedFile(name: name, unchecked: error.diagnostic)
    }
  }

  /// A task is done if all its conditions are true after one of the commands. The first task that is not done also has the
  /// first errors of the document.
  private func cases(
    of document: SessionDocument, in replay: PrivateReplay
  ) throws -> [CheckedCase] {
    let tasks = lesson.lesson.tasks
    let runningScripts = Set(tasks.filter(\.task.runsScripts).map(\.number))
    var done: Set<Int> = []
    func look(at session: Session, isEnd: Bool) throws {
      for (number, task) in tasks
      where !done.contains(number) && (isEnd || !runningScripts.contains(number)) {
        if try task.isDone(in: session) { done.insert(number) }
      }
    }
    var run = try PrivateRun(replay)
    var errors = document.entries.isEmpty ? ["the document contains no commands"] : []
    for entry in document.entries {
      if entry.startsFresh { try run.look { try look(at: $0, isEnd: true) } }
      if let error = try run.run(entry) { errors.append(error) }
      guard Self.changesSession(entry) else { continue }
      try run.look { session in
        guard !session.hasPlayedLesson else { throw Self.playsLesson(entry) }
        try look(at: session, isEnd: false)
      }
    }
    let failures = try run.look { session in
      try look(at: session, isEnd: true)
      return try tasks.filter { !done.contains($0.number) }
        .reduce(into: [:]) { $0[$1.number] = try $1.task.failures(in: session) }
    }
    let firstOpen = tasks.first { !done.contains($0.number) }?.number
    return tasks.map { number, _ in
      let messages = failures[number] ?? []
      let errors = number == firstOpen ? errors.prefix(3) : []
      return CheckedCase(
        name: "task \(number)", line: 1,
        result: messages.isEmpty
          ? .passed
          : .found(
            .error,
            CheckedCase.Failure(message: messages[0], details: messages + errors)))
    }
  }

  /// Whether a command may change what the conditions are about.
  private static func changesSession(_ entry: SessionEntry) -> Bool {
    guard let name = entry.command.split(separator: " ").first,
      let command = CommandTable.named(String(name))
    else { return true }
    return command.changesFiles || command == Load.self || command == Unload.self
      || command == Try.self
  }

  private static func playsLesson(_ entry: SessionEntry) -> Diagnostic {
    Diagnostic(
      id: "lesson.inside", what: "the document plays a lesson, which would solve its tasks",
      location: Location(line: entry.line),
      fix: "hand in the notebook that `save` writes in the lesson")
  }
}
