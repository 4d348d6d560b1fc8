internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The command `answer CHOICE …`.
struct AnswerCommand: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Answers the question of a lesson.",
    discussion: """
      A wrong answer is explained and can be given again; `lesson next` continues. For a question that needs a text, only \
      the right answer continues; `skip` continues without it.
      """)
  static let effect = CommandEffect.reads
  static let examples = [CommandExample("a prediction", "lesson versions", "answer 1")]

  @Argument(help: ArgumentHelp("The number of a choice, or a text.", valueName: "choice"))
  var words: [String]
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    guard case .question(let question)? = try session.shownLesson().stop else {
      throw Diagnostic(
        id: "lesson.noQuestion", what: "there is no question to answer here",
        fix: "`task` shows what to do")
    }
    guard let verdict = question.verdict(on: words) else {
      throw Diagnostic(
        id: "lesson.noChoice", what: "\(words.joined(separator: " ")) is not a choice",
        fix: "answer with a number from 1 to \(question.choices.count)")
    }
    session.lesson?.progress.result.answers.append(words)
    session.lesson?.progress.result.isDone = verdict.isRight
    session.addRemarks(LessonStopView.record(words, verdict))
    try session.storeProgress()
    return Outcome(
      .lines(Self.lines(verdict, question)),
      payload: AnswerPayload(
        isRight: verdict.isRight, reasons: verdict.choices.map(\.reason), missing: verdict.missing),
      status: verdict.isRight ? .done : .no)
  }

  private static func lines(_ verdict: Question.Verdict, _ question: Question) -> [StyledText] {
    let beginning =
      verdict.isRight ? StyledText("Right: ", .good) : StyledText("Not right: ", .warning)
    let missing =
      Phrase.count(verdict.missing, "right choice is", "right choices are") + " missing."
    var lines = verdict.choices.map { StyledText($0.reason) }
    if verdict.missing > 0 { lines.append(StyledText(missing)) }
    if lines.isEmpty { lines = [StyledText("try again.")] }
    lines[0] = beginning + lines[0]
    let advice =
      verdict.isRight
      ? "`lesson next` continues."
      : question.kind == .text
        ? "`answer` again, or `skip`." : "`answer` again, or `lesson next`."
    return lines + [StyledText(fix: advice, .faint)]
  }
}

/// The JSON shape of `answer`.
struct AnswerPayload: Encodable, Sendable {
  var isRight: Bool
  /// Why the named choices are right, or why the wrong ones are not.
  var reasons: [String]
  /// The number of right choices that were not named.
  var missing: Int

  enum CodingKeys: String, CodingKey {
    case isRight = "right"
    case reasons, missing
  }
}
