internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataNotebook
internal import StrataRendering

/// `run FILE…`
struct Run: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Runs scripts in this session; '-' is standard input.",
    discussion: """
      A script goes on after an answer of no (exit status 1) and stops where work could not be done \
      (2) or a command is wrong (64); its own status is the highest it met. Paths in a script are \
      relative to it.
      """)
  static let effect = CommandEffect.writesFiles
  static let examples = [
    CommandExample(
      "what was saved, once more", "load sample:Topics", "diff Model1 Model2",
      "save topics.strata", "run topics.strata")
  ]

  @Argument(
    help: ArgumentHelp("Scripts (.strata) or notebooks (.md).", valueName: "file"),
    completion: .file())
  var files: [String]
  @Flag(help: "Stop at an answer of no too.") var strict = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    var status = ExitStatus.done
    var collected: [StyledText] = []
    var ran = 0
    for file in files {
      let (document, folder) = try session.document(file)
      let path = file == "-" ? file : try session.path(file)
      try session.checkNesting(of: path)
      let outer = session.folder
      session.folder = folder
      session.runningScripts.append(path)
      defer {
        session.folder = outer
        session.runningScripts.removeLast()
      }
      var place = -1
      for part in document.parts {
        guard case .command(let entry) = part else {
          // What somebody types into a pipe is their session, remarks included.
          if file == "-", case .words(let lines) = part {
            for line in lines { session.record.add(.remark(line)) }
          }
          continue
        }
        place += 1
        try Interruption.check()
        var evaluation = CommandEvaluator(session: session)
          .evaluate(line: entry.command)
        ran += 1
        let left = document.entries.count - place - 1
        if evaluation.status >= .failed, !evaluation.diagnostics.isEmpty {
          evaluation.diagnostics += session.renderer.text(
            .line(
              StyledText("script: ", .faint) + StyledText("\(file):\(entry.line)  \(entry.command)")
                + StyledText(
                  left == 0 ? "" : "  (\(Words.count(left, "command", "commands")) not run)", .faint
                )
            ))
        }
        if let deliver = session.deliver {
          deliver(evaluation)
        } else {
          collected += evaluation.recorded.lines.map { StyledText($0) }
        }
        status = max(status, evaluation.status)
        if session.isOver || evaluation.status >= (strict ? .no : .failed) { break }
      }
      if session.isOver || status >= (strict ? .no : .failed) { break }
    }
    return Outcome(
      .lines(collected), payload: RunPayload(commands: ran, status: status.rawValue),
      status: status)
  }
}

/// The JSON shape of `run`.
struct RunPayload: Encodable, Sendable {
  var commands: Int
  var status: Int32
}
