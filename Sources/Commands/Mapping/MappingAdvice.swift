internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

extension Session {
  /// The warnings about mapping models that a plan does not use, and about entities that it drops.
  func mappingAdvice(
    on plan: MigrationPlan, of planner: MigrationPlanner, by strategy: MigrationStrategy,
    to target: NamedModel, _ references: [String]
  ) -> [Diagnostic] {
    guard strategy != .lightweight, strategy != .staged else { return [] }
    var advice: [Diagnostic] = []
    var known: Set<String> = []
    for hop in plan.hops {
      guard hop.isInferred else {
        advice += hop.droppedEntities.map { [$0] } ?? []
        continue
      }
      let stale = staleMappings(
        among: planner.mappings, from: hop.from, to: hop.to, references: references)
      known.formUnion(stale.map(\.name))
      advice += stale.map { warning(of: $0, from: hop.from, to: hop.to, references) }
      let choice = MappingChoice(from: hop.from, to: hop.to, among: planner.mappings)
      advice += choice.unusedParts(from: hop.from, to: hop.to)
      advice += hop.unusedTexts(among: planner.mappings)
    }
    guard strategy != .custom, !planner.areMappingsNamed, plan.hops.contains(where: \.isInferred)
    else { return advice }
    let versions = versions(beside: target, references: references)
    if known.isEmpty {
      advice += mappingsElsewhere(
        for: plan, planner.mappings, versions, by: strategy, to: target, references)
    }
    guard strategy == .default,
      let other = Self.usedByHybrid(
        among: planner.passedOver(by: plan, among: versions).filter { !known.contains($0.name) },
        of: planner.mappings, in: plan, versions)
    else { return advice }
    return advice + [other.strategyAdvice(to: target, options: "--strategy hybrid")]
  }

  /// The first of some mapping models with which the hybrid strategy finds a path between the ends of a plan; it has
  /// none to a model that is no version, such as the edited copy of `try`.
  private static func usedByHybrid(
    among candidates: [NamedMappingModel], of known: [NamedMappingModel], in plan: MigrationPlan,
    _ versions: [NamedModel]
  ) -> NamedMappingModel? {
    guard !candidates.isEmpty, let source = plan.hops.first?.from, let target = plan.hops.last?.to
    else { return nil }
    let planner = MigrationPlanner(versions: versions, mappings: known, areMappingsNamed: false)
    let hybrid = try? planner.plan(from: source, to: target, by: .hybrid)
    let names = Set((hybrid?.hops ?? []).flatMap(\.parts).map(\.name))
    return candidates.first { names.contains($0.name) }
  }

  /// The warnings about mapping models in other folders of the project that a plan would use: an app contains
  /// them independent of their folder.
  private func mappingsElsewhere(
    for plan: MigrationPlan, _ known: [NamedMappingModel], _ versions: [NamedModel],
    by strategy: MigrationStrategy, to target: NamedModel, _ references: [String]
  ) -> [Diagnostic] {
    let inferred = plan.hops.filter(\.isInferred)
    return projectMappings(for: references).flatMap { folder, files -> [Diagnostic] in
      let found = read(files).forChoice
      let option = "--mappings \(CommandLineLexer.quoted(folder))"
      let fitting = inferred.flatMap { hop in
        let choice = MappingChoice(from: hop.from, to: hop.to, among: known + found)
        return choice.elsewhere(folder, option, from: hop.from, to: hop.to)
      }
      guard fitting.isEmpty, strategy == .default || strategy == .hybrid else { return fitting }
      // The hybrid strategy also uses those between later versions.
      if strategy == .hybrid {
        let unknown = found.filter { other in !known.contains { $0.path == other.path } }
        return Self.usedByHybrid(among: unknown, of: known + unknown, in: plan, versions)
          .map { [$0.folderAdvice(folder, option)] } ?? []
      }
      let wider = MigrationPlanner(versions: versions, mappings: found, areMappingsNamed: false)
      let other = Self.usedByHybrid(
        among: wider.passedOver(by: plan, among: versions), of: found, in: plan, versions)
      return other.map { [$0.strategyAdvice(to: target, options: "--strategy hybrid \(option)")] }
        ?? []
    }
  }

