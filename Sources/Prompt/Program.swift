internal import StrataBase
internal import StrataCommands
internal import StrataEssentials
package import StrataMigration
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore
internal import StrataTerminal

/// The program: an argument vector in, an exit status out.
///
/// It ends with `exit`, so that a session with a hundred models is not deallocated unnecessarily.
package enum Program {
  /// Without a command: the prompt on a terminal, otherwise standard input as a script. `open`, `lesson` and the
  /// loading of files run before either, `debug` before the prompt.
  package static func run(
    arguments: [String], policies: PolicyRegistry = PolicyRegistry()
  ) -> Never {
    TerminalDevice.holdStandardStreams()
    SQLiteLibrary.stopCountingMemory()
    let launch = LaunchArguments(arguments)
    if let index = CommandLine.firstArgumentThatIsNoText {
      TerminalDevice.writeError(Renderer(style: .plain).text(noText(argument: index)))
      exit(ExitStatus.usage.rawValue)
    }
    let opening = CommandLineParser.opening(
      launch.arguments, onTerminal: TerminalDevice.isInteractive)
    let isOneCommand = !launch.arguments.isEmpty && opening == nil
    /// Continues after a script, although it is one command.
    let endsAtOnce = isOneCommand && launch.arguments.first != "run"
    let isPrompt = !isOneCommand && TerminalDevice.isInteractive
    // At the prompt, Ctrl-C ends the command; otherwise it ends the program.
    Termination.listen(includingInterrupt: !isPrompt) {
      TerminalDevice.showTemporarily("")
      PrivateFolder.removeAll()
      reportUnreportedWork()
    }
    let start = ContinuousClock.now
    let session = Session(
      folder: FileManager.default.currentDirectoryPath,
      renderer: Renderer(
        style: TerminalDevice.outputStyle, width: TerminalDevice.outputWidth,
        isLive: endsAtOnce || isPrompt,
        shellForm: endsAtOnce ? CommandTable.shellForm : nil),
      clock: isOneCommand
        ? { Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000 } : nil)
    session.trace.migration = launch.migrationDebug
    session.trace.sql = launch.sqlDebug
    session.showTrace = { line in
      TerminalDevice.write(session.renderer.text(.line(line)))
    }
    session.policies = policies
    session.temporaryFolder = { PrivateFolder.temporaryFolder }
    session.lessons = UserFiles.lessons.map(LessonStorage.init)
    session.summaryFile = EnvironmentVariable.value(of: "GITHUB_STEP_SUMMARY")
    // A session without a prompt cannot be saved, so it is not recorded.
    session.keepsAnswers = !endsAtOnce
    session.deliver = { $0.show() }
    let progress = TerminalDevice.showsProgress ? ProgressLine() : nil
    session.progress = progress
    if TerminalDevice.isInteractive {
      session.prompt = { text, question in
        TerminalDevice.write(text)
        return TerminalDevice.prompt(question)
      }
    }
    if isPrompt {
      let loop = PromptLoop(session: session, progress: progress)
      let status =
        opening.map(loop.run(opening:)) ?? loop.run(runsStartup: launch.runsStartup)
      if let signal = Termination.signal { Termination.end(by: signal) }
      end(with: status)
    }
    let evaluator = CommandEvaluator(session: session)
    var status = ExitStatus.done
    let command = opening ?? launch.arguments
    if !command.isEmpty { status = evaluator.show(command, progress) }
    if !isOneCommand, status < .failed, TerminalDevice.hasPipedInput || opening == nil {
      status = max(status, evaluator.show(["run", "-"], progress))
    }
    end(with: status)
  }

  /// A command that completed before a signal could stop it counts as done, and the program reports it.
  private static func end(with status: ExitStatus) -> Never {
    if let signal = Termination.signal, status != .done { Termination.end(by: signal) }
    PrivateFolder.removeAll()
    let hasCommitted = reportUnreportedWork()
    guard TerminalDevice.hasLostOutput, Termination.signal != SIGPIPE else { exit(status.rawValue) }
    TerminalDevice.writeError(Renderer(style: .plain).text(lostOutput(hasCommitted: hasCommitted)))
    exit(ExitStatus.failed.rawValue)
  }

  /// Reports on standard error committed work that no answer has reported.
  ///
  /// - Returns: Whether there was any.
  @discardableResult
  private static func reportUnreportedWork() -> Bool {
    let sentences = UnreportedWork.take()
    for sentence in sentences { TerminalDevice.writeError("\(sentence)\n") }
    return !sentences.isEmpty
  }
}

extension CommandEvaluator {
  /// Evaluates arguments and shows the result.
  fileprivate func show(_ arguments: [String], _ progress: ProgressLine?) -> ExitStatus {
    let command = { evaluate(arguments: arguments) }
    let evaluation = progress?.whileShown(command) ?? command()
    evaluation.show()
    return evaluation.status
  }
}

private func lostOutput(hasCommitted: Bool) -> Diagnostic {
  Diagnostic(
    id: "file.unwritable", what: "standard output cannot be written",
    fix: hasCommitted
      ? "free disk space or use another file; do not run the command again"
      : "the answer is incomplete; free disk space or use another file")
}

private func noText(argument index: Int) -> Diagnostic {
  Diagnostic(
    id: "command.notText", what: "argument \(index) is not UTF-8",
    fix: "rename the file: its name must be UTF-8")
}

extension CommandLine {
  /// The first argument that is not UTF-8, in which Swift inserts replacement characters.
  fileprivate static var firstArgumentThatIsNoText: Int? {
    (1..<max(1, Int(argc))).first { index in
      unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
    }
  }
}

extension Evaluation {
  fileprivate func show() {
    TerminalDevice.write(output)
    // Work reported in an answer that has been written is not reported again.
    if !TerminalDevice.hasLostOutput { UnreportedWork.take() }
    TerminalDevice.writeError(diagnostics)
  }
}

/// The command line without the arguments for the whole program: the launch arguments of Core Data, and
/// `--no-startup`.
struct LaunchArguments {
  var arguments: [String]
  private(set) var runsStartup = true
  /// The level of `-com.apple.CoreData.MigrationDebug N`.
  private(set) var migrationDebug = 0
  /// The level of `-com.apple.CoreData.SQLDebug N`.
  private(set) var sqlDebug = 0

  private static let debugPrefix = "-com.apple.CoreData."

  init(_ all: [String]) {
    arguments = []
    var rest = all[...]
    while let word = rest.popFirst() {
      if word == "--no-startup", arguments.isEmpty {
        runsStartup = false
      } else if word.hasPrefix(Self.debugPrefix), let level = rest.first.flatMap({ Int($0) }) {
        switch word.dropFirst(Self.debugPrefix.count) {
        case "MigrationDebug": migrationDebug = max(0, level)
        case "SQLDebug": sqlDebug = min(max(0, level), 4)
        default:
          arguments.append(word)
          continue
        }
        rest.removeFirst()
      } else {
        arguments.append(word)
      }
    }
  }
}
