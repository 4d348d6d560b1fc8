package import StrataBase
internal import StrataMapping
package import StrataObjectModel

/// The cost of each strategy for a team: the number of hops to test, and of new hops to test with each version.
///
/// ```swift
/// let planner = MigrationPlanner(versions: versions, mappings: mappings)
/// let comparison = StrategyComparison(planner, from: version1, to: version5)
/// comparison.rows.first { $0.strategy == .hybrid }?.newPaths  // 1
/// ```
///
/// Source: `Docs/Facts/samples.md`, section 2 (the comparison behind demo 5).
package struct StrategyComparison: Sendable {
  package struct Row: Sendable, Hashable {
    package var strategy: MigrationStrategy
    /// The number of hops from the source; `nil` if there is no path or an error.
    package var hops: Int?
    /// Whether the choice of a mapping model for a hop from the source is undefined.
    package var isUndefined = false
    /// The number of different hops for stores of all versions.
    package var paths: Int
    /// The number of these hops that end at the target, which cannot have been tested before.
    package var newPaths: Int
    /// The versions without a path.
    package var missing: [String]
    /// Other errors by version, for which the existence of a path is unknown.
    package var errors: [Failure]
  }

  /// A plan that failed for a reason other than a missing path.
  package struct Failure: Sendable, Hashable {
    package var version: String
    package var diagnostic: Diagnostic
  }

  package let rows: [Row]
  /// The versions before the target.
  package let versions: [NamedModel]

  /// - Returns: A part of the comparison if it is interrupted.
  package init(_ planner: MigrationPlanner, from source: NamedModel, to target: NamedModel) {
    let before = planner.versions.prefix { $0.versionName != target.versionName }
    let versions = before.filter { !MigrationPlanner.isSame($0, target) }
    self.versions = versions
    rows = Self.strategies(of: planner).map { strategy in
      Self.row(strategy, planner, from: source, to: target, versions: versions)
    }
  }

  /// The strategies that need no choice of mapping models by a user.
  package static func strategies(of planner: MigrationPlanner) -> [MigrationStrategy] {
    MigrationStrategy.allCases.filter {
      switch $0 {
      case .custom: false
      case .staged: !planner.stages.isEmpty
      default: true
      }
    }
  }

  /// The identity of a hop for testing.
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
    for (index, version) in versions.enumerated() where !Interruption.isRequested {
      WorkProgress.report("planning, \(strategy.rawValue)", index, of: versions.count)
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
  /// Whether the error means that a strategy has no path, and not another failure.
  package var leavesNoPath: Bool {
    if case .undefinedChoice = self { true } else { hasNoPath }
  }
}
