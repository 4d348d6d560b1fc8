internal import StrataMigration
internal import StrataObjectModel

/// A bundle of the project, with what the releases, the lock file and the configuration say about it.
struct CheckedBundle {
  let bundle: ProjectState.Bundle
  let settings: CheckConfiguration.Bundle
  let strategy: MigrationStrategy
  /// The number of generated objects of each concrete entity.
  let rows: Int
  let policies: PolicyRegistry
  /// The versions in releases, oldest first; `nil` if the repository has no releases.
  private let released: [ShippedVersion]?
  /// The versions in the lock file; `nil` if there is none.
  private let model: LockFile.Model?
  private let isLocked: Bool

  init(
    _ bundle: ProjectState.Bundle, by configuration: CheckConfiguration, _ policies: PolicyRegistry,
    released: [ShippedVersion]?, lock: LockFile?
  ) {
    self.bundle = bundle
    settings = configuration.bundle(at: bundle.path)
    strategy = configuration.strategy(at: bundle.path)
    rows = configuration.rows(at: bundle.path)
    (self.policies, self.released) = (policies, released)
    (model, isLocked) = (lock?[bundle.name], lock != nil)
  }

  /// The number of shipped versions; of those in releases, retired ones too.
  var shippedCount: Int { locked?.count ?? released?.count ?? 0 }

  /// The names of the shipped versions, of retired ones too.
  var shippedNames: [String] { (released ?? []).map(\.name) }

  /// The versions in releases that are not retired, oldest first.
  var shipped: [ShippedVersion] {
    (released ?? []).filter { !settings.isRetired($0.name) }
  }

  /// The versions that the lock file names as shipped; `nil` without a file.
  var locked: [LockFile.Version]? {
    isLocked ? (model?.shipped ?? []).filter { !settings.isRetired($0.name) } : nil
  }

  func isRetired(_ version: String) -> Bool {
    settings.isRetired(version)
      || model?.version(named: version).map { $0.release == nil } == true
  }

  /// Whether a release contains the current version.
  var isCurrentShipped: Bool {
    guard let hashes = bundle.current?.model.versionHashes() else { return false }
    return shipped.contains { $0.model.versionHashes() == hashes }
      || locked?.contains { $0.hashes == hashes } == true
  }

  /// The versions of which users have stores; without releases and a lock file, all that precede the current one by
  /// their names.
  func sources(to target: NamedModel) -> [NamedModel] {
    let hashes = target.model.versionHashes()
    if let locked {
      return locked.filter { $0.hashes != hashes }
        .compactMap { bundle.version(withHashes: $0.hashes) }
    }
    guard released != nil else {
      return bundle.versions.filter {
        bundle.precedes($0, target) && !settings.isRetired($0.name)
      }
    }
    return shipped.compactMap { bundle.version(withHashesOf: $0.model) }
      .filter { $0.model.versionHashes() != hashes }
  }

  /// The planner of its migrations, or of those of the same bundle at a revision.
  func planner(in state: ProjectState, of bundle: ProjectState.Bundle) -> MigrationPlanner {
    let stages = state.stages.lazy.compactMap {
      try? $0.stages(among: bundle.versions, state.policies)
    }.first
    return MigrationPlanner(
      versions: bundle.versions, mappings: state.mappings(in: settings.mappings),
      areMappingsNamed: false, stages: strategy == .staged ? stages ?? [] : [])
  }
}
