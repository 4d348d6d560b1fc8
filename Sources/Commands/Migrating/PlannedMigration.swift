internal import StrataDiagnostics
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// A migration with everything found that it needs.
struct PlannedMigration {
  /// The store as it is shown, and its file.
  let name: String
  let path: String
  let source: NamedModel
  let target: NamedModel
  let policies: PolicyRegistry
  let planner: MigrationPlanner
  let plan: MigrationPlan
  /// What is wrong with mapping models that were left out.
  let problems: [Diagnostic]
  /// A stage whose scripts an interrupted migration has not run.
  let pending: MigrationStage?
}

extension Session {
  /// - Throws: ``Diagnostic`` where the `-wal` beside a store belongs to another store.
  private func checkWAL(ofStoreAt path: String) throws(Diagnostic) {
    do {
      try CompanionExamination.checkWAL(ofStoreAt: path)
    } catch {
      throw error.diagnostic.located(in: shown(path))
    }
  }

  /// - Throws: What stands in the way; where the `-wal` beside the store belongs to another store, that, before
  ///   anything is read.
  func plan(_ wanted: MigrationArguments) throws -> PlannedMigration {
    let target = try model(wanted.target)
    let (name, path) = try store(wanted.store)
    try checkWAL(ofStoreAt: path)
    let source = try sourceModel(wanted.store, target: wanted.target)
    let references = [wanted.store, wanted.target]
    let policies = try policies(
      for: references, files: wanted.policyFiles, revealing: wanted.reveal)
    let (planner, problems) = try planner(
      by: wanted.strategy, target: target, references: references, policies: policies)
    let plan = try planner.plan(from: source, to: target, by: wanted.strategy.chosen)
    let pending = try pendingStage(of: path, among: planner.stages)
    if !plan.hops.isEmpty || pending != nil, plan.hops.contains(where: \.isInferred),
      let unreadable = problems.first
    {
      // What is inferred could be quite another thing than what somebody wrote down.
      throw unreadable.asError(
        "a mapping model that may be the one for this cannot be read: ",
        mend: "mend it, or move it away from the model")
    }
    return PlannedMigration(
      name: name, path: path, source: source, target: target, policies: policies,
      planner: planner, plan: plan, problems: problems, pending: pending)
  }
}
