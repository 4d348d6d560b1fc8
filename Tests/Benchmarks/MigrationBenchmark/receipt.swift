import Foundation
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore

/// How much of a migration its receipt takes: the migration is timed whole, then what the receipt counts in
/// both stores is counted again by itself.
struct ReceiptMeasurement {
  let path: String

  func seconds() throws -> [String: Double] {
    var seconds: [String: Double] = [:]
    let clock = ContinuousClock()
    func time(_ name: String, _ work: () throws -> Void) throws {
      let duration = try clock.measure(work)
      seconds[name] =
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
    for isInPlace in [true, false] {
      let method = isInPlace ? "in place" : "passes"
      let hop =
        try isInPlace
        ? MigrationPlanner().plan(from: old, to: withoutCode).hops[0] : hop(policy: nil)
      let output = "\(path).made"
      try? FileManager.default.removeItem(atPath: output)
      if isInPlace { try FileManager.default.copyItem(atPath: path, toPath: output) }
      var report = MigrationReport(hop)
      try time(method) {
        if isInPlace {
          var run = try InPlaceRun(hop, number: 1, of: 1, path: output)
          _ = try drive(&run)
          report = run.report
        } else {
          var run = try PassesRun(
            hop, number: 1, of: 1,
            source: StoreReader(SQLiteStore(reading: path), model: hop.from.model),
            destination: NewStore(path: output, model: hop.to.model, uuid: "B"),
            executor: .fastest, batchSize: 1000)
          _ = try drive(&run)
          report = run.report
        }
      }
      let before = try StoreReader(SQLiteStore(reading: path), model: hop.from.model)
      let after = try StoreReader(SQLiteStore(reading: output), model: hop.to.model)
      let start = clock.now
      _ = try ReceiptWriter(hop, counting: before).receipt(report, counting: after)
      let duration = clock.now - start
      seconds["\(method), receipt"] =
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
    return seconds
  }
}
