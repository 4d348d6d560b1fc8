internal import ArgumentParser
internal import StrataRendering
internal import StrataStepping

/// `finish`
struct Finish: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "finish",
    abstract: "Continues to the end of the entity mapping (in place: of the statements).")
  static let examples = [
    CommandExample.stepping("to the end of an entity mapping", "step 2", "finish")
  ]

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome {
    try session.move(.endOfMapping, asJSON: output.json)
  }
}
