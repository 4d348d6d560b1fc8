/// The computed hashes of one model, by the indexes of its entities.
struct HashTable: Sendable {
  var entities: [VersionHash?]
  /// The persistent own properties of each entity, by name.
  var ownProperties: [[Property]?]

  struct Property: Sendable {
    var name: String
    var kind: HashSubject.Kind
    var hash: VersionHash
  }

  /// The hash of an entity that inherits nothing, which models with this entity share.
  struct RootEntity: Sendable {
    var hash: VersionHash
  }

  /// The hashes of its properties.
  struct RootProperties: Sendable {
    var hashes: [Property]
  }

  /// - Parameter count: The number of entities.
  init(count: Int) {
    entities = Array(repeating: nil, count: count)
    ownProperties = Array(repeating: nil, count: count)
  }
}
