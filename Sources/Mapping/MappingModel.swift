public import StrataExpressions
public import StrataObjectModel

/// How the objects of one model become those of another: an entity mapping for each pair.
public struct MappingModel: Sendable, Hashable {
  /// In the order in which a migration works through them.
  public var entityMappings: [EntityMapping]

  public init(entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
  }

  public func entityMapping(named name: String) -> EntityMapping? {
    entityMappings.first { $0.name == name }
  }
}

/// How the objects of one entity become those of another.
public struct EntityMapping: Sendable, Hashable {
  /// Numbered as `NSEntityMappingType` is.
  public enum Kind: Int, Sendable, Hashable {
    case custom = 1
    case add = 2
    case remove = 3
    case copy = 4
    case transform = 5

    public var name: String {
      switch self {
      case .custom: "custom"
      case .add: "add"
      case .remove: "remove"
      case .copy: "copy"
      case .transform: "transform"
      }
    }
  }

  /// `IEM_Transform_Topic`, or what the mapping model's author called it.
  public var name: String
  public var kind: Kind
  public var sourceName: String?
  public var destinationName: String?
  public var sourceHash: VersionHash?
  public var destinationHash: VersionHash?
  public var attributeMappings: [PropertyMapping]
  public var relationshipMappings: [PropertyMapping]
}

/// How one property of the destination gets its value.
public struct PropertyMapping: Sendable, Hashable {
  /// The destination's property.
  public var name: String
  /// `nil` leaves the default value.
  public var expression: Expression?

  public init(name: String, expression: Expression?) {
    self.name = name
    self.expression = expression
  }
}
