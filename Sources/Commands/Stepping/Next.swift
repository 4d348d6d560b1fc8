internal import ArgumentParser
internal import StrataStepping

/// `next [N]`
struct Next: MovementCommand {
  static let configuration = CommandConfiguration.command(
    "next",
    abstract: "Continues to the next entity mapping (in place: to the next kind of statement).",
    aliases: ["n"])
  static let unit = StepUnit.mapping
  static let examples = [
    CommandExample.stepping("an entity mapping at a time", "next", "next")
  ]

  @Argument(help: ArgumentHelp("The number of entity mappings.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions
}
