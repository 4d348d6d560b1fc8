internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The command `task`.
struct TaskCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "task",
    abstract: "Shows the question or task of a lesson, and checks whether it is done.",
    discussion: """
      The conditions are about the loaded items and the files of the session, not about the commands that were typed: \
      any way to the goal is right. Exit status 1 means that the task is not done yet.
      """)
  static let examples = [CommandExample("where a lesson is", "lesson versions", "task")]

  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    let run = try session.shownLesson()
    var failures: [String] = []
    if case .task(let task)? = run.stop {
      failures = try task.failures(in: session)
      session.lesson?.progress.result.isDone = failures.isEmpty
      session.storeProgress()
    }
    let isTask = if case .task? = run.stop { true } else { false }
    let verdict: [StyledText] =
      !isTask
      ? []
      : failures.isEmpty
        ? [StyledText("Done. ", .good) + StyledText("`lesson next` continues.", .faint)]
        : failures.map { StyledText("Not yet: ", .warning) + StyledText($0) }
    return Outcome(
      .lines((isTask && failures.isEmpty ? [] : LessonStopView(run).lines) + verdict),
      json: run.json(failures),
      status: failures.isEmpty ? .done : .no)
  }
}

extension LessonRun {
  /// The current question or task.
  ///
  /// - Parameter failures: The messages of the conditions that are not met.
  func json(_ failures: [String] = []) -> JSONValue {
    let (kind, text, choices): (String, String, [String]) =
      switch stop {
      case .question(let question):
        ("question", question.text, question.kind == .text ? [] : question.choices.map(\.text))
      case .task(let task): ("task", task.goal, [])
      default: ("end", "", [])
      }
    return [
      "lesson": source.name, "number": progress.stop + 1, "count": lesson.stops.count,
      "kind": kind, "text": text, "choices": choices, "failures": failures,
    ]
  }
}
