internal import ArgumentParser
public import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// What evaluating a command line gave: the texts to show and the exit status.
public struct Evaluation: Sendable, Hashable {
  /// The answer: standard output.
  public var output = ""
  /// Warnings and errors: standard error, or, in a document, below the answer.
  public var diagnostics = ""
  public var status = ExitStatus.done
  /// Whether something was written that only this session sees.
  public var wrotePrivately = false
  /// The command with its answer, where answers are kept.
  var executed: ExecutedCommand?

  public init(output: String = "", diagnostics: String = "", status: ExitStatus = .done) {
    self.output = output
    self.diagnostics = diagnostics
    self.status = status
  }

  /// Output and diagnostics as a document records them.
  var recorded: RecordedOutput {
    RecordedOutput(text: executed?.output ?? output + diagnostics, status: status.rawValue)
  }

  /// Whether an expectation was not met, in a document that the command ran too.
  var hasUnmetExpectation = false
  /// Whether the command is an expectation that is met.
  var isMetExpectation = false
  /// Whether it would be another on a faster machine, or at another time: no document records it.
  public var dependsOnTime = false

  var answer: SessionAnswer {
    var answer = SessionAnswer(recorded, digest: executed?.digest)
    answer.isFailure = hasUnmetExpectation
    answer.isMetExpectation = isMetExpectation
    answer.dependsOnTime = dependsOnTime
    return answer
  }
}

/// Runs command lines in a session and renders what they say: what the shell, the prompt, scripts and
/// replays all do with a line.
public struct CommandEvaluator {
  public let session: Session

  public init(session: Session) {
    self.session = session
  }

