internal import ArgumentParser
internal import StrataRendering
internal import StrataStepping

/// The maximum count of a movement.
private let largestCount = 1_000_000_000

/// A command that moves the stepper forward by a unit, a given number of times.
protocol MovementCommand: StrataCommand {
  static var unit: StepUnit { get }
  var count: Int { get }
}

extension StepGoal {
  /// The command that reaches it from the current position, such as `step 3`; `nil` for a goal that is not counted.
  var command: String? {
    guard case .unit(let unit, let count) = self else { return nil }
    let commands: [any MovementCommand.Type] = [
      Step.self, Next.self, PassCommand.self, HopCommand.self,
    ]
    return commands.first { $0.unit == unit }.map { "\($0._commandName) \(count)" }
  }
}

extension MovementCommand {

  mutating func validate() throws {
    guard (1...largestCount).contains(count) else {
      throw ValidationError("the count must be between 1 and \(largestCount)")
    }
  }

  func run(in session: Session) throws -> Outcome {
    try session.move(.unit(Self.unit, count: count), asJSON: output.json)
  }
}
