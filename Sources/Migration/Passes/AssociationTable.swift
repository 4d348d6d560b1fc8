/// Which destination objects came from which source object, through which entity mapping: what a
/// migration manager keeps between the passes.
public struct AssociationTable: Sendable {
  /// An object by the root of its entity's hierarchy and its key: unique in a store.
  public struct Reference: Sendable, Hashable {
    public var root: String
    public var key: Int64

    public init(root: String, key: Int64) {
      self.root = root
      self.key = key
    }
  }

  /// A destination object by its own entity and its key.
  public struct Made: Sendable, Hashable {
    public var entity: String
    public var key: Int64
  }

  private var destinations: [String: [Reference: [Made]]] = [:]
  private var sources: [String: [Int64: [(reference: Reference, entity: String)]]] = [:]
  /// Destination objects of each entity mapping, in the order of their creation.
  private var order: [String: [Made]] = [:]

  public init() {}

  /// - Returns: Whether the destination object is new to the entity mapping: several source objects may
  ///   become one.
  @discardableResult
  public mutating func associate(
    _ source: Reference, entity: String, with destination: Int64, entity made: String,
    in mapping: String
  ) -> Bool {
    let object = Made(entity: made, key: destination)
    destinations[mapping, default: [:]][source, default: []].append(object)
    let isNew = sources[mapping]?[destination] == nil
    sources[mapping, default: [:]][destination, default: []].append((source, entity))
    if isNew { order[mapping, default: []].append(object) }
    return isNew
  }

  /// The destination objects of a source object through one entity mapping, in the order in which they
  /// were made.
  public func destinations(of source: Reference, in mapping: String) -> [Made] {
    destinations[mapping]?[source] ?? []
  }

  /// The source objects of a destination object, and their entities.
  public func sources(
    of destination: Int64, in mapping: String
  ) -> [(reference: Reference, entity: String)] {
    sources[mapping]?[destination] ?? []
  }

  /// The destination objects that an entity mapping made.
  public func created(by mapping: String) -> [Made] { order[mapping] ?? [] }
}
