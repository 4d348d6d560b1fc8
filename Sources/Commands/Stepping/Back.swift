internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `back [UNIT] [N]`
struct Back: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "back",
    abstract: "Goes back one or more steps, entity mappings, passes or hops.",
    discussion: """
      `back` alone undoes one object or statement. `back mapping`, `back pass` and `back hop` return to the \
      beginning of the current entity mapping, pass or hop, and from there to the beginning of the previous \
      one. The stores, the association tables, the state of policies and the events are restored. Within a \
      hop this is immediate; going back to an earlier hop takes as long as that hop took.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample.stepping(
      "one object back, then a whole entity mapping", "step 3", "back", "back mapping")
  ]

  @Argument(help: ArgumentHelp(.stepUnit, "step, mapping, pass or hop, or the number of steps."))
  var unit: String?
  @Argument(help: ArgumentHelp("The count.", valueName: "n")) var count: Int?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (unit.flatMap { Int($0) } ?? count ?? 1) > 0 else {
      throw ValidationError("the count must be 1 or more")
    }
    guard let unit, Int(unit) == nil, StepUnit(rawValue: unit) == nil else { return }
    throw ValidationError(
      "\(unit) is not a unit"
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
