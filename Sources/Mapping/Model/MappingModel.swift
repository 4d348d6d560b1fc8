/// How the objects of one model become those of another: an entity mapping for each pair.
package struct MappingModel: Sendable, Hashable {
  /// In the order in which a migration works through them.
  package var entityMappings: [EntityMapping]

  package init(entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
  }

  package func entityMapping(named name: String) -> EntityMapping? {
    entityMappings.first { $0.name == name }
  }

  /// Whether anything in it runs an app's own code.
  package var policyNames: [String] {
    Set(entityMappings.compactMap(\.policyName)).sorted()
  }
}
