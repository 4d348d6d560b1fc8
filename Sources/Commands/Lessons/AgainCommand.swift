internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// The command `again`.
struct AgainCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "again",
    abstract: "Returns the session and the files to the beginning of the question or task.",
    discussion: """
      Everything before it is run again in an empty folder; what was typed since is lost. At the end of a lesson, the \
      lesson begins again. Texts that you wrote in the working folder are kept: scripts, notebooks, mapping models, \
      policies and stages.
      """)
  static let changesFiles = true
  static let showsValues = true
  static let examples = [
    CommandExample("a task from its beginning", "lesson versions", "unload Topics", "again")
  ]

  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    let run = try session.playedLesson()
    var player = LessonPlayer(in: session, isSilent: output.json)
    let isOver = run.stop == nil && run.pausedAt == nil
    let progress = isOver ? LessonProgress(isFinished: true) : run.progress
    try player.begin(
      run.source, at: progress, storesProgress: run.storesProgress,
      showsPassage: isOver || run.pausedAt != nil)
    session.storeProgress()
    return try LessonCommand.outcome(player, in: session)
  }
}
