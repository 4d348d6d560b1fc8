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
    TerminalDevice.onTermination { PrivateFolder.removeAll() }
    var launch = LaunchArguments(arguments)
    let isOneCommand = !launch.words.isEmpty
    let start = ContinuousClock.now
    let session = Session(
      folder: FileManager.default.currentDirectoryPath,
      renderer: Renderer(style: TerminalDevice.outputStyle),
      clock: isOneCommand
        ? { Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000 } : nil)
    session.trace.migration = launch.migrationDebug
    session.deliver = { $0.show() }
    let evaluator = CommandEvaluator(session: session, renderer: session.renderer)
    if !isOneCommand {
      if !TerminalDevice.hasPipedInput { end(with: PromptLoop(evaluator: evaluator).run()) }
      launch.words = ["run", "-"]
    }
    let evaluation = evaluator.evaluate(words: launch.words)
    evaluation.show()
    end(with: evaluation.status)
  }

  private static func end(with status: ExitStatus) -> Never {
    PrivateFolder.removeAll()
    exit(status.rawValue)
  }
}

/// The command line without the arguments that Core Data itself would take.
struct LaunchArguments {
  var words: [String]
  /// `-com.apple.CoreData.MigrationDebug N`.
  private(set) var migrationDebug = 0

  init(_ arguments: [String]) {
    words = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "-com.apple.CoreData.MigrationDebug", let level = rest.first.flatMap({ Int($0) }) {
        migrationDebug = level
        rest.removeFirst()
      } else {
        words.append(word)
      }
    }
  }
}
