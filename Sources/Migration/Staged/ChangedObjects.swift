/// The keys of the objects that statements of a stage change, create or link, by entity.
struct ChangedObjects: Sendable {
  private var keys: [String: Set<Int64>] = [:]

  var entities: [String] { keys.keys.sorted() }

  /// The objects of an entity, without its subentities.
  subscript(_ entity: String) -> Set<Int64> { keys[entity] ?? [] }

  mutating func insert(_ key: Int64, of entity: String) { keys[entity, default: []].insert(key) }

  mutating func formUnion(_ other: ChangedObjects) { keys.merge(other.keys) { $0.union($1) } }
}
