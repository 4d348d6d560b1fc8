internal import ArgumentParser
internal import StrataStepping

/// `step [N]`
struct Step: MovementCommand {
  static let configuration = CommandConfiguration.command(
    "step",
    abstract:
      "Performs one step: an object, a statement, or the start or end of an entity mapping.",
    aliases: ["s"])
  static let unit = StepUnit.step
  static let examples = [
    CommandExample.stepping("one object after the other", "step", "step", "step 2")
  ]

  @Argument(help: ArgumentHelp("The number of steps.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions
}
