internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// The links of a relationship in a store.
package struct LinkCount: Sendable, Hashable {
  /// Links whose objects both exist.
  package var count = 0
  /// Links with a missing object, or an object of a wrong entity. A link belongs to the row that has its key: those of
  /// rows of unknown entities are neither counted here nor above.
  package var dangling = 0
}

extension StoreReader {
  /// Counts the links of a relationship; of one that is its own inverse, in both directions. A link of a one-to-one
  /// relationship counts if either end has it.
  ///
  /// - Parameter counts: What is known of the store, and is known afterwards.
  func linkCount(
    of relationship: Declared<Relationship>, _ counts: inout StoreCounts
  ) throws(StoreError) -> LinkCount {
    let rowEnd = try rowEnd(of: relationship)
    var readsNumbers = false
    func isThere(_ end: String, _ entity: String) throws(StoreError) -> String? {
      guard rowEnd == end else { return try counts.hasObject("l.\(end)", of: entity, in: self) }
      // The row is the object itself: only its entity can be wrong.
      if counts.isWholeTable(entity, in: self) { return "1" }
      readsNumbers = true
      return "number IN (\(layout.numberList(below: entity, of: model)))"
    }
    guard let ownThere = try isThere("own", relationship.declaringEntity),
      let otherThere = try isThere("other", relationship.property.destinationName),
      let pairs = try pairs(of: relationship, withNumber: readsNumbers, counts)
    else { return LinkCount() }
    let found = try store.connection.numbers(
      "SELECT count(*), count(CASE WHEN \(ownThere) AND \(otherThere) THEN 1 END) "
        + "FROM (\(pairs)) AS l")
    return LinkCount(count: Int(found[1]), dangling: Int(found[0] - found[1]))
  }

  package func linkCount(of relationship: Declared<Relationship>) throws(StoreError) -> LinkCount {
    var counts = StoreCounts()
    return try linkCount(of: relationship, &counts)
  }

  /// The number of links of a relationship from the objects of one entity to those of others, each without its
  /// subentities.
  package func linkCount(
    of relationship: Declared<Relationship>, from entity: String, to others: Set<String>
  ) throws(StoreError) -> Int {
    guard let pairs = try pairs(of: relationship, StoreCounts()),
      let owners = layout.table(of: entity)?.name.quoted,
      let objects = layout.table(of: relationship.property.destinationName)?.name.quoted
    else { return 0 }
    return try store.connection.number(
      "SELECT count(*) FROM (\(pairs)) WHERE own IN \(keys(of: [entity], in: owners)) "
        + "AND other IN \(keys(of: others, in: objects))")
  }

  /// A query for the keys of the objects of some entities, without their subentities.
  private func keys(of entities: some Collection<String>, in table: String) -> String {
    let numbers = entities.compactMap { layout.entityNumbers[$0] }.sorted().map(String.init)
    return "(SELECT Z_PK FROM \(table) WHERE Z_ENT IN (\(numbers.joined(separator: ", "))))"
  }

  /// The number of links of a relationship beyond the first to each destination object.
  package func sharingLinkCount(
    of relationship: Declared<Relationship>
  ) throws(StoreError) -> Int {
    guard let pairs = try pairs(of: relationship, StoreCounts()),
      let haveObjects = haveObjects(relationship)
    else { return 0 }
    return try store.connection.number(
      "SELECT count(*) - count(DISTINCT other) FROM (\(pairs)) AS l "
        + "WHERE \(haveObjects)")
  }

  /// SQL that is true if both keys of a link `l` are those of objects that the relationship can have.
  private func haveObjects(_ end: Declared<Relationship>) -> String? {
    let (own, other) = (end.declaringEntity, end.property.destinationName)
    guard let owners = layout.table(of: own)?.name.quoted,
      let objects = layout.table(of: other)?.name.quoted
    else { return nil }
    return hasObject("l.own", of: own, in: owners) + " AND "
      + hasObject("l.other", of: other, in: objects)
  }

