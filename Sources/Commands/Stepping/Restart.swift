internal import ArgumentParser
internal import StrataRendering
internal import StrataStepping

/// `restart`
struct Restart: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "restart", abstract: "Goes back to the beginning; breakpoints and marks are kept.")
  static let examples = [
    CommandExample.stepping("from the beginning", "pass", "restart")
  ]

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome {
    try session.goBack(asJSON: output.json) { stepper, _ in
      try stepper.restart()
      return true
    }
  }
}
