public import StrataMapping
public import StrataObjectModel
internal import StrataValues

/// Finds the hops from one model to another by a strategy.
///
/// ```swift
/// let planner = MigrationPlanner(versions: versions, mappings: mappings)
/// try planner.plan(from: model1, to: model5, by: .hybrid).hops.map(\.to.versionName)
/// // ["Model2", "Model3", "Model4", "Model5"]
/// ```
///
/// Source: facts on the demonstrations, section 2 (the rule of demo 5).
public struct MigrationPlanner: Sendable {
  /// The versions that are known, in the order of their names.
  public let versions: [NamedModel]
  public let mappings: [NamedMappingModel]
  /// Whether a mapping model may be inferred where none is there.
  public let infers: Bool
  /// In their order; none unless the strategy is staged.
  public let stages: [MigrationStage]
  private let bootstrapping: any MigrationBootstrapping

  public init(
    versions: [NamedModel] = [], mappings: [NamedMappingModel] = [], stages: [MigrationStage] = [],
    infers: Bool = true, bootstrapping: any MigrationBootstrapping = DefaultBootstrapping()
  ) {
    self.stages = stages
    self.bootstrapping = bootstrapping
    self.versions = versions.sorted { $0.versionName.precedesByNumber($1.versionName) }
    self.mappings = mappings
    self.infers = infers
  }

  /// - Throws: ``MigrationError/notInferable(from:to:obstacles:)``,
  ///   ``MigrationError/missingMappingModel(from:to:rejected:)``,
  ///   ``MigrationError/unknownVersion(_:)`` where a strategy goes from version to version,
  ///   ``MigrationError/unfitMapping(_:from:to:reason:)``, ``MigrationError/backwards(from:to:)``,
  ///   ``MigrationError/unknownStageVersion(_:isTarget:)``, ``MigrationError/stageGap(at:before:)``.
  public func plan(
    from source: NamedModel, to target: NamedModel, by strategy: MigrationStrategy = .default
  ) throws(MigrationError) -> MigrationPlan {
    guard !Self.isSame(source, target) else { return MigrationPlan(hops: []) }
    switch strategy {
    case .default: return MigrationPlan(hops: [try hop(from: source, to: target)])
    case .lightweight:
      return MigrationPlan(hops: [
        try inferred(
          from: source, to: target,
          reason: "the change can be inferred, whatever mapping models there are")
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

  /// By a mapping model that fits, else by inference.
  private func hop(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> MigrationPlan.Hop {
    let choice = bootstrapping.mappingModels(from: source, to: target, among: mappings)
    guard choice.models.isEmpty else {
      return MigrationPlan.Hop(
        from: source, to: target, parts: choice.models, reason: choice.reason)
    }
    guard infers else {
      throw .missingMappingModel(
        from: source.name, to: target.name,
        rejected: choice.rejected.map { "\($0.name): \($0.reason)" })
    }
    return try inferred(
      from: source, to: target,
      reason: "the change can be inferred, and is made in the store itself")
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

  /// By all mapping models that the planner knows, one after the other.
  private func named(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> MigrationPlan.Hop {
    guard !mappings.isEmpty else {
      throw .missingMappingModel(from: source.name, to: target.name, rejected: [])
    }
    for mapping in mappings { try check(mapping, from: source, to: target) }
    return MigrationPlan.Hop(
      from: source, to: target, parts: mappings, reason: "the mapping models were named")
  }

  private func check(
    _ mapping: NamedMappingModel, from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) {
    let fit = mapping.mapping.fit(
      from: MatchableModel(source.model), to: MatchableModel(target.model))
    guard fit.isFitting else {
      throw .unfitMapping(mapping.name, from: source.name, to: target.name, reason: fit.words)
    }
  }

  // MARK: From version to version

  /// The place of a model among the versions, whatever it is called here.
  private func place(of model: NamedModel) throws(MigrationError) -> Int {
    // Two versions may be the same to Core Data: the one of this name is meant, where it is one of them.
    let places = versions.indices.filter { Self.isSame(versions[$0], model) }
    guard
      let place = places.first(where: { versions[$0].versionName == model.versionName })
        ?? places.first
    else { throw .unknownVersion(model.name) }
    return place
  }

  private func progressive(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> [MigrationPlan.Hop] {
    let (first, last) = (try place(of: source), try place(of: target))
    let way = first < last ? Array(first...last) : Array((last...first).reversed())
    var hops: [MigrationPlan.Hop] = []
    var here = source
    for place in way.dropFirst() where !Self.isSame(here, versions[place]) {
      let next = place == last ? target : versions[place]
      hops.append(try hop(from: here, to: next))
      here = next
    }
    return hops
  }

  /// The rule of the presentation: by naming convention, versions compared by number.
  private func hybrid(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> [MigrationPlan.Hop] {
    let last = try place(of: target)
    var (here, place) = (source, try place(of: source))
    var hops: [MigrationPlan.Hop] = []
    while place < last {
      // Mapping models of this version, by the place of the version that they lead to.
      let destinations = (place + 1...last).reversed().first {
        !ways(from: versions[place], to: versions[$0]).isEmpty
      }
      let next: Int
      let hop: MigrationPlan.Hop
      if let found = destinations {
        next = found
        let parts = ways(from: versions[place], to: versions[next])
        let to = next == last ? target : versions[next]
        for part in parts { try check(part, from: here, to: to) }
        hop = MigrationPlan.Hop(
          from: here, to: to, parts: parts,
          reason: next == last
            ? "by name the way to the last version"
            : "by name the farthest that mapping models lead")
      } else {
        next = (place + 1..<last).first { hasWays(from: versions[$0]) } ?? last
        let to = next == last ? target : versions[next]
        hop = try leap(from: here, to: to, isLast: next == last)
      }
      hops.append(hop)
      (here, place) = (hop.to, next)
    }
    guard place != last, !Self.isSame(here, target) else { return hops }
    // Backwards there are no conventions.
    return hops + [try self.hop(from: here, to: target)]
  }

  private func leap(
    from source: NamedModel, to target: NamedModel, isLast: Bool
  ) throws(MigrationError) -> MigrationPlan.Hop {
    guard infers else {
      throw .missingMappingModel(from: source.name, to: target.name, rejected: [])
    }
    return try inferred(
      from: source, to: target,
      reason: isLast
        ? "no mapping model lies between: one inferred leap"
        : "one inferred leap to the next version with mapping models of its own")
  }

  /// The mapping models that by their names lead on from a version which a plan leaves by inference: another
  /// strategy would take them.
  public func passedOver(by plan: MigrationPlan) -> [NamedMappingModel] {
    plan.hops.filter { $0.isInferred && $0.stage == nil }.flatMap { hop in
      mappings.filter { mapping in
        MappingConvention.readings(of: mapping.name).contains { $0.source == hop.from.versionName }
      }
    }
  }

  private func ways(from source: NamedModel, to target: NamedModel) -> [NamedMappingModel] {
    mappings.named(from: source.versionName, to: target.versionName)
  }

  private func hasWays(from source: NamedModel) -> Bool {
    mappings.contains { mapping in
      MappingConvention.readings(of: mapping.name).contains {
        $0.source == source.versionName
      }
    }
  }
}
