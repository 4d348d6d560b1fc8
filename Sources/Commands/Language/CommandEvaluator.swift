internal import ArgumentParser
internal import StrataBase
internal import StrataEssentials
internal import StrataNotebook
internal import StrataRendering

/// Runs command lines in a session and renders their results, for the shell, the prompt, scripts and replays.
package struct CommandEvaluator {
  package let session: Session

  package init(session: Session) {
    self.session = session
  }

  /// Evaluates one line. An empty line has no output; a line that begins with `#` is a comment, which `save`
  /// writes as prose.
  package func evaluate(line: String) -> Evaluation {
    evaluate(CommandLineLexer.tokens(of: line), of: line)
  }

  /// Evaluates a line that is already split into tokens.
  package func evaluate(_ tokens: CommandLineTokens, of line: String) -> Evaluation {
    switch tokens {
    case .complete(let tokens) where tokens.isEmpty:
      if let remark = Self.remark(line) { session.record.add(.remark(remark)) }
      return Evaluation()
    case .complete(let tokens): return evaluate(arguments: Self.arguments(tokens, of: line))
    case .incomplete:
      return evaluation(
        of: Diagnostic(
          id: "command.incomplete", what: "a quote is not closed, or the line ends in a backslash",
          fix: "close the quote, or continue on the next line"))
    }
  }

  /// The arguments of a line. If the command takes a text as it was typed, its tokens up to the next option are one
  /// argument.
  private static func arguments(_ tokens: [CommandToken], of line: String) -> [String] {
    let isOption = { (token: CommandToken) in token.text.hasPrefix("--") }
    let start = tokens.dropFirst().drop(while: isOption)
    let text = start.prefix { !isOption($0) }
    guard text.count > 1, let first = text.first, let last = text.last,
      CommandTable.named(tokens[0].text)?.takesTypedText == true
    else { return tokens.map(\.text) }
    let typed = Array(line.utf8)[first.range.lowerBound..<last.range.upperBound]
    return tokens[..<text.startIndex].map(\.text) + [String(decoding: typed, as: UTF8.self)]
      + tokens[text.endIndex...].map(\.text)
  }

  /// The maximum number of arguments of a command.
  private static let argumentLimit = 2000

  package func evaluate(arguments: [String]) -> Evaluation {
    session.access.whileReading { evaluated(arguments) }
  }

  private func evaluated(_ arguments: [String]) -> Evaluation {
    guard arguments.count <= Self.argumentLimit else {
      return evaluation(
        of: Diagnostic(
          id: "command.tooLong", what: "the command has more than \(Self.argumentLimit) words",
          fix: "quote arguments with spaces, or use several commands"))
    }
    switch CommandLineParser.parse(arguments) {
    case .text(let text):
      return Evaluation(output: text, answer: Answer(RecordedOutput(text: text)))
    case .usage(let diagnostic):
      var wrong = evaluation(of: diagnostic, asJSON: arguments.contains("--json"))
      let name = arguments.first ?? ""
      wrong.answer.showsValues = CommandTable.named(name)?.showsValues ?? false
      if name == Expect.configuration.commandName {
        wrong.answer.expectation = .unfulfilled
        session.running?.unfulfilledCount += 1
      }
      return wrong
    case .command(let command): return evaluated(command, arguments)
    }
  }

  private func evaluated(_ parsed: any StrataCommand, _ arguments: [String]) -> Evaluation {
    var command = parsed
    let (content, context) = session.whileRunning(CommandContext(of: command, in: session)) {
      let content = run(&command, arguments).map { session.tellingWhatEnds(with: $0) }
      guard let stores = session.running?.warnings else { return content }
      return content.map { stores.added(to: $0) }.mapError { stores.added(to: $0) }
    }
    let result = CommandResult(content, asJSON: command.output.json)
    var evaluation = evaluation(of: result, context.trace)
    evaluation.isWide = result.isWide
    evaluation.wrotePrivately =
      session.privateWrites > context.earlierPrivateWrites && !(command is Open)
    if context.unfulfilledCount > 0 {
      evaluation.answer.expectation = .unfulfilled
    } else if command is Expect, result.status == .done {
      evaluation.answer.expectation = .fulfilled
    }
    evaluation.answer.dependsOnTime = result.dependsOnTime
    evaluation.answer.showsValues = command.answersWithValues || arguments.contains(Self.revealing)
    guard session.keepsAnswers else { return evaluation }
    let repeatable = context.repeatable.map { arguments, outcome in
      let result = CommandResult(.success(outcome), asJSON: command.output.json)
      return (arguments, self.evaluation(of: result, TraceLines(show: nil, keeps: false)).answer)
    }
    let (recorded, answer) = repeatable ?? (arguments, evaluation.answer)
    let executed = ExecutedCommand(
      arguments: recorded, answer: answer,
      shownStores: evaluation.answer.showsValues ? context.readStores : [],
      folder: context.folder, paths: context.typedPaths, change: context.change)
    evaluation.executed = executed
    if command.isRecorded { session.record.add(.command(executed)) }
    return evaluation
  }

  /// The flag with which commands that hide values show them.
  private static let revealing = "--reveal"

  private static func remark(_ line: String) -> String? {
    let content = line.drop(while: \.isWhitespace)
    guard content.first == "#" else { return nil }
    let text = content.dropFirst()
    return String(text.first == " " ? text.dropFirst() : text)
  }

  private func run(
    _ command: inout any StrataCommand, _ arguments: [String]
  ) -> Result<Outcome, Diagnostic> {
    session.refreshBundles()
    do {
      let work = Work(try command.output.budgets, within: Work.current)
      do {
        // A walk through a migration keeps its time, so that a repeated step gives the same values.
        let moment = session.stepping?.moment ?? Date().timeIntervalSinceReferenceDate
        let outcome = try Moment.$current.withValue(moment) {
          try Work.$current.withValue(work) { try command.run(in: session) }
        }
        // A handler may have caught the error, but the answer still depends on the machine.
        if work.isOutOfTime { try work.check() }
        // A command that collects the errors of many files collects this one, too.
        let isInterrupted = outcome.warnings.contains { $0.id == Interruption.interrupted.id }
        return isInterrupted ? .failure(Interruption.interrupted) : .success(outcome)
      } catch let error as any DiagnosticError where work.isOutOfTime {
        var diagnostic = error.diagnostic
        diagnostic.dependsOnTime = true
        throw diagnostic
      }
    } catch let error as any DiagnosticError {
      // The user stopped the work, so that no message is needed.
      let isStopped = Interruption.isRequested
      if command is Expect { session.running?.unfulfilledCount += 1 }
      let isReported = error.diagnostic.id == Interruption.interrupted.id
      guard !isStopped || isReported else { return .failure(Interruption.interrupted) }
      let named = session.naming(session.advisingOrder(error.diagnostic, of: arguments))
      guard let reporting = command as? any FindingsCommand else { return .failure(named) }
      return .failure(
        reporting.reports.reporting(named, of: arguments.first ?? "", in: session))
    } catch {
      return .failure(
        Diagnostic(id: "internal.unexpected", what: "\(error)", fix: "please report this"))
    }
  }

  /// An error that occurred before the command was parsed.
  private func evaluation(of error: Diagnostic, asJSON: Bool = false) -> Evaluation {
    var evaluation = evaluation(
      of: CommandResult(.failure(error), asJSON: asJSON), TraceLines(show: nil, keeps: false))
    evaluation.answer.digest = nil
    return evaluation
  }

  /// Renders a result for the session and, if answers are kept, for a document.
  private func evaluation(of result: CommandResult, _ trace: TraceLines) -> Evaluation {
    func text(_ renderer: Renderer, withTrace: Bool) -> (output: String, diagnostics: String) {
      var text = result.text(by: renderer)
      if withTrace { text.output = renderer.text(trace.view) + text.output }
      return text
    }
    let renderer = session.renderer
    let shown = text(renderer, withTrace: !trace.isShown)
    var evaluation = Evaluation(
      output: shown.output, diagnostics: shown.diagnostics, problems: result.problems)
    guard session.keepsAnswers else {
      evaluation.answer.output = RecordedOutput(status: result.status)
      return evaluation
    }
    let isPlain =
      renderer.style == .plain && renderer.width == nil && !renderer.isLive && !trace.isShown
    let kept = isPlain ? shown : text(Renderer(style: .plain), withTrace: true)
    evaluation.answer = Answer(
      RecordedOutput(text: kept.output + kept.diagnostics, status: result.status),
      digest: result.digest(of: kept.output))
    return evaluation
  }
}
