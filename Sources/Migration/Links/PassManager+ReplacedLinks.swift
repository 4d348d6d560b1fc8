internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The links of source relationships whose destination relationships a policy or an expression sets.
extension PassManager {
  /// The number of links of a source relationship whose objects are linked in the destination too.
  func continuedLinkCount(of entry: LinkLedger.Entry) throws -> Int {
    var counts: [Int] = []
    if !entry.forward.isEmpty {
      counts.append(try linkCount(of: entry.old, continuedBy: entry.forward))
    }
    // A link has two directions; if they are migrated separately, both must be kept.
    if !entry.backward.isEmpty, !entry.isOnePair,
      let inverse = sourceModel.model.inverse(of: entry.old.property)
    {
      counts.append(try linkCount(of: inverse, continuedBy: entry.backward))
    }
    return counts.min() ?? 0
  }

  private func linkCount(
    of old: Declared<Relationship>, continuedBy relationships: [Declared<Relationship>]
  ) throws -> Int {
    let reader = try destination.store.reader()
    let ends = relationships.map { new in
      (
        own: objects(of: old.declaringEntity, in: new.declaringEntity),
        other: objects(of: old.property.destinationName, in: new.property.destinationName)
      )
    }
    var count = 0
    var own: Int64?
    var linked: [Set<Int64>] = []
    try source.reader.forEachDestination(of: old) { from, to in
      // The links are grouped by object.
      if own != from {
        own = from
        linked = try zip(relationships, ends).map { new, end in
          var keys: Set<Int64> = []
          for key in try end.own(from) {
            keys.formUnion(try reader.destinations(of: new, from: key))
          }
          return keys
        }
      }
      let isKept = try zip(ends, linked).contains { end, linked in
        try !linked.isEmpty && end.other(to).contains(where: linked.contains)
      }
      if isKept { count += 1 }
    }
    return count
  }

  /// The keys of the objects of an entity and its subentities that a source object becomes.
  private func objects(
    of source: String, in destination: String
  ) -> (_ key: Int64) throws -> [Int64] {
    let root = sourceModel.model.rootName(of: source)
    let family = Set(destinationModel.model.familyNames(of: destination))
    let mappings = mapping.entityMappings.filter { $0.destinationName.map(family.contains) == true }
    return { [associations] key in
      let identity = ObjectIdentity(rootEntity: root, key: key)
      return try mappings.flatMap {
        try associations.destinations(of: identity, in: $0.name).map(\.key)
      }
    }
  }
}
