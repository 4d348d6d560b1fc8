internal import ArgumentParser
internal import StrataStepping

/// `next [N]`
struct Next: MovementCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Goes on to the next entity mapping; in place, kind of statement.", aliases: ["n"])
  static let unit = StepUnit.mapping
  static let examples: [CommandExample] = []

  @Argument(help: ArgumentHelp("How many.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions
}
