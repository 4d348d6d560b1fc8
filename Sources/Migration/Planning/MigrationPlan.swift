public import StrataMapping
public import StrataObjectModel

/// How a store gets from one model to another: the hops, and why.
public struct MigrationPlan: Sendable, Hashable {
  /// None where the models are compatible already.
  public var hops: [Hop]

  public init(hops: [Hop]) {
    self.hops = hops
  }

  /// How a hop is done.
  public enum Means: String, Sendable, Hashable, Codable {
    /// By SQL in the store itself.
    case inPlace
    /// By a manager, from one store into another.
    case passes
  }

  /// One migration: from a model version to the next.
  public struct Hop: Sendable, Hashable {
    public var from: NamedModel
    public var to: NamedModel
    /// The mapping model, or its parts, which are migrated one after the other into one destination.
    public var parts: [NamedMappingModel]
    /// Whether Core Data infers the mapping model; else somebody has written it.
    public var isInferred: Bool
    /// Where it may fail or lose something.
    public var warnings: [Obstacle]
    /// Why it is done this way.
    public var reason: String

    public init(
      from: NamedModel, to: NamedModel, parts: [NamedMappingModel], isInferred: Bool = false,
      warnings: [Obstacle] = [], reason: String
    ) {
      self.from = from
      self.to = to
      self.parts = parts
      self.isInferred = isInferred
      self.warnings = warnings
      self.reason = reason
    }

    /// How the coordinator does it where the store stays where it is.
    public var means: Means { isInferred ? .inPlace : .passes }

    /// Those of all parts, in order.
    public var entityMappings: [EntityMapping] { parts.flatMap(\.mapping.entityMappings) }
  }
}

extension MigrationPlan {
  /// Plans as Core Data's coordinator does when nothing else is said: a compatible store is opened;
  /// another is migrated straight to the target, by a mapping model that fits, else by inference.
  ///
  /// - Parameter choice: The mapping models that fit; with none inference is asked.
  /// - Throws: ``MigrationError/notInferable(from:to:obstacles:)`` with every obstacle.
  public init(
    from source: NamedModel, to target: NamedModel, mappings choice: MappingChoice? = nil
  ) throws(MigrationError) {
    if source.model.versionHashes() == target.model.versionHashes() {
      hops = []
      return
    }
    if let choice, !choice.models.isEmpty {
      hops = [Hop(from: source, to: target, parts: choice.models, reason: choice.reason)]
      return
    }
    let inference = Inference(from: source.model, to: target.model)
    guard let mapping = inference.mapping else {
      throw .notInferable(from: source.name, to: target.name, obstacles: inference.obstacles)
    }
    hops = [
      Hop(
        from: source, to: target, parts: [NamedMappingModel(name: "inferred", mapping: mapping)],
        isInferred: true, warnings: inference.warnings,
        reason: "the change can be inferred, and is made in the store itself")
    ]
  }
}
