internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataGit
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The checks of one run, in order.
struct CheckRun {
  private let session: Session
  private(set) var configuration: CheckConfiguration
  private let project: ProjectState
  private let history: ReleaseHistory?
  private let base: Base?
  /// The lock file of a project without release tags.
  private var lock: LockFile?
  /// The paths of all bundles, for the stores of the folder.
  private var paths: [(bundle: ProjectState.Bundle, check: PathCheck)] = []
  private(set) var findings: [Finding] = []
  private var rows: [CheckMatrix.Row] = []
  /// Whatever could not be checked, with the fix.
  private(set) var unchecked: [Diagnostic] = []
  private var storeCount = 0

  var isIncomplete: Bool { !unchecked.isEmpty }

  /// The state of the project at a revision.
  private struct Base {
    var name: String
    var state: ProjectState
  }

  /// - Parameters:
  ///   - revision: The revision to compare with; `nil` for the last release.
  /// - Throws: ``Diagnostic`` if the folder has no bundle.
  init(
    of root: String, by configuration: CheckConfiguration, since revision: String?,
    in session: Session
  ) throws {
    (self.session, self.configuration) = (session, configuration)
    let released = configuration.released
    project = try ProjectState(at: root, findsStores: true, in: session)
    guard BundleForm.allCases.allSatisfy({ !root.hasSuffix($0.bundleExtension) }) else {
      throw Diagnostic(
        id: "check.isBundle", what: "check needs the folder of the project, not a bundle",
        location: Location(file: session.shown(root)), fix: "name the folder that holds the bundle")
    }
    guard !project.bundles.isEmpty else {
      throw project.problems.first?.asError("", fix: "repair it, then check again")
        ?? Diagnostic(
          id: "check.nothing", what: "there is no model bundle to check",
          location: Location(file: session.shown(root)),
          fix: "name the folder of a project with an .xcdatamodeld")
    }
    unchecked = project.problems
    var history: ReleaseHistory?
    do {
      // A document gives the same answers in every clone.
      guard session.overlay == nil, session.access.isAnywhere else { throw GitError.replayed }
      let found = try ReleaseHistory(of: root, tags: released, in: session)
      unchecked += found.problems
      if found.repository.isShallow {
        unchecked.append(GitError.shallowCheck)
      } else if found.releases.isEmpty {
        unchecked.append(GitError.noReleases(released))
      }
      history = found
    } catch let error as any DiagnosticError {
      var problem = error.diagnostic.asWarning
      if problem.location?.file == root { problem.location?.file = session.shown(root) }
      unchecked.append(problem)
    }
    self.history = history
    var base: Base?
    if let history, let name = revision ?? history.releases.last?.name {
      do {
        base = Base(name: name, state: try history.state(at: name, in: session))
      } catch let error as any DiagnosticError {
        unchecked.append(error.diagnostic.asWarning)
      }
    } else if let revision {
      unchecked.append(
        Diagnostic(
          id: "check.noRepository", severity: .warning,
          what: "the plans are not compared with \(revision): there is no git repository",
          fix: "check a clone of the repository"))
    }
    self.base = base
    if history?.releases.isEmpty ?? true { try readLock(since: revision, at: root) }
    let (project, known) = (project, history)
    unchecked += configuration.problems(in: project) { bundle in
      known?.shipped(in: bundle, among: project.bundles).map(\.name) ?? []
    }
  }

  /// Reads the lock file, and compares it with its state at a revision; by default at the last commit.
  private mutating func readLock(since revision: String?, at root: String) throws {
    var old: LockFile?
    do {
      old = try history?.bytes(of: LockFile.fileName, at: revision ?? "HEAD")
        .map { try LockFile(parsing: $0) }
    } catch let error as any DiagnosticError {
      // Without a commit there is no older state; that of a named revision is reported with its models.
      if !(error is GitError) { unchecked.append(error.diagnostic.asWarning) }
    }
    lock = try LockFile.read(at: root, in: session) ?? old.map { _ in LockFile() }
    guard let lock else { return }
    let unneeded = ["check.noReleases", "check.shallow", "check.replayed", "git.notARepository"]
    unchecked.removeAll { unneeded.contains($0.id) }
    if let old { findings += LockCheck(lock, since: old, at: revision ?? "HEAD").findings }
  }

  /// The versions of a bundle that the lock file names as shipped; `nil` without a file.
  private func locked(in bundle: ProjectState.Bundle) -> [LockFile.Version]? {
    let settings = configuration.bundle(at: bundle.path)
    return lock.map {
      ($0[bundle.name]?.shipped ?? []).filter { !settings.isRetired($0.name) }
    }
  }

  // MARK: Bundles

