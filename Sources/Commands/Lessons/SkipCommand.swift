internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The command `skip`.
struct SkipCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "skip",
    abstract: "Continues a lesson without an answer; a task is solved by its solution.")
  static let changesFiles = true
  static let showsValues = true
  static let examples = [CommandExample("on to the next question", "lesson versions", "skip")]

  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    let run = try session.playedLesson()
    guard run.stop != nil || run.pausedAt != nil else { throw LessonCommand.isOver }
    if run.pausedAt == nil {
      let isDone =
        switch run.stop {
        case .task(let task): try task.isDone(in: session)
        default: run.progress.result.isDone
        }
      session.lesson?.progress.result.isDone = isDone
      session.lesson?.progress.result.isSkipped = !isDone
    }
    var player = LessonPlayer(in: session, isSilent: output.json)
    try player.goOn()
    return try LessonCommand.outcome(player, in: session)
  }
}
