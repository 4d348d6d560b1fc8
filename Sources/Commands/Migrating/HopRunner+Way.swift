internal import StrataDiagnostics
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

extension HopRunner {
  /// Runs the hops where they are to happen.
  ///
  /// Where one stops the migration, nothing is kept of what they made.
  ///
  /// - Parameter pending: A stage whose scripts an interrupted migration has not run.
  func run(
    _ hops: [MigrationPlan.Hop], after pending: MigrationStage?, from path: String,
    _ way: MigrationWay
  ) throws -> (results: [HopResult], aftermath: Aftermath?) {
    do {
      switch way {
      case .inPlace: return (try change(path, by: hops, after: pending), nil)
      case .rehearsal: return try rehearse(path, by: hops, after: pending)
      case .replacement(let aside): return (try replace(path, by: hops, settingAside: aside), nil)
      case .output(let target, let replacing):
        var results: [HopResult] = []
        try StoreFile.create(at: target, replacing: replacing) { staged in
          results = try migrate(path, by: hops, into: staged)
          if results.last?.stops == true { throw Refused(results: results) }
        }
        return (results, nil)
      }
    } catch let refused as Refused {
      return (refused.results, nil)
    } catch _ where Interruption.isRequested {
      throw Interruption.leaving(session.shown(path))
    } catch let error as StoreError {
      guard case .output(let target, _) = way else {
        throw error.diagnostic.located(in: session.shown(path))
      }
      let isOfSource =
        switch error {
        case .missingExternalFile, .badExternalReference: true
        default: false
        }
      throw error.diagnostic.located(in: session.shown(isOfSource ? path : target))
    }
  }

  /// Makes the store of the last hop beside the old one, checks it, and gives it the old one's place.
  private func replace(
    _ given: String, by hops: [MigrationPlan.Hop], settingAside aside: String?
  ) throws -> [HopResult] {
    let replacement = try StoreReplacement(of: session.writable(given))
    let results = try migrate(
      replacement.path, by: hops, into: replacement.stagedPath, isReplacing: true)
    guard let last = results.last, !last.stops else { return results }
    let objects = last.report.entities.reduce(0) { $0 + $1.created }
    let faults = try replacement.faults(last.hop.to.model, objects: objects)
    guard faults.isEmpty else { throw MigrationError.notAsPlanned(faults) }
    try Interruption.check()
    try replacement.commit(settingAside: aside)
    return results
  }

  /// The migration stopped: no store is made.
  private struct Refused: Error {
    var results: [HopResult]
  }
}
