internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `back [UNIT] [N]`
struct Back: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "back",
    abstract: "Goes back one or more steps, entity mappings, passes or hops.",
    discussion: """
      `back` alone undoes one object or statement. `back mapping`, `back pass` and `back hop` return to the \
      beginning of the current entity mapping, pass or hop, and from there to the beginning of the previous \
      one. The stores, the association tables, the state of policies and the events are restored. Within a \
      hop this is immediate; going back to an earlier hop takes as long as that hop took.
      """)
  static let examples = [
    CommandExample.stepping(
      "one object back, then a whole entity mapping", "step 3", "back", "back mapping")
  ]

  @Argument(.stepUnit, "step, mapping, pass or hop, or the number of steps.") var unit: String?
  @Argument(help: ArgumentHelp("The count.", valueName: "n")) var count: String?
  @OptionGroup var output: OutputOptions

  /// The unit and the count in any order: `back pass 2` and `back 2 pass`.
  private var words: [String] { [unit, count].compactMap(\.self) }
  private var units: [StepUnit] { words.compactMap(StepUnit.init(rawValue:)) }
  private var counts: [Int] { words.compactMap { Int($0) } }

  mutating func validate() throws {
    if let word = words.first(where: { Int($0) == nil && StepUnit(rawValue: $0) == nil }) {
      throw ValidationError(
        "\(word) is not a unit"
          + (NearestName.of(word, in: StepUnit.allCases.map(\.rawValue))
            .map { ": \(NearestName.question($0))" } ?? ": step, mapping, pass or hop"))
    }
    guard units.count < 2, counts.count < 2 else {
      throw ValidationError("name one unit and one count: back pass 2")
    }
    guard counts.allSatisfy({ $0 > 0 }) else {
      throw ValidationError("the count must be 1 or more")
    }
  }

  func run(in session: Session) throws -> Outcome {
    var outcome = try session.goBack(asJSON: output.json) { stepper, _ in
      try stepper.goBack(by: units.first ?? .step, count: counts.first ?? 1)
    }
    if outcome.status == .no {
      outcome.view = .stack([.line("this is the beginning"), outcome.view])
    }
    return outcome
  }
}
