internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The command `run FILE…`.
struct Run: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "run", abstract: "Runs scripts in this session; '-' is standard input.",
    discussion: """
      A script continues after exit status 1 (the answer is no) and stops at 2 (a command failed) \
      or 64 (a command is wrong), unless the document expects that status; its own status is the \
      highest that it did not expect. Paths in a script are relative to it. It writes real files, \
      unlike `replay` and `open`.
      """)
  static let changesFiles = true
  static let showsValues = true
  static let examples = [
    CommandExample(
      "a saved session, run again", "load sample:Topics", "diff Model1 Model2",
      "save topics.strata", "run topics.strata")
  ]

  @Argument(.document, "Scripts (.strata) or notebooks (.md).") var files: [String]
  @Flag(help: "Also stop at exit status 1.") var strict = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    var progress = Progress()
    // As JSON the answers are part of the only value.
    try session.showingNothing(if: output.json) {
      for file in files {
        try run(file, in: session, &progress)
        if session.isOver || progress.status >= (strict ? .no : .failed) { break }
      }
    }
    return Outcome(
      .lines(progress.lines),
      json: .object(withoutNull: [
        "commands": progress.count, "status": Int(progress.status.rawValue),
        "answers": output.json ? JSONValue.array(progress.answers) : nil,
      ]),
      status: progress.status)
  }

  private struct Progress {
    /// Answers that have not been shown yet.
    var lines: [StyledText] = []
    /// All answers, if they are asked for as JSON.
    var answers: [JSONValue] = []
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
    let (stepping, isInLesson) = (session.stepping, session.isInLesson)
    defer {
      // A stepper or lesson started by a script ends with the script.
      if file != "-" {
        if session.stepping !== stepping { session.stepping = nil }
        if !isInLesson { session.lesson = nil }
      }
      session.folder = outer
      session.runningScripts.removeLast()
    }
    var left = document.entries.count
    for part in document.parts {
      guard case .command(let entry) = part else {
        // A session from standard input is recorded, including its comments.
        if file == "-", case .prose(let lines) = part {
          for line in lines { session.record.add(.remark(line)) }
        }
        continue
      }
      try Interruption.check()
      let evaluation = CommandEvaluator(session: session).evaluate(line: entry.command)
      left -= 1
      progress.count += 1
      let isExpected =
        evaluation.isExpected(by: entry) && evaluation.answer.expectation != .unfulfilled
      if !isExpected { progress.status = max(progress.status, evaluation.status) }
      if output.json {
        progress.answers.append([
          "file": file, "line": entry.line, "command": entry.command,
          "status": Int(evaluation.status.rawValue),
          "expected": isExpected || evaluation.status == .done,
          "output": evaluation.output,
          "problems": evaluation.problems.json(\.named),
        ])
      }
      let isStop = !isExpected && evaluation.status >= (strict ? .no : .failed)
      show(
        evaluation,
        isStop
          ? Self.stop(at: entry, of: file, left: left, evaluation) : [],
        in: session, &progress)
      // `quit` ends the script, and ends the session only if the script is standard input.
      let isOver = session.isOver
      if isOver, file != "-" { session.isOver = false }
      if isOver || isStop { return }
    }
  }

  /// The location at which a script stopped, with advice.
  private static func stop(
    at entry: SessionEntry, of file: String, left: Int, _ evaluation: Evaluation
  ) -> [StyledText] {
    guard !evaluation.diagnostics.isEmpty || left > 0 else { return [] }
    let location = file == "-" ? "line \(entry.line) of standard input" : "\(file):\(entry.line)"
    let rest = left == 0 ? "" : "  (\(Phrase.count(left, "command")) not run)"
    var lines = [
      StyledText("script: ", .faint) + StyledText("\(location)  \(entry.command)")
        + StyledText(rest, .faint)
    ]
    if file != "-", evaluation.problems.contains(where: { $0.id == "file.exists" }) {
      let name = CommandLineLexer.quoted(file)
      lines.append(
        StyledText(
          "`open \(name)` runs it with private files, `replay \(name)` compares its answers",
          .faint))
    }
    let isMissing = evaluation.problems.contains {
      $0.id == "reference.unknown" || $0.id == "file.notFound"
    }
    if isMissing, let end = file.lastIndex(of: "/") {
      lines.append(
        StyledText("its paths are relative to its folder, \(file[...end])", .faint))
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
