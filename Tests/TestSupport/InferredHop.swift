package import StrataMigration
package import StrataObjectModel

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
