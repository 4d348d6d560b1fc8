internal import StrataBase
internal import StrataGit
internal import StrataMigration
internal import StrataObjectModel

/// A project that is checked: its files, its releases, its lock file, and the states with which it is compared.
struct CheckedProject {
  /// What is checked, and compared with what.
  struct Scope {
    /// The path of the project's folder.
    var root: String
    /// The revision to compare with; `nil` for the last release, or for the last commit if staged files are checked.
    var since: String?
    var isStaged = false
    /// Whether stores are migrated.
    var isMigrating = true
    var shard = Shard.whole
  }

  let session: Session
  let scope: Scope
  let configuration: CheckConfiguration
  private(set) var state: ProjectState
  let repository: ProjectRepository?
  let history: ReleaseHistory?
  /// The states at revisions with which bundles are compared, by revision.
  private(set) var bases: [String: Base] = [:]
  private(set) var lock: LockFile?
  /// The locked versions of bundles that the project does not have, with the names of their models.
  private(set) var lockedGone: [(model: String, version: LockFile.Version)] = []
  private(set) var bundles: [CheckedBundle] = []
  /// What was changed in the lock file.
  private(set) var lockFindings: [Finding] = []
  /// Whatever could not be read, with the fix.
  private(set) var unchecked: [Diagnostic] = []
  /// What a reader should know about what is checked.
  private(set) var notes: [Diagnostic] = []
  /// Whether there are stages files that no bundle can use.
  private(set) var hasUnusableStages = false

  /// The state of the project at a revision.
  struct Base {
    var name: String
    /// What git takes for it, in a command.
    var revision: String
    var isRelease: Bool
    /// The project where the branch left the base.
    var state: ProjectState
    /// The files of the state: migrations run its scripts.
    var files: ProjectRepository.Files
    /// The project at the base itself, if that has gone on since.
    var tip: (state: ProjectState, files: ProjectRepository.Files)?
  }

  /// - Parameters:
  ///   - files: The folder with the files: that of the project, or one with those of the index.
  ///   - repository: The repository of the project, or why it cannot be read.
  /// - Throws: ``Diagnostic`` if the folder has no bundle.
  init(
    _ scope: Scope, files: String, of repository: Result<ProjectRepository, any Error>,
    by configuration: CheckConfiguration, in session: Session
  ) throws {
    (self.session, self.scope, self.configuration) = (session, scope, configuration)
    state = try ProjectState(at: files, findsStores: true, in: session)
    let shown = session.shown(scope.root)
    let located = { Self.located($0, from: files, to: scope.root, in: session) }
    guard BundleForm.allCases.allSatisfy({ !scope.root.hasSuffix($0.bundleExtension) }) else {
      throw Diagnostic(
        id: "check.isBundle", what: "check needs the folder of the project, not a bundle",
        location: Location(file: shown), fix: "name the folder that holds the bundle")
    }
    unchecked = state.problems.map(located)
    var (known, history): (ProjectRepository?, ReleaseHistory?)
    let outer = state.outerBundles(in: session)
    let models = outer.compactMap { try? $0.bundle.get() }
    var unread = Set(state.unread.keys).union(outer.map(\.path)).subtracting(models.map(\.path))
    var index: ProjectRepository.IndexedBundles?
    do {
      let repository = try repository.get()
      do {
        let found = try repository.indexedBundles(of: scope.root, isStaged: scope.isStaged)
        unchecked += found.problems.map(located)
        unread.formUnion(found.unread)
        state.leaveOut(found.unread)
        index = found
      } catch GitError.unmerged {
        // The files with conflicts are not readable, or not yet added.
      }
      let found = try ReleaseHistory(
        of: repository, state.bundles + models, unread: unread, outside: index?.outside ?? [],
        by: configuration, sharing: session.sharedModels)
      unchecked += found.problems
      (known, history) = (repository, found)
    } catch let error as any DiagnosticError {
      var problem = error.diagnostic.asWarning
      if problem.location?.file == scope.root { problem.location?.file = shown }
      unchecked.append(problem)
    }
    (self.repository, self.history) = (known, history)
    notes = (index?.leftOut ?? []).sorted { $0.precedesInBytes($1) }.map {
      GitError.leftOut(self.shown($0), in: self.shown(Self.folder(of: $0)))
    }
    // A model outside bundles is one of the app if it was released.
    let released = models.filter { history?.record(of: $0.path).shipped.isEmpty == false }
    // The last bundle of the project may be gone.
    let isGone =
      state.bundleProblems.isEmpty && history?.gone.contains { !$0.path.hasPrefix("../") } == true
    guard !state.bundles.isEmpty || !released.isEmpty || isGone else {
      throw Self.nothing(
        state.bundleProblems.map(located) + (index?.problems ?? []).map(located) + notes,
        at: shown)
    }
    findMissingReleases()
    try readBases()
    try readLock()
    for case (let path, .failure(let problem)) in outer
    where history?.record(of: path).shipped.isEmpty == false {
      unchecked.append(located(problem.asWarning))
    }
    let all = (state.bundles + released).labelled
    let locked = lock?.models(of: all) ?? [:]
    bundles = try all.map { bundle in
      let policies = try state.policies(
        in: configuration.bundle(at: bundle.path).policies, session)
      return CheckedBundle(
        bundle, by: configuration, policies, in: history, locked: locked[bundle.path],
        hasLock: lock != nil)
    }
    findGoneModels(besides: locked, among: state.bundles + models, unread: unread)
    findUntracked(index?.tracked)
    findInnerLocks()
    findUnusableStages()
    let gone = Set((history?.gone ?? []).map(\.path))
    unchecked += configuration.problems(in: state, bundles, besides: gone)
  }

