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

  private var destinations: [String: [Reference: [Int64]]] = [:]
  private var sources: [String: [Int64: Reference]] = [:]
  /// Destination keys of each entity mapping, in the order of their creation.
  private var order: [String: [Int64]] = [:]

  public init() {}

  public mutating func associate(
    _ source: Reference, with destination: Int64, in mapping: String
  ) {
    destinations[mapping, default: [:]][source, default: []].append(destination)
    sources[mapping, default: [:]][destination] = source
    order[mapping, default: []].append(destination)
  }

  /// The destination objects of source objects, in the order of those; through one entity mapping.
  public func destinations(of source: Reference, in mapping: String) -> [Int64] {
    destinations[mapping]?[source] ?? []
  }

  /// The source object of a destination object.
  public func source(of destination: Int64, in mapping: String) -> Reference? {
    sources[mapping]?[destination]
  }

  /// The destination objects that an entity mapping made.
  public func created(by mapping: String) -> [Int64] { order[mapping] ?? [] }
}
