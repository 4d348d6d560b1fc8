internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// The paths from the shipped versions of a bundle to its current version.
struct PathCheck {
  /// The path of one version.
  struct Path: Sendable {
    var version: NamedModel
    var plan: MigrationPlan
  }

  private(set) var findings: [Finding] = []
  private(set) var paths: [Path] = []
  /// The mapping models among which the choice is undefined.
  private(set) var undecidedMappings: Set<String> = []
  private let bundle: ProjectState.Bundle
  private let target: NamedModel
  /// Whether no release contains the target: without a base, its losses can still be avoided.
  private let isNew: Bool
  private let base: Base?
  private let planner: MigrationPlanner
  private let strategy: MigrationStrategy
  /// The name of a file of the project in a command.
  private let shown: (String) -> String

  /// The plans at a revision, by the names that the versions have now.
  struct Base {
    var name: String
    /// What git takes for it, in a command.
    var revision: String
    /// Whether it is the last release; otherwise its losses may still be avoided.
    var isRelease: Bool
    var plans: [String: MigrationPlan]
    var policies: PolicyRegistry
    /// The paths of the mapping models that the project does not have any more, by name.
    var deletedMappings: [String: String] = [:]
  }

  /// A finding of a path, with the warning about its hop.
  private struct Found {
    var finding: Finding
    var warning: Finding?
    var hop: MigrationPlan.Hop
  }

  /// - Parameters:
  ///   - versions: The versions of which users have stores, oldest first.
  ///   - twins: The versions of which users have stores that open without a migration.
  ///   - isNew: Whether no release contains the current version.
  ///   - base: The plans to compare with; `nil` if there are none.
  ///   - shown: The name of a file of the project in a command.
  init(
    of bundle: ProjectState.Bundle, to target: NamedModel, from versions: [NamedModel],
    twins: [NamedModel], isNew: Bool, since base: Base?, _ planner: MigrationPlanner,
    by strategy: MigrationStrategy,
    _ policies: PolicyRegistry, shown: @escaping (String) -> String
  ) throws {
    (self.bundle, self.target, self.isNew, self.base) = (bundle, target, isNew, base)
    (self.shown, self.planner, self.strategy) = (shown, planner, strategy)
    let plans = planner.plans(from: versions, to: target, by: strategy)
    var failures: [(version: String, finding: Finding)] = []
    for (version, plan) in zip(versions, plans) {
      do {
        paths.append(Path(version: version, plan: try plan.get()))
      } catch let error as MigrationError {
        var failure = finding(error, from: version)
        if let fix = otherStrategy(from: version) { failure.fixes.insert(fix, at: 0) }
        failures.append((version.name, failure))
        if case .undefinedChoice(_, _, let fitting, _) = error {
          undecidedMappings.formUnion(fitting)
        }
      }
    }
    noteFailures(failures)
    // The newest version of which a finding is true stands for the others, unless it is worse for one of them.
    let unmigrated = twins.map { Path(version: $0, plan: Self.unmigrated(from: $0, to: target)) }
    let all = (unmigrated + paths).reversed().flatMap { found(on: $0, policies) }
    findings += fixed(all.worst(\.finding.severity) { Key($0.finding) })
    if let base { compare(with: base) }
  }

  /// What can be wrong although Core Data opens the store without a migration.
  private static func unmigrated(from twin: NamedModel, to target: NamedModel) -> MigrationPlan {
    let risks = Inference(from: twin.model, to: target.model).risks
    return MigrationPlan(hops: [
      MigrationPlan.Hop(
        from: twin, to: target, parts: [], isInferred: true, risks: risks, losses: [], reason: "")
    ])
  }

  /// What is known of the losses of a path at the base.
  func comparison(of path: Path) -> LossComparison {
    base.map {
      .base(.init($0.name, $0.plans[path.version.name], $0.policies, isRelease: $0.isRelease))
    } ?? .none(isNew: isNew)
  }

