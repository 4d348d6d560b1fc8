internal import StrataBase
package import StrataMapping
package import StrataObjectModel

/// Finds the hops from one model to another by a strategy.
///
/// ```swift
/// let planner = MigrationPlanner(versions: versions, mappings: mappings)
/// try planner.plan(from: version1, to: version5, by: .hybrid).hops.map(\.to.versionName)
/// // ["Model2", "Model3", "Model4", "Model5"]
/// ```
///
/// Source: `Docs/Facts/samples.md`, section 2 (the rule of demo 5).
package struct MigrationPlanner: Sendable {
  /// The known versions, sorted by name.
  package let versions: [NamedModel]
  package let mappings: [NamedMappingModel]
  /// Whether a user named the mapping models, in the order in which they run.
  package let areMappingsNamed: Bool
  /// Whether a mapping model can be inferred if none fits.
  package let infers: Bool
  /// The stages in order, for the staged strategy.
  package let stages: [MigrationStage]
  let memory = PlannerMemory()

  package init(
    versions: [NamedModel] = [], mappings: [NamedMappingModel] = [],
    areMappingsNamed: Bool = true, stages: [MigrationStage] = [], infers: Bool = true
  ) {
    self.areMappingsNamed = areMappingsNamed
    self.stages = stages
    self.versions = versions.sorted { $0.versionName.precedesByNumber($1.versionName) }
    self.mappings =
      areMappingsNamed ? mappings.distinct(mergingForms: false).models : mappings
    self.infers = infers
  }

  /// - Throws: ``MigrationError/notInferable(from:to:obstacles:)``,
  ///   ``MigrationError/missingMappingModel(from:to:rejected:)``,
  ///   ``MigrationError/undefinedChoice(from:to:fitting:parts:)``, ``MigrationError/unknownVersion(_:)`` if a
  ///   strategy migrates version by version, ``MigrationError/unfitMapping(_:from:to:reason:)``,
  ///   ``MigrationError/backwards(from:to:)``, ``MigrationError/unknownStageVersion(_:isTarget:)``.
  package func plan(
    from source: NamedModel, to target: NamedModel, by strategy: MigrationStrategy = .default
  ) throws(MigrationError) -> MigrationPlan {
    guard !Self.isSame(source, target) else { return MigrationPlan(hops: []) }
    switch strategy {
    case .default: return MigrationPlan(hops: [try hop(from: source, to: target)])
    case .lightweight:
      return MigrationPlan(hops: [
        try inferred(
          from: source, to: target,
          reason: "the change can be inferred; mapping models are ignored")
      ])
    case .custom: return MigrationPlan(hops: [try named(from: source, to: target)])
    case .progressive: return MigrationPlan(hops: try progressive(from: source, to: target))
    case .hybrid: return MigrationPlan(hops: try hybrid(from: source, to: target))
    case .staged: return MigrationPlan(hops: try staged(from: source, to: target))
    }
  }

  static func isSame(_ a: NamedModel, _ b: NamedModel) -> Bool {
    a.model.versionHashes() == b.model.versionHashes()
  }

  // MARK: One hop

  /// Uses the mapping model that fits, otherwise inference.
  func hop(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> MigrationPlan.Hop {
    try memory.hop(from: source, to: target) {
      Result { () throws(MigrationError) -> MigrationPlan.Hop in
        try foundHop(from: source, to: target)
      }
    }.get()
  }

  private func foundHop(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> MigrationPlan.Hop {
    let choice = MappingChoice(from: source, to: target, among: mappings)
    if let chosen = choice.chosen {
      return MigrationPlan.Hop(from: source, to: target, parts: [chosen], reason: choice.reason)
    }
    guard !choice.isUndefined else {
      throw .undefinedChoice(
        from: source.name, to: target.name, fitting: choice.fitting.map(\.name),
        parts: choice.parts.map(\.name))
    }
    guard infers else {
      throw .missingMappingModel(
        from: source.name, to: target.name,
        rejected: choice.reasons)
    }
    return try inferred(
      from: source, to: target, reason: MigrationPlan.Hop.inferableReason)
  }

  func inferred(
    from source: NamedModel, to target: NamedModel, reason: String
  ) throws(MigrationError) -> MigrationPlan.Hop {
    let inference = Inference(from: source.model, to: target.model)
    guard let mapping = inference.mapping else {
      throw .notInferable(from: source.name, to: target.name, obstacles: inference.obstacles)
    }
    return MigrationPlan.Hop(
      from: source, to: target, parts: [NamedMappingModel(name: "inferred", mapping: mapping)],
      isInferred: true, risks: inference.risks, losses: inference.losses, reason: reason)
  }

  /// Uses the named mapping models, one after the other; without names, those that fit.
  private func named(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> MigrationPlan.Hop {
    if areMappingsNamed, !mappings.isEmpty {
      for mapping in mappings { try check(mapping, from: source, to: target) }
      return MigrationPlan.Hop(
        from: source, to: target, parts: mappings,
        reason: mappings.count == 1
          ? "the mapping model was specified" : "the mapping models were specified")
    }
    let choice = MappingChoice(from: source, to: target, among: mappings)
    guard choice.parts.isEmpty else {
      return MigrationPlan.Hop(
        from: source, to: target, parts: choice.parts,
        reason: choice.parts.count == 1
          ? choice.reason : "together they map every entity, in the order of their names")
    }
    guard !choice.isUndefined else {
      throw .undefinedChoice(
        from: source.name, to: target.name, fitting: choice.fitting.map(\.name), parts: [])
    }
    throw .missingMappingModel(from: source.name, to: target.name, rejected: choice.reasons)
  }

  /// An app can run a mapping model that omits entities, but not one for other versions.
  func check(
    _ mapping: NamedMappingModel, from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) {
    let fit = mapping.mapping.fit(
      from: MatchableModel(source.model), to: MatchableModel(target.model))
    guard fit.isPart else {
      throw .unfitMapping(mapping.name, from: source.name, to: target.name, reason: fit.reason)
    }
  }

  // MARK: Version by version

  /// The index of a model among the versions, by hashes.
  func versionIndex(of model: NamedModel) throws(MigrationError) -> Int {
    // Two versions can be equal to Core Data: the one with this name is preferred.
    let indices = versions.indices.filter { Self.isSame(versions[$0], model) }
    guard
      let index = indices.first(where: { versions[$0].versionName == model.versionName })
        ?? indices.first
    else { throw .unknownVersion(model.name) }
    return index
  }

  private func progressive(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> [MigrationPlan.Hop] {
    let (first, last) = (try versionIndex(of: source), try versionIndex(of: target))
    let indices = first < last ? Array(first...last) : Array((last...first).reversed())
    var hops: [MigrationPlan.Hop] = []
    var here = source
    for index in indices.dropFirst() where !Self.isSame(here, versions[index]) {
      let next = index == last ? target : versions[index]
      hops.append(try hop(from: here, to: next))
      here = next
    }
    return hops
  }

  /// The mapping models from a version that the plan leaves by inference to another version than in the plan;
  /// another strategy would use them.
  ///
  /// - Parameter versions: The possible destination versions; empty if unknown.
  package func passedOver(
    by plan: MigrationPlan, among versions: [NamedModel] = []
  ) -> [NamedMappingModel] {
    guard !mappings.isEmpty else { return [] }
    return plan.hops.filter { $0.isInferred && $0.stage == nil }.flatMap { hop in
      let (source, target) = (MatchableModel(hop.from.model), MatchableModel(hop.to.model))
      let index = versions.firstIndex { Self.isSame($0, hop.from) }
      let later = versions.suffix(from: index ?? 0).map { MatchableModel($0.model) }
      return mappings.filter { candidate in
        let mapping = candidate.mapping
        // A stale mapping model is not used, regardless of its name.
        guard candidate.isReadByCoreData, mapping.sourceFit(of: source).isPart,
          versions.isEmpty
            || later.contains(where: {
              $0.hashes != source.hashes && mapping.destinationFit(of: $0).isPart
            })
        else { return false }
        return MappingConvention.readings(of: candidate.name).contains {
          $0.source == hop.from.versionName && $0.destination != hop.to.versionName
        }
          || !mapping.destinationFit(of: target).isPart
            && mapping.entityMappings.contains { $0.sourceName != nil }
      }
    }
  }
}

extension MappingChoice {
  /// The reasons why Core Data does not use the others, one line for each.
  fileprivate var reasons: [String] { rejected.map { "\($0.name): \($0.reason)" } }
}