  /// Evaluates one line; an empty one says nothing, and one that begins with `#` is a remark, which
  /// `save` writes down as prose.
  public func evaluate(line: String) -> Evaluation {
    switch CommandLineLexer.words(of: line) {
    case .complete(let words) where words.isEmpty:
      if let remark = Self.remark(line) { session.record.add(.remark(remark)) }
      return Evaluation()
    case .complete(let words): return evaluate(words: words.map(\.text))
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
    session.access.whileReading { evaluated(words) }
  }

  private func evaluated(_ words: [String]) -> Evaluation {
    guard words.count <= Self.wordLimit else {
      let diagnostic = Diagnostic(
        id: "command.tooLong", what: "the command has more than \(Self.wordLimit) words",
        mend: "quote what belongs together, or use several commands")
      return evaluation(of: .failure(diagnostic, asJSON: false), by: session.renderer)
    }
    switch CommandLineParser.parse(words) {
    case .text(let text): return Evaluation(output: text)
    case .usage(let diagnostic):
      var shown = evaluation(
        of: .failure(diagnostic, asJSON: words.contains("--json")), by: session.renderer)
      shown.hasUnmetExpectation = words.first == Expect.configuration.commandName
      if shown.hasUnmetExpectation { session.running?.unmetCount += 1 }
      return shown
    case .command(var command):
      let (answer, context) = session.whileRunning(CommandContext(of: command, in: session)) {
        self.answer(of: &command).warning(of: session.running?.warnings)
      }
      return evaluation(of: answer, to: command, words, context)
    }
  }

  private func evaluation(
    of answer: Answer, to command: any StrataCommand, _ words: [String], _ context: CommandContext
  ) -> Evaluation {
    let (renderer, trace) = (session.renderer, context.trace)
    var shown = evaluation(of: answer, by: renderer)
    if !trace.isShown { shown.output = renderer.text(trace.view) + shown.output }
    shown.wrotePrivately =
      session.privateWrites > context.earlierPrivateWrites && !(command is Open)
    shown.hasUnmetExpectation = context.unmetCount > 0
    shown.isMetExpectation = command is Expect && shown.status == .done
    shown.dependsOnTime = answer.dependsOnTime
    guard session.keepsAnswers else { return shown }
    let isPlain =
      renderer.style == .plain && renderer.width == nil && !renderer.isLive && !trace.isShown
    var plain = shown
    if !isPlain {
      let kept = Renderer(style: .plain)
      plain = evaluation(of: answer, by: kept)
      plain.output = kept.text(trace.view) + plain.output
    }
    let executed = ExecutedCommand(
      words: words, output: plain.output + plain.diagnostics, status: shown.status,
      showsPrivateValues: type(of: command).showsValues && context.hasReadPrivately,
      digest: digest(of: answer, plain), folder: context.folder, paths: context.typedPaths,
      change: context.change, dependsOnTime: shown.dependsOnTime)
    shown.executed = executed
    if command.isRecorded { session.record.add(.command(executed)) }
    return shown
  }

  private static func remark(_ line: String) -> String? {
    let words = line.drop(while: \.isWhitespace)
    guard words.first == "#" else { return nil }
    let text = words.dropFirst()
    return String(text.first == " " ? text.dropFirst() : text)
  }

  /// What a command said, before it is text.
  private enum Answer {
    case outcome(Outcome, asJSON: Bool)
    case failure(Diagnostic, asJSON: Bool)

    /// Whether another program, the user or the speed of the machine has decided it.
    var dependsOnTime: Bool {
      switch self {
      case .outcome(let outcome, _): outcome.warnings.contains(where: \.dependsOnTime)
      case .failure(let diagnostic, _): diagnostic.dependsOnTime
      }
    }

    /// With what was found beside the stores that were read.
    func warning(of stores: StoreWarnings?) -> Answer {
      guard let stores else { return self }
      return switch self {
      case .outcome(let outcome, let asJSON): .outcome(stores.added(to: outcome), asJSON: asJSON)
      case .failure(let error, let asJSON): .failure(stores.added(to: error), asJSON: asJSON)
      }
    }
  }

  private func answer(of command: inout any StrataCommand) -> Answer {
    let asJSON = command.output.json
    session.refreshBundles()
    do {
      let work = Work(try command.output.budgets, within: Work.current)
      do {
        let outcome = try Work.$current.withValue(work) { try command.run(in: session) }
        // Whoever caught the error has no answer that another machine would give.
        if work.isOutOfTime { try work.check() }
        return .outcome(outcome, asJSON: asJSON)
      } catch let error as any DiagnosticError where work.isOutOfTime {
        var diagnostic = error.diagnostic
        diagnostic.dependsOnTime = true
        throw diagnostic
      }
    } catch let error as any DiagnosticError {
      // Wherever the work was stopped, the user knows why.
      let isStopped = Interruption.isRequested
      if command is Expect { session.running?.unmetCount += 1 }
      let isSaid = error.diagnostic.id == Interruption.interrupted.id
      return .failure(
        isStopped && !isSaid ? Interruption.interrupted : session.naming(error.diagnostic),
        asJSON: asJSON)
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

  /// An answer of more bytes is taken for words alone: its data are not looked at again.
  private static let digestLimit = 1_000_000

  /// The fingerprint of the data behind an answer: those of the payload, and of warnings and errors
  /// what and where they are, whatever they say.
  private func digest(of answer: Answer, _ evaluation: Evaluation) -> AnswerDigest? {
    guard evaluation.output.utf8.count <= Self.digestLimit else { return nil }
    switch answer {
    case .outcome(let outcome, let asJSON):
      // Answers of many lines have their data only where these are asked for.
      let isText = asJSON || outcome.payload is JSONLines
      let payload = isText ? evaluation.output : JSONText.of(outcome.payload)
      return AnswerDigest(
        of: outcome.warnings.map(Self.identity).joined() + payload,
        status: evaluation.status.rawValue)
    case .failure(let diagnostic, _):
      return AnswerDigest(of: Self.identity(of: diagnostic), status: evaluation.status.rawValue)
    }
  }

  private static func identity(of diagnostic: Diagnostic) -> String {
    "\(diagnostic.id) \(diagnostic.location?.description ?? "")\n"
  }
}
