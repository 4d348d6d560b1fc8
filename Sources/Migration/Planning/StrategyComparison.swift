package import StrataBase
internal import StrataMapping
package import StrataObjectModel

/// What each strategy costs a team: how many hops it must test, and how many of them again with each version.
///
/// ```swift
/// let comparison = StrategyComparison(planner, from: model1, to: model5)
/// comparison.rows.first { $0.strategy == .progressive }?.newPaths  // 1
/// ```
///
/// Source: facts on the demonstrations, section 2 (the comparison behind demo 5).
package struct StrategyComparison: Sendable {
  package struct Row: Sendable, Hashable {
    package var strategy: MigrationStrategy
    /// From the source; `nil` where there is no path, or an error.
    package var hops: Int?
    /// Whether it is undefined which mapping model a hop from the source takes.
    package var isUndefined = false
    /// The different hops that stores of all versions take together.
    package var paths: Int
    /// Those among them that lead to the target: nobody can have tested them before.
    package var newPaths: Int
    /// The versions from which there is no path.
    package var missing: [String]
    /// What went wrong with versions otherwise: nobody knows whether there is a path.
    package var errors: [Failure]
  }

  /// A plan that failed for another reason than that there is no path.
  package struct Failure: Sendable, Hashable {
    package var version: String
    package var diagnostic: Diagnostic
  }

  package let rows: [Row]
  /// The versions before the target.
  package let versions: [NamedModel]

  package init(_ planner: MigrationPlanner, from source: NamedModel, to target: NamedModel) {
    let before = planner.versions.prefix { $0.versionName != target.versionName }
    let versions = before.filter { !MigrationPlanner.isSame($0, target) }
    self.versions = versions
    let strategies = MigrationStrategy.allCases.filter {
      switch $0 {
      case .custom: false
      case .staged: !planner.stages.isEmpty
      default: true
      }
    }
    rows = strategies.map { strategy in
      Self.row(strategy, planner, from: source, to: target, versions: versions)
    }
  }

  /// One hop as somebody who tests it knows it.
  private struct Path: Hashable {
    var from: String
    var to: String
    var mappings: [String]
  }

  private static func row(
    _ strategy: MigrationStrategy, _ planner: MigrationPlanner, from source: NamedModel,
    to target: NamedModel, versions: [NamedModel]
  ) -> Row {
    var row = Row(strategy: strategy, hops: nil, paths: 0, newPaths: 0, missing: [], errors: [])
    var paths: Set<Path> = []
    for version in versions {
      switch plan(strategy, planner, from: version, to: target) {
      case .success(let plan):
        paths.formUnion(
          plan.hops.map { hop in
            Path(
              from: hop.from.versionName, to: hop.to.versionName, mappings: hop.parts.map(\.name))
          })
      case .failure(let error) where error.leavesNoPath || strategy == .staged:
        row.missing.append(version.versionName)
      case .failure(let error):
        row.errors.append(Failure(version: version.versionName, diagnostic: error.diagnostic))
      }
    }
    (row.paths, row.newPaths) = (paths.count, paths.count { $0.to == target.versionName })
    switch plan(strategy, planner, from: source, to: target) {
    case .success(let plan): row.hops = plan.hops.count
    case .failure(.undefinedChoice): row.isUndefined = true
    case .failure(let error):
      let failure = Failure(version: source.versionName, diagnostic: error.diagnostic)
      if !error.leavesNoPath, strategy != .staged, !row.errors.contains(failure) {
        row.errors.append(failure)
      }
    }
    return row
  }

  private static func plan(
    _ strategy: MigrationStrategy, _ planner: MigrationPlanner, from source: NamedModel,
    to target: NamedModel
  ) -> Result<MigrationPlan, MigrationError> {
    Result { () throws(MigrationError) -> MigrationPlan in
      try planner.plan(from: source, to: target, by: strategy)
    }
  }
}

extension MigrationError {
  /// Whether it says that a strategy leads nowhere, and not that something is wrong.
  package var leavesNoPath: Bool {
    if case .undefinedChoice = self { true } else { hasNoPath }
  }
}
