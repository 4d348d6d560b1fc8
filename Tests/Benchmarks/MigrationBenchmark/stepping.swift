import Foundation
import StrataBase
import StrataExpressions
import StrataMigration
import StrataStepping
import StrataStore

/// How long the stepper takes: to go through a million objects past a breakpoint that none of them meets, to do
/// one step, and to go back.
struct SteppingMeasurement {
  let path: String
  let hop: MigrationPlan.Hop

  private func stepper() throws -> Stepper {
    let path = path
    return try Stepper(StepperSetup(hops: [hop]) { try SQLiteStore(reading: path) })
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// From the beginning to the end.
  func runs(withBreakpoint: Bool) throws -> [String: Double] {
    let stepper = try stepper()
    if withBreakpoint {
      stepper.add(
        Breakpoint(
          .entityMapping("PersonToPerson"),
          when: try Predicate(parsing: #"$source.mail == "nobody""#)))
    }
    var end: StepStop?
    let seconds = Self.seconds { end = stepper.move(.toEnd) }
    guard case .end(isRefused: false) = end?.reason else {
      throw MigrationError.notAsPlanned(["the stepper did not come to the end"])
    }
    return ["run": seconds]
  }

  /// Steps and steps back in the midst of both passes; units forward and back.
  func walk() throws -> [String: Double] {
    let stepper = try stepper()
    var (steps, backs): ([Double], [Double]) = ([], [])
    var units: [String: Double] = [:]
    for pass in [Pass.createInstances, .createRelationships] {
      for key in [1000, 250_000, 500_000, 999_000] {
        let number = stepper.add(
          Breakpoint(.object(ObjectRef(entity: "Person", key: Int64(key))), once: true)
        ).number
        _ = stepper.move(.toEnd)
        stepper.remove(number)
        for _ in 0..<50 {
          steps.append(Self.seconds { _ = stepper.move(.unit(.step, count: 1)) })
        }
        for count in [1, 1, 1, 1, 10, 30] {
          try backs.append(Self.seconds { try stepper.goBack(by: .step, count: count) })
        }
      }
      // The entity mapping and the pass, forward and back.
      try stepper.goBack(by: .pass)
      let forward = Self.seconds { _ = stepper.move(.unit(.pass, count: 1)) }
      let back = try Self.seconds { try stepper.goBack(by: .pass) }
      units["pass \(pass.rawValue) forward"] = forward
      units["pass \(pass.rawValue) back"] = back
      let mapping = Self.seconds { _ = stepper.move(.unit(.mapping, count: 1)) }
      units["mapping \(pass.rawValue) forward"] = mapping
      units["mapping \(pass.rawValue) back"] = try Self.seconds {
        try stepper.goBack(by: .mapping)
      }
      _ = stepper.move(.unit(.pass, count: 1))
    }
    units["step max"] = steps.max()
    units["step median"] = steps.sorted()[steps.count / 2]
    units["back max"] = backs.max()
    units["back median"] = backs.sorted()[backs.count / 2]
    return units
  }

  /// In place: each statement forward, back and forward again.
  func statements() throws -> [String: Double] {
    let stepper = try stepper()
    var (forward, back) = (0.0, 0.0)
    while !stepper.isAtEnd {
      let one = Self.seconds { _ = stepper.move(.unit(.step, count: 1)) }
      let other = try Self.seconds { try stepper.goBack(by: .step) }
      _ = stepper.move(.unit(.step, count: 1))
      forward = max(forward, one)
      back = max(back, other)
    }
    let hop = try Self.seconds { try stepper.goBack(by: .hop) }
    let all = Self.seconds { _ = stepper.move(.toEnd) }
    return [
      "statement forward max": forward, "statement back max": back, "hop back": hop,
      "hop forward": all,
    ]
  }
}
