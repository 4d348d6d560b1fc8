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

  /// Whether anything in it runs an app's own code.
  public var policyNames: [String] {
    Set(entityMappings.compactMap(\.policyName)).sorted()
  }
}