  /// - Parameter migrating: Whether generated stores are migrated.
  mutating func checkBundles(migrating: Bool) throws {
    let (session, root) = (session, project.root)
    let shown: (String) -> String = { session.shown("\(root)/\($0)") }
    for bundle in project.bundles {
      try Interruption.check()
      let settings = configuration.bundle(at: bundle.path)
      let shipped = (history?.shipped(in: bundle, among: project.bundles) ?? [])
        .filter { !settings.isRetired($0.name) }
      findings +=
        VersionCheck(
          of: bundle, shipped: shipped, in: history?.projectPrefix ?? "", shown: shown
        ).findings
      let locked = locked(in: bundle)
      findings += LockCheck(of: bundle, locked ?? []).findings
      guard let target = bundle.current else { continue }
      let released =
        shipped.contains {
          $0.model.versionHashes() == target.model.versionHashes()
        } || locked?.contains { $0.hashes == target.model.versionHashes() } == true
      var check = try PathCheck(
        of: bundle, to: target, from: sources(of: bundle, shipped, target), isNew: !released,
        since: base.map { PathCheck.Base(name: $0.name, plans: plans(of: bundle, at: $0.state)) },
        planner(for: bundle, of: project), by: configuration.strategy(at: bundle.path),
        project.policies(in: settings.policies, session))
      check.findMissingSteps(in: project.stages, project.policies)
      paths.append((bundle, check))
      var found = check.findings
      if migrating {
        var matrix = try matrix(of: bundle, check)
        for path in check.paths {
          try matrix.migrateGenerated(path, objects: configuration.rows(at: bundle.path))
        }
        rows += matrix.rows
        found = found.replaced(by: matrix.findings)
      }
      findings += found
    }
    let models = Set(project.files.models.map { ProjectState.relative($0, to: project.root) })
    // A model outside bundles has no versions to check.
    for (path, versions) in history?.goneBundles(among: project.bundles) ?? []
    where !models.contains(String(path.dropLast()))
      && !configuration.bundle(at: path).isRetired(versions.last?.name ?? "")
    {
      findings += versions.map {
        VersionCheck.missing($0, ofBundleAt: path, in: history?.projectPrefix ?? "", shown: shown)
      }
    }
    let isUndecided = paths.contains { !$0.check.undecidedMappings.isEmpty }
    let used = Set(
      paths.flatMap { $0.check.paths.flatMap(\.plan.writtenMappings) + $0.check.undecidedMappings })
    // A mapping model that no bundle may use is not part of the app.
    let lists = project.bundles.map { configuration.bundle(at: $0.path).mappings }
    let allowed = lists.contains(nil) ? nil : lists.flatMap { $0 ?? [] }
    findings += try MappingCheck(
      project.mappings(in: allowed), in: project.bundles, used: isUndecided ? nil : used,
      by: { configuration.strategy(at: $0.path) }
    ).findings
  }

  private func matrix(of bundle: ProjectState.Bundle, _ check: PathCheck) throws -> CheckMatrix {
    CheckMatrix(
      of: bundle,
      try project.policies(in: configuration.bundle(at: bundle.path).policies, session),
      in: session, lossSeverity: check.severityOfCountedLosses)
  }

  /// The versions of which users have stores; without a history, all that precede the current one by their names.
  private func sources(
    of bundle: ProjectState.Bundle, _ shipped: [ShippedVersion], _ target: NamedModel
  ) -> [NamedModel] {
    let hashes = target.model.versionHashes()
    let settings = configuration.bundle(at: bundle.path)
    if let locked = locked(in: bundle) {
      return locked.filter { $0.hashes != hashes }
        .compactMap { bundle.version(withHashes: $0.hashes) }
    }
    guard let history, !history.releases.isEmpty else {
      return bundle.versions.filter {
        bundle.precedes($0, target) && !settings.isRetired($0.name)
      }
    }
    return shipped.compactMap { bundle.version(withHashesOf: $0.model) }
      .filter { $0.model.versionHashes() != hashes }
  }

  private func planner(
    for bundle: ProjectState.Bundle, of state: ProjectState
  ) -> MigrationPlanner {
    let settings = configuration.bundle(at: bundle.path)
    let strategy = configuration.strategy(at: bundle.path)
    let stages = state.stages.lazy.compactMap {
      try? $0.stages(among: bundle.versions, state.policies)
    }.first
    return MigrationPlanner(
      versions: bundle.versions, mappings: state.mappings(in: settings.mappings),
      areMappingsNamed: false, stages: strategy == .staged ? stages ?? [] : [])
  }

  /// The plans to the current version at a base, by the names that the versions have now.
  private func plans(
    of bundle: ProjectState.Bundle, at state: ProjectState
  ) -> [String: MigrationPlan] {
    guard let before = state.bundle(like: bundle), let target = before.current else { return [:] }
    let planner = planner(for: before, of: state)
    return bundle.versions.reduce(into: [:]) { plans, version in
      guard let old = before.version(withHashesOf: version.model) else { return }
      plans[version.name] = try? planner.plan(
        from: old, to: target, by: configuration.strategy(at: bundle.path))
    }
  }

