internal import ArgumentParser
internal import StrataRendering

/// The command `quit`.
struct Quit: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "quit", abstract: "Leaves the prompt, or ends the script.",
    discussion: """
      At the prompt of the stepper, the first `quit` abandons the migration, and the next one leaves.
      """,
    aliases: ["exit"])
  static let examples: [CommandExample] = []

  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    session.isOver = true
    return Outcome(.nothing, json: ["quit": true])
  }
}
