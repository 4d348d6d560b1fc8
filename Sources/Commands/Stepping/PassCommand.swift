internal import ArgumentParser
internal import StrataStepping

/// `pass [N]`
struct PassCommand: MovementCommand {
  static let configuration = CommandConfiguration.command(
    "pass", abstract: "Continues to the next pass (in place: to the end of the hop).")
  static let unit = StepUnit.pass
  static let examples = [
    CommandExample.stepping("to pass 2", "pass", "where")
  ]

  @Argument(help: ArgumentHelp("The number of passes.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions
}
