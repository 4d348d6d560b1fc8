internal import StrataBase

/// Properties without a valid default value, by object; the policy of the entity mapping can set them until its
/// last call.
struct UndecidedValues {
  private struct Objects {
    /// The keys of the destination objects.
    var keys = KeySet()
    /// The reason for the first of them.
    var reason: String
  }

  private var properties: [PropertyID: Objects] = [:]

  mutating func add(_ name: String, of entity: String, key: Int64, _ reason: String) {
    properties[PropertyID(entity: entity, name: name), default: Objects(reason: reason)].keys
      .insert(key)
  }

  /// Removes a property that has been set.
  mutating func remove(_ name: String, of entity: String, key: Int64) {
    guard !properties.isEmpty else { return }
    properties[PropertyID(entity: entity, name: name)]?.keys.remove(key)
  }

  /// Removes a deleted object.
  mutating func removeAll(of entity: String, key: Int64) {
    for property in properties.keys where property.entity == entity {
      properties[property]?.keys.remove(key)
    }
  }

  /// The undecided properties of the objects of an entity, by name.
  func properties(
    of entity: String
  ) -> [(name: String, reason: String, contains: (Int64) -> Bool)] {
    properties.filter { $0.key.entity == entity && $0.value.keys.count > 0 }
      .map { property, objects in
        (property.name, objects.reason, objects.keys.contains)
      }
      .sorted { $0.name.precedesInBytes($1.name) }
  }
}
