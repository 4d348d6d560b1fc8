internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataRendering

/// `commit`
struct Commit: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "commit",
    abstract: "Does for real what was stepped through, and ends the stepper.",
    discussion: """
      The migration is done from its beginning, as `migrate` does it: in one transaction, or into a new store \
      that takes the place of the old one. Where the stepper stands makes no difference. A store that has \
      changed since `debug` began is not touched.
      """)
  static let effect = CommandEffect.writesStore
  static let examples: [CommandExample] = []

  @Flag(help: "Keep nothing of the old store where a new one takes its place.") var discardOld =
    false
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("Make a new store here; the old one stays.", valueName: "file"),
    completion: .file())
  var newStore: String?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !discardOld || newStore == nil else {
      throw ValidationError("--discard-old is for the store that is migrated where it is")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    try stepping.checkUnchanged()
    let outcome = try MigrationJob(
      migration: stepping.migration, newStore: newStore, discardOld: discardOld
    ).run(in: session)
    if outcome.status == .done { try session.abandonStepping() }
    return outcome
  }
}
