internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `back [UNIT] [N]`
struct Back: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "back",
    abstract: "Goes back by a step, an entity mapping, a pass or a hop.",
    discussion: """
      `back` alone takes back one object or statement. `back mapping`, `back pass` and `back hop` lead to the \
      beginning of what is under way, and from there to that of the one before. Everything is as it was: the \
      stores, the association tables, what policies remember, the events. Within a hop it is at once; \
      into an earlier hop it takes as long as that hop took.
      """)
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @Argument(help: ArgumentHelp(.stepUnit, "step, mapping, pass or hop, or how many steps."))
  var unit: String?
  @Argument(help: ArgumentHelp("How many.", valueName: "n")) var count: Int?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (unit.flatMap { Int($0) } ?? count ?? 1) > 0 else {
      throw ValidationError("the count is 1 or more")
    }
    guard let unit, Int(unit) == nil, StepUnit(rawValue: unit) == nil else { return }
    throw ValidationError(
      "\(unit) is no unit"
        + (NearestName.of(unit, in: StepUnit.allCases.map(\.rawValue))
          .map { ": \(NearestName.question($0))" } ?? ": step, mapping, pass or hop"))
  }

  func run(in session: Session) throws -> Outcome {
    let steps = unit.flatMap { Int($0) }
    let unit = unit.flatMap { StepUnit(rawValue: $0) } ?? .step
    var outcome = try session.goBack {
      try $0.goBack(by: unit, count: max(1, steps ?? count ?? 1))
    }
    if outcome.status == .no {
      outcome.view = .stack([.line("this is the beginning"), outcome.view])
    }
    return outcome
  }
}
