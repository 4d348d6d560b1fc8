internal import ArgumentParser
internal import StrataStepping

/// `step [N]`
struct Step: MovementCommand {
  static let configuration = CommandConfiguration(
    commandName: "step", abstract: "Does one step: an object, a statement, a frame around them.",
    aliases: ["s"])
  static let unit = StepUnit.step
  static let examples: [CommandExample] = []

  @Argument(help: ArgumentHelp("How many.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions
}
