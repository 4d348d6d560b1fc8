/// The computed hashes of one model, by the indexes of its entities.
struct HashTable: Sendable {
  var entities: [VersionHash?]
  /// The persistent own properties of each entity, by name.
  var ownProperties: [[Property]?]

  struct Property: Sendable {
    var name: String
    var kind: HashSubject.Kind
    var hash: VersionHash
    /// The index of the declaring entity.
    var owner: Int
  }

  /// - Parameter count: The number of entities.
  init(count: Int) {
    entities = Array(repeating: nil, count: count)
    ownProperties = Array(repeating: nil, count: count)
  }
}