  /// What the findings tell as lost on a path; links at both of their ends.
  func toldLosses(on path: Path) -> Set<PathLoss.Subject> {
    guard paths.contains(where: { $0.version.name == path.version.name }) else { return [] }
    let losses = path.plan.losses
    let links = losses.filter { $0.kind == .lossLinks }.map(\.subject)
    let models = path.plan.hops.flatMap { [$0.from.model, $0.to.model] }
    return Set(
      losses.map(\.subject) + models.flatMap { model in links.compactMap { $0.inverse(in: model) } }
    )
  }

  /// The parts of a finding that are the same for several versions.
  private struct Key: Hashable {
    var rule: AnyHashable
    var entity: String?
    var property: String?
    var mapping: String?

    init(_ finding: Finding) {
      rule = AnyHashable(finding.rule)
      (entity, property) = (finding.location.entity, finding.location.property)
      mapping = finding.location.mapping
    }
  }

  private func location(
    from source: NamedModel, to destination: NamedModel, _ inner: FindingLocation? = nil
  ) -> FindingLocation {
    var location = inner ?? FindingLocation()
    location.bundle = bundle.label
    location.version = "\(source.versionName) -> \(destination.versionName)"
    if location.file == nil { location.file = bundle.file(of: destination.versionName) }
    location.line = location.line ?? destination.model.line(of: location)
    return location
  }

  /// The name of a version in a command.
  private func name(_ version: NamedModel) -> String { shown("\(bundle.path)/\(version.name)") }

  private func finding(_ error: MigrationError, from version: NamedModel) -> Finding {
    let whole = location(from: version, to: target)
    switch error {
    case .undefinedChoice(_, _, let fitting, _):
      return Finding(
        CheckRule(
          .mappingAmbiguous, "\(Phrase.list(fitting)) fit: Core Data's choice is undefined"),
        at: whole,
        fixes: [Fix("delete all but one, or set another strategy in strata.toml")])
    case .notInferable(_, _, let obstacles):
      let first = obstacles.first
      let inner = first.map { location(from: version, to: target, $0.location) }
      let others = obstacles.count > 1 ? "; \(obstacles.count - 1) more" : ""
      let report = InferenceReport(
        obstacles.prefix(1).map { $0 }, from: version, to: target,
        typed: (name(version), name(target)))
      return Finding(
        CheckRule(
          .pathNone, (first?.reason ?? "no mapping model can be inferred") + others,
          code: .inferredMappingModel,
          detail: obstacles.count > 1
            ? obstacles.dropFirst().map(\.location.description).joined(separator: ", ") : nil),
        at: inner ?? whole,
        fixes: usable(report.findings.flatMap(\.fixes)).compactMap {
          inProject($0, from: version, to: target)
        } + [
          Fix(
            "see all obstacles with their fixes",
            commands: [
              "infer \(CommandLineLexer.quoted(name(version))) \(CommandLineLexer.quoted(name(target)))"
            ])
        ])
    case .missingMappingModel:
      return Finding(
        CheckRule(.pathNone, error.diagnostic.what), at: whole,
        fixes: [
          Fix(
            "write a mapping model, or set another strategy in strata.toml",
            commands: [
              InferenceReport.writeCommand(from: name(version), to: name(target))
            ])
        ])
    default:
      let diagnostic = error.diagnostic
      return Finding(
        CheckRule(.pathNone, diagnostic.what), at: whole,
        fixes: diagnostic.fix.map { [Fix($0)] } ?? [])
    }
  }

  /// The strategy by which a version has a path, if the one of the bundle gives none: with stages, or with mapping models
  /// between other versions.
  private func otherStrategy(from version: NamedModel) -> Fix? {
    let others: [(MigrationStrategy, condition: String)] = [
      (.staged, "if the app migrates through the stages"),
      (.default, "if the app names no mapping model"),
      (.hybrid, "if the app migrates from version to version with mapping models"),
      (.progressive, "if the app migrates from version to version"),
    ]
    let found = others.first { other, _ in
      other != strategy && (other != .staged || !planner.stages.isEmpty)
        && (try? planner.plan(from: version, to: target, by: other)) != nil
    }
    return found.map { other, condition in
      Fix(
        "set strategy = \"\(other.rawValue)\" for the bundle in strata.toml, \(condition) (verified)"
      )
    }
  }

