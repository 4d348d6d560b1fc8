package import StrataMigration
package import StrataStore

/// The settings of a stepper.
package struct StepperSetup {
  package var hops: [MigrationPlan.Hop]
  package var policies: PolicyRegistry
  /// Whether unknown policies are replaced by the default behavior.
  package var withoutPolicies: Bool
  /// Opens the store being migrated for reading.
  package var open: () throws -> SQLiteStore
  /// Runs the scripts of a stage in the store at a path, before or after its migration.
  package var runScripts: (_ stage: MigrationStage, _ isBefore: Bool, _ path: String) throws -> Void
  package var spacing: CheckpointSpacing
  /// `nil` if objects are always migrated one by one.
  package var leaps: LeapSizes?

  package init(
    hops: [MigrationPlan.Hop], policies: PolicyRegistry = PolicyRegistry(),
    withoutPolicies: Bool = false, spacing: CheckpointSpacing = .standard,
    leaps: LeapSizes? = .standard,
    open: @escaping () throws -> SQLiteStore,
    runScripts:
      @escaping (_ stage: MigrationStage, _ isBefore: Bool, _ path: String) throws -> Void =
      { _, _, _ in }
  ) {
    self.hops = hops
    self.policies = policies
    self.withoutPolicies = withoutPolicies
    self.spacing = spacing
    self.leaps = leaps
    self.open = open
    self.runScripts = runScripts
  }
}
