/// What a migration did, entity mapping by entity mapping.
public struct MigrationReport: Sendable, Hashable {
  public struct EntityReport: Sendable, Hashable {
    public var mapping: String
    public var sourceEntity: String?
    public var destinationEntity: String?
    /// Objects read, made and let go.
    public var source = 0
    public var created = 0
    public var dropped = 0
  }

  /// An object that the destination model does not allow.
  public struct Invalid: Sendable, Hashable {
    public var entity: String
    public var key: Int64
    public var property: String
    public var reason: String
  }

  public var entities: [EntityReport]
  /// The first failing objects, and how many there are.
  public var invalid: [Invalid] = []
  public var invalidCount = 0
  /// Rows of an entity number that the source model does not have: no entity mapping takes them.
  public var strayRows = 0

  /// How many failing objects are kept with their names.
  static let keptInvalid = 20
}
