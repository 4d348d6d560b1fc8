internal import Foundation
internal import StrataCommands
internal import StrataDiagnostics
internal import StrataRendering
internal import StrataStore
internal import StrataTerminal

/// The program: an argument vector in, an exit status out.
///
/// It ends by `exit`, so that a session with a hundred models is not taken apart for nothing.
public enum Program {
  /// Without a command: the prompt on a terminal, else standard input as a script.
  public static func run(arguments: [String]) -> Never {
    TerminalDevice.endQuietlyOnClosedPipe()
    var launch = LaunchArguments(arguments)
    let isOneCommand = !launch.words.isEmpty
    let isPrompt = !isOneCommand && TerminalDevice.isInteractive
    // At the prompt Ctrl-C ends a command, elsewhere the program.
    TerminalDevice.onTermination(includingInterrupt: !isPrompt) { PrivateFolder.removeAll() }
    let start = ContinuousClock.now
    let session = Session(
      folder: FileManager.default.currentDirectoryPath,
      renderer: Renderer(style: TerminalDevice.outputStyle, width: TerminalDevice.outputWidth),
      clock: isOneCommand
        ? { Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000 } : nil)
    session.trace.migration = launch.migrationDebug
    session.deliver = { $0.show() }
    if isPrompt { end(with: PromptLoop(session: session).run(runsStartup: launch.runsStartup)) }
    if !isOneCommand { launch.words = ["run", "-"] }
    let evaluation = CommandEvaluator(session: session).evaluate(words: launch.words)
    evaluation.show()
    end(with: evaluation.status)
  }

  private static func end(with status: ExitStatus) -> Never {
    PrivateFolder.removeAll()
    exit(status.rawValue)
  }
}

extension Evaluation {
  fileprivate func show() {
    TerminalDevice.write(output)
    TerminalDevice.writeError(diagnostics)
  }
}

/// The command line without the arguments that are for the program as a whole: those that Core Data
/// itself would take, and `--no-startup`.
struct LaunchArguments {
  var words: [String]
  private(set) var runsStartup = true
  /// `-com.apple.CoreData.MigrationDebug N`.
  private(set) var migrationDebug = 0

  init(_ arguments: [String]) {
    words = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--no-startup", words.isEmpty {
        runsStartup = false
      } else if word == "-com.apple.CoreData.MigrationDebug",
        let level = rest.first.flatMap({ Int($0) })
      {
        migrationDebug = level
        rest.removeFirst()
      } else {
        words.append(word)
      }
    }
  }
}
