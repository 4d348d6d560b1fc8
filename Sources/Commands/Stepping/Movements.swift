internal import ArgumentParser
internal import StrataRendering
internal import StrataStepping

/// No movement is longer.
private let largestCount = 1_000_000_000

/// A command that goes on by a unit, so many times.
protocol MovementCommand: StrataCommand {
  static var unit: StepUnit { get }
  var count: Int { get }
}

extension MovementCommand {
  static var effect: CommandEffect { .reads }

  static func candidates(after arguments: [String], in session: Session) -> [String]? { [] }

  mutating func validate() throws {
    guard (1...largestCount).contains(count) else {
      throw ValidationError("the count is between 1 and \(largestCount)")
    }
  }

  func run(in session: Session) throws -> Outcome {
    try session.move(.unit(Self.unit, count: count))
  }
}

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

/// `pass [N]`
struct PassCommand: MovementCommand {
  static let configuration = CommandConfiguration(
    commandName: "pass", abstract: "Goes on to the next pass; in place, to the end of the hop.")
  static let unit = StepUnit.pass
  static let examples: [CommandExample] = []

  @Argument(help: ArgumentHelp("How many.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions
}

/// `hop [N]`
struct HopCommand: MovementCommand {
  static let configuration = CommandConfiguration(
    commandName: "hop", abstract: "Goes on to the next hop, from one model version to another.")
  static let unit = StepUnit.hop
  static let examples: [CommandExample] = []

  @Argument(help: ArgumentHelp("How many.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions
}

/// `continue`
struct Continue: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "continue", abstract: "Goes on to the next breakpoint, or to the end.",
    aliases: ["c"])
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome { try session.move(.toEnd) }
}

/// `finish`
struct Finish: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Goes on to the end of the entity mapping; in place, of the statements.")
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome { try session.move(.endOfMapping) }
}
