import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataPolicy
import StrataStepping
import StrataStore
import TestSupport
import Testing

import struct StrataPolicy.EntityMapping

/// Random migrations, walked forward and back at random: wherever somebody stops, all is as in a run that
/// went there straight.
@Suite("Random walks")
struct RandomWalkTests {
  @Test("at each stop, the state equals that of a fresh run to that point")
  func walks() throws {
    let folder = try TemporaryFolder()
    let seeds = CaseCount.seeds(60, "WALKS")
    var (stops, walked) = (0, 0)
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      guard
        let migration = try RandomMigration(
          seed: seed, at: folder.path("\(seed).sqlite"), using: &random)
      else { continue }
      walked += 1
      let detail: TraceDetail = seed % 3 == 0 ? .rows : .none
      let straight = try StraightRun(migration.setup(.every(.max)), detail)
      let spacing = CheckpointSpacing.every(Int.random(in: 1...15, using: &random))
      let stepper = try Stepper(migration.setup(spacing))
      stepper.detail = detail
      var last: StopState?
      for _ in 0..<12 {
        last = try Self.wander(stepper, straight, seed, using: &random)
        guard let last, let wanted = straight.states[stepper.position] else {
          Issue.record("\(seed): no stop at \(stepper.position)")
          return
        }
        stops += 1
        if last != wanted {
          Issue.record("\(seed) at \(stepper.position): \(last.difference(from: wanted))")
          return
        }
      }
    }
    #expect(walked > CaseCount.least(20) && stops > walked * 10, "\(walked) walks, \(stops) stops")
  }

  /// Makes one movement, and compares the received events with those of the straight run.
  private static func wander(
    _ stepper: Stepper, _ straight: StraightRun, _ seed: UInt64,
    using random: inout SeededRandom
  ) throws -> StopState {
    // To look ahead changes nothing, the statements reported later included.
    if Int.random(in: 0...2, using: &random) == 0 { _ = try stepper.previewWithStatements() }
    let unit = StepUnit.allCases.randomElement(using: &random) ?? .step
    let count = Int.random(in: 1...4, using: &random)
    switch Int.random(in: 0...9, using: &random) {
    case 0...3:
      let from = stepper.position
      var received: [TraceEvent] = []
      _ = stepper.move(.unit(.step, count: count)) { received.append($0) }
      let wanted = straight.events(from: from, to: stepper.position)
      #expect(received.map(\.untimed) == wanted, "\(seed) from \(from)")
    case 4: _ = stepper.move(.unit(unit, count: 1))
    case 5...7: try stepper.goBack(by: unit == .hop ? .mapping : unit, count: count)
    case 8: _ = try stepper.go(toMark: Int.random(in: 1...max(1, straight.mark), using: &random))
    default: try stepper.goBack(by: .hop)
    }
    return try StopState(stepper)
  }
}
