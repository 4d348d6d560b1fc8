internal import ArgumentParser
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `plan STORE|MODEL --to MODEL`
struct Plan: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "plan", abstract: "Shows the hops of a migration, how each is done, and why.",
    discussion: """
      By default the path is that of Core Data: a compatible store is opened; any other is migrated to the \
      target in one step, with the one mapping model that fits, else by inference. If several mapping models \
      fit, Core Data's choice is undefined. The other strategies:

        lightweight   inference only; mapping models are ignored
        custom        the mapping models of --mapping, in order, into one destination; without --mapping, \
      those that together map every entity
        progressive   through every version in between
        hybrid        mapping models by their names (Model1ToModel2, Model4ToModel5-1 for a part), else by \
      their hashes; one inferred hop where there are none
        staged        the stages of a file (`help stages`)

      Core Data does not order versions: their names are compared, numbers by value. --compare counts for each \
      strategy the hops from this version, the distinct hops from all earlier versions (the paths to test), \
      and the hops that are new with the target. If there is no path, other strategies and mapping models of \
      the project with a path are listed. --from names the version of the store if its hashes do not determine \
      it. If only version identifiers or other parts without a hash differ, one hop writes those of the target.

      Exit status 1 means that there is no path, that the path is undefined, or that it would fail: a mapping \
      model has an error, or objects of the store violate a uniqueness constraint.
      """)
  static let examples = [
    CommandExample(
      "from version to version", "plan sample:Topics/Model2 --to sample:Topics/Model3"),
    CommandExample(
      "the paths to test", "plan sample:Topics/Model1 --to sample:Topics/Model5 --compare"),
    CommandExample(
      "with mapping models where they exist",
      "plan sample:Topics/Model1 --to sample:Topics/Model5 --strategy hybrid"),
  ]

  @Argument(.storeOrModel, "A store, or its current model.", label: "from") var source: String
  @Option(.model, "The model to migrate to.", name: .customLong("to")) var target: String
  @Flag(help: "Compare the paths to test of all strategies.") var compare = false
  @Flag(help: "List every entity mapping of a long plan, also those that only copy.") var all =
    false
  @OptionGroup var strategy: StrategyOptions
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    try answer(in: session).outcome
  }

  /// The answer, and whether there is a path, or nothing to do.
  func answer(in session: Session) throws -> (outcome: Outcome, hasPath: Bool) {
    let ends = try session.ends(from: source, to: target, named: strategy.from)
    let (source, target) = (ends.source, ends.target)
    let references = [self.source, self.target]
    let policies = try session.policies(for: references, files: strategy.policyFiles)
    let setup = try session.planner(
      by: strategy, from: source, to: target, references: references, policies: policies,
      needsVersions: compare)
    let planner = setup.planner
    guard !compare else {
      let comparison = StrategyComparison(planner, from: source, to: target)
      try Interruption.check()
      let unreadable = setup.unreadableVersions.map(\.reason)
      let outcome = Outcome(
        comparison.view(from: source, to: target), json: comparison.json,
        status: unreadable.isEmpty && comparison.errors.isEmpty ? .done : .failed,
        warnings: ends.notes + setup.problems + unreadable + comparison.warnings)
      return (outcome, false)
    }
    let chosen = strategy.chosen
    do {
      let plan = session.typable(
        ends.completed(try setup.plan(from: source, to: target, by: chosen)), references
      ).withLosses(besides: policies)
      let counted = try session.counts(of: self.source, in: plan)
      let schemaFaults = plan.schemaFaults
      let statementFaults = plan.statementFaults(policies)
      // `migrate` refuses it in place only.
      let emptied = plan.isInPlace ? plan.nothingStays(of: self.source) : nil
      let fails =
        emptied != nil || !schemaFaults.isEmpty || !statementFaults.isEmpty
        || counted?.obstacles.isEmpty == false
        || plan.hops.contains { !PassesRun.faults(of: $0, policies).isEmpty }
      let warnings = plan.warnings(counted: counted)
      let advice = session.mappingAdvice(on: plan, of: planner, by: chosen, to: target, references)
      let unknown = [
        session.unknownPolicies(in: plan, policies, strategy: strategy, references: references)?
          .asWarning
      ].compactMap { $0 }
      let outcome = Outcome(
        plan.view(warnings, isWhole: all), json: plan.json(warnings),
        status: fails ? .no : .done,
        warnings: ends.notes + setup.problems + [emptied?.asWarning].compactMap(\.self)
          + schemaFaults + advice + statementFaults + plan.faults(policies)
          + plan.decisions(policies, named: strategy.policyFiles)
          + unknown + plan.keyWarnings + (counted == nil ? [] : plan.uncounted)
          + (try session.stageWarnings(on: plan, of: self.source, to: self.target, strategy)))
      return (outcome, true)
    } catch let error as MigrationError {
      if error.isRefusedByStages {
        let refusal = error.diagnostic
        let outcome = Outcome(
          .nothing, json: PathlessPlan.json(reason: refusal.what, code: refusal.code), status: .no,
          warnings: [refusal])
        return (outcome, false)
      }
      guard error.leavesNoPath else {
        throw session.explained(error, from: source, to: target, planner, references)
      }
      let pathless = try PathlessPlan(
        error, from: source, to: target, typed: (self.source, self.target), by: strategy, setup,
        in: session)
      return (pathless.outcome, false)
    }
  }
}

