public import StrataMapping
public import StrataObjectModel

/// How a store gets from one model to another: the hops, and why.
public struct MigrationPlan: Sendable, Hashable {
  /// None where the models are compatible already.
  public var hops: [Hop]

  /// One migration: from a model version to the next.
  public struct Hop: Sendable, Hashable {
    public var from: NamedModel
    public var to: NamedModel
    public var mapping: MappingModel
    /// Where it may fail or lose something.
    public var warnings: [Obstacle]
    /// Why it is done this way.
    public var reason: String
  }
}

extension MigrationPlan {
  /// Plans as Core Data's coordinator does when nothing else is said: a compatible store is opened,
  /// another is migrated straight to the target by inference.
  ///
  /// - Throws: ``MigrationError/notInferable(from:to:obstacles:)`` with every obstacle.
  public init(from source: NamedModel, to target: NamedModel) throws(MigrationError) {
    if source.model.versionHashes() == target.model.versionHashes() {
      hops = []
      return
    }
    let inference = Inference(from: source.model, to: target.model)
    guard let mapping = inference.mapping else {
      throw .notInferable(from: source.name, to: target.name, obstacles: inference.obstacles)
    }
    hops = [
      Hop(
        from: source, to: target, mapping: mapping, warnings: inference.warnings,
        reason:
          "the change can be inferred; Core Data does it in place, a rehearsal in three passes"
      )
    ]
  }
}
