internal import StrataCommands
internal import StrataDiagnostics
internal import StrataTerminal

/// The loop of the prompt: reads a command, runs it, shows what it says.
struct PromptLoop {
  let evaluator: CommandEvaluator

  /// - Returns: The exit status: a session that somebody has typed is always done.
  func run() -> ExitStatus {
    guard let reader = LineReader(program: "strata") else { return .failed }
    TerminalDevice.write(
      "Strata \(strataVersion), for Core Data models and stores. `help` lists the commands.\n")
    while !evaluator.session.isOver, let command = Self.nextCommand(reader) {
      guard !command.allSatisfy(\.isWhitespace) else { continue }
      reader.remember(command)
      evaluator.evaluate(line: command).show()
    }
    return .done
  }

  /// A whole command: lines are joined while a quote is open or a backslash ends one.
  private static func nextCommand(_ reader: borrowing LineReader) -> String? {
    guard var command = reader.readLine(isContinuation: false) else {
      TerminalDevice.write("\n")
      return nil
    }
    while case .incomplete = CommandLineLexer.words(of: command) {
      guard let more = reader.readLine(isContinuation: true) else { return command }
      command += "\n" + more
    }
    return command
  }
}

extension Evaluation {
  func show() {
    TerminalDevice.write(output)
    TerminalDevice.writeError(diagnostics)
  }
}
