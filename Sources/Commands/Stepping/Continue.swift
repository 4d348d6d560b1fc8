internal import ArgumentParser
internal import StrataRendering
internal import StrataStepping

/// `continue`
struct Continue: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "continue", abstract: "Continues to the next breakpoint, or to the end.",
    aliases: ["c"])
  static let examples = [
    CommandExample.stepping("to a breakpoint", "break pass 2", "continue")
  ]

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome { try session.move(.toEnd, asJSON: output.json) }
}
