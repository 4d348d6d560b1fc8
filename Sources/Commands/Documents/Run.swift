internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// `run FILE…`
struct Run: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Runs scripts in this session; '-' is standard input.",
    discussion: """
      A script goes on after an answer of no (exit status 1) and stops where work could not be done \
      (2) or a command is wrong (64), unless the document expects just that; its own status is the \
      highest that it met and did not expect. Paths in a script are relative to it. What it writes is \
      real: `replay` and `open` keep that private.
      """)
  static let effect = CommandEffect.writesFiles
  static let showsValues = true
  static let examples = [
    CommandExample(
      "what was saved, once more", "load sample:Topics", "diff Model1 Model2",
      "save topics.strata", "run topics.strata")
  ]

  @Argument(
    help: ArgumentHelp(.document, "Scripts (.strata) or notebooks (.md)."),
    completion: .file())
  var files: [String]
  @Flag(help: "Stop at an answer of no too.") var strict = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    var progress = Progress()
    for file in files {
      try run(file, in: session, &progress)
      if session.isOver || progress.status >= (strict ? .no : .failed) { break }
    }
    return Outcome(
      .lines(progress.lines),
      payload: RunPayload(commands: progress.count, status: progress.status),
      status: progress.status)
  }

  private struct Progress {
    /// Answers that nobody was shown yet.
    var lines: [StyledText] = []
    var count = 0
    var status = ExitStatus.done
  }

  private func run(_ file: String, in session: Session, _ progress: inout Progress) throws {
    let (document, folder) = try session.document(file)
    let path = file == "-" ? file : try session.path(file)
    try session.checkNesting(of: path)
    let outer = session.folder
    session.folder = folder
    session.runningScripts.append(path)
    let stepping = session.stepping
    defer {
      // What a script began to step through ends with it.
      if file != "-", session.stepping !== stepping { session.stepping = nil }
      session.folder = outer
      session.runningScripts.removeLast()
    }
    var left = document.entries.count
    for part in document.parts {
      guard case .command(let entry) = part else {
        // What somebody types into a pipe is their session, remarks included.
        if file == "-", case .words(let lines) = part {
          for line in lines { session.record.add(.remark(line)) }
        }
        continue
      }
      try Interruption.check()
      let evaluation = CommandEvaluator(session: session).evaluate(line: entry.command)
      left -= 1
      progress.count += 1
      let isExpected = evaluation.isExpected(by: entry) && evaluation.answer.expectation != .unmet
      if !isExpected { progress.status = max(progress.status, evaluation.status) }
      let isStop = !isExpected && evaluation.status >= (strict ? .no : .failed)
      show(
        evaluation,
        isStop
          ? Self.stop(at: entry, of: document, file, left: left, evaluation) : [],
        in: session, &progress)
      // It ends the script, and the session only where the script is the session.
      let isOver = session.isOver
      if isOver, file != "-" { session.isOver = false }
      if isOver || isStop { return }
    }
  }

  /// Where a script stopped, and what to do about it.
  private static func stop(
    at entry: SessionEntry, of document: SessionDocument, _ file: String, left: Int,
    _ evaluation: Evaluation
  ) -> [StyledText] {
    guard !evaluation.diagnostics.isEmpty || left > 0 else { return [] }
    let place = file == "-" ? "line \(entry.line) of standard input" : "\(file):\(entry.line)"
    let rest = left == 0 ? "" : "  (\(Words.count(left, "command", "commands")) not run)"
    var lines = [
      StyledText("script: ", .faint) + StyledText("\(place)  \(entry.command)")
        + StyledText(rest, .faint)
    ]
    if file != "-", evaluation.diagnostics.contains("[file.exists]") {
      let name = CommandLineLexer.quoted(file)
      lines.append(
        StyledText(
          "`open \(name)` runs it with files of its own, `replay \(name)` compares its answers",
          .faint))
    }
    return lines
  }

  private func show(
    _ evaluation: Evaluation, _ remarks: [StyledText], in session: Session,
    _ progress: inout Progress
  ) {
    guard let deliver = session.deliver else {
      progress.lines += evaluation.answer.output.lines.map { StyledText($0) } + remarks
      return
    }
    var evaluation = evaluation
    if !remarks.isEmpty { evaluation.diagnostics += session.renderer.text(.lines(remarks)) }
    deliver(evaluation)
  }
}

/// The JSON shape of `run`.
struct RunPayload: Encodable, Sendable {
  var commands: Int
  var status: ExitStatus
}
