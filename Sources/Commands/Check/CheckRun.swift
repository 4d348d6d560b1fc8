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
  private let strategy: MigrationStrategy
  private let project: ProjectState
  private let history: ReleaseHistory?
  private let base: Base?
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
  ///   - released: The pattern of the tags of releases; `nil` for the default.
  ///   - revision: The revision to compare with; `nil` for the last release.
  /// - Throws: ``Diagnostic`` if the folder has no bundle.
  init(
    of root: String, released: String?, since revision: String?, by strategy: MigrationStrategy,
    in session: Session
  ) throws {
    (self.session, self.strategy) = (session, strategy)
    project = try ProjectState(at: root, findsStores: true, in: session)
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
      guard session.overlay == nil else { throw GitError.replayed }
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
  }

  // MARK: Bundles

  /// - Parameter count: The number of generated objects of each concrete entity; `nil` to only plan.
  mutating func checkBundles(objects count: Int?) throws {
    for bundle in project.bundles {
      try Interruption.check()
      let shipped = history?.shipped(in: bundle, among: project.bundles) ?? []
      findings +=
        VersionCheck(of: bundle, shipped: shipped, at: history?.projectPrefix ?? "").findings
      guard let target = bundle.current else { continue }
      let released = shipped.contains {
        $0.model.versionHashes() == target.model.versionHashes()
      }
      var check = try PathCheck(
        of: bundle, to: target, from: sources(of: bundle, shipped, target), isNew: !released,
        planner(for: bundle, of: project), by: strategy, project.policies)
      if let base {
        check.compare(with: plans(of: bundle, at: base.state), at: base.name)
      }
      check.findMissingSteps(in: project.stages, project.policies)
      paths.append((bundle, check))
      var found = check.findings
      if let count {
        var matrix = CheckMatrix(
          of: bundle, losses: check.lossSeverity, project.policies, in: session)
        for path in check.paths { try matrix.migrateGenerated(path, objects: count) }
        rows += matrix.rows
        found = found.replaced(by: matrix.findings)
      }
      findings += found
    }
    let used = Set(
      paths.flatMap { $0.check.paths.flatMap(\.plan.writtenMappings) + $0.check.undecidedMappings })
    findings += try MappingCheck(
      project.mappings, in: project.bundles, used: used, by: strategy
    ).findings
  }

  /// The versions of which users have stores; without a history, all that precede the current one by their names.
  private func sources(
    of bundle: ProjectState.Bundle, _ shipped: [ShippedVersion], _ target: NamedModel
  ) -> [NamedModel] {
    let hashes = target.model.versionHashes()
    guard let history, !history.releases.isEmpty else {
      return bundle.versions.filter { bundle.precedes($0, target) }
    }
    return shipped.compactMap { bundle.version(withHashesOf: $0.model) }
      .filter { $0.model.versionHashes() != hashes }
  }

  private func planner(
    for bundle: ProjectState.Bundle, of state: ProjectState
  ) -> MigrationPlanner {
    let stages = state.stages.lazy.compactMap {
      try? $0.stages(among: bundle.versions, state.policies)
    }.first
    return MigrationPlanner(
      versions: bundle.versions, mappings: state.mappings, areMappingsNamed: false,
      stages: strategy == .staged ? stages ?? [] : [])
  }

  /// The plans to the current version at a base, by the names that the versions have now.
  private func plans(
    of bundle: ProjectState.Bundle, at state: ProjectState
  ) -> [String: MigrationPlan] {
    guard let before = state.bundle(like: bundle), let target = before.current else { return [:] }
    let planner = planner(for: before, of: state)
    return bundle.versions.reduce(into: [:]) { plans, version in
      guard let old = before.version(withHashesOf: version.model) else { return }
      plans[version.name] = try? planner.plan(from: old, to: target, by: strategy)
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
      guard migrating, let path = try path(from: version, in: bundle, check) else { continue }
      var matrix = CheckMatrix(
        of: bundle, losses: check.lossSeverity, project.policies, in: session)
      try matrix.migrateFixture(file, named: name, path)
      rows += matrix.rows
      findings = findings.replaced(by: matrix.findings)
    }
  }

  /// The path from any version of a bundle, shipped or not; `nil` if there is none.
  private func path(
    from version: NamedModel, in bundle: ProjectState.Bundle, _ check: PathCheck
  ) throws -> PathCheck.Path? {
    if let known = check.paths.first(where: { $0.version.name == version.name }) { return known }
    // A newer store is of another branch, or the current version is yet to be chosen.
    guard let target = bundle.current, bundle.precedes(version, target) else { return nil }
    return (try? planner(for: bundle, of: project).plan(from: version, to: target, by: strategy))
      .map { PathCheck.Path(version: version, plan: $0) }
  }

  // MARK: Report

  var report: CheckReport {
    CheckReport(
      findings: findings.bySeverity, rows: rows,
      checked: CheckReport.Checked(
        bundles: project.bundles.map(\.path),
        versions: project.bundles.reduce(0) { $0 + $1.versions.count },
        shipped: paths.reduce(0) {
          $0 + (history?.shipped(in: $1.bundle, among: project.bundles).count ?? 0)
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
