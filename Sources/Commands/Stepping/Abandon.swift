internal import ArgumentParser
internal import StrataRendering

/// `abandon`
struct Abandon: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "abandon", abstract: "Discards the migration; the store is unchanged.")
  static let examples = [
    CommandExample.stepping("without a change", "step 2", "abandon")
  ]

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    let isUnchanged = (try? stepping.checkUnchanged()) != nil
    try session.abandonStepping()
    return Outcome(
      .line(
        "abandoned; \(stepping.name) \(isUnchanged ? "is unchanged" : "was changed, but not by the stepper")"
      ), json: ["store": stepping.name])
  }
}