  /// A warning that mapping models form a path from version to version although none fits both models, with the
  /// command that shows the hops.
  func hybridAdvice(
    from source: NamedModel, to target: NamedModel, among known: [NamedMappingModel],
    folder: String?, _ references: [String]
  ) -> [Diagnostic] {
    let versions = versions(beside: target, references: references)
    var searches: [(folder: String?, mappings: [NamedMappingModel])] = [(folder, known)]
    if folder == nil {
      searches += projectMappings(for: references).map { ($0, known + read($1).forChoice) }
    }
    for (otherFolder, mappings) in searches {
      let planner = MigrationPlanner(
        versions: versions, mappings: mappings, areMappingsNamed: false)
      // An error of that strategy does not concern mapping models between the two versions.
      guard let plan = try? planner.plan(from: source, to: target, by: .hybrid) else { continue }
      let written = plan.hops.filter { !$0.isInferred }
      guard !written.isEmpty, plan.hops.count > 1 else { continue }
      let arguments =
        ["plan", references[0], "--to", references[1], "--strategy", "hybrid"]
        + (otherFolder.map { ["--mappings", $0] } ?? [])
      return [
        Diagnostic(
          id: "migration.otherWay", severity: .warning,
          what:
            "a path of \(plan.hops.count) hops exists through \(Phrase.list(written.flatMap(\.parts).map(\.name)))\(otherFolder.map { " in \($0)" } ?? "")",
          fix: "`\(arguments.map(CommandLineLexer.quoted).joined(separator: " "))` shows the hops")
      ]
    }
    return []
  }

  /// The warning about a stale mapping model, with the command that updates it.
  func warning(
    of stale: StaleMapping, from source: NamedModel, to target: NamedModel, _ references: [String]
  ) -> Diagnostic {
    stale.warning(
      from: source, to: target,
      typed: (typed(source, references: references), typed(target, references: references)))
  }

  /// The warnings where Core Data would use a mapping model instead of inference.
  func passedOver(
    from source: NamedModel, to target: NamedModel, references: [String]
  ) throws -> [Diagnostic] {
    guard source.model.versionHashes() != target.model.versionHashes() else { return [] }
    let known = try knownMappings(for: references)
    let choice = MappingChoice(from: source, to: target, among: known.forChoice)
    let stale = staleMappings(
      among: known.forChoice, from: source, to: target, references: references)
    let others =
      stale.map { warning(of: $0, from: source, to: target, references) }
      + choice.unusedParts(from: source, to: target)
    guard !choice.fitting.isEmpty else { return known.problems + others }
    let what =
      choice.chosen.map { "Core Data would not infer here: it would use \($0.name)" }
      ?? "Core Data would not infer here, and which mapping model it uses is undefined: \(Phrase.list(choice.fitting.map(\.name))) fit"
    return known.problems + [
      Diagnostic(
        id: "migration.mappingModel", severity: .warning,
        what: what + " from \(source.name) to \(target.name)",
        fix: choice.isUndefined
          ? "`plan` shows what each would lose"
          : "`mapping show` shows what it does, `migrate` uses it")
    ]
  }

  /// The error of a plan, with the mapping models that an edit made stale.
  func explained(
    _ error: MigrationError, from source: NamedModel, to target: NamedModel,
    _ planner: MigrationPlanner, _ references: [String]
  ) -> ExplainedMigrationError {
    var ends = (source, target)
    if case .unfitMapping(_, let from, let to, _) = error {
      let known = [source, target] + planner.versions
      ends = (
        known.first { $0.name == from } ?? source, known.first { $0.name == to } ?? target
      )
    }
    var diagnostic = error.diagnostic
    if case .notInferable(let from, let to, _) = error {
      let known = [source, target] + planner.versions
      let names = [from, to].map { name in
        known.first { $0.name == name }.map { typable($0, references).typableName } ?? name
      }
      diagnostic.fix =
        "`\(CommandLineLexer.line(of: ["infer"] + names))` shows each error with its fixes"
    }
    for stale in staleMappings(
      among: planner.mappings, from: ends.0, to: ends.1, references: references)
    {
      let warning = warning(of: stale, from: ends.0, to: ends.1, references)
      diagnostic.notes += [warning.what] + warning.notes.map { "  \($0)" }
      if case .unfitMapping = error, let fix = warning.fix {
        diagnostic.fix = fix
      } else if let fix = warning.fix {
        diagnostic.notes.append("  fix: \(fix)")
      }
    }
    return ExplainedMigrationError(error: error, diagnostic: diagnostic)
  }

