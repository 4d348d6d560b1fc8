internal import ArgumentParser
public import StrataDiagnostics
internal import StrataRendering

/// What evaluating a command line gave: the texts to show and the exit status.
public struct Evaluation: Sendable, Hashable {
  /// The answer: standard output.
  public var output = ""
  /// Warnings and errors: standard error, or, in a document, below the answer.
  public var diagnostics = ""
  public var status = ExitStatus.done
}

/// Runs command lines in a session and renders what they say: what the shell, the prompt, scripts and
/// replays all do with a line.
public struct CommandEvaluator {
  public let session: Session

  public init(session: Session) {
    self.session = session
  }

  /// Evaluates one line; an empty one says nothing.
  public func evaluate(line: String) -> Evaluation {
    switch CommandLineLexer.words(of: line) {
    case .complete(let words):
      return words.isEmpty ? Evaluation() : evaluate(words: words.map(\.text))
    case .incomplete:
      let diagnostic = Diagnostic(
        id: "command.incomplete", what: "a quote is not closed, or the line ends in a backslash",
        mend: "close the quote, or go on in the next line")
      return evaluation(of: .failure(diagnostic, asJSON: false), by: session.renderer)
    }
  }

  /// Words of one command: far more than any needs, and few enough to parse at once.
  private static let wordLimit = 2000

  public func evaluate(words: [String]) -> Evaluation {
    guard words.count <= Self.wordLimit else {
      let diagnostic = Diagnostic(
        id: "command.tooLong", what: "the command has more than \(Self.wordLimit) words",
        mend: "quote what belongs together, or use several commands")
      return evaluation(of: .failure(diagnostic, asJSON: false), by: session.renderer)
    }
    switch CommandLineParser.parse(words) {
    case .text(let text): return Evaluation(output: text)
    case .usage(let diagnostic):
      return evaluation(
        of: .failure(diagnostic, asJSON: words.contains("--json")), by: session.renderer)
    case .command(var command):
      let answer = answer(of: &command)
      let shown = evaluation(of: answer, by: session.renderer)
      if command.isRecorded {
        // What is kept is plain, whatever the terminal shows.
        let kept =
          session.renderer.style == .plain && session.renderer.width == nil
          ? shown : evaluation(of: answer, by: Renderer(style: .plain))
        session.history.append(
          ExecutedCommand(
            words: words, output: kept.output + kept.diagnostics, status: kept.status))
      }
      return shown
    }
  }

  /// What a command said, before it is text.
  private enum Answer {
    case outcome(Outcome, asJSON: Bool)
    case failure(Diagnostic, asJSON: Bool)
  }

  private func answer(of command: inout any StrataCommand) -> Answer {
    let asJSON = command.output.json
    session.refreshBundles()
    do {
      return .outcome(try command.run(in: session), asJSON: asJSON)
    } catch let error as any DiagnosticError {
      // Wherever the work was stopped, the user knows why.
      let isStopped = Interruption.isRequested
      return .failure(isStopped ? Interruption.interrupted : error.diagnostic, asJSON: asJSON)
    } catch {
      let diagnostic = Diagnostic(
        id: "internal.unexpected", what: "\(error)", mend: "please report this")
      return .failure(diagnostic, asJSON: asJSON)
    }
  }

  private func evaluation(of answer: Answer, by renderer: Renderer) -> Evaluation {
    var evaluation = Evaluation()
    switch answer {
    case .outcome(let outcome, let asJSON):
      evaluation.output =
        asJSON ? JSONText.of(outcome.payload) : renderer.text(outcome.view)
      evaluation.diagnostics = outcome.warnings.map { renderer.text($0) }.joined()
      evaluation.status = outcome.status
    case .failure(let diagnostic, let asJSON):
      evaluation.status = diagnostic.id.hasPrefix("command.") ? .usage : .failed
      if asJSON {
        evaluation.output = JSONText.of(diagnostic)
      } else {
        evaluation.diagnostics = renderer.text(diagnostic)
      }
    }
    return evaluation
  }
}
