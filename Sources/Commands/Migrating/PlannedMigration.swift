internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// A migration with its plan and everything else that it needs.
struct PlannedMigration {
  /// The store's name in output, and its path.
  let name: String
  let path: String
  let source: NamedModel
  let target: NamedModel
  let policies: PolicyRegistry
  let planner: MigrationPlanner
  let plan: MigrationPlan
  /// The problems with mapping models that were left out, and warnings about others.
  let problems: [Diagnostic]
  /// A stage whose scripts an interrupted migration has not run.
  let pending: MigrationStage?
}

extension Session {
  /// - Throws: ``Diagnostic`` if a `-wal` or `-journal` beside a store belongs to another store or is damaged.
  func checkCompanions(ofStoreAt path: String) throws(Diagnostic) {
    do {
      try CompanionExamination.check(besideStoreAt: path)
    } catch {
      throw error.diagnostic.located(in: shown(path))
    }
  }

  /// - Throws: An error that prevents the migration; a `-wal` or `-journal` that belongs to another store or is
  ///     damaged is reported before anything is read.
  func plan(_ wanted: MigrationArguments) throws -> PlannedMigration {
    let (name, path) = try store(wanted.store)
    try checkCompanions(ofStoreAt: path)
    let ends = try ends(from: wanted.store, to: wanted.target, named: wanted.strategy.from)
    let (source, target) = (ends.source, ends.target)
    let references = [wanted.store, wanted.target]
    let policies = try policies(
      for: references, files: wanted.strategy.policyFiles, revealing: wanted.reveal)
    let setup = try planner(
      by: wanted.strategy, from: source, to: target, references: references, policies: policies)
    let (planner, strategy) = (setup.planner, wanted.strategy.chosen)
    let plan: MigrationPlan
    do {
      plan = typable(
        ends.completed(try setup.plan(from: source, to: target, by: strategy)), references)
    } catch let error as MigrationError {
      throw explained(error, from: source, to: target, planner, references)
    }
    if let fault = plan.schemaFaults.first { throw fault }
    let pending = try pendingStage(
      of: path, among: planner.stages, isMigrated: !plan.hops.isEmpty)
    if !wanted.withoutPolicy,
      let unknown = unknownPolicies(
        in: plan, policies, strategy: wanted.strategy, references: references)
    {
      throw unknown
    }
    let problems =
      ends.notes + setup.problems
      + mappingAdvice(on: plan, of: planner, by: strategy, to: target, references)
      + plan.decisions(policies, named: wanted.strategy.policyFiles)
    return PlannedMigration(
      name: name, path: path, source: source, target: target, policies: policies,
      planner: planner, plan: plan, problems: problems, pending: pending)
  }
}