  /// The mapping models that fit one model of a hop, and the other model as it was before an edit.
  func staleMappings(
    among candidates: [NamedMappingModel], from source: NamedModel, to target: NamedModel,
    references: [String]
  ) -> [StaleMapping] {
    let suspects = candidates.filter {
      $0.isReadByCoreData && StaleMapping($0, from: source, to: target, among: []) != nil
    }
    guard !suspects.isEmpty, source.model.versionHashes() != target.model.versionHashes() else {
      return []
    }
    let versions = versions(beside: target, references: references).map {
      ($0.versionName, MatchableModel($0.model))
    }
    return suspects.compactMap {
      StaleMapping($0, from: source, to: target, among: versions)
    }
  }
}

extension NamedMappingModel {
  /// The warning that another strategy would use this mapping model.
  fileprivate func strategyAdvice(to target: NamedModel, options: String) -> Diagnostic {
    Diagnostic(
      id: "migration.otherWay", severity: .warning,
      what:
        "\(name) is not used: it does not end at \(target.name), and Core Data migrates there in one step",
      fix: "\(options) migrates from version to version with such mapping models")
  }

  /// The warning that a strategy would use this mapping model of another folder.
  fileprivate func folderAdvice(_ folder: String, _ option: String) -> Diagnostic {
    Diagnostic(
      id: "migration.mappingElsewhere", severity: .warning,
      what: "\(name) in \(folder) is on the way of this strategy, but that folder is not searched",
      fix: "--strategy hybrid \(option) searches there too")
  }
}

extension [NamedMappingModel].Distinct.Copy {
  /// The warning that a named mapping model counts once.
  var warning: Diagnostic {
    let names = [copy, original].map { $0.path ?? $0.name }
    return Diagnostic(
      id: "mapping.equalContent", severity: .warning,
      what: names[0] == names[1]
        ? "\(names[0]) is named several times; it counts once"
        : "\(names[0]) has the same content as \(names[1]); only one of them counts",
      fix: "name it once")
  }
}

extension MappingChoice {
  /// The warnings that mapping models in another folder fit.
  ///
  /// - Parameter option: The option that makes a command search that folder.
  func elsewhere(
    _ folder: String, _ option: String, from source: NamedModel, to target: NamedModel
  ) -> [Diagnostic] {
    let direction = "from \(source.name) to \(target.name)"
    guard fitting.isEmpty else {
      return [
        Diagnostic(
          id: "migration.mappingElsewhere", severity: .warning,
          what:
            "\(Phrase.list(fitting.map(\.name))) in \(folder) \(isUndefined ? "fit" : "fits") \(direction): an app that contains \(isUndefined ? "one of them" : "it") does not infer here",
          fix: "\(option) searches there too")
      ]
    }
    guard parts.count > 1 else { return [] }
    return [
      Diagnostic(
        id: "migration.mappingElsewhere", severity: .warning,
        what:
          "\(Phrase.list(parts.map(\.name))) in \(folder) together map every entity \(direction)",
        fix: "--strategy custom \(option) runs them one after the other")
    ]
  }

  /// The warnings about parts of a divided mapping model, which Core Data does not use.
  func unusedParts(from source: NamedModel, to target: NamedModel) -> [Diagnostic] {
    let direction = "from \(source.name) to \(target.name)"
    if chosen == nil, !isUndefined, parts.count > 1 {
      return [
        Diagnostic(
          id: "migration.dividedMapping", severity: .warning,
          what:
            "\(Phrase.list(parts.map(\.name))) together map every entity \(direction), but none does alone: Core Data uses none of them",
          fix:
            "`migrate --strategy custom` runs them one after the other, as an app with such parts does"
        )
      ]
    }
    return []
  }
}

extension StaleMapping {
  /// The maximum number of edits in a message.
  private static let editLimit = 10