extension Session {
  /// The warnings that `migrate` cannot run the stages, and that scripts of an interrupted one run first.
  fileprivate func stageWarnings(
    on plan: MigrationPlan, of text: String, to target: String, _ options: StrategyOptions
  ) throws -> [Diagnostic] {
    guard case .store(_, let path) = try resolve(text) else { return [] }
    let refusal = stagesNeedSQLite(
      plan, of: path, typed: text, to: target, options.arguments, hasOutput: false)
    return try (refusal.map { [$0.asWarning] } ?? []) + warningOfPendingScripts(of: path)
  }

  /// The findings in a store for the first hop of a plan; `nil` if a model was named instead of a store.
  fileprivate func counts(of text: String, in plan: MigrationPlan) throws -> HopCounts? {
    guard case .store(_, let path) = try resolve(text), let hop = plan.hops.first else {
      return nil
    }
    let reader = try StoreReader(
      open(path, among: [hop.from.model]), model: hop.from.model)
    let counts = HopCounts(
      losses: try hop.losses(in: reader), obstacles: try hop.obstacles(in: reader))
    try reader.store.checkUnchanged()
    return counts
  }
}

/// The findings in a store before a hop.
struct HopCounts {
  var losses: [CountedLoss]
  /// What stops the migration.
  var obstacles: [Finding]
}

extension MigrationPlan.Hop {
  /// The JSON name of its mapping model.
  var mappingName: String {
    isInferred ? "inferred" : parts.map(\.name).joined(separator: ", ")
  }

  /// The changes and scripts of its stage, in order.
  var stageSteps: (before: [String], after: [String]) {
    func run(_ scripts: [String]) -> [String] {
      scripts.map { "run \(URL(fileURLWithPath: $0).lastPathComponent)" }
    }
    guard let stage else { return ([], []) }
    return (
      run(stage.will.scripts) + stage.will.changes.map(\.text),
      stage.did.changes.map(\.text) + run(stage.did.scripts)
    )
  }

  func steps(before isBefore: Bool) -> [StyledText] {
    (isBefore ? stageSteps.before : stageSteps.after).map {
      StyledText(isBefore ? "  will: " : "  did: ", .faint) + StyledText($0)
    }
  }

}

extension MigrationPlan.Hop {
  /// The number of entity mappings from which on a list is folded.
  private static let foldingLimit = 12

  /// The entity mappings; if there are several mapping models, below the name of each.
  fileprivate func mappingView(isWhole: Bool) -> View {
    guard parts.count > 1 else {
      return Self.view(entityMappings, indent: "  ", isWhole: isWhole)
    }
    return .stack(
      parts.flatMap { part -> [View] in
        [
          .line(StyledText("  \(part.name)", .heading)),
          Self.view(part.mapping.entityMappings, indent: "    ", isWhole: isWhole),
        ]
      })
  }

  /// A long list is the number of each kind, and the entity mappings that do more than copy.
  private static func view(_ mappings: [EntityMapping], indent: String, isWhole: Bool) -> View {
    guard !isWhole, mappings.count > foldingLimit else {
      return .table(table(mappings, indent: indent))
    }
    let counts = EntityMapping.Kind.allCases.compactMap { kind -> String? in
      let count = mappings.count { $0.effectiveKind == kind }
      return count == 0 ? nil : "\(count) \(kind.participle)"
    }
    func isSpecial(_ mapping: EntityMapping) -> Bool {
      mapping.effectiveKind == .custom || mapping.policyName != nil || mapping.filter != nil
    }
    let changed = mappings.filter { $0.effectiveKind != .copy || isSpecial($0) }
    return .stack([
      .line(
        StyledText(indent + counts.joined(separator: ", "))
          + StyledText("; --all lists them", .faint)),
      .table(
        table(changed.count > foldingLimit ? changed.filter(isSpecial) : changed, indent: indent)),
    ])
  }

