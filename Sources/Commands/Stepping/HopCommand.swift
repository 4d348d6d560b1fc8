internal import ArgumentParser
internal import StrataStepping

/// `hop [N]`
struct HopCommand: MovementCommand {
  static let configuration = CommandConfiguration.command(
    "hop", abstract: "Continues to the next hop, from one model version to another.")
  static let unit = StepUnit.hop
  static let examples = [
    CommandExample.stepping("to the end of the only hop", "hop")
  ]

  @Argument(help: ArgumentHelp("The number of hops.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions
}
