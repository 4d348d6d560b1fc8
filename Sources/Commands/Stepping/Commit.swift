internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `commit`
struct Commit: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "commit",
    abstract: "Applies the migration to the store and leaves the stepper.",
    discussion: """
      The whole migration is run as by `migrate`, from any position of the stepper and with the same mapping \
      models and policies: in one transaction, or into a new store that replaces the old one, which is kept \
      as by `migrate`. A store that has changed since `debug` began is not migrated.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample.stepping("after looking at each pass", "pass", "pass", "commit")
  ]

  @OptionGroup var oldStore: OldStoreOptions
  @Option(.file, "Create a new store here; the old one is unchanged.", name: .customLong("output"))
  var newStore: String?
  @Flag(help: "Overwrite the store of --output.") var force = false
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !force || newStore != nil else {
      throw ValidationError("--force requires --output")
    }
    try oldStore.check(newStore: newStore)
  }

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    try stepping.checkUnchanged()
    // The stepper's open connections would block the migration.
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
        // The trace of the stepper is incomplete, but the migration is committed.
        outcome.warnings.append(error.asWarning)
      }
    }
    return outcome
  }
}
