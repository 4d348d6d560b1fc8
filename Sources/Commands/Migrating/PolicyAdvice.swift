internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

extension MigrationPlan {
  /// What is wrong with mapping models: `migrate` refuses them.
  ///
  /// - Parameter isStepped: Whether they are followed up to where they fail.
  func faults(_ policies: PolicyRegistry, isStepped: Bool = false) -> [Diagnostic] {
    hops.compactMap { hop in
      let count = PassesRun.faults(of: hop, policies).count
      // `plan` lists those that no policy has to do with.
      guard count > 0, isStepped || !hop.faults.contains(where: { $0.severity == .error }) else {
        return nil
      }
      let name = hop.mappingName
      return Diagnostic(
        id: isStepped ? "step.badMapping" : "migration.badMapping", severity: .warning,
        what: "`migrate` would refuse \(name): it has \(Words.count(count, "fault", "faults"))",
        fix: isStepped
          ? "go on to see where it fails, or ask `mapping lint \(name)`"
          : "`mapping lint \(name)` lists them")
    }
  }

  /// The default values that do not fit, and that the policies of entity mappings must replace.
  ///
  /// Policy files that cannot be read are told too, where a mapping model has a policy.
  func decisions(_ policies: PolicyRegistry) -> [Diagnostic] {
    let unreadable =
      hops.contains { !$0.policyUses.isEmpty } ? policies.unreadable.map(\.asWarning) : []
    return unreadable
      + hops.compactMap { hop in
        let left = PassesRun.decisions(of: hop, policies)
        guard let first = left.first else { return nil }
        return Diagnostic(
          id: "migration.decidedByPolicy", severity: .warning,
          what:
            "\(Words.count(left.count, "default value", "default values")) of \(hop.mappingName) would fail without a policy; the values are judged after its calls",
          fix: first.fixes.first?.text,
          notes: left.map { "\($0.place): \($0.reason)" })
      }
  }
}

extension Session {
  /// The policies that a plan needs and nobody knows; `nil` where there are none.
  func unknownPolicies(
    in plan: MigrationPlan, _ policies: PolicyRegistry, strategy: StrategyOptions,
    references: [String]
  ) -> Diagnostic? {
    let unknown = plan.hops.flatMap(\.policyUses).filter { !policies.knows($0) }
    guard !unknown.isEmpty else { return nil }
    // It may be the one that is needed.
    if let unreadable = policies.unreadable.first { return unreadable }
    var diagnostic = MigrationError.unknownPolicies(unknown, known: policies.names).diagnostic
    guard NearestName.of(unknown[0].policyName, in: policies.names) == nil else {
      return diagnostic
    }
    let models = unknown.map(\.mappingModel)
    let names = models.enumerated().filter { models.firstIndex(of: $1) == $0 }.map(\.element)
    let known = (try? knownMappings(for: references, folder: strategy.mappingsFolder))?.mappings
    var files: [String] = []
    let commands = names.map { name in
      let named = known?.first { $0.forChoice.name == name }
      let option = strategy.mappings.first {
        // By its path, whatever form it has.
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
      "\(Words.list(commands)) \(commands.count == 1 ? "writes" : "write") a skeleton for \(files.joined(separator: " ")); or leave the policies out with --without-policy"
    return diagnostic
  }
}
