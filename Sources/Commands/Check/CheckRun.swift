internal import StrataBase
internal import StrataGit
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The checks of one run, in order.
struct CheckRun {
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

  private let session: Session
  private let scope: Scope
  private(set) var configuration: CheckConfiguration
  private var project: ProjectState
  private let repository: ProjectRepository?
  private let history: ReleaseHistory?
  /// The states at revisions with which bundles are compared, by revision.
  private var bases: [String: Base] = [:]
  private var lock: LockFile?
  /// The locked versions of bundles that the project does not have, with the names of their models.
  private var lockedGone: [(model: String, version: LockFile.Version)] = []
  private var bundles: [CheckedBundle] = []
  /// The paths of the bundles that have a current version, by bundle path.
  private var paths: [String: PathCheck] = [:]
  private(set) var findings: [Finding] = []
  private var migrations: [CheckMatrix.Migration] = []
  private var rows: [CheckMatrix.Row] = []
  /// The receipt of each row.
  private var receipts: [View] = []
  /// Whatever could not be checked, with the fix.
  private(set) var unchecked: [Diagnostic] = []
  /// What a reader should know about what was checked.
  private(set) var notes: [Diagnostic] = []
  private var storeCount = 0
  /// Whether there are stages files that no bundle can use.
  private var hasUnusableStages = false

  var isIncomplete: Bool { !unchecked.isEmpty }