  // MARK: Stores

  /// Checks the stores of the folder, and migrates them.
  mutating func checkStores(migrating: Bool) throws {
    for file in project.files.stores {
      try Interruption.check()
      let name = ProjectState.relative(file, to: project.root)
      let hashes: [String: VersionHash]
      do {
        hashes = try session.open(file).metadata.versionHashes
      } catch {
        // Apps have other SQLite files.
        guard error.id != "store.noMetadata" else { continue }
        storeCount += 1
        findings.append(
          Finding(
            CheckRule(.storeUnreadable, error.what), at: FindingLocation(store: name, file: name),
            fixes: [
              Fix("see what is wrong", commands: ["doctor \(CommandLineLexer.quoted(name))"])
            ]))
        continue
      }
      let owner = project.bundles.first { bundle in
        bundle.versions.contains { $0.model.versionHashes() == hashes }
      }
      // The store of a known version belongs to its bundle; any bundle could have written another one.
      guard
        (owner.map { [$0] } ?? project.bundles).contains(where: {
          configuration.bundle(at: $0.path).contains(store: name)
        })
      else { continue }
      storeCount += 1
      guard
        let (bundle, check) = paths.first(where: { bundle, _ in
          bundle.versions.contains { $0.model.versionHashes() == hashes }
        }), let version = bundle.versions.first(where: { $0.model.versionHashes() == hashes })
      else {
        findings.append(
          Finding(
            CheckRule(.storeUnknownVersion, "no version of the project wrote this store"),
            at: FindingLocation(store: name, file: name),
            fixes: [
              Fix(
                "restore the version, or delete the store",
                commands: ["identify \(CommandLineLexer.quoted(name)) ."])
            ]))
        continue
      }
      guard migrating, !isRetired(version.name, in: bundle),
        let path = try path(from: version, in: bundle, check)
      else { continue }
      var matrix = try matrix(of: bundle, check)
      try matrix.migrateFixture(file, named: name, path)
      rows += matrix.rows
      findings = findings.replaced(by: matrix.findings)
    }
  }

  private func isRetired(_ version: String, in bundle: ProjectState.Bundle) -> Bool {
    let locked = lock?[bundle.name]?.version(named: version)
    return configuration.bundle(at: bundle.path).isRetired(version)
      || locked.map { $0.release == nil } == true
  }

  /// The path from any version of a bundle, shipped or not; `nil` if there is none.
  private func path(
    from version: NamedModel, in bundle: ProjectState.Bundle, _ check: PathCheck
  ) throws -> PathCheck.Path? {
    if let known = check.paths.first(where: { $0.version.name == version.name }) { return known }
    // A newer store is of another branch, or the current version is yet to be chosen.
    guard let target = bundle.current, bundle.precedes(version, target) else { return nil }
    return
      (try? planner(for: bundle, of: project).plan(
        from: version, to: target, by: configuration.strategy(at: bundle.path))).map {
        PathCheck.Path(version: version, plan: $0)
      }
  }

  // MARK: Report

  /// Accepts further findings.
  mutating func accept(_ accepted: [CheckConfiguration.Accepted]) {
    configuration.accepted = accepted
  }

  /// - Parameter accepted: The findings by the configuration.
  func report(of accepted: AcceptedFindings) -> CheckReport {
    CheckReport(
      findings: accepted.findings, rows: rows,
      checked: CheckReport.Checked(
        bundles: project.bundles.map(\.path),
        versions: project.bundles.reduce(0) { $0 + $1.versions.count },
        shipped: project.bundles.reduce(0) {
          $0
            + (locked(in: $1)?.count
              ?? history?.shipped(in: $1, among: project.bundles).count ?? 0)
        },
        releases: history?.releases.map(\.name) ?? [], base: base?.name,
        mappings: project.mappings.count, stores: storeCount),
      project: project, repositoryPath: history?.projectPrefix ?? "", unchecked: unchecked)
  }
}

extension [Finding] {
  /// The findings with those of migrated stores. A warning about the models is omitted if a store shows it, and so is
  /// a counted loss that the models already tell.
  fileprivate func replaced(by shown: [Finding]) -> [Finding] {
    func key(_ finding: Finding) -> [String?] {
      let family =
        finding.id.hasPrefix("rename/") ? "loss" : finding.id.prefix { $0 != "/" }.description
      return [
        family == "loss" ? family : finding.id, finding.location.bundle, finding.entity,
        finding.property,
      ]
    }
    let known = Set(map(key))
    var seen: Set<[String?]> = []
    let new = shown.filter { finding in
      guard finding.id.hasPrefix("loss/") else { return true }
      return !known.contains(key(finding)) && seen.insert(key(finding)).inserted
    }
    let replacing = Set(new.map(key))
    return filter { $0.severity == .error || !replacing.contains(key($0)) } + new
  }
}
