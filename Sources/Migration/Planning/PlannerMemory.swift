internal import StrataMapping
internal import StrataObjectModel
internal import Synchronization

/// The cache of one planner: plans from many versions to one target share most of their hops.
///
/// It belongs to a planner, whose versions and mapping models never change.
final class PlannerMemory: Sendable {
  /// A hop is identified by two models and their displayed names.
  private struct Ends: Hashable {
    var names: [String?]
    var models: [ObjectIdentifier]

    init(_ source: NamedModel, _ target: NamedModel) {
      names = [source.name, source.reference, target.name, target.reference]
      models = [ObjectIdentifier(source.model.memory), ObjectIdentifier(target.model.memory)]
    }
  }

  private struct Found {
    /// Retained, so their addresses are not reused by other models.
    var source: NamedModel
    var target: NamedModel
    var hop: Result<MigrationPlan.Hop, MigrationError>
  }

  private struct Contents {
    var hops: [Ends: Found] = [:]
    var paths: MappedPaths?
  }

  /// The maximum number of cached hops: hops are large, and a comparison needs two for each version.
  private static let hopLimit = 1000

  private let contents = Mutex(Contents())

  /// The hop between two models, or the error; computed once.
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

  /// The cached paths of mapping models.
  func paths(versions: [NamedModel], mappings: [NamedMappingModel]) -> MappedPaths {
    if let known = contents.withLock({ $0.paths }) { return known }
    let paths = MappedPaths(versions: versions, mappings: mappings)
    contents.withLock { $0.paths = paths }
    return paths
  }
}
