internal import StrataMapping
internal import StrataObjectModel
internal import Synchronization

/// What one planner has found out: plans from many versions to one target share most of their hops.
///
/// It goes with the planner, whose versions and mapping models never change.
final class PlannerMemory: Sendable {
  /// A hop is between two models under the names that it shows.
  private struct Ends: Hashable {
    var names: [String?]
    var models: [ObjectIdentifier]

    init(_ source: NamedModel, _ target: NamedModel) {
      names = [source.name, source.reference, target.name, target.reference]
      models = [ObjectIdentifier(source.model.memory), ObjectIdentifier(target.model.memory)]
    }
  }

  private struct Found {
    /// Kept, so that no other model takes their place in memory.
    var source: NamedModel
    var target: NamedModel
    var hop: Result<MigrationPlan.Hop, MigrationError>
  }

  private struct Contents {
    var hops: [Ends: Found] = [:]
    var paths: MappedPaths?
  }

  /// Hops are large; a comparison needs two for each version.
  private static let hopLimit = 1000

  private let contents = Mutex(Contents())

  /// The hop between two models, or why there is none; it is looked for once.
  func hop(
    from source: NamedModel, to target: NamedModel,
    find: () -> Result<MigrationPlan.Hop, MigrationError>
  ) -> Result<MigrationPlan.Hop, MigrationError> {
    let ends = Ends(source, target)
    if let known = contents.withLock({ $0.hops[ends]?.hop }) { return known }
    let hop = find()
    contents.withLock { contents in
      if contents.hops.count >= Self.hopLimit { contents.hops = [:] }
      contents.hops[ends] = Found(source: source, target: target, hop: hop)
    }
    return hop
  }

  /// The ways that mapping models lead.
  func paths(versions: [NamedModel], mappings: [NamedMappingModel]) -> MappedPaths {
    if let known = contents.withLock({ $0.paths }) { return known }
    let paths = MappedPaths(versions: versions, mappings: mappings)
    contents.withLock { $0.paths = paths }
    return paths
  }
}
