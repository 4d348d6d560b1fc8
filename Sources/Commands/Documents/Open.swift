internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The command `open FILE`.
struct Open: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "open", abstract: "Runs a script or notebook and continues from its end.",
    discussion: """
      Starts a new session in the folder of the document. Files that the document or later commands \
      write are visible only in this session, so that opening it again starts from the same files; \
      --allow-writes changes the real files. If a command fails and the document does not expect \
      that, the document stops there, and new commands are inserted after it. `save` writes \
      everything back, including prose.
      """)
  static let changesFiles = true
  static let showsValues = true
  static let examples = [
    CommandExample(
      "a notebook that is continued", "load sample:Topics", "save topics.md", "open topics.md",
      "diff Model1 Model2", "save")
  ]

  @Argument(.document, "A script (.strata) or notebook (.md).") var file: String
  @Flag(help: "Let the session change real files.") var allowWrites = false
  @Flag(help: "Discard unsaved lines.") var force = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    try check(session)
    let (document, folder) = try session.document(file)
    let path = try session.path(file)
    try session.checkNesting(of: path)
    let outerFolder = session.folder
    try session.restart(inPrivate: !allowWrites)
    session.folder = folder
    session.record = SessionRecord()
    session.runningScripts.append(path)
    defer { session.runningScripts.removeLast() }
    var run = try run(document, in: session)
    run.isElsewhere = folder != outerFolder
    // The session continues in this document, even if the document saved or opened another one.
    session.folder = folder
    session.record = SessionRecord()
    session.record.continueSession(
      in: OpenDocument(
        path: path, folder: folder, document: document, commands: run.commands,
        stop: run.stop))
    return outcome(of: run, document)
  }

  private func check(_ session: Session) throws(Diagnostic) {
    guard session.isUsersOwn || !allowWrites else {
      throw Diagnostic(
        id: "session.openRefused",
        what: "a document that may not change files cannot let another document change them",
        fix: "omit --allow-writes")
    }
    let unsaved = session.record.unsavedCount
    guard force || unsaved == 0 else {
      throw Diagnostic(
        id: "session.unsaved",
        what:
          "\(Phrase.count(unsaved, "line of this session is", "lines of this session are")) not saved",
        fix: "`save` first, or discard them with --force")
    }
  }

  private struct Progress {
    var shown: ShownParts
    var commands: [Int: ExecutedCommand] = [:]
    var differing = 0
    var stop: Int?
    var status = ExitStatus.done
    /// The warnings and the error of the command at which it stopped.
    var problems: [Diagnostic] = []
    /// Whether files were written that are visible only in this session.
    var isPrivate = false
    /// Whether paths are now relative to another folder.
    var isElsewhere = false
  }

  private func run(_ document: SessionDocument, in session: Session) throws -> Progress {
    let evaluator = CommandEvaluator(session: session)
    var progress = Progress(shown: ShownParts(isSilent: output.json))
    var index = -1
    for part in document.parts {
      guard case .command(let entry) = part else {
        if case .prose(let lines) = part {
          let prose = [""] + lines.map { StyledText($0, .faint) } + [""]
          progress.shown.add(prose, in: session)
        }
        continue
      }
      index += 1
      if entry.startsFresh, index > 0 { try session.restart(inPrivate: !allowWrites) }
      let evaluation = evaluator.evaluate(line: entry.command)
      session.isOver = false
      // A line that is not a command also has an answer.
      var command =
        evaluation.executed
        ?? ExecutedCommand(
          arguments: [entry.command], answer: evaluation.answer, folder: session.folder, paths: [:])
      command.startsFresh = entry.startsFresh
      progress.commands[index] = command
      progress.isPrivate = progress.isPrivate || evaluation.wrotePrivately
      if let recorded = entry.recorded, recorded.compare(to: command.answer.output) != nil {
        progress.differing += 1
      }
      progress.shown.add(entry.command, command.answer, evaluation, in: session)
      if evaluation.status >= .failed, !evaluation.isExpected(by: entry) {
        progress.stop = index
        progress.status = evaluation.status
        progress.problems = evaluation.problems
        break
      }
    }
    if progress.stop == document.entries.count - 1 { progress.stop = nil }
    return progress
  }

  private func outcome(of run: Progress, _ document: SessionDocument) -> Outcome {
    let count = document.entries.count
    let ran = run.stop.map { $0 + 1 } ?? count
    let name = CommandLineLexer.quoted(file)
    var lines = run.shown.lines
    lines.append(
      StyledText(
        "opened \(file): \(Phrase.count(ran, "command"))"
          + (run.isElsewhere ? "; paths are relative to it" : "")
          + (run.isPrivate ? "; its files are visible only in this session" : ""), .faint))
    if run.differing > 0 {
      lines.append(
        StyledText(
          "\(Phrase.count(run.differing, "answer differs", "answers differ")) from what was recorded",
          .warning)
          + StyledText(": `replay \(name)` shows them; `save` records the new answers", .faint))
    }
    if let stop = run.stop {
      lines.append(
        StyledText("stopped at line \(document.entries[stop].line)", .error)
          + StyledText(
            ": \(Phrase.count(count - ran, "command was", "commands were")) not run; new commands are inserted before them",
            .faint))
    }
    return Outcome(
      .lines(lines),
      json: .object(withoutNull: [
        "file": file, "commands": count, "run": ran, "differing": run.differing,
        "stoppedAt": run.stop.map { document.entries[$0].line },
        "problems": run.problems.isEmpty ? nil : run.problems.json(\.named),
      ]),
      status: run.status)
  }
}