  /// Notes one finding for all versions with the same obstacle, with the fixes of the newest.
  private mutating func noteFailures(_ failures: [(version: String, finding: Finding)]) {
    let versions = Dictionary(grouping: failures) { Key($0.finding) }.mapValues {
      $0.map(\.version)
    }
    var noted: Set<Key> = []
    for failure in failures.reversed() {
      var finding = failure.finding
      guard noted.insert(Key(finding)).inserted, let all = versions[Key(finding)] else { continue }
      finding.location.version = "\(all.joined(separator: ", ")) -> \(target.versionName)"
      findings.append(finding)
    }
  }

  // MARK: Findings of a path

  private func found(on path: Path, _ policies: PolicyRegistry) -> [Found] {
    let comparison = comparison(of: path)
    return path.plan.hops.flatMap { hop -> [Found] in
      let unknown = Set(hop.policyUses.filter { !policies.knows($0) }.map(\.policyName))
      let told = hop.lossesByFinding
      return hop.warnings.flatMap { found($0, told[$0], in: hop, comparison) }
        + unknown.sorted().map { name in
          Found(
            finding: Finding(
              CheckRule.unknownPolicy(name),
              at: location(
                from: hop.from, to: hop.to, FindingLocation(mapping: hop.parts.first?.name)),
              fixes: [Fix("describe it in a policy file", commands: ["help policies"])]),
            hop: hop)
        }
    }
  }

  /// A rename without a renaming identifier is a loss, and a note about the probable rename.
  private func found(
    _ warning: Finding, _ told: Loss?, in hop: MigrationPlan.Hop, _ comparison: LossComparison
  ) -> [Found] {
    var found: [Found] = []
    if let loss = PathLoss(warning, told, in: hop) {
      let severity = comparison.severity(isKnown: comparison.tells(loss))
      var inner = FindingLocation(entity: loss.subject.entity, property: loss.subject.property)
      inner.line = hop.to.model.line(of: warning.location)
      found.append(
        Found(
          finding: Finding(
            CheckRule(
              loss.kind, loss.reason, code: warning.code,
              // Accepting that some values are lost accepts no deletion.
              detail: loss.isWhole || loss.kind == .lossOrder ? nil : "some"),
            severity: severity,
            at: location(from: hop.from, to: hop.to, inner),
            fixes: warning.fixes + [comparison.fix(of: severity)]),
          warning: severity == .note ? nil : warning, hop: hop))
    }
    if let (kind, severity) = kind(of: warning) {
      found.append(
        Found(
          finding: Finding(
            CheckRule(kind, warning.reason, code: warning.code), severity: severity,
            at: location(from: hop.from, to: hop.to, warning.location), fixes: warning.fixes),
          warning: warning, hop: hop))
    }
    return found
  }

  private func kind(
    of warning: Finding
  ) -> (kind: CheckRule.Kind, severity: Diagnostic.Severity)? {
    switch warning.rule {
    case LossRule.unmatchedRename(let old, let new, _) where old != new:
      return (.renameLikely, .note)
    case let rule as InferenceRule:
      switch rule {
      // Every object lacks a value of a new attribute; of one that becomes required, perhaps none does.
      case .missingDefault(let isNew): return (.failsRequired, isNew ? .error : .warning)
      case .missingDestination: return (.failsUnsavable, .warning)
      case .newConstraint: return (.failsUnique, .warning)
      case .unhashedRename: return (.failsColumn, .error)
      default: return nil
      }
    case let rule as MappingRule:
      switch rule {
      case .unknownProperty, .withoutSource, .badExpression, .notThrough, .unknownMapping,
        .badFilter, .unknownSource, .unknownDestination:
        return (.mappingKeyPath, warning.severity)
      default: return warning.severity == .note ? nil : (.mappingType, warning.severity)
      }
    default: return nil
    }
  }

