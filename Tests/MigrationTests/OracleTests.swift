import Foundation
import StrataBase
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Random models, edits and rough stores, migrated on every road: an oracle that shares no code with Strata
/// looks at each result.
@Suite("Migrations checked by an oracle")
struct OracleTests {
  /// Of each way to migrate in place, and the newest.
  private static let versions = [
    FrameworkVersion.newest, FrameworkVersion(640), FrameworkVersion(866), FrameworkVersion(977),
  ]

  @Test(
    "no objects are lost in place or in passes",
    arguments: [UInt64(1), 2])
  func plainModels(first: UInt64) throws {
    let folder = try TemporaryFolder()
    let oracle = try Oracle()
    var record = OracleRecord()
    var migrated = 0
    let seeds = CaseCount.seeds(180, "ORACLE")
    // Two at a time: each with an oracle of its own.
    for seed in seeds where seed % 2 == first % 2 {
      var random = SeededRandom(seed: seed)
      let old = try RandomModel.make(using: &random)
      let edits = Int.random(in: 1...4, using: &random)
      let new =
        try seed % 3 == 0
        ? RandomModel.edited(old, edits: edits, using: &random)
        : RandomModel.nextVersion(of: old, edits: edits, using: &random)
      guard
        let trial = try OracleTrial(
          from: old, to: new, seed: seed, version: Self.versions[Int(seed) % Self.versions.count],
          in: folder, oracle, using: &random)
      else { continue }
      if trial.run(&record) { migrated += 1 }
    }
    for line in record.summary { Issue.record("\(line)") }
    #expect(migrated > CaseCount.least(60))
  }
}
