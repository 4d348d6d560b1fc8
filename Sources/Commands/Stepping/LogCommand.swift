internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `log [N]`
struct LogCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "log", abstract: "Lists the last events; `goto` accepts their numbers.")
  static let examples = [
    CommandExample.stepping("the last events", "step 3", "log 3")
  ]

  @Argument(help: ArgumentHelp("The number of events.", valueName: "n")) var count = 10
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (1...500).contains(count) else {
      throw ValidationError("the count must be between 1 and 500")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    let events = stepping.stepper.lastEvents(count)
    return Outcome(
      .lines(events.flatMap { $0.lines(revealing: stepping.revealsValues) }),
      payload: .lines(
        events.map { $0.json(revealing: session.trace.isRevealed || stepping.revealsValues) }))
  }
}