  /// The findings with the fixes that `infer` lists for the warnings about inferred hops.
  private func fixed(_ found: [Found]) -> [Finding] {
    struct Hop: Hashable {
      var from: String
      var to: String
    }
    func key(_ hop: MigrationPlan.Hop) -> Hop { Hop(from: hop.from.name, to: hop.to.name) }
    // The fixes of one hop are tried together.
    let fixes = Dictionary(grouping: found) { key($0.hop) }.mapValues { found -> [Finding: [Fix]] in
      guard let hop = found.first?.hop, hop.isInferred else { return [:] }
      let named = Set(found.compactMap(\.warning))
      let warnings = hop.warnings.filter(named.contains)
      let report = InferenceReport(
        warnings, from: hop.from, to: hop.to, typed: (name(hop.from), name(hop.to)))
      return Dictionary(first: zip(warnings, report.findings.map(\.fixes)))
    }
    return found.map { found in
      var finding = found.finding
      var known = found.warning.flatMap { fixes[key(found.hop)]?[$0] } ?? []
      // The loss is of the old property.
      if case .unmatchedRename(_, let new, _)? = found.warning?.lossRule,
        finding.id != CheckRule.Kind.renameLikely.rawValue
      {
        for index in known.indices {
          known[index].text.replace("its renaming", with: "the renaming", maxReplacements: 1)
          known[index].text.replace(
            "identifier to", with: "identifier of \(new) to", maxReplacements: 1)
        }
      }
      finding.fixes = usable(known + finding.fixes).compactMap {
        inProject($0, from: found.hop.from, to: found.hop.to, inStage: found.hop.stage != nil)
      }
      return finding
    }
  }

  /// The fixes that edit no version that has shipped: a change of its hashes would be an error too.
  private func usable(_ fixes: [Fix]) -> [Fix] {
    guard !isNew else { return fixes }
    func isEdit(_ fix: Fix) -> Bool {
      fix.commands.contains { command in
        command.hasPrefix("try ") && !Self.unhashedKeys.contains { command.contains(" \($0) ") }
      }
    }
    let edits = fixes.filter(isEdit)
    guard !edits.isEmpty else { return fixes }
    return [
      Fix(
        "\(target.versionName) has shipped: make a new version from it, and change that (\(Phrase.list(edits.map(\.text).uniqued)))"
      )
    ] + fixes.filter { !isEdit($0) }
  }

  /// The keys of the model that fixes set and that are not hashed.
  private static let unhashedKeys = ["elementID", "defaultValueString"]

  /// A fix with what `check` needs besides to use it: a mapping model instead of its text, or another strategy; `nil` for
  /// a mapping model in a project with stages, which uses none.
  ///
  /// - Parameter isInStage: Whether it is for the hop of a custom stage.
  private func inProject(
    _ fix: Fix, from source: NamedModel, to destination: NamedModel, inStage isInStage: Bool = false
  ) -> Fix? {
    var fix = fix
    let (old, new) = (name(source), name(destination))
    func strategy(_ name: MigrationStrategy) -> String {
      self.strategy == name
        ? "" : ", with strategy = \"\(name.rawValue)\" for the bundle in strata.toml"
    }
    if fix.commands.contains(InferenceReport.writeCommand(from: old, to: new)) {
      guard self.strategy != .staged else { return nil }
      fix.text += self.strategy == .lightweight ? strategy(.default) : ""
      fix.text += ": edit the text before the second command"
      fix.commands.append(InferenceReport.compileCommand(from: old, to: new))
    } else if fix.commands.contains(where: { $0.hasSuffix(" --split") }) {
      guard !isInStage else {
        return Fix("copy the values in a statement of the stage", commands: ["help stages"])
      }
      fix.text += strategy(.staged)
    }
    return fix
  }

