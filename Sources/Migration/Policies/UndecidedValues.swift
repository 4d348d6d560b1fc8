internal import StrataBase

/// Properties whose default expressions give nothing that fits, object by object: the policy of the entity
/// mapping may still give them a value, up to its last call.
struct UndecidedValues {
  private struct Property: Hashable {
    var entity: String
    var name: String
  }

  private struct Objects {
    /// Keys of the destination objects.
    var keys = KeySet()
    /// What is wrong with the first of them.
    var reason: String
  }

  private var properties: [Property: Objects] = [:]

  mutating func add(_ name: String, of entity: String, key: Int64, _ reason: String) {
    properties[Property(entity: entity, name: name), default: Objects(reason: reason)].keys
      .insert(key)
  }

  /// The property has another value now.
  mutating func remove(_ name: String, of entity: String, key: Int64) {
    guard !properties.isEmpty else { return }
    properties[Property(entity: entity, name: name)]?.keys.remove(key)
  }

  /// The object is deleted.
  mutating func removeAll(of entity: String, key: Int64) {
    for property in properties.keys where property.entity == entity {
      properties[property]?.keys.remove(key)
    }
  }

  /// The undecided properties of the objects of an entity, by name.
  func properties(
    of entity: String
  ) -> [(name: String, reason: String, count: Int, contains: (Int64) -> Bool)] {
    properties.filter { $0.key.entity == entity && $0.value.keys.count > 0 }
      .map { property, objects in
        (property.name, objects.reason, objects.keys.count, objects.keys.contains)
      }
      .sorted { $0.name.precedesInBytes($1.name) }
  }
}