  private static func table(_ mappings: [EntityMapping], indent: String) -> Table {
    Table(
      rows: mappings.map { mapping in
        let notes = [
          mapping.policyName.map { "policy \($0)" }, mapping.filter.map { "where \($0)" },
        ]
        return [
          StyledText(indent + mapping.name, .name), StyledText(mapping.effectiveKind.name),
          StyledText(notes.compactMap { $0 }.joined(separator: ", "), .faint),
        ]
      })
  }
}

extension EntityMapping.Kind {
  fileprivate var participle: String {
    switch self {
    case .copy: "copied"
    case .transform: "transformed"
    case .add: "added"
    case .remove: "removed"
    case .custom, .undefined: name
    }
  }
}

extension MigrationPlan {
  /// The reason of an empty plan.
  static let nothingToDo = "the models are compatible"

  /// A note if objects without a required value can stop later hops: only those before the first hop are counted.
  fileprivate var uncounted: [Diagnostic] {
    let hops = hops.dropFirst().filter(\.mayLackValues)
    guard !hops.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "migration.notCounted", severity: .note,
        what:
          "objects are counted for the first hop only, not for that to \(Phrase.list(hops.map(\.to.name)))",
        fix: "`migrate --dry-run` counts those that stop each hop, and changes nothing")
    ]
  }

  /// The warnings of each hop.
  ///
  /// - Parameter counted: The findings in the store for the first hop; `nil` if only its model is known.
  func warnings(counted: HopCounts?) -> [InferenceReport] {
    hops.enumerated().map { index, hop in
      let counts = index == 0 ? counted : nil
      return InferenceReport(hop, counted: counts?.losses, obstacles: counts?.obstacles)
    }
  }

  /// - Parameters:
  ///   - warnings: The warnings of each hop.
  ///   - isWhole: Whether long lists of entity mappings are not folded.
  func view(_ warnings: [InferenceReport], isWhole: Bool = false) -> View {
    guard !hops.isEmpty else { return .line(StyledText("nothing to do: \(Self.nothingToDo)")) }
    return .stack(
      zip(hops, warnings).enumerated().map { index, part in
        let (hop, warnings) = part
        let heading =
          StyledText("hop \(index + 1) of \(hops.count)  ", .faint)
          + StyledText("\(hop.from.name) -> \(hop.to.name)", .heading)
          + StyledText(
            hop.isInferred
              ? "  inferred mapping model"
              : "  \(hop.parts.count == 1 ? "mapping model" : "mapping models") \(Phrase.list(hop.parts.map(\.name)))"
          ) + (warnings.findings.caveat.map { StyledText("; but ", .warning) + $0 } ?? "")
        return .stack([
          .line(heading), .line(StyledText("  why: \(hop.reason)", .faint)),
          .lines(hop.steps(before: true)), hop.mappingView(isWhole: isWhole),
          .lines(hop.steps(before: false)), warnings.view,
        ])
      })
  }

  /// - Parameter warnings: The warnings of each hop.
  fileprivate func json(_ warnings: [InferenceReport]) -> JSONValue {
    let steps = zip(hops, warnings).map { hop, warnings -> JSONValue in
      [
        "from": hop.from.name, "to": hop.to.name, "means": hop.means.rawValue,
        "mapping": hop.mappingName, "reason": hop.reason,
        "entityMappings": hop.entityMappings.map(\.name),
        "parts": hop.parts.json {
          ["mapping": $0.name, "entityMappings": $0.mapping.entityMappings.map(\.summary)]
        },
        "keepsKeys": hop.means == .inPlace, "renamedEntities": hop.renamedEntities,
        "warnings": warnings.json,
        // The work of a stage before and after the hop.
        "will": hop.stageSteps.before, "did": hop.stageSteps.after,
      ]
    }
    return .object(withoutNull: [
      "outcome": steps.isEmpty ? "nothingToDo" : "path",
      "reason": steps.isEmpty ? Self.nothingToDo : nil, "hops": steps,
      "obstacles": [] as JSONValue, "choices": [] as JSONValue, "otherPaths": [] as JSONValue,
    ])
  }
}

extension EntityMapping {
  /// The entity mapping without its properties.
  fileprivate var summary: JSONValue {
    .object(withoutNull: [
      "name": name, "type": effectiveKind.name, "source": sourceName,
      "destination": destinationName, "filter": filter, "policy": policyName,
    ])
  }
}
