internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

extension Session {
  /// What a user should know of mapping models that a plan does not use, and of entities that it drops.
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
      advice += stale.map { $0.warning(from: hop.from, to: hop.to) }
      let choice = DefaultBootstrapping().mappingModels(
        from: hop.from, to: hop.to, among: planner.mappings)
      advice += choice.unusedParts(from: hop.from, to: hop.to)
      advice += hop.unusedTexts(among: planner.mappings)
      if strategy == .default, !planner.areMappingsNamed, stale.isEmpty {
        advice += mappingsElsewhere(for: hop, besides: planner.mappings, references)
      }
    }
    guard strategy == .default,
      let other = planner.passedOver(by: plan).first(where: { !known.contains($0.name) })
    else { return advice }
    return advice + [
      Diagnostic(
        id: "migration.otherWay", severity: .warning,
        what:
          "\(other.name) is not used: it does not end at \(target.name), and Core Data migrates there in one step",
        mend: "--strategy hybrid goes from version to version by such mapping models")
    ]
  }

  /// The mapping models in other folders of the project that fit a hop: an app holds them whatever their folder.
  private func mappingsElsewhere(
    for hop: MigrationPlan.Hop, besides known: [NamedMappingModel], _ references: [String]
  ) -> [Diagnostic] {
    projectMappings(for: references).compactMap { place, files in
      let choice = DefaultBootstrapping().mappingModels(
        from: hop.from, to: hop.to, among: known + read(files).forChoice)
      guard !choice.fitting.isEmpty else { return nil }
      let names = Words.list(choice.fitting.map(\.name))
      return Diagnostic(
        id: "migration.mappingElsewhere", severity: .warning,
        what:
          "\(names) in \(place) \(choice.isUndefined ? "fit" : "fits") from \(hop.from.name) to \(hop.to.name): an app that holds \(choice.isUndefined ? "one of them" : "it") does not infer here",
        mend: "--mappings \(CommandLineLexer.quoted(place)) looks there too")
    }
  }

  /// Says where Core Data would use a mapping model, and infer nothing.
  func passedOver(
    from source: NamedModel, to target: NamedModel, references: [String]
  ) throws -> [Diagnostic] {
    guard source.model.versionHashes() != target.model.versionHashes() else { return [] }
    let known = try knownMappings(for: references)
    let choice = DefaultBootstrapping().mappingModels(
      from: source, to: target, among: known.forChoice)
    let stale = staleMappings(
      among: known.forChoice, from: source, to: target, references: references)
    let others =
      stale.map { $0.warning(from: source, to: target) }
      + choice.unusedParts(from: source, to: target)
    guard !choice.fitting.isEmpty else { return known.problems + others }
    let what =
      choice.chosen.map { "Core Data would not infer here: \($0.name) leads" }
      ?? "Core Data would not infer here, and which mapping model it uses is undefined: \(Words.list(choice.fitting.map(\.name))) lead"
    return known.problems + [
      Diagnostic(
        id: "migration.mappingModel", severity: .warning,
        what: what + " from \(source.name) to \(target.name)",
        mend: choice.isUndefined
          ? "`plan` tells what each would lose"
          : "`mapping show` tells what it does, `migrate` uses it")
    ]
  }

  /// Why a plan failed, with the mapping models that an edit made stale.
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
    for stale in staleMappings(
      among: planner.mappings, from: ends.0, to: ends.1, references: references)
    {
      let warning = stale.warning(from: ends.0, to: ends.1)
      diagnostic.notes += [warning.what] + warning.notes.map { "  \($0)" }
    }
    return ExplainedMigrationError(error: error, diagnostic: diagnostic)
  }

  /// The mapping models that serve one end of a hop, and the other end as it was before an edit.
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

extension MappingChoice {
  /// The mapping models that lead there and that Core Data does not use by itself: parts, and texts.
  func unusedParts(from source: NamedModel, to target: NamedModel) -> [Diagnostic] {
    let direction = "from \(source.name) to \(target.name)"
    if chosen == nil, !isUndefined, parts.count > 1 {
      return [
        Diagnostic(
          id: "migration.dividedMapping", severity: .warning,
          what:
            "\(Words.list(parts.map(\.name))) together map every entity \(direction), and none does by itself: Core Data uses none of them",
          mend:
            "`migrate --strategy custom` runs them one after the other, as an app of this kind does"
        )
      ]
    }
    return []
  }
}

extension StaleMapping {
  /// Edits that a message lists.
  private static let editLimit = 10

  /// What was edited, and what inference does instead.
  func warning(from source: NamedModel, to target: NamedModel) -> Diagnostic {
    let (edited, kept) = isSource ? (source, target) : (target, source)
    let rest = edits.count - Self.editLimit
    return Diagnostic(
      id: "migration.staleMapping", severity: .warning,
      what:
        "\(name) is stale: it fits \(kept.name) and not \(edited.name), whose \(Words.list(entities)) \(entities.count == 1 ? "was" : "were") edited after it was saved; Core Data does not use it",
      mend:
        "save \(name) again for these versions, in Xcode or with `infer` and --write, or undo the edit",
      notes: edits.prefix(Self.editLimit).map { "edit: \($0)" }
        + (rest > 0 ? ["and \(rest) more edits"] : []) + inference(from: source, to: target))
  }

  private func inference(from source: NamedModel, to target: NamedModel) -> [String] {
    let inference = Inference(from: source.model, to: target.model)
    guard inference.isInferable else {
      let obstacles = inference.obstacles.map { "\($0.place): \($0.reason)" }
      return ["nothing can be inferred instead: \(Words.list(Array(obstacles.prefix(3))))"]
    }
    return inference.warnings.prefix(Self.editLimit).map {
      "inference instead: \($0.place) \($0.reason)"
    } + ["inference instead evaluates no value expression or policy of \(name)"]
  }
}

extension MigrationPlan.Hop {
  /// The texts that lead there too: they count only where a user names them.
  fileprivate func unusedTexts(among mappings: [NamedMappingModel]) -> [Diagnostic] {
    let (first, second) = (MatchableModel(from.model), MatchableModel(to.model))
    return mappings.filter {
      !$0.isReadByCoreData && $0.mapping.fit(from: first, to: second).isFitting
    }.map { text in
      Diagnostic(
        id: "migration.textMapping", severity: .warning,
        what:
          "\(text.name) fits from \(from.name) to \(to.name) and is not used: Core Data cannot read a \(Session.mappingTextExtension) text",
        mend: "--mapping \(text.name) runs it; `mapping write` writes it for Xcode")
    }
  }

  /// Says which entities a mapping model of the user's own choice leaves out.
  fileprivate var droppedEntities: Diagnostic? {
    let mapped = Set(entityMappings.compactMap(\.sourceName))
    let first = MatchableModel(from.model)
    guard let fit = parts.first?.mapping.fit(from: first, to: MatchableModel(to.model)) else {
      return nil
    }
    let dropped = fit.unmappedSources.filter { !mapped.contains($0) }
    guard !dropped.isEmpty else { return nil }
    let names = Words.list(dropped)
    return Diagnostic(
      id: "migration.droppedEntity", severity: .warning,
      what:
        "no entity mapping of \(Words.list(parts.map(\.name))) has the source \(names): \(dropped.count == 1 ? "its" : "their") objects are dropped",
      mend:
        "name the mapping model of \(names) with another --mapping; `migrate --strict` refuses the loss"
    )
  }
}

/// Why there is no plan, with the stale mapping models that might have served.
struct ExplainedMigrationError: DiagnosticError {
  var error: MigrationError
  var diagnostic: Diagnostic
}
