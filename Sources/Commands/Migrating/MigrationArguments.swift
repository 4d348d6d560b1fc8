internal import ArgumentParser

/// Which store is to be migrated, to what and by which way: what `migrate` and `debug` take.
struct MigrationArguments: ParsableArguments {
  @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .file()) var store:
    String
  @Option(
    name: .customLong("to"), help: ArgumentHelp("The model to migrate to.", valueName: "model"),
    completion: .file())
  var target: String
  @Option(
    name: .customLong("policies"),
    help: ArgumentHelp("A policy file, besides those beside the model.", valueName: "file"),
    completion: .file())
  var policyFiles: [String] = []
  @Flag(help: "Refuse a migration that loses rows, links, numbers or what lies outside the model.")
  var strict = false
  @Flag(help: "Do the default work where a policy is not known.") var withoutPolicy = false
  @Flag(
    help:
      "Show values of the store where they are lost or differ, in messages of policies, and in --trace-json."
  )
  var reveal = false
  @OptionGroup var strategy: StrategyOptions
}
