internal import StrataBase
internal import StrataGit
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The checks of one run, in order.
struct CheckRun {
  private let project: CheckedProject
  private(set) var configuration: CheckConfiguration
  /// The paths of the bundles that have a current version, by bundle path.
  private var paths: [String: PathCheck] = [:]
  private(set) var findings: [Finding]
  private var migrations: [CheckMatrix.Migration] = []
  private var rows: [CheckMatrix.Row] = []
  /// The receipt of each row.
  private var receipts: [View] = []
  /// Whatever could not be checked, with the fix.
  private(set) var unchecked: [Diagnostic]
  private var storeCount = 0

  /// Performs all checks.
  init(of project: CheckedProject) throws {
    self.project = project
    configuration = project.configuration
    (findings, unchecked) = (project.lockFindings, project.unchecked)
    try findAll()
    findings = findings.map { $0.namingProgram() }
  }

  var isIncomplete: Bool { !unchecked.isEmpty }

  private mutating func findAll() throws {
    for bundle in project.bundles {
      try Interruption.check()
      try check(bundle)
    }
    try checkGoneBundles()
    try checkMappings()
    let stores = try StoreCheck(
      project.state, of: project.bundles, paths, isOfIndex: project.scope.isStaged,
      shown: project.shown, in: project.session)
    findings += stores.findings
    if project.scope.isMigrating { unchecked += stores.unchecked }
    migrations += stores.migrations
    storeCount = stores.count
    guard project.scope.isMigrating else { return }
    let results = try CheckMatrix.results(
      of: project.scope.shard.part(of: migrations), in: project.session)
    let performed = results.filter { $0.row != nil }
    (rows, receipts) = (performed.compactMap(\.row), performed.map(\.receipt))
    findings = findings.replaced(by: results.flatMap(\.findings))
  }

  private mutating func check(_ checked: CheckedBundle) throws {
    let bundle = checked.bundle
    let base = project.baseName(of: bundle).flatMap { project.bases[$0] }
    let before = base.flatMap { project.bundle(like: bundle, in: $0.state) }
    var check = VersionCheck(of: checked, project.restorer)
    if let base, let before {
      let theirs = base.tip.map { project.bundle(like: checked.bundle, in: $0.state) } ?? before
      if project.scope.since != nil, let theirs {
        try check.findSkipped(since: theirs, at: base.name) { version in
          try project.isNew(version, of: bundle, since: base.revision)
        }
      }
      let staged = checked.stages(in: project.state, of: bundle).flatMap(\.versionNames)
      check.findUnused(since: before, besides: Set(staged))
    }
    findings += check.findings
    findings += try LockCheck(of: bundle, checked.lockedOnly, project.restorer) {
      try project.original(of: $0, in: checked)
    }.findings
    findings += CloudKitCheck(checked).findings
    guard let target = bundle.current else {
      // Another problem has its fix.
      if bundle.problems.isEmpty {
        unchecked.append(
          Diagnostic(
            id: "check.noCurrentVersion", severity: .warning,
            what: "the migrations of \(bundle.label) are not checked: it has no current version",
            location: Location(file: project.shown(bundle.place)),
            fix: "choose the current version: see version/current"))
      }
      return
    }
    let stages = checked.strategy == .staged ? project.state.stagesFiles(of: bundle) : []
    // Without stages, the file that cannot be used may have those of this bundle.
    guard checked.strategy != .staged || !stages.isEmpty || !project.hasUnusableStages else {
      return
    }
    let sources = checked.sources(to: target)
    var path = try PathCheck(
      of: bundle, to: target, from: sources, twins: checked.twins(of: target),
      isNew: !checked.isCurrentShipped,
      since: try base.map { base in
        PathCheck.Base(
          name: base.name, revision: base.revision, isRelease: base.isRelease,
          plans: before.map { project.plans(of: checked, as: $0, in: base.state) } ?? [:],
          policies: try base.state.policies(in: checked.settings.policies, project.session),
          deletedMappings: project.deletedMappings(since: base.state))
      },
      checked.planner(in: project.state, of: bundle), by: checked.strategy, checked.policies,
      shown: project.shown)
    path.findMissingSteps(in: project.state.stages, project.state.policies)
    path.findShadowed(stages.map { $0.file.name })
    findings += path.findings
    paths[bundle.path] = path
    migrations += path.paths.map {
      CheckMatrix.Migration(.generated(rows: checked.rows), $0, of: checked, path)
    }
  }