  /// The state of the project at a revision.
  private struct Base {
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
    project = try ProjectState(at: files, findsStores: true, in: session)
    let shown = session.shown(scope.root)
    let located = { Self.located($0, from: files, to: scope.root, in: session) }
    guard BundleForm.allCases.allSatisfy({ !scope.root.hasSuffix($0.bundleExtension) }) else {
      throw Diagnostic(
        id: "check.isBundle", what: "check needs the folder of the project, not a bundle",
        location: Location(file: shown), fix: "name the folder that holds the bundle")
    }
    unchecked = project.problems.map(located)
    var (known, history): (ProjectRepository?, ReleaseHistory?)
    let outer = project.outerBundles(in: session)
    let models = outer.compactMap { try? $0.bundle.get() }
    var unread = Set(project.unread.keys).union(outer.map(\.path)).subtracting(models.map(\.path))
    var index: ProjectRepository.IndexedBundles?
    do {
      let repository = try repository.get()
      do {
        let found = try repository.indexedBundles(of: scope.root, isStaged: scope.isStaged)
        unchecked += found.problems.map(located)
        unread.formUnion(found.unread)
        project.leaveOut(found.unread)
        index = found
      } catch GitError.unmerged {
        // The files with conflicts are not readable, or not yet added.
      }
      let found = try ReleaseHistory(
        of: repository, project.bundles + models, unread: unread, outside: index?.outside ?? [],
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
      project.bundleProblems.isEmpty && history?.gone.contains { !$0.path.hasPrefix("../") } == true
    guard !project.bundles.isEmpty || !released.isEmpty || isGone else {
      throw Self.nothing(
        project.bundleProblems.map(located) + (index?.problems ?? []).map(located) + notes,
        at: shown)
    }
    findMissingReleases()
    try readBases()
    try readLock()
    for case (let path, .failure(let problem)) in outer
    where history?.record(of: path).shipped.isEmpty == false {
      unchecked.append(located(problem.asWarning))
    }
    let all = (project.bundles + released).labelled
    let locked = lock?.models(of: all) ?? [:]
    bundles = try all.map { bundle in
      let policies = try project.policies(
        in: configuration.bundle(at: bundle.path).policies, session)
      return CheckedBundle(
        bundle, by: configuration, policies, in: history, locked: locked[bundle.path],
        hasLock: lock != nil)
    }
    findGoneModels(besides: locked, among: project.bundles + models, unread: unread)
    findUntracked(index?.tracked)
    findInnerLocks()
    findUnusableStages()
    unchecked += configuration.problems(in: project, bundles)
  }

  /// A problem of a checked file, which may be a copy, at the file of the project.
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
    let unusable = project.unusableStages(by: (staged + others).map(\.bundle))
    hasUnusableStages = !unusable.isEmpty
    // A version that cannot be read, or one of its bundle, may be the one that is missing.
    let isComplete =
      project.unread.isEmpty && bundles.allSatisfy { $0.bundle.problems.isEmpty }
    unchecked += unusable.filter { isComplete || !$0.file.isReadable }.map {
      Self.located($0.reason.asWarning, from: project.root, to: scope.root, in: session)
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
    let patterns = project.bundles.filter { history.releases(of: $0.path).isEmpty }
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
    for file in project.files.locks {
      let folder = Self.folder(of: ProjectState.relative(file, to: project.root))
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
  private func baseName(of bundle: ProjectState.Bundle) -> String? {
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
    for name in Set(project.bundles.compactMap(baseName)).sorted(by: { $0.precedesInBytes($1) }) {
      do {
        // A branch can have the name of a tag.
        let tag =
          scope.since == nil && !scope.isStaged
          ? history?.releases.first { $0.name == name } : nil
        let commit = try tag?.commit ?? repository.git.commit(name)
        let fork = scope.since == nil ? name : repository.fork(from: name)
        let (state, files) = try project(
          at: fork == name ? commit : repository.git.commit(fork), in: repository)
        bases[name] = Base(
          name: name, revision: tag.map { GitTag.revision($0.name) } ?? fork,
          isRelease: history?.releases.contains { $0.name == name } == true, state: state,
          files: files, tip: fork == name ? nil : try project(at: commit, in: repository))
      } catch let error as any DiagnosticError {
        // The first commit has none before it.
        let isFirst = scope.since == nil && (error as? GitError)?.isUnknownRevision == true
        if !isFirst { unchecked.append(error.diagnostic.asWarning) }
      }
    }
  }

  /// The project at a commit, with the folder that has its files.
  private func project(
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
    lock = try LockFile.read(at: project.root, in: session) ?? old.map { _ in LockFile() }
    guard let lock else { return }
    let unneeded = ["check.noReleases", "check.shallow", "check.replayed", "git.notARepository"]
    unchecked.removeAll { unneeded.contains($0.id) }
    if repository?.git.isShallow == true { notes.append(GitError.shallowLock) }
    if let old { findings += LockCheck(lock, since: old, at: revision).findings }
  }

  // MARK: Checks

  /// Performs all checks.
  mutating func check() throws {
    try findAll()
    findings = findings.map { $0.namingProgram() }
  }

  private mutating func findAll() throws {
    for bundle in bundles {
      try Interruption.check()
      try check(bundle)
    }
    try checkGoneBundles()
    try checkMappings()
    let stores = try StoreCheck(
      project, of: bundles, paths, isOfIndex: scope.isStaged, shown: shown, in: session)
    findings += stores.findings
    if scope.isMigrating { unchecked += stores.unchecked }
    migrations += stores.migrations
    storeCount = stores.count
    guard scope.isMigrating else { return }
    let results = try CheckMatrix.results(of: scope.shard.part(of: migrations), in: session)
    let performed = results.filter { $0.row != nil }
    (rows, receipts) = (performed.compactMap(\.row), performed.map(\.receipt))
    findings = findings.replaced(by: results.flatMap(\.findings))
  }

  private mutating func check(_ checked: CheckedBundle) throws {
    let bundle = checked.bundle
    let base = baseName(of: bundle).flatMap { bases[$0] }
    let before = base.flatMap { self.bundle(like: bundle, in: $0.state) }
    var check = VersionCheck(of: checked, restorer)
    if let base, let before {
      let theirs = base.tip.map { self.bundle(like: checked.bundle, in: $0.state) } ?? before
      if scope.since != nil, let theirs {
        try check.findSkipped(since: theirs, at: base.name) { version in
          try isNew(version, of: bundle, since: base.revision)
        }
      }
      let staged = checked.stages(in: project, of: bundle).flatMap(\.versionNames)
      check.findUnused(since: before, besides: Set(staged))
    }
    findings += check.findings
    findings += try LockCheck(of: bundle, checked.lockedOnly, restorer) {
      try original(of: $0, in: checked)
    }.findings
    findings += CloudKitCheck(checked).findings
    guard let target = bundle.current else {
      // Another problem has its fix.
      if bundle.problems.isEmpty {
        unchecked.append(
          Diagnostic(
            id: "check.noCurrentVersion", severity: .warning,
            what: "the migrations of \(bundle.label) are not checked: it has no current version",
            location: Location(file: shown(bundle.place)),
            fix: "choose the current version: see version/current"))
      }
      return
    }
    let stages = checked.strategy == .staged ? project.stagesFiles(of: bundle) : []
    // Without stages, the file that cannot be used may have those of this bundle.
    guard checked.strategy != .staged || !stages.isEmpty || !hasUnusableStages else { return }
    let sources = checked.sources(to: target)
    var path = try PathCheck(
      of: bundle, to: target, from: sources, twins: checked.twins(of: target),
      isNew: !checked.isCurrentShipped,
      since: try base.map { base in
        PathCheck.Base(
          name: base.name, revision: base.revision, isRelease: base.isRelease,
          plans: before.map { plans(of: checked, as: $0, in: base.state) } ?? [:],
          policies: try base.state.policies(in: checked.settings.policies, session),
          deletedMappings: deletedMappings(since: base.state))
      },
      checked.planner(in: project, of: bundle), by: checked.strategy, checked.policies,
      shown: shown)
    path.findMissingSteps(in: project.stages, project.policies)
    path.findShadowed(stages.map { $0.file.name })
    findings += path.findings
    paths[bundle.path] = path
    migrations += path.paths.map {
      CheckMatrix.Migration(.generated(rows: checked.rows), $0, of: checked, path)
    }
  }

  /// The bundle in another state of the project.
  private func bundle(
    like bundle: ProjectState.Bundle, in state: ProjectState
  ) -> ProjectState.Bundle? {
    state.bundle(
      like: bundle, formerly: history?.formerPaths[bundle.path] ?? [],
      beside: bundles.map(\.bundle))
  }

  /// Whether a bundle did not have a version of this name when the branch left a revision; `false` if it is not known.
  private func isNew(
    _ version: String, of bundle: ProjectState.Bundle, since revision: String
  ) throws -> Bool {
    let paths = [bundle.path] + (history?.formerPaths[bundle.path] ?? [])
    do {
      let names = try repository?.forkedVersionNames(ofBundleAt: paths, since: revision)
      return names.map { !$0.contains(version) } ?? false
    } catch is GitError {
      return false
    }
  }

  /// The name of a file of the project in a command.
  private func shown(_ file: String) -> String {
    // In a replayed document, the files are elsewhere.
    let name = session.shown(file.hasPrefix("/") ? file : "\(scope.root)/\(file)")
    return CommandLineLexer.argument(forFile: name)
  }

  /// A locked version as it was shipped: a release that contained it, or git's history of its file, has its model.
  private func original(
    of version: LockFile.Version, in checked: CheckedBundle
  ) throws -> ShippedVersion? {
    func isWanted(_ model: ObjectModel) -> Bool { model.versionHashes() == version.hashes }
    if let known = checked.contained.first(where: { isWanted($0.model) }) { return known }
    let file = checked.bundle.file(of: version.name)
    do {
      return try repository?.model(formerlyIn: file, named: version.name, where: isWanted)
        .map { .init(named: version.name, $0.model, inCommit: $0.commit, at: $0.path) }
    } catch is GitError {
      return nil
    }
  }

  private var restorer: VersionRestorer {
    VersionRestorer(
      repository, root: scope.root, sessionFolder: session.folder, shown: shown)
  }

  /// The plans to the current version at a base, by the names that the versions have now.
  ///
  /// - Parameter before: The bundle at the base.
  private func plans(
    of checked: CheckedBundle, as before: ProjectState.Bundle, in state: ProjectState
  ) -> [String: MigrationPlan] {
    guard let target = before.current else { return [:] }
    let versions = checked.bundle.versions.compactMap { version in
      before.version(withHashesOf: version.model).map { (version.name, $0) }
    }
    let plans = checked.planner(in: state, of: before)
      .plans(from: versions.map(\.1), to: target, by: checked.strategy)
    return Dictionary(
      first:
        zip(versions, plans).compactMap { version, plan in
          (try? plan.get()).map { (version.0, $0) }
        })
  }

  /// The paths of the mapping models that a state had and the project does not, by name.
  private func deletedMappings(since state: ProjectState) -> [String: String] {
    let (names, paths) = (Set(project.mappings.map(\.name)), Set(project.mappingPaths))
    let deleted = zip(state.mappings, state.mappingPaths).filter {
      !names.contains($0.name) && !paths.contains($1)
    }
    return Dictionary(first: deleted.map { ($0.name, ProjectState.folder(ofMapping: $1)) })
  }

  private mutating func checkGoneBundles() throws {
    for (path, versions) in history?.gone ?? []
    where !configuration.bundle(at: path).isRetired(versions.last?.name ?? "") {
      let model = lock?[Session.baseName(path)]
      findings += versions.filter { model?.isRetired($0.name) != true }.map {
        VersionCheck.missing($0, ofBundleAt: path, restorer)
      }
    }
    findings += lockedGone.map { LockCheck.missing($0.version, of: $0.model) }
  }

  private mutating func checkMappings() throws {
    let isUndecided = paths.values.contains { !$0.undecidedMappings.isEmpty }
    let hops = bundles.flatMap { paths[$0.bundle.path]?.paths ?? [] }.flatMap(\.plan.hops)
    // A mapping model that no bundle may use is not part of the app.
    let lists = bundles.map(\.settings.mappings)
    let allowed = lists.contains(nil) ? nil : lists.flatMap { $0 ?? [] }
    let edited = findings.filter { $0.id == CheckRule.Kind.versionEdited.rawValue }
      .map { [$0.location.bundle, $0.location.version] }
    let gone = findings.filter { $0.id == CheckRule.Kind.versionGone.rawValue }
      .compactMap { finding in finding.location.version.map { (finding.location.bundle, $0) } }
    // What the app would use is not known of a bundle that is not as it was, or cannot be read.
    let isKnown =
      !isUndecided && edited.isEmpty
      && bundles.allSatisfy { $0.bundle.problems.isEmpty && $0.bundle.current != nil }
    let (root, session) = (project.root, session)
    findings += try MappingCheck(
      project.mappings(in: allowed), in: bundles, among: isKnown ? hops : nil,
      edited: Set(edited), gone: Dictionary(first: gone),
      place: { ProjectState.place(of: $0, below: root, in: session) },
      shown: shown
    ).findings
  }

  /// The name of a file as findings have it: relative to the checked folder.
  func inFolder(_ shown: String) -> String {
    ProjectState.relative(shown, to: session.shown(scope.root))
  }

  // MARK: Report

  /// Accepts further findings.
  mutating func accept(_ accepted: [CheckConfiguration.Accepted]) {
    configuration.accepted = accepted
  }

  /// Adds the migrations that were not performed to what could not be checked, unless the reason is accepted.
  ///
  /// - Parameter accepted: The findings by the configuration.
  mutating func findUnperformed(_ accepted: AcceptedFindings) {
    let isAccepted = { (policy: String, bundle: String) in
      accepted.findings.contains {
        $0.acceptance != nil && $0.location.bundle == bundle
          && ($0.rule as? CheckRule)?.reason == CheckRule.unknownPolicy(policy).reason
      }
    }
    let unperformed = rows.filter { row in
      row.unknownPolicies?.contains { !isAccepted($0, row.bundle) } == true
    }
    guard let first = unperformed.first else { return }
    let policies = Set(unperformed.flatMap { $0.unknownPolicies ?? [] })
      .sorted { $0.precedesInBytes($1) }
    unchecked.append(
      Diagnostic(
        id: "check.unknownPolicy", severity: .warning,
        what:
          "\(Phrase.count(unperformed.count, "migration")) of \(rows.count) \(unperformed.count == 1 ? "is" : "are") not performed, such as \(first.from) -> \(first.to): there is no policy file for \(Phrase.list(policies))",
        fix:
          "describe the policies in a policy file (`strata help policies`), or accept the finding policy/unknown in strata.toml"
      ))
  }

  /// Whether migrations were not performed, so that findings may be missing.
  var hasUnperformed: Bool { rows.contains { !$0.performed } }

  /// - Parameter accepted: The findings by the configuration.
  func report(of accepted: AcceptedFindings) -> CheckReport {
    let all = bundles.map(\.bundle)
    let tags = Set(all.flatMap { history?.releases(of: $0.path).map(\.name) ?? [] })
    let names = all.compactMap(baseName).filter { bases[$0] != nil }
    return CheckReport(
      findings: accepted.findings, rows: rows, receipts: receipts,
      checked: CheckReport.Checked(
        // A bundle that a replayed document wrote is in a private folder.
        bundles: all.map {
          ProjectState.relative(session.overlay?.original($0.place) ?? $0.place, to: project.root)
        },
        versions: all.reduce(0) { $0 + $1.versions.count },
        shipped: bundles.reduce(0) { $0 + $1.shippedCount }
          + (history?.gone ?? []).reduce(0) { $0 + $1.versions.count } + lockedGone.count,
        releases: history?.releases.map(\.name).filter(tags.contains) ?? [],
        isLocked: !lockedGone.isEmpty || bundles.contains { !$0.lockedOnly.isEmpty } ? true : nil,
        base: names.isEmpty
          ? nil : Phrase.list(Set(names).sorted { $0.precedesInBytes($1) }),
        mappings: project.mappings.count, stores: storeCount,
        shard: scope.shard == .whole ? nil : "\(scope.shard)"),
      root: project.root, bundles: all, repositoryPath: repository?.prefix ?? "",
      unchecked: unchecked)
  }
}

extension [Finding] {
  /// The findings with those of migrated stores. A warning about the models, or a failure, is omitted if a store shows
  /// it, and so is a counted loss that the models already tell, as severe as it is.
  fileprivate func replaced(by shown: [Finding]) -> [Finding] {
    func isLoss(_ finding: Finding) -> Bool { finding.id.hasPrefix("loss/") }
    func key(_ finding: Finding) -> [String?] {
      [
        isLoss(finding) ? "loss" : finding.id, finding.location.bundle, finding.entity,
        finding.property,
      ]
    }
    let told = Dictionary(grouping: self, by: key)
    // The newest version stands for the others, as in what the models tell.
    let losses = shown.filter(isLoss).reversed().worst(\.severity, by: key).filter { loss in
      told[key(loss)]?.contains { !loss.severity.isWorse(than: $0.severity) } != true
    }
    let others = shown.filter { !isLoss($0) }
    let replacing = Set(others.map(key))
    return filter {
      $0.severity == .error && !$0.id.hasPrefix("fails/") || !replacing.contains(key($0))
    }
      + losses
      + others.map { finding in
        // The fixes that follow from the models are more precise.
        guard let fixes = told[key(finding)]?.first?.fixes, !fixes.isEmpty else { return finding }
        var finding = finding
        finding.fixes = fixes
        return finding
      }
  }
}