  /// SQL that is true if a key is that of an object of an entity, or of one below it.
  func hasObject(_ key: String, of entity: String, in table: String) -> String {
    "EXISTS (SELECT 1 FROM \(table) AS o WHERE o.Z_PK = \(key) "
      + "AND o.Z_ENT IN (\(layout.numberList(below: entity, of: model))))"
  }

  /// The end of a relationship whose objects are the rows with its links; `nil` if both ends, or neither, have rows of
  /// their own with links.
  private func rowEnd(of end: Declared<Relationship>) throws(StoreError) -> String? {
    guard oneToOneInverse(of: end) == nil, let storage = try storage(of: end) else { return nil }
    return storage.own == "Z_PK" ? "own" : storage.other == "Z_PK" ? "other" : nil
  }

  private func oneToOneInverse(of end: Declared<Relationship>) -> Declared<Relationship>? {
    guard !end.property.isToMany, let inverse = model.inverse(of: end.property),
      !inverse.property.isToMany, inverse != end
    else { return nil }
    return inverse
  }

  /// Notes the links of a relationship between existing objects in a temporary table of the connection, from which
  /// ``missingLinkCount(of:in:andBack:)`` tells those that are gone later.
  package func noteLinks(of end: Declared<Relationship>) throws(StoreError) {
    guard let pairs = try pairs(of: end, StoreCounts()), let haveObjects = haveObjects(end) else {
      return
    }
    let table = Self.linkTable(end)
    try store.connection.execute("DROP TABLE IF EXISTS \(table)")
    try store.connection.execute(
      "CREATE TEMP TABLE \(table) AS SELECT own, other FROM (\(pairs)) AS l WHERE \(haveObjects)")
  }

  /// The number of noted links that are gone; those that are there again are not.
  ///
  /// - Parameters:
  ///   - relationships: The relationships of the reader's model one of which has a link that is there.
  ///   - inverses: Those in the other direction, if they are stored separately; one of them has it too.
  package func missingLinkCount(
    of end: Declared<Relationship>, in relationships: [Declared<Relationship>],
    andBack inverses: [Declared<Relationship>] = []
  ) throws(StoreError) -> Int {
    var kept: [String] = []
    for (ends, columns) in [(relationships, "own, other"), (inverses, "other, own")]
    where !ends.isEmpty {
      var queries: [String] = []
      for end in ends {
        if let pairs = try pairs(of: end, StoreCounts()) {
          queries.append("SELECT \(columns) FROM (\(pairs))")
        }
      }
      guard !queries.isEmpty else { continue }
      kept.append("SELECT * FROM (\(queries.joined(separator: " UNION ")))")
    }
    let noted = "SELECT own, other FROM \(Self.linkTable(end))"
    let rest =
      kept.isEmpty ? "" : " EXCEPT SELECT * FROM (\(kept.joined(separator: " INTERSECT ")))"
    return try store.connection.number("SELECT count(*) FROM (\(noted)\(rest))")
  }

  private static func linkTable(_ end: Declared<Relationship>) -> String {
    "temp." + "strata_links_\(end.qualifiedName)".quoted
  }

  /// The number of links of a relationship that another one has in the other direction.
  ///
  /// - Parameter selecting: The links of the other one that count: see ``linkCount(of:among:_:)``; `nil` for all.
  package func sharedLinkCount(
    of relationship: Declared<Relationship>, andBack other: Declared<Relationship>,
    _ counts: StoreCounts, _ selecting: ((String) -> String)? = nil
  ) throws(StoreError) -> Int {
    guard let pairs = try pairs(of: relationship, counts),
      var back = try self.pairs(of: other, withPlaces: selecting != nil, counts),
      let haveObjects = haveObjects(other)
    else { return 0 }
    if let selecting {
      back = selecting(
        "SELECT own, other, place, inverse, own AS oldOwn, other AS oldOther FROM (\(back)) AS l "
          + "WHERE \(haveObjects)")
    }
    return try store.connection.number(
      "SELECT count(*) FROM (\(pairs) INTERSECT SELECT other, own FROM (\(back)))")
  }