  private mutating func checkGoneBundles() throws {
    for (path, versions) in project.history?.gone ?? []
    where !configuration.bundle(at: path).isRetired(versions.last?.name ?? "") {
      let model = project.lock?[Session.baseName(path)]
      findings += versions.filter { model?.isRetired($0.name) != true }.map {
        VersionCheck.missing($0, ofBundleAt: path, project.restorer)
      }
    }
    findings += project.lockedGone.map { LockCheck.missing($0.version, of: $0.model) }
  }

  private mutating func checkMappings() throws {
    let isUndecided = paths.values.contains { !$0.undecidedMappings.isEmpty }
    let hops = project.bundles.flatMap { paths[$0.bundle.path]?.paths ?? [] }.flatMap(\.plan.hops)
    // A mapping model that no bundle may use is not part of the app.
    let lists = project.bundles.map(\.settings.mappings)
    let allowed = lists.contains(nil) ? nil : lists.flatMap { $0 ?? [] }
    let edited = findings.filter { $0.id == CheckRule.Kind.versionEdited.rawValue }
      .map { [$0.location.bundle, $0.location.version] }
    let gone = findings.filter { $0.id == CheckRule.Kind.versionGone.rawValue }
      .compactMap { finding in finding.location.version.map { (finding.location.bundle, $0) } }
    // What the app would use is not known of a bundle that is not as it was, or cannot be read.
    let isKnown =
      !isUndecided && edited.isEmpty
      && project.bundles.allSatisfy { $0.bundle.problems.isEmpty && $0.bundle.current != nil }
    let (root, session) = (project.state.root, project.session)
    findings += try MappingCheck(
      project.state.mappings(in: allowed), in: project.bundles, among: isKnown ? hops : nil,
      edited: Set(edited), gone: Dictionary(first: gone),
      place: { ProjectState.place(of: $0, below: root, in: session) },
      shown: project.shown
    ).findings
  }

  /// The name of a file as findings have it: relative to the checked folder.
  func inFolder(_ shown: String) -> String {
    ProjectState.relative(shown, to: project.session.shown(project.scope.root))
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
    let all = project.bundles.map(\.bundle)
    let tags = Set(all.flatMap { project.history?.releases(of: $0.path).map(\.name) ?? [] })
    let names = all.compactMap(project.baseName).filter { project.bases[$0] != nil }
    return CheckReport(
      findings: accepted.findings, rows: rows, receipts: receipts,
      checked: CheckReport.Checked(
        // A bundle that a replayed document wrote is in a private folder.
        bundles: all.map {
          ProjectState.relative(
            project.session.overlay?.original($0.place) ?? $0.place, to: project.state.root)
        },
        versions: all.reduce(0) { $0 + $1.versions.count },
        shipped: project.bundles.reduce(0) { $0 + $1.shippedCount }
          + (project.history?.gone ?? []).reduce(0) { $0 + $1.versions.count }
          + project.lockedGone.count,
        releases: project.history?.releases.map(\.name).filter(tags.contains) ?? [],
        isLocked: !project.lockedGone.isEmpty || project.bundles.contains { !$0.lockedOnly.isEmpty }
          ? true : nil,
        base: names.isEmpty
          ? nil : Phrase.list(Set(names).sorted { $0.precedesInBytes($1) }),
        mappings: project.state.mappings.count, stores: storeCount,
        shard: project.scope.shard == .whole ? nil : "\(project.scope.shard)"),
      root: project.state.root, bundles: all, repositoryPath: project.repository?.prefix ?? "",
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
