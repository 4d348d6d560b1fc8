internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The command `hint [N]`.
struct HintCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "hint",
    abstract: "Shows the next hint for the task of a lesson; after the last one, a solution.",
    discussion: "`hint 1` shows the first hint again.")
  static let examples = [
    CommandExample("a hint for the first task", "lesson versions", "skip", "skip", "hint")
  ]

  @Argument(help: ArgumentHelp("The number of the hint; the next one by default.", valueName: "n"))
  var number: Int?
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    let run = try session.shownLesson()
    guard case .task(let task)? = run.stop else {
      throw Diagnostic(
        id: "lesson.noTask", what: "there is no task to give hints for here",
        fix: run.stop == nil
          ? "`lesson` lists the lessons"
          : "`answer` the question: each wrong answer is explained; `skip` shows the right one")
    }
    let number = number ?? min(run.hintCount + 1, task.hints.count + 1)
    guard (1...task.hints.count + 1).contains(number) else {
      throw Diagnostic(
        id: "lesson.noHint", what: "there is no hint \(number)",
        fix: "use a number from 1 to \(task.hints.count + 1); the last one is a solution")
    }
    session.lesson?.hintCount = max(run.hintCount, number)
    let isSolution = number > task.hints.count
    let text = isSolution ? task.solution.map(\.command) : [task.hints[number - 1]]
    let heading = StyledText(
      isSolution ? "A solution:" : "Hint \(number)/\(task.hints.count): ", .heading)
    let lines =
      isSolution
      ? [heading] + text.map { StyledText("  ") + StyledText(command: $0, .name) }
      : [heading + StyledText(text[0])]
    return Outcome(.lines(lines), json: ["number": number, "solution": isSolution, "lines": text])
  }
}
