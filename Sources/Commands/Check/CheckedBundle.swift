internal import StrataBase
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
  private let record: ReleaseHistory.Record
  /// Its versions in the lock file; `nil` if the file does not have it.
  private let model: LockFile.Model?
  /// Whether the project has a lock file.
  private let hasLock: Bool
  /// The versions that the lock file names as shipped, and that are current at no release.
  private(set) var lockedOnly: [LockFile.Version] = []
  /// The hashes of the versions in releases that are not retired: a retired version can have those of another one.
  private(set) var releasedHashes: Set<[String: VersionHash]> = []
  /// The hashes of all shipped versions that are not retired.
  private var shippedHashes: Set<[String: VersionHash]> = []

  init(
    _ bundle: ProjectState.Bundle, by configuration: CheckConfiguration, _ policies: PolicyRegistry,
    in history: ReleaseHistory?, locked model: LockFile.Model?, hasLock: Bool
  ) {
    self.bundle = bundle
    settings = configuration.bundle(at: bundle.path)
    strategy = configuration.strategy(at: bundle.path)
    rows = configuration.rows(at: bundle.path)
    self.policies = policies
    record = history?.record(of: bundle.path) ?? ReleaseHistory.Record()
    released = history?.releases(of: bundle.path).isEmpty == false ? record.shipped : nil
    (self.model, self.hasLock) = (model, hasLock)
    releasedHashes = Set(shipped.map { $0.model.versionHashes() })
    lockedOnly = (model?.shipped ?? []).filter {
      !settings.isRetired($0.name) && !releasedHashes.contains($0.hashes)
    }
    shippedHashes = releasedHashes.union(lockedOnly.map(\.hashes))
  }

  /// Whether the lock file has its versions.
  var isLocked: Bool { model != nil }

  /// The number of shipped versions; of those in releases, retired ones too.
  var shippedCount: Int { (released?.count ?? 0) + lockedOnly.count }

  /// The names of the shipped versions, of retired ones too.
  var shippedNames: [String] { (released ?? []).map(\.name) + lockedOnly.map(\.name) }

  /// The versions in releases that are not retired, oldest first.
  var shipped: [ShippedVersion] { (released ?? []).filter { !isRetired($0.name) } }

  /// The versions in the last release.
  var contained: [ShippedVersion] { record.contained }

  /// The versions in the last release that are neither shipped nor retired.
  var unshipped: [ShippedVersion] {
    let names = Set(shippedNames)
    return contained.filter { version in
      !isRetired(version.name) && !names.contains(version.name)
        && !isShipped(version.model.versionHashes())
    }
  }

  /// The first release, and the older versions in it that were current at no release.
  var untagged: (release: String, versions: [String])? {
    guard let oldest = record.oldest else { return nil }
    let names = Set(shippedNames)
    let versions = oldest.versions.filter { name in
      guard let version = bundle.version(named: name) else { return false }
      return !isRetired(name) && !names.contains(name)
        && !isShipped(version.model.versionHashes())
    }
    return versions.isEmpty ? nil : (oldest.release, versions)
  }

  func isRetired(_ version: String) -> Bool {
    settings.isRetired(version) || model?.isRetired(version) == true
  }

  func isShipped(_ hashes: [String: VersionHash]) -> Bool {
    shippedHashes.contains(hashes)
  }

  /// Whether a release contains the current version.
  var isCurrentShipped: Bool {
    guard let hashes = bundle.current?.model.versionHashes() else { return false }
    return isShipped(hashes)
  }

  /// The versions of which users have stores; without releases and a lock file, all that precede the current one by
  /// their names.
  func sources(to target: NamedModel) -> [NamedModel] {
    let hashes = target.model.versionHashes()
    guard released != nil || hasLock else {
      return bundle.versions.filter {
        bundle.precedes($0, target) && !settings.isRetired($0.name)
      }
    }
    let inLock = lockedOnly.compactMap { bundle.version(withHashes: $0.hashes) }
    let inReleases = shipped.compactMap { bundle.version(withHashesOf: $0.model) }
    let all = (inLock + inReleases).filter { $0.model.versionHashes() != hashes }
    // The lock file has no dates: the order is by name.
    return inLock.isEmpty ? all : all.sorted { $0.name.precedesByNumber($1.name) }
  }

  /// The versions of which users have stores that open with the current one unchanged; a version that was edited
  /// without a new hash as it was released.
  func twins(of target: NamedModel) -> [NamedModel] {
    let hashes = target.model.versionHashes()
    let isRecorded = released != nil || hasLock
    let ofBundle = bundle.versions.filter {
      $0.name != target.name && $0.model.versionHashes() == hashes && !isRetired($0.name)
        && (isRecorded || bundle.precedes($0, target))
    }
    let inReleases = shipped.filter { $0.model.versionHashes() == hashes }.map {
      NamedModel(name: $0.name, model: $0.model)
    }
    return inReleases + (isLocked || released == nil ? ofBundle : [])
  }

  /// The planner of its migrations, or of those of the same bundle at a revision.
  func planner(in state: ProjectState, of bundle: ProjectState.Bundle) -> MigrationPlanner {
    MigrationPlanner(
      versions: bundle.versions, mappings: state.mappings(in: settings.mappings),
      areMappingsNamed: false, stages: stages(in: state, of: bundle))
  }

  /// The stages of the stages file that the bundle uses.
  func stages(in state: ProjectState, of bundle: ProjectState.Bundle) -> [MigrationStage] {
    state.stagesFiles(of: bundle).first?.stages ?? []
  }
}
