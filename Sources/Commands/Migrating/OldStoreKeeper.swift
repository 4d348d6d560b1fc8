internal import StrataBase
internal import StrataEssentials
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

/// Keeps a full copy of a store before a migration in place, if `--keep-old` requires it or something may
/// be lost; in a rehearsal, determines whether it would.
final class OldStoreKeeper {
  private let policy: KeepOld
  /// Whether it only checks the disk space, as in a rehearsal.
  let isRehearsal: Bool
  private let space: DiskSpace
  /// The path for a copy of the store at a version.
  private let asidePath: (_ version: String) throws -> String
  /// The path of the copy, also in a rehearsal.
  private(set) var path: String?
  /// Whether a hop has been committed.
  private var hasCommitted = false
  /// The state of the store when it was copied, because scripts can change it before the first hop.
  private var watch: StoreWatch?

  init(
    _ policy: KeepOld, isRehearsal: Bool, _ space: DiskSpace,
    asidePath: @escaping (_ version: String) throws -> String
  ) {
    self.policy = policy
    self.isRehearsal = isRehearsal
    self.space = space
    self.asidePath = asidePath
  }

  /// The name of the copy; `nil` if there is none.
  var name: String? { path.map { URL(fileURLWithPath: $0).lastPathComponent } }

  /// Keeps a copy before anything is written, if later losses cannot be predicted exactly: with
  /// scripts, and for any hop but the first.
  ///
  /// - Parameter path: The store; in a rehearsal, a copy of it.
  func begin(
    _ path: String, _ hops: [MigrationPlan.Hop], after pending: MigrationStage?, at version: String
  ) throws {
    let isInDoubt =
      pending != nil || hops.first?.stage?.changesObjects == true
      || hops.dropFirst().contains(where: \.mayLose)
    guard policy != .never, isInDoubt || policy == .always && hops.count != 1 else { return }
    let aside = try asidePath(version)
    try copy(path, to: aside)
    self.path = aside
    watch = isRehearsal ? nil : try StoreWatch(path)
  }

  private func copy(_ path: String, to aside: String) throws {
    let store = try SQLiteStore(changing: path)
    if isRehearsal {
      try store.checkRoom(forCopyAt: aside, space)
    } else {
      try store.keep(at: aside, space)
    }
  }

  /// Keeps a copy before the first step of a hop, if required or if the hop may lose something.
  ///
  /// - Parameter isLossy: Whether the hop is known to lose something.
  func keep(
    _ run: borrowing InPlaceRun, isLossy: Bool = false
  ) throws {
    guard path == nil, policy != .never,
      policy == .always || isLossy || run.mayLose
    else { return }
    let aside = try asidePath(run.hop.from.versionName)
    if isRehearsal {
      try run.checkRoom(forCopyAt: aside, space)
    } else {
      try run.keepStore(at: aside, space)
    }
    path = aside
  }

  /// Whether a migration with these losses must not be committed because no copy was kept.
  func lacksCopy(for report: MigrationReport) -> Bool {
    path == nil && policy == .losses
      && !LossCounts(report).amounts(in: .ofOldStore).isEmpty
  }

  /// Records that the store is at another model from now on.
  func noteCommit() { hasCommitted = true }

  /// Removes the copy of an unchanged store, when no connection to the store is open: also if there was no disk space to
  /// commit. The copy of a store whose journal must still be rolled back stays.
  func end(_ store: String) {
    guard !isRehearsal, !hasCommitted, let path else { return }
    if let watch, (try? watch.check()) == nil { return }
    if SQLiteStore.removeKept(at: path, of: store) { self.path = nil }
  }
}
