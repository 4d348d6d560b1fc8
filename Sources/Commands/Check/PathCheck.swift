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
  /// The name of a file of the project in a command.
  private let shown: (String) -> String

  /// The plans at a revision, by the names that the versions have now.
  struct Base {
    var name: String
    var plans: [String: MigrationPlan]
  }

  /// - Parameters:
  ///   - versions: The versions of which users have stores, oldest first.
  ///   - isNew: Whether no release contains the current version.
  ///   - base: The plans to compare with; `nil` if there are none.
  ///   - shown: The name of a file of the project in a command.
  init(
    of bundle: ProjectState.Bundle, to target: NamedModel, from versions: [NamedModel],
    isNew: Bool, since base: Base?, _ planner: MigrationPlanner, by strategy: MigrationStrategy,
    _ policies: PolicyRegistry, shown: @escaping (String) -> String
  ) throws {
    (self.bundle, self.target, self.isNew, self.base) = (bundle, target, isNew, base)
    self.shown = shown
    let plans = planner.plans(from: versions, to: target, by: strategy)
    for (version, plan) in zip(versions, plans) {
      do {
        paths.append(Path(version: version, plan: try plan.get()))
      } catch let error as MigrationError {
        findings.append(finding(error, from: version))
        if case .undefinedChoice(_, _, let fitting, _) = error {
          undecidedMappings.formUnion(fitting)
        }
      }
    }
    // The newest version of which a finding is true stands for the older ones.
    var found: Set<Key> = []
    for path in paths.reversed() {
      findings += findings(of: path, policies).filter { found.insert(Key($0)).inserted }
    }
    if let base { compare(with: base.plans, at: base.name) }
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

  private func typed(_ version: NamedModel) -> String {
    CommandLineLexer.quoted(shown("\(bundle.path)/\(version.name)"))
  }

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
      return Finding(
        CheckRule(
          .pathNone, (first?.reason ?? "no mapping model can be inferred") + others,
          code: .inferredMappingModel),
        at: inner ?? whole,
        fixes: [
          Fix(
            "write a mapping model, or set a renaming identifier",
            commands: [
              "infer \(typed(version)) \(typed(target))"
            ])
        ])
    default:
      let diagnostic = error.diagnostic
      return Finding(
        CheckRule(.pathNone, diagnostic.what), at: whole,
        fixes: diagnostic.fix.map { [Fix($0)] } ?? [])
    }
  }

  // MARK: Findings of a path

  private func findings(of path: Path, _ policies: PolicyRegistry) -> [Finding] {
    let known = Set(
      base?.plans[path.version.name]?.hops.flatMap { $0.warnings.map(LossKey.init) } ?? [])
    return path.plan.hops.flatMap { hop -> [Finding] in
      let unknown = Set(hop.policyUses.filter { !policies.knows($0) }.map(\.policyName))
      return hop.warnings.compactMap { finding($0, in: hop, known) }
        + unknown.sorted().map { name in
          Finding(
            CheckRule(
              .policyUnknown, "policy \(name) is unknown: the migration is planned, not performed"),
            at: location(
              from: hop.from, to: hop.to, FindingLocation(mapping: hop.parts.first?.name)),
            fixes: [
              Fix("describe it in a policy file", commands: ["help policies"])
            ])
        }
    }
  }

  private func finding(
    _ warning: Finding, in hop: MigrationPlan.Hop, _ known: Set<LossKey>
  ) -> Finding? {
    guard let (kind, severity) = kind(of: warning, isKnown: known.contains(LossKey(warning)))
    else { return nil }
    return Finding(
      CheckRule(kind, warning.reason, code: warning.code), severity: severity,
      at: location(from: hop.from, to: hop.to, warning.location), fixes: warning.fixes)
  }

  private func kind(
    of warning: Finding, isKnown: Bool
  ) -> (kind: CheckRule.Kind, severity: Diagnostic.Severity)? {
    switch warning.rule {
    case let rule as LossRule:
      let lossSeverity = severity(ofKnownLoss: isKnown)
      switch rule {
      case .unmatchedRename: return (.renameLikely, .note)
      case .unordered: return (.lossOrder, lossSeverity)
      case .narrowed, .retargeted, .acrossParts, .becameAttribute, .removed(isRelationship: true),
        .unread(isRelationship: true), .becameTransient(isRelationship: true):
        return (.lossLinks, lossSeverity)
      default: return (rule.isOfObjects ? .lossObjects : .lossValues, lossSeverity)
      }
    case let rule as InferenceRule:
      switch rule {
      case .missingDefault: return (.failsRequired, .warning)
      case .missingDestination: return (.failsUnsavable, .warning)
      case .newConstraint: return (.failsUnique, .warning)
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

  /// What a path loses, apart from its message.
  private struct LossKey: Hashable {
    var entity: String?
    var property: String?
    var isLoss: Bool

    init(_ finding: Finding) {
      (entity, property) = (finding.location.entity, finding.location.property)
      isLoss = finding.lossRule != nil
    }
  }

  /// A loss that the base has too has happened: it is only worth a note.
  private func severity(ofKnownLoss isKnown: Bool) -> Diagnostic.Severity {
    guard base != nil else { return isNew ? .error : .note }
    return isKnown ? .note : .error
  }

  /// The severity of losses that only a migrated store shows: those of mapping models and policies.
  func severityOfCountedLosses(on path: Path) -> Diagnostic.Severity {
    severity(
      ofKnownLoss: base?.plans[path.version.name].map {
        $0.writtenMappings == path.plan.writtenMappings && !$0.hops.isEmpty
      } ?? false)
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
          fixes: [Fix("add the line `stage lightweight \(last), \(target.name)`")]))
    }
  }

  // MARK: Comparison with a base

  /// Compares the plans with those at a base.
  ///
  /// - Parameters:
  ///   - base: The name of the revision.
  ///   - planned: The plans at the base, by version.
  private mutating func compare(with planned: [String: MigrationPlan], at base: String) {
    for path in paths {
      guard let before = planned[path.version.name] else { continue }
      let (old, new) = (before.writtenMappings, path.plan.writtenMappings)
      let dropped = old.filter { !new.contains($0) }
      guard !dropped.isEmpty, let hop = path.plan.hops.last else { continue }
      let now =
        new.isEmpty
        ? "the mapping model is now inferred"
        : path.plan.hops.contains(where: \.isInferred)
          ? "\(Phrase.list(new)) and an inferred mapping model are used now"
          : "\(Phrase.list(new)) \(new.count == 1 ? "is" : "are") used now"
      findings.append(
        Finding(
          CheckRule(
            .pathChanged,
            "at \(base) stores were migrated with \(Phrase.list(dropped)) to \(before.hops.last?.to.versionName ?? ""); \(now)"
          ),
          at: location(from: path.version, to: hop.to),
          fixes: [
            Fix(
              "write a mapping model to \(target.versionName), or migrate from version to version with a strategy of strata.toml"
            )
          ]))
    }
  }
}

extension MigrationPlan {
  /// The names of the mapping models that are not inferred, in order.
  var writtenMappings: [String] { hops.filter { !$0.isInferred }.flatMap(\.parts).map(\.name) }
}