  /// A problem of a checked file, which may be a copy, at the file of the state.
  private static func located(
    _ problem: Diagnostic, from files: String, to root: String, in session: Session
  ) -> Diagnostic {
    var problem = problem.moved(from: files, to: root)
    if let file = problem.location?.file { problem.location?.file = session.shown(file) }
    return problem
  }

  /// Finds the stages files that no bundle can use. The errors are those of a bundle that is migrated in stages, if
  /// there is one.
  private mutating func findUnusableStages() {
    let staged = bundles.filter { $0.strategy == .staged }
    let others = bundles.filter { $0.strategy != .staged }
    let unusable = state.unusableStages(by: (staged + others).map(\.bundle))
    hasUnusableStages = !unusable.isEmpty
    // A version that cannot be read, or one of its bundle, may be the one that is missing.
    let isComplete =
      state.unread.isEmpty && bundles.allSatisfy { $0.bundle.problems.isEmpty }
    unchecked += unusable.filter { isComplete || !$0.file.isReadable }.map {
      Self.located($0.reason.asWarning, from: state.root, to: scope.root, in: session)
    }
  }

  /// Why there is no bundle to check.
  private static func nothing(_ problems: [Diagnostic], at folder: String) -> Diagnostic {
    problems.first.map { $0.asError("", fix: $0.fix ?? "repair it, then check again") }
      ?? Diagnostic(
        id: "check.nothing", what: "there is no model bundle to check",
        location: Location(file: folder),
        fix: "name the folder of a project with an .xcdatamodeld")
  }

  /// Finds the patterns of tags without a release.
  private mutating func findMissingReleases() {
    guard let repository, let history else { return }
    guard !repository.git.isShallow else { return unchecked.append(GitError.shallowCheck) }
    let patterns = state.bundles.filter { history.releases(of: $0.path).isEmpty }
      .map { configuration.released(at: $0.path) }
    for (index, pattern) in patterns.enumerated() where !patterns[..<index].contains(pattern) {
      unchecked.append(GitError.noReleases(pattern))
    }
  }

  /// Finds the locked versions of bundles that the project does not have. One that a bundle has is not gone, and one
  /// that a release contained is reported with it.
  ///
  /// - Parameters:
  ///   - locked: The models of the bundles.
  ///   - all: All bundles, and the models outside bundles.
  ///   - unread: The paths of bundles that cannot be read.
  private mutating func findGoneModels(
    besides locked: [String: LockFile.Model], among all: [ProjectState.Bundle], unread: Set<String>
  ) {
    let known = Set(locked.values.map(\.name)).union(unread.map { Session.baseName($0) })
    let released = bundles.reduce(
      into: Set((history?.gone ?? []).flatMap(\.versions).map { $0.model.versionHashes() })
    ) { $0.formUnion($1.releasedHashes) }
    for model in lock?.models ?? [] where !known.contains(model.name) {
      for version in model.shipped
      where !released.contains(version.hashes)
        && !configuration.isRetired(version.name, ofBundleNamed: model.name)
        && all.allSatisfy({ $0.version(withHashes: version.hashes) == nil })
      {
        lockedGone.append((model.name, version))
      }
    }
  }

