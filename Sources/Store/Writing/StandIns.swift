package import StrataBase
internal import StrataObjectModel

/// Objects of a part that stand for objects of the store that it is appended to.
package struct StandIns: Sendable {
  /// One object, by its keys in the part and in the store.
  struct Pair: Sendable {
    var entity: String
    var key: Int64
    var existing: Int64
    /// The attributes that the stand-in began with.
    var attributes: [String: AttributeValue]
  }

  private(set) var pairs: [Pair] = []
  /// By root entity: the keys in the store by those in the part.
  private var existingKeys: [String: [Int64: Int64]] = [:]
  private var known: [String: Set<Int64>] = [:]
  /// By root entity: the keys of the stand-ins, ascending, as a store hands them out.
  private var ownKeys: [String: [Int64]] = [:]

  package init() {}

  /// - Parameters:
  ///   - root: The root entity of the object's.
  ///   - key: That of the stand-in, in the part.
  ///   - existing: That of the object, in the store.
  package mutating func add(
    _ entity: String, root: String, key: Int64, existing: Int64,
    attributes: [String: AttributeValue]
  ) {
    pairs.append(Pair(entity: entity, key: key, existing: existing, attributes: attributes))
    existingKeys[root, default: [:]][key] = existing
    known[root, default: []].insert(existing)
    ownKeys[root, default: []].append(key)
  }

  /// Whether an object of the store has a stand-in.
  package func has(_ existing: Int64, root: String) -> Bool {
    known[root]?.contains(existing) == true
  }

  /// The key of the object that a stand-in stands for; `nil` for an object of the part itself.
  package func existing(_ key: Int64, root: String) -> Int64? { existingKeys[root]?[key] }

  /// How many stand-ins have keys before this one: the part's own objects leave no gap for them.
  func count(before key: Int64, root: String) -> Int64 {
    Int64((ownKeys[root] ?? []).partitioningIndex { $0 >= key })
  }

  /// As SQL lists them.
  func existingKeys(of entity: String, _ model: ObjectModel) -> String {
    (known[model.rootName(of: entity)] ?? []).sorted().map(String.init).joined(separator: ", ")
  }

  func count(of entity: String) -> Int { pairs.count { $0.entity == entity } }
}