  /// The warning, with the edits and the result of inference as notes.
  ///
  /// - Parameter typed: The two models as a user types them.
  func warning(
    from source: NamedModel, to target: NamedModel, typed: (source: String, destination: String)
  ) -> Diagnostic {
    let (edited, kept) = isSource ? (source, target) : (target, source)
    let rest = edits.count - Self.editLimit
    return Diagnostic(
      id: "migration.staleMapping", severity: .warning,
      what:
        "\(name) is stale: it fits \(kept.name) and not \(edited.name), whose \(Phrase.list(entities)) \(entities.count == 1 ? "was" : "were") edited after it was saved; Core Data does not use it",
      fix: Self.fix(path, name, from: typed.source, to: typed.destination),
      notes: edits.prefix(Self.editLimit).map { "edit: \($0)" }
        + (rest > 0 ? ["and \(rest) more edits"] : []) + inference(from: source, to: target))
  }

  /// The command that updates a stale mapping model for the current versions and keeps its expressions.
  static func fix(_ path: String?, _ name: String, from source: String, to target: String) -> String
  {
    guard let command = refreshCommand(path, name, from: source, to: target) else {
      return "recompile the mapping model \(name) from its \(Session.xcodeMappingExtension)"
    }
    return "`\(command)` updates the hashes and keeps the expressions; or undo the edit"
  }

  /// The command that writes a mapping model for two models as they are; `nil` for a compiled one.
  static func refreshCommand(
    _ path: String?, _ name: String, from source: String, to target: String
  ) -> String? {
    guard path?.hasSuffix(".cdm") != true else { return nil }
    // That of a sample has no file: a new one is written.
    let (old, new) = (path ?? name, path ?? name + Session.xcodeMappingExtension)
    let arguments =
      ["mapping", "write", old, new, "--from", source, "--to", target]
      + (path == nil ? [] : ["--force"])
    return arguments.map(CommandLineLexer.quoted).joined(separator: " ")
  }

  private func inference(from source: NamedModel, to target: NamedModel) -> [String] {
    let inference = Inference(from: source.model, to: target.model)
    guard inference.isInferable else {
      let obstacles = inference.obstacles.map { "\($0.location): \($0.reason)" }
      return [
        "no mapping model can be inferred instead: \(Phrase.list(Array(obstacles.prefix(3))))"
      ]
    }
    return inference.warnings.prefix(Self.editLimit).map {
      "with inference: \($0.location) \($0.reason)"
    } + ["inference ignores the value expressions and policies of \(name)"]
  }
}

extension MigrationPlan.Hop {
  /// The warnings about `.mapping` texts that fit: they are used only with `--mapping`.
  fileprivate func unusedTexts(among mappings: [NamedMappingModel]) -> [Diagnostic] {
    let (first, second) = (MatchableModel(from.model), MatchableModel(to.model))
    return mappings.filter {
      !$0.isReadByCoreData && $0.mapping.fit(from: first, to: second).isFitting
    }.map { text in
      Diagnostic(
        id: "migration.textMapping", severity: .warning,
        what:
          "\(text.name) fits from \(from.name) to \(to.name) but is not used: Core Data cannot read a \(Session.mappingTextExtension) text",
        fix:
          "--mapping \(CommandLineLexer.quoted(text.path ?? text.name)) uses it; `mapping write` writes it for Xcode"
      )
    }
  }

  static let droppedEntityID = "migration.droppedEntity"

  /// The warning about entities that the chosen mapping models do not map.
  fileprivate var droppedEntities: Diagnostic? {
    let mapped = Set(entityMappings.compactMap(\.sourceName))
    let first = MatchableModel(from.model)
    guard let fit = parts.first?.mapping.fit(from: first, to: MatchableModel(to.model)) else {
      return nil
    }
    let dropped = fit.unmappedSources.filter { !mapped.contains($0) }
    guard !dropped.isEmpty else { return nil }
    let names = Phrase.list(dropped)
    return Diagnostic(
      id: Self.droppedEntityID, severity: .warning,
      what:
        "no entity mapping of \(Phrase.list(parts.map(\.name))) has the source \(names): \(dropped.count == 1 ? "its" : "their") objects are lost",
      fix:
        "name the mapping model for \(names) with another --mapping; `migrate --strict` refuses the loss"
    )
  }
}

/// A planning error with the stale mapping models that might have fit.
struct ExplainedMigrationError: DiagnosticError {
  var error: MigrationError
  var diagnostic: Diagnostic
}
