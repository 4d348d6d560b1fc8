internal import ArgumentParser
internal import StrataRendering

/// `abandon`
struct Abandon: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "abandon", abstract: "Forgets the migration: the store is as it was.")
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    let isUnchanged = (try? stepping.checkUnchanged()) != nil
    try session.abandonStepping()
    return Outcome(
      .line(
        "abandoned; \(stepping.name) \(isUnchanged ? "is unchanged" : "has been changed meanwhile, not by the stepper")"
      ), payload: ["store": stepping.name])
  }
}
