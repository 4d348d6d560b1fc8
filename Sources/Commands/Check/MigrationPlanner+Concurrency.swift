internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel

extension MigrationPlanner {
  /// The plans from several versions to one, made on all cores, or why there is none.
  func plans(
    from versions: [NamedModel], to target: NamedModel, by strategy: MigrationStrategy
  ) -> [Result<MigrationPlan, any Error>] {
    ConcurrentMap.map(versions, reporting: "planning migrations to \(target.versionName)") {
      version in
      Result {
        try Interruption.check()
        return try plan(from: version, to: target, by: strategy)
      }
    }
  }
}
