import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import StrataWitness

/// How much of a migration its witness takes: the migration is timed whole, then what the witness asks of
/// the source and of the result is asked again by itself. Passes are also timed with a log, for which the witness
/// reads the source in turn with the rest, not at the same time: that is what its share can be taken from.
struct WitnessMeasurement {
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
      func migrate(_ log: StatementLog? = nil) throws {
        if isInPlace {
          var run = try InPlaceRun(hop, number: 1, of: 1, path: output, log: log)
          _ = try drive(&run)
        } else {
          var run = try PassesRun(
            hop, number: 1, of: 1,
            source: StoreReader(SQLiteStore(reading: path), model: hop.from.model),
            destination: NewStore(path: output, model: hop.to.model, uuid: "B"),
            executor: .fastest, batchSize: 1000, log: log)
          _ = try drive(&run)
        }
      }
      for (name, log) in [(", in turn", StatementLog(detail: .statements)), ("", nil)] {
        try? FileManager.default.removeItem(atPath: output)
        if isInPlace { try FileManager.default.copyItem(atPath: path, toPath: output) }
        try time(method + name) { try migrate(log) }
      }
      var witness = Witness(
        parts: hop.parts.map(\.mapping), from: hop.from.model, to: hop.to.model,
        means: Witness.Means(isInferred: hop.isInferred, isInPlace: isInPlace))
      try time("\(method), source") {
        try witness.observeSource(SQLiteConnection(path: path, mode: .readWrite))
      }
      var objections: [String] = []
      try time("\(method), result") {
        objections = try witness.objections(to: SQLiteConnection(path: output, mode: .readWrite))
      }
      guard objections.isEmpty else { throw MigrationError.notAsPlanned(objections) }
    }
    return seconds
  }
}
