import Foundation
import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Random models with composites, constraints, indexes, derived and transient attributes, whose relationships
/// change: all roads give the same, and an oracle finds nothing wrong with it.
@Suite("Migrations of rich models")
struct RichModelTests {
  private static let versions = [
    FrameworkVersion.newest, FrameworkVersion(977), FrameworkVersion(866),
  ]

  @Test(
    "all kinds of migration give equal results, and an oracle agrees", arguments: [UInt64(1), 2])
  func richModels(first: UInt64) throws {
    let folder = try TemporaryFolder()
    let oracle = try Oracle()
    var record = OracleRecord()
    var migrated = 0
    let seeds = CaseCount.seeds(120, "RICH_MODELS")
    // Two at a time: each with an oracle of its own.
    for seed in seeds where seed % 2 == first % 2 {
      var random = SeededRandom(seed: seed)
      let version = Self.versions[Int(seed) % Self.versions.count]
      // Older ones know no derived attributes.
      let features = version.recordsDigest ? RandomModel.Features.all : .all.subtracting(.derived)
      let old = try RandomModel.make(features: features, using: &random)
      let edits = Int.random(in: 1...4, using: &random)
      let new =
        try seed % 3 == 0
        ? RandomModel.edited(old, edits: edits, features: features, using: &random)
        : RandomModel.nextVersion(of: old, edits: edits, features: features, using: &random)
      do {
        guard
          let trial = try OracleTrial(
            from: old, to: new, seed: seed,
            version: version, in: folder, oracle,
            using: &random)
        else { continue }
        guard trial.run(&record) else { continue }
        migrated += 1
        trial.compareMethods(&record)
      } catch StoreError.notUnique {
        // A constraint of a subentity over an inherited attribute asks more than the generator can give.
        continue
      } catch {
        record.note("error", "\(error)", at: "\(seed) source")
      }
    }
    for line in record.summary { Issue.record("\(line)") }
    #expect(migrated > CaseCount.least(30))
  }
}
