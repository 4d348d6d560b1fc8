internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The command `answer CHOICE …`.
struct AnswerCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "answer", abstract: "Answers the question of a lesson.",
    discussion: """
      A wrong answer is explained and can be given again. `lesson next` continues, and shows the right answer if it was \
      not found.
      """)
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
        id: "lesson.noChoice",
        what: question.kind == .one && words.count > 1
          ? "the question has one right choice" : "\(words.joined(separator: " ")) is not a choice",
        fix:
          "answer with \(question.kind == .one ? "one number" : "numbers") from 1 to \(question.choices.count)"
      )
    }
    session.lesson?.progress.result.answers.append(words)
    if verdict.isRight { session.lesson?.progress.result.isDone = true }
    session.addRemarks(LessonStopView.record(words, verdict))
    session.storeProgress()
    return Outcome(
      .lines(Self.lines(verdict)),
      json: [
        "right": verdict.isRight, "reasons": verdict.choices.map(\.reason),
        "missing": verdict.missing,
      ],
      status: verdict.isRight ? .done : .no)
  }

  private static func lines(_ verdict: Question.Verdict) -> [StyledText] {
    var lines = LessonStopView.reasons(of: verdict).map { StyledText($0) }
    let mark = LessonStopView.mark(of: verdict)
    lines[0] = StyledText(mark, verdict.isRight ? .good : .warning) + lines[0]
    let advice =
      verdict.isRight ? "`lesson next` continues." : "`answer` again, or `lesson next`."
    return lines + [StyledText(advice, .faint)]
  }
}
