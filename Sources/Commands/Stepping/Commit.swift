internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `commit`
struct Commit: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "commit",
    abstract: "Does for real what was stepped through, and ends the stepper.",
    discussion: """
      The migration is done from its beginning, as `migrate` does it: in one transaction, or into a new store \
      that takes the place of the old one, which is kept as `migrate` keeps it, by the mapping models and policies that the stepper went by. \
      Where it stands makes no difference. A store that has changed since `debug` began is not touched.
      """)
  static let effect = CommandEffect.writesStore
  static let examples: [CommandExample] = []

  @OptionGroup var oldStore: OldStoreOptions
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(.file, "Make a new store here; the old one stays."),
    completion: .file())
  var newStore: String?
  @Flag(help: "Replace a store of the name given by --output.") var force = false
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !force || newStore != nil else {
      throw ValidationError("--force replaces the store of --output, and there is none")
    }
    guard !oldStore.discardOld || newStore == nil else {
      throw ValidationError("--discard-old is for the store that is migrated where it is")
    }
    guard oldStore.keepOld == nil || newStore == nil else {
      throw ValidationError("with --output the old store stays: leave --keep-old out")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    try stepping.checkUnchanged()
    // What reads the store would be in the way of what writes it.
    stepping.stepper.release()
    var isDone = false
    defer { if !isDone, (try? stepping.stepper.resume()) == nil { session.stepping = nil } }
    var outcome = try MigrationJob(
      migration: stepping.migration, newStore: newStore, force: force, oldStore: oldStore
    ).run(in: session, as: stepping.planned)
    isDone = outcome.status == .done
    if isDone {
      do {
        try session.abandonStepping()
      } catch let error as Diagnostic {
        // The stepper's trace is not whole; the migration is done.
        outcome.warnings.append(error.asWarning)
      }
    }
    return outcome
  }
}
