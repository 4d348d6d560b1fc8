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

extension MovementCommand {
  static var effect: CommandEffect { .reads }

  mutating func validate() throws {
    guard (1...largestCount).contains(count) else {
      throw ValidationError("the count must be between 1 and \(largestCount)")
    }
  }

  func run(in session: Session) throws -> Outcome {
    try session.move(.unit(Self.unit, count: count), asJSON: output.json)
  }
}
