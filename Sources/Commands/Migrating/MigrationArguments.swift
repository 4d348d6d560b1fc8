internal import ArgumentParser
internal import StrataMigration

/// Which store is to be migrated, to what and by which way: what `migrate` and `debug` take.
struct MigrationArguments: ParsableArguments {
  @Argument(help: ArgumentHelp(.store, "The store."), completion: .file()) var store: String
  @Option(
    name: .customLong("to"), help: ArgumentHelp(.model, "The model to migrate to."),
    completion: .file())
  var target: String
  @Option(
    name: .customLong("strict"),
    help: ArgumentHelp(
      "Refuse a migration that loses something: rows, values (numbers that do not fit and fractions too), links (and their order), valid (objects that could not be saved) or extras (history, triggers and views); without a list, any of these.",
      valueName: "what"), transform: Self.categories)
  var strictCategories: Set<LossCategory>?
  @Flag(help: "Do the default work where a policy is not known.") var withoutPolicy = false
  @Flag(
    help:
      "Show values of the store in messages of policies, in differences that --proof finds, and in --trace-json."
  )
  var reveal = false
  @OptionGroup var strategy: StrategyOptions

  /// What must not be lost.
  var strict: Set<LossCategory> { strictCategories ?? [] }

  private static func categories(_ text: String) throws -> Set<LossCategory> {
    do {
      return try LossCategory.parsed(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
