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
    let name = try session.steppingSession().name
    try session.abandonStepping()
    return Outcome(.line("abandoned; \(name) is unchanged"), payload: ["store": name])
  }
}