  // MARK: Stages

  /// Finds stages files that name versions of the bundle and not its current version.
  mutating func findMissingSteps(in files: [ProjectStages], _ policies: PolicyRegistry) {
    for file in files {
      guard let stages = try? file.stages(among: bundle.versions, policies),
        let last = stages.last?.versionNames.last,
        !stages.contains(where: { $0.versionNames.contains(target.name) })
      else { continue }
      findings.append(
        Finding(
          CheckRule(.pathMissingStep, "\(last) -> \(target.name) is in no stage"),
          at: FindingLocation(
            bundle: bundle.label, version: "\(last) -> \(target.name)", file: file.name),
          fixes: [Fix("add the line `stage lightweight \(target.name)`")]))
    }
  }

  /// Finds the stages files that are not used.
  ///
  /// - Parameter files: The names of those that the bundle can use; the first one is used.
  mutating func findShadowed(_ files: [String]) {
    guard let used = files.first else { return }
    findings += files.dropFirst().map { file in
      Finding(
        CheckRule(
          .pathShadowed,
          "\(files.count) files have stages of \(bundle.label): \(used) is used, and \(file) is not",
          detail: file),
        at: FindingLocation(bundle: bundle.label, file: file),
        fixes: [Fix("keep the file with the stages of the app, and delete the others")])
    }
  }

  // MARK: Comparison with a base

  /// Compares the plans with those at a base.
  private mutating func compare(with base: Base) {
    for path in paths {
      guard let before = base.plans[path.version.name] else { continue }
      let written = path.plan.written
      let new = written.map(\.name)
      // A file that was only renamed has the same mapping model.
      let dropped = before.written.filter { old in
        !written.contains { $0.name == old.name || $0.mapping == old.mapping }
      }.map(\.name)
      guard !dropped.isEmpty, let hop = path.plan.hops.last else { continue }
      // A new current version needs other mapping models.
      let isInferred = path.plan.hops.contains(where: \.isInferred)
      guard isInferred || before.ends(like: path.plan) else { continue }
      let now =
        new.isEmpty
        ? "the mapping model is now inferred"
        : isInferred
          ? "\(Phrase.list(new)) and an inferred mapping model are used now"
          : "\(Phrase.list(new)) \(new.count == 1 ? "is" : "are") used now"
      let deleted = dropped.filter { base.deletedMappings[$0] != nil }
      let gone =
        deleted.isEmpty
        ? "" : "; \(Phrase.list(deleted)) \(deleted.count == 1 ? "was" : "were") deleted since"
      findings.append(
        Finding(
          CheckRule(
            .pathChanged,
            "at \(base.name) stores were migrated with \(Phrase.list(dropped)) to \(before.hops.last?.to.versionName ?? ""); \(now)\(gone)"
          ),
          at: location(from: path.version, to: hop.to),
          fixes: deleted.compactMap { base.deletedMappings[$0] }.map {
            restore($0, from: base.revision)
          } + [
            Fix(
              "write a mapping model to \(target.versionName), or migrate from version to version with a strategy of strata.toml"
            )
          ]))
    }
  }

  /// The fix that gets a mapping model back from a revision.
  private func restore(_ path: String, from revision: String) -> Fix {
    let file = shown(path)
    let isPlain = !file.contains { "*?[]\\:".contains($0) } && !revision.hasPrefix("-")
    guard isPlain, file.isPastable, revision.isPastable else {
      return Fix("restore \(path) from \(revision)")
    }
    return Fix(
      "restore the mapping model",
      commands: ["git checkout \(revision.shellQuoted) -- \(file.shellQuoted)"])
  }
}

extension MigrationPlan {
  /// Whether two plans have the same last version.
  fileprivate func ends(like other: MigrationPlan) -> Bool {
    hops.last?.to.model.versionHashes() == other.hops.last?.to.model.versionHashes()
  }
}