  /// Finds the bundles that git does not track, unless they were just moved: no release can contain them, and no other
  /// clone has them.
  private mutating func findUntracked(_ tracked: Set<String>?) {
    guard let tracked, let repository else { return }
    for checked in bundles
    where !checked.isLocked && !tracked.contains(checked.bundle.path)
      && (checked.shippedCount == 0 || history?.formerPaths[checked.bundle.path] == nil)
      && checked.bundle.path.hasSuffix(BundleForm.source.bundleExtension)
      && history?.releases(of: checked.bundle.path).isEmpty == false
    {
      let place = checked.bundle.place
      unchecked.append(
        GitError.untracked(shown(place), inner: repository.innerRepository(of: place).map(shown)))
    }
  }

  /// Finds the lock files of folders in the project that have bundles: only that of the project is read.
  private mutating func findInnerLocks() {
    for file in state.files.locks {
      let folder = Self.folder(of: ProjectState.relative(file, to: state.root))
      guard !folder.isEmpty, bundles.contains(where: { $0.bundle.path.hasPrefix(folder + "/") })
      else { continue }
      unchecked.append(
        Diagnostic(
          id: "check.innerLock", severity: .warning,
          what: "the shipped versions in \(shown("\(folder)/\(LockFile.fileName)")) are not read",
          fix: "check that folder by itself: `strata check \(shown(folder))`"))
    }
  }

  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The revision with which a bundle is compared; `nil` if there is none.
  func baseName(of bundle: ProjectState.Bundle) -> String? {
    scope.since ?? (scope.isStaged ? "HEAD" : history?.releases(of: bundle.path).last?.name)
  }

  private mutating func readBases() throws {
    guard let repository else {
      if let revision = scope.since {
        unchecked.append(
          Diagnostic(
            id: "check.noRepository", severity: .warning,
            what: "the plans are not compared with \(revision): there is no git repository",
            fix: "check a clone of the repository"))
      }
      return
    }
    for name in Set(state.bundles.compactMap(baseName)).sorted(by: { $0.precedesInBytes($1) }) {
      do {
        // A branch can have the name of a tag.
        let tag =
          scope.since == nil && !scope.isStaged
          ? history?.releases.first { $0.name == name } : nil
        let commit = try tag?.commit ?? repository.git.commit(name)
        let fork = scope.since == nil ? name : repository.fork(from: name)
        let (state, files) = try self.state(
          at: fork == name ? commit : repository.git.commit(fork), in: repository)
        bases[name] = Base(
          name: name, revision: tag.map { GitTag.revision($0.name) } ?? fork,
          isRelease: history?.releases.contains { $0.name == name } == true, state: state,
          files: files, tip: fork == name ? nil : try self.state(at: commit, in: repository))
      } catch let error as any DiagnosticError {
        // The first commit has none before it.
        let isFirst = scope.since == nil && (error as? GitError)?.isUnknownRevision == true
        if !isFirst { unchecked.append(error.diagnostic.asWarning) }
      }
    }
  }

  /// The project at a commit, with the folder that has its files.
  private func state(
    at commit: GitObjectID, in repository: ProjectRepository
  ) throws -> (state: ProjectState, files: ProjectRepository.Files) {
    let files = try repository.files(at: commit, formerPaths: history?.formerPaths ?? [:])
    return (try ProjectState(at: files.root, findsStores: false, in: session), files)
  }

  /// Reads the lock file, and compares it with its state at a revision; by default at the last commit.
  private mutating func readLock() throws {
    var old: LockFile?
    let revision = scope.since ?? "HEAD"
    do {
      old = try repository.flatMap { repository in
        try repository.bytes(
          of: LockFile.fileName,
          at: scope.since == nil ? revision : repository.fork(from: revision))
      }
      .map { try LockFile(parsing: $0) }
    } catch let error as any DiagnosticError {
      // Without a commit there is no older state; that of a named revision is reported with its models.
      if !(error is GitError) { unchecked.append(error.diagnostic.asWarning) }
    }
    lock = try LockFile.read(at: state.root, in: session) ?? old.map { _ in LockFile() }
    guard let lock else { return }
    let unneeded = ["check.noReleases", "check.shallow", "check.replayed", "git.notARepository"]
    unchecked.removeAll { unneeded.contains($0.id) }
    if repository?.git.isShallow == true { notes.append(GitError.shallowLock) }
    if let old { lockFindings = LockCheck(lock, since: old, at: revision).findings }
  }

  // MARK: Names

  /// The name of a file of the project in a command.
  func shown(_ file: String) -> String {
    // In a replayed document, the files are elsewhere.
    let name = session.shown(file.hasPrefix("/") ? file : "\(scope.root)/\(file)")
    return CommandLineLexer.argument(forFile: name)
  }
}