  /// The number of links between objects of some entities that are among those that a query selects.
  ///
  /// - Parameter selecting: Receives a query with the columns `own`, `other`, `place`, `inverse`, `oldOwn` and
  ///   `oldOther`, and returns one with the first two of them.
  package func linkCount(
    of relationship: Declared<Relationship>, among entities: [String],
    _ selecting: (String) -> String
  ) throws(StoreError) -> Int {
    guard let pairs = try pairs(of: relationship, StoreCounts()),
      let table = layout.table(of: relationship.declaringEntity)?.name.quoted
    else { return 0 }
    let objects = keys(of: entities, in: table)
    let links =
      "SELECT own, other, NULL AS place, NULL AS inverse, own AS oldOwn, other AS oldOther "
      + "FROM (\(pairs)) WHERE own IN \(objects) AND other IN \(objects)"
    return try store.connection.number(
      "SELECT count(*) FROM (\(links)) WHERE (own, other) IN (SELECT own, other FROM (\(selecting(links))))"
    )
  }

  /// The end of a relationship with the larger table, by its highest key.
  func largerEnd(of end: Declared<Relationship>) throws(StoreError) -> RelationshipStorage.End {
    func highestKey(_ entity: String) throws(StoreError) -> Int {
      guard let table = layout.table(of: entity) else { return 0 }
      return try store.connection.number("SELECT max(Z_PK) FROM \(table.name.quoted)")
    }
    return try highestKey(end.declaringEntity) < highestKey(end.property.destinationName)
      ? .other : .own
  }

  /// A query for the keys of the links, `own` and `other`, except those in rows of unknown entities.
  ///
  /// - Parameters:
  ///   - withNumber: Whether the rows are objects, whose entity is queried too: `number`.
  ///   - withPlaces: Whether the places of the objects are queried too, `place` and `inverse`; `NULL` without an order.
  ///   - counts: What is known of the store.
  private func pairs(
    of end: Declared<Relationship>, withNumber: Bool = false, withPlaces: Bool = false,
    _ counts: StoreCounts
  ) throws(StoreError) -> String? {
    func inKnownRows(_ table: String) -> String {
      guard counts.mayHaveStrayRows(in: table),
        let condition = layout.hasKnownEntity(in: table, of: model)
      else { return "" }
      return " AND \(condition)"
    }
    guard !end.property.isTransient, let storage = try storage(of: end) else { return nil }
    let (table, own, other) = (storage.table.quoted, storage.own.quoted, storage.other.quoted)
    let isLink = storage.isLink(inOrderOf: storage.isJoin ? try largerEnd(of: end) : .own)
    func places(_ storage: RelationshipStorage?) -> String {
      guard withPlaces else { return "" }
      let columns = [storage?.order, storage?.inverseOrder].map { $0?.quoted ?? "NULL" }
      return ", \(columns[0]) AS place, \(columns[1]) AS inverse"
    }
    let pairs =
      "SELECT \(own) AS own, \(other) AS other\(withNumber ? ", Z_ENT AS number" : "")\(places(storage)) "
      + "FROM \(table) WHERE \(isLink)\(inKnownRows(storage.table))"
    guard let inverse = oneToOneInverse(of: end), let back = try self.storage(of: inverse) else {
      return pairs
    }
    return pairs + " UNION SELECT \(back.other.quoted), \(back.own.quoted)\(places(nil)) "
      + "FROM \(back.table.quoted) WHERE \(back.other.quoted) IS NOT NULL"
      + inKnownRows(back.table)
  }

  /// The keys of the source objects of a relationship to an object, in the order of the inverse, otherwise
  /// ascending.
  package func owners(
    of relationship: Declared<Relationship>, to key: Int64
  ) throws(StoreError) -> [Int64] {
    guard !relationship.property.isTransient, let storage = try storage(of: relationship) else {
      return []
    }
    let own = storage.own.quoted
    return try store.connection.keys(
      "SELECT \(own) FROM \(storage.table.quoted) WHERE \(storage.other.quoted) = ? AND \(own) IS NOT NULL "
        + "ORDER BY \(storage.inverseOrder.map { "\($0.quoted), " } ?? "")\(own)",
      [.integer(key)])
  }
}
