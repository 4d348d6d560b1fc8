internal import StrataBase
package import StrataMigration
package import StrataObjectModel
import StrataStore

extension MigrationPlan.Hop {
  /// The inferred hop between two models, which are called `old` and `new`.
  package static func inferred(from old: ObjectModel, to new: ObjectModel) throws -> Self {
    let plan = try MigrationPlanner().plan(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new))
    guard let hop = plan.hops.first else { throw Compatible() }
    return hop
  }

  private struct Compatible: Error {}
}

extension MigrationPlan.Hop {
  /// The inferred hop between two random versions, and a store of the first with six objects of each entity; `nil` if
  /// they are compatible, or a mapping model cannot be inferred.
  package static func random(seed: UInt64, at path: String) throws -> Self? {
    var random = SeededRandom(seed: seed)
    let old = try RandomModel.make(using: &random)
    let new = try RandomModel.nextVersion(of: old, edits: 2, using: &random)
    guard old.versionHashes() != new.versionHashes(), let hop = try? inferred(from: old, to: new)
    else { return nil }
    var store = try NewStore(path: path, model: old, uuid: random.uuidText())
    var generator = StoreGenerator(old, rows: 6, seed: seed)
    try generator.fill(&store)
    try store.finish()
    return hop
  }
}
