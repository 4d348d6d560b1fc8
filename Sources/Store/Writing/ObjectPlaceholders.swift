package import StrataBase
internal import StrataObjectModel
package import StrataSQLite

/// Placeholders in an appended part for objects of the store.
package struct ObjectPlaceholders: Sendable {
  /// An object, by its keys in the part and in the store.
  struct Pair: Sendable {
    var entity: String
    var key: Int64
    var existing: Int64
    /// The initial attributes of the stand-in.
    var attributes: [String: AttributeValue]
  }

  private(set) var pairs: [Pair] = []
  /// By root entity: the keys in the store by those in the part.
  private var existingKeys: [String: [Int64: Int64]] = [:]
  private var known: [String: Set<Int64>] = [:]
  /// By root entity: the keys of the stand-ins, ascending.
  private var ownKeys: [String: [Int64]] = [:]

  /// The to-one links of the part that were set and cleared again.
  private(set) var released: Set<LinkPlace> = []

  package init() {}

  /// Takes over which links of stand-ins were cleared, before the part is completed.
  package mutating func takeReleases(of part: borrowing NewStore) throws(StoreError) {
    released = try part.releases()
  }

  /// - Parameters:
  ///   - root: The root entity of the object.
  ///   - key: The key of the stand-in in the part.
  ///   - existing: The key of the object in the store.
  package mutating func add(
    _ entity: String, root: String, key: Int64, existing: Int64,
    attributes: [String: AttributeValue]
  ) {
    pairs.append(Pair(entity: entity, key: key, existing: existing, attributes: attributes))
    existingKeys[root, default: [:]][key] = existing
    known[root, default: []].insert(existing)
    ownKeys[root, default: []].append(key)
  }

  /// What the stand-ins have of the objects that they represent, by entity.
  package var valueCounts: [String: ValueCounts] {
    pairs.reduce(into: [:]) { counts, pair in
      counts[pair.entity, default: ValueCounts()].objects += 1
      for (name, value) in pair.attributes where value != .null {
        counts[pair.entity]?.values[name, default: 0] += 1
      }
    }
  }

  /// Whether an object of the store has a stand-in.
  package func has(_ existing: Int64, root: String) -> Bool {
    known[root]?.contains(existing) == true
  }

  /// The key of the object that a stand-in represents; `nil` for an object of the part itself.
  package func existing(_ key: Int64, root: String) -> Int64? { existingKeys[root]?[key] }

  /// The number of stand-ins with smaller keys, by which the keys of the part's own objects are reduced.
  func count(before key: Int64, root: String) -> Int64 {
    Int64((ownKeys[root] ?? []).partitioningIndex { $0 >= key })
  }

  /// The keys as an SQL list.
  func existingKeys(of entity: String, _ model: ObjectModel) -> String {
    (known[model.rootName(of: entity)] ?? []).sorted().map(String.init).joined(separator: ", ")
  }

  func count(of entity: String) -> Int { pairs.count { $0.entity == entity } }
}
