/// A mapping model: how the objects of one model are migrated to another, with an entity mapping for each pair
/// of entities.
package struct MappingModel: Sendable, Hashable {
  /// In the order of the migration.
  package var entityMappings: [EntityMapping]

  package init(entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
  }

  package func entityMapping(named name: String) -> EntityMapping? {
    entityMappings.first { $0.name == name }
  }

  /// Whether an entity mapping has a policy.
  package var policyNames: [String] {
    Set(entityMappings.compactMap(\.policyName)).sorted()
  }
}
