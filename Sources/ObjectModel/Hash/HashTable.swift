/// What was hashed of one model, by the places of its entities.
struct HashTable: Sendable {
  var entities: [VersionHash?]
  /// The persistent own properties of each entity, by name.
  var ownProperties: [[Property]?]

  struct Property: Sendable {
    var name: String
    var kind: HashSubject.Kind
    var hash: VersionHash
    /// The place of the entity that declares it.
    var owner: Int
  }

  /// - Parameter count: How many entities there are.
  init(count: Int) {
    entities = Array(repeating: nil, count: count)
    ownProperties = Array(repeating: nil, count: count)
  }
}
