internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

extension MigrationPlan {
  /// The statements of policy files because of which `migrate` would refuse the plan, one for each hop.
  func statementFaults(_ policies: PolicyRegistry) -> [Diagnostic] {
    hops.compactMap { hop -> Diagnostic? in
      do throws(Diagnostic) {
        try policies.checkNames(in: hop)
        return nil
      } catch {
        return error.asWarning
      }
    }
  }

  /// The warnings about mapping models with errors, which `migrate` refuses.
  ///
  /// - Parameter isStepped: Whether the stepper runs them up to the step that fails.
  func faults(_ policies: PolicyRegistry, isStepped: Bool = false) -> [Diagnostic] {
    hops.compactMap { hop in
      let count = PassesRun.faults(of: hop, policies).count
      // `plan` lists the errors that no policy can fix.
      guard count > 0, isStepped || !hop.faults.contains(where: { $0.severity == .error }) else {
        return nil
      }
      let name = hop.mappingName
      return Diagnostic(
        id: isStepped ? "step.badMapping" : "migration.badMapping", severity: .warning,
        what: "`migrate` would refuse \(name): it has \(Phrase.count(count, "error"))",
        fix: isStepped
          ? "continue to see where it fails, or run `mapping lint \(name)`"
          : "`mapping lint \(name)` lists them")
    }
  }

  /// The warning about default values that do not fit, which the policies of entity mappings must replace.
  ///
  /// Also reports policy files that cannot be read, if a mapping model has a policy, and otherwise named ones.
  func decisions(_ policies: PolicyRegistry, named files: [String]) -> [Diagnostic] {
    let hasPolicies = hops.contains { !$0.policyUses.isEmpty }
    return unused(policies, named: files)
      + (hasPolicies ? policies.unreadable.map(\.asWarning) : [])
      + hops.compactMap { hop in
        let left = PassesRun.decisions(of: hop, policies)
        guard let first = left.first else { return nil }
        return Diagnostic(
          id: "migration.decidedByPolicy", severity: .warning,
          what:
            "\(Phrase.count(left.count, "default value")) of \(hop.mappingName) would fail without a policy; the values are checked after its calls",
          fix: first.fixes.first?.text,
          notes: left.map { "\($0.location): \($0.reason)" })
      }
  }
}

extension MigrationPlan {
  /// The warning about named files without effect, and about a policy whose name is misspelled. A file can have
  /// policies of other hops too.
  private func unused(_ policies: PolicyRegistry, named files: [String]) -> [Diagnostic] {
    guard !files.isEmpty, !hops.contains(where: { $0.stage != nil }) else { return [] }
    let uses = hops.flatMap(\.policyUses)
    let idle = policies.idle(among: uses)
    let used = Set(uses.map(\.policyName)).sorted()
    let meant = idle.lazy.filter { !used.contains($0.name) }
      .compactMap { NearestName.of($0.name, in: used) }.first
    if meant == nil, let (policy, typed, meant) = policies.misspelled(among: uses) {
      return [
        Diagnostic(
          id: "migration.unusedPolicies", severity: .warning,
          what:
            "a policy \(policy) of \(Phrase.list(files)) does not run: the plan has no entity mapping \(typed)",
          fix: NearestName.question(meant))
      ]
    }
    guard idle.count == policies.named.count || meant != nil else { return [] }
    let names = Set(idle.map(\.name)).sorted()
    return [
      Diagnostic(
        id: "migration.unusedPolicies", severity: .warning,
        what: uses.isEmpty
          ? "no entity mapping of the plan has a policy: \(Phrase.list(files)) \(files.count == 1 ? "is" : "are") not used"
          : "\(Phrase.list(names)) of \(Phrase.list(files)) \(names.count == 1 ? "runs" : "run") for no entity mapping of the plan",
        fix: uses.isEmpty
          ? "name the mapping model whose policies they are: --mapping FILE, or --mappings FOLDER"
          : meant.map(NearestName.question)
            ?? "the policies of the plan are \(Phrase.list(used)); `plan` shows its mapping models")
    ]
  }
}

extension Session {
  /// The error about unknown policies of a plan; `nil` if there are none.
  func unknownPolicies(
    in plan: MigrationPlan, _ policies: PolicyRegistry, strategy: StrategyOptions,
    references: [String]
  ) -> Diagnostic? {
    let unknown = plan.hops.flatMap(\.policyUses).filter { !policies.knows($0) }
    guard !unknown.isEmpty else { return nil }
    // The unreadable file may contain the policy.
    if let unreadable = policies.unreadable.first { return unreadable }
    var diagnostic = MigrationError.unknownPolicies(unknown, known: policies.names).diagnostic
    guard NearestName.of(unknown[0].policyName, in: policies.names) == nil else {
      return diagnostic
    }
    let names = unknown.map(\.mappingModel).uniqued
    let known = (try? knownMappings(for: references, folder: strategy.mappingsFolder))?.mappings
    var files: [String] = []
    let commands = names.map { name in
      let named = known?.first { $0.forChoice.name == name }
      let option = strategy.mappings.first {
        // Named by its path, independent of its format.
        let file = NamedModel.versionName(of: $0)
        return file == name || file.hasPrefix(name + ".")
      }
      let reference = named?.file?.loadedPath.map { shown($0) } ?? option ?? named?.name ?? name
      let file = name + Self.policyExtension
      files.append("--policies " + CommandLineLexer.quoted(file))
      return
        "`mapping write \(CommandLineLexer.quoted(reference)) \(CommandLineLexer.quoted(file))`"
    }
    diagnostic.fix =
      "\(Phrase.list(commands)) \(commands.count == 1 ? "writes" : "write") a skeleton for \(files.joined(separator: " ")); or run without the policies: --without-policy"
    return diagnostic
  }
}
