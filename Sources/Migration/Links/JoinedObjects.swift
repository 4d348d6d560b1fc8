internal import StrataObjectModel
internal import StrataStore

/// The source objects that have become one object with others, each with the first of them.
///
/// Their links can become equal: of such links, one continues all.
struct JoinedObjects {
  private struct Group: Hashable {
    /// The root entity of the source objects.
    var sourceRoot: String
    var destination: String
  }

  /// The keys of the first objects, by the keys of all objects that are joined.
  private var firstKeys: [Group: [Int64: Int64]] = [:]

  /// - Parameters:
  ///   - first: The key of the first of the joined objects.
  ///   - root: The root entity of the source objects.
  ///   - destination: The entity of the object that they have become.
  mutating func note(
    _ key: Int64, with first: Int64, of root: String, in destination: String
  ) {
    firstKeys[Group(sourceRoot: root, destination: destination), default: [:]][key] = first
  }

  /// The number of links of a source relationship that equal an earlier link after the objects are joined.
  func linkCount(
    of entry: LinkLedger.Entry, in ledger: LinkLedger, _ reader: borrowing StoreReader
  ) throws -> Int {
    let old = entry.old
    let own = keys(
      of: old.declaringEntity,
      in: entry.forward.map(\.declaringEntity)
        + entry.backward.map { $0.property.destinationName }, ledger)
    let other = keys(
      of: old.property.destinationName,
      in: entry.forward.map { $0.property.destinationName }
        + entry.backward.map(\.declaringEntity), ledger)
    guard !own.isEmpty || !other.isEmpty else { return 0 }
    var known: Set<[Int64]> = []
    var count = 0
    try reader.forEachDestination(of: old) { source, target in
      guard own[source] != nil || other[target] != nil else { return }
      let link = [own[source] ?? source, other[target] ?? target]
      if !known.insert(link).inserted { count += 1 }
    }
    return count
  }

  /// The keys of joined objects of an entity that become objects of some entities or their subentities.
  private func keys(
    of entity: String, in destinations: [String], _ ledger: LinkLedger
  ) -> [Int64: Int64] {
    let root = ledger.source.rootName(of: entity)
    let families = Set(
      destinations.flatMap { ledger.destination.familyNames(of: $0) })
    var found: [Int64: Int64] = [:]
    for (group, keys) in firstKeys
    where group.sourceRoot == root && families.contains(group.destination) {
      found.merge(keys) { first, _ in first }
    }
    return found
  }
}
