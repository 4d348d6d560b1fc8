internal import StrataMapping
public import StrataObjectModel

/// What each strategy costs a team: how many hops it must test, and how many of them again with each version.
///
/// ```swift
/// let comparison = StrategyComparison(planner, from: model1, to: model5)
/// comparison.rows.first { $0.strategy == .progressive }?.newPaths  // 1
/// ```
///
/// Source: facts on the demonstrations, section 2 (the comparison behind demo 5).
public struct StrategyComparison: Sendable {
  public struct Row: Sendable, Hashable {
    public var strategy: MigrationStrategy
    /// From the source; `nil` where there is no way.
    public var hops: Int?
    /// The different hops that stores of all versions take together.
    public var paths: Int
    /// Those among them that lead to the target: nobody can have tested them before.
    public var newPaths: Int
    /// The versions from which there is no way.
    public var missing: [String]
  }

  public let rows: [Row]
  /// The versions before the target.
  public let versions: [NamedModel]

  public init(_ planner: MigrationPlanner, from source: NamedModel, to target: NamedModel) {
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
    var paths: Set<Path> = []
    var missing: [String] = []
    for version in versions {
      guard let plan = try? planner.plan(from: version, to: target, by: strategy) else {
        missing.append(version.versionName)
        continue
      }
      paths.formUnion(
        plan.hops.map { hop in
          Path(
            from: hop.from.versionName, to: hop.to.versionName, mappings: hop.parts.map(\.name))
        })
    }
    return Row(
      strategy: strategy,
      hops: (try? planner.plan(from: source, to: target, by: strategy))?.hops.count,
      paths: paths.count, newPaths: paths.count { $0.to == target.versionName }, missing: missing)
  }
}
