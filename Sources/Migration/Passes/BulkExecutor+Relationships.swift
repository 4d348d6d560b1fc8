internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Pass 2 in SQL: each relationship is set from one list of links, for both ends.
extension BulkExecutor {
  /// Whether SQL can set the relationships of an entity mapping after all objects have been created.
  func canRelate(_ mapping: EntityMapping) throws -> Bool {
    guard policies[mapping.name]?.relatesByDefault == true,
      let destinationName = mapping.destinationName
    else { return false }
    var statements: [String] = []
    for property in mapping.relationshipMappings {
      guard property.expression != nil, !filled.contains("\(mapping.name).\(property.name)") else {
        continue
      }
      guard let relationship = destination.relationship(property.name, of: destinationName),
        !manager.isContested(relationship),
        let origin = manager.origin(of: property.name, in: mapping),
        let found = try self.statements(for: relationship, origin, of: mapping)
      else { return false }
      statements += found
    }
    self.statements[mapping.name] = statements
    return true
  }

  /// Sets all relationships of an entity mapping.
  func relate(_ mapping: EntityMapping) throws -> Int {
    try (statements[mapping.name] ?? []).reduce(0) { try $0 + values.execute($1) }
  }

  /// Whether a to-one relationship can be set when its objects are created: the destinations are unchanged, and
  /// a to-one inverse is set by its own entity mappings.
  func canFill(
    _ relationship: Declared<Relationship>, _ origin: RelationshipOrigin, of mapping: EntityMapping
  ) -> Bool {
    guard !manager.isContested(relationship), !rule(origin, relationship).isSelective,
      !manager.continuedEnds.isOverruled(relationship)
    else { return false }
    guard let inverse = destination.inverse(of: relationship.property), !inverse.property.isToMany
    else { return true }
    return destination.isOwnInverse(
      relationship.property, declaredBy: relationship.declaringEntity)
      || manager.otherEndSetsSameLinks(relationship, origin, of: mapping)
  }

  private func rule(
    _ origin: RelationshipOrigin, _ relationship: Declared<Relationship>
  ) -> KeptLinkRule {
    KeptLinkRule(from: origin.relationship, in: source, to: relationship, in: destination)
  }

  private func statements(
    for relationship: Declared<Relationship>, _ origin: RelationshipOrigin,
    of mapping: EntityMapping
  ) throws -> [String]? {
    let old = origin.relationship
    let rule = rule(origin, relationship)
    if manager.continuedEnds.isOverruled(relationship) { return [] }
    // The links that an end keeps depend on the links of all its objects.
    let owners = rule.isSelective ? manager.owners(of: relationship, from: old) : [mapping.name]
    guard let links = try links(of: relationship, origin, through: owners) else { return nil }
    let isShared =
      !rule.isSelective && manager.otherEndSetsSameLinks(relationship, origin, of: mapping)
    if isShared, isLeftToOtherEnd(relationship) { return [] }
    return write(
      relationship, rule.isSelective ? rule.selecting(links) : links, setsInverse: !isShared)
  }

  /// A query for the links between migrated objects, with their destination keys.
  ///
  /// - Parameters:
  ///   - owners: The entity mappings of the own objects.
  ///   - keys: The source keys of the own objects; `nil` for all.
  private func links(
    of relationship: Declared<Relationship>, _ origin: RelationshipOrigin,
    through owners: [String], from keys: ClosedRange<Int64>? = nil
  ) throws -> String? {
    guard let pairs = try pairs(of: origin.relationship, from: keys),
      // Of several bounds SQLite uses one, which must be that of the keys.
      let own = try target(keys == nil ? "own" : "+own", through: owners),
      let other = try target(
        keys == nil ? "other" : "+other",
        through: manager.readers(
          of: origin.relationship, to: relationship.property.destinationName,
          named: origin.mappingName))
    else { return nil }
    return "SELECT \(own.value) AS own, \(other.value) AS other, place, inverse, own AS oldOwn, "
      + "other AS oldOther FROM (\(pairs)) WHERE \(own.condition) AND \(other.condition)"
  }

  /// Sets the relationships of some objects of an entity mapping, as if they were visited one by one: both ends of
  /// their links, and no others.
  ///
  /// - Parameters:
  ///   - keys: The source keys of the objects.
  ///   - first: The lowest of them whose links are counted.
  /// - Returns: The numbers of links, by source key; `nil`, with nothing done, if the objects must be visited one by
  ///   one.
  func relate(
    _ mapping: EntityMapping, from keys: ClosedRange<Int64>, countingFrom first: Int64
  ) throws -> [Int64: Int]? {
    var statements: [String] = []
    var counts: [String] = []
    for property in mapping.relationshipMappings where property.expression != nil {
      guard
        let relationship = mapping.destinationName.flatMap({
          destination.relationship(property.name, of: $0)
        })
      else { continue }
      guard !manager.isContested(relationship),
        let origin = manager.origin(of: property.name, in: mapping)
      else { return nil }
      if manager.continuedEnds.isOverruled(relationship) { continue }
      guard !rule(origin, relationship).isSelective,
        isSetFromOwnEnd(relationship, origin, of: mapping),
        let links = try links(of: relationship, origin, through: [mapping.name], from: keys),
        let last = try self.links(
          of: relationship, origin, through: [mapping.name], from: first...keys.upperBound)
      else { return nil }
      if !manager.hasBeenSet(relationship, origin, before: mapping) {
        guard let found = write(relationship, links, setsInverse: false) else { return nil }
        statements += found
      }
      counts.append("SELECT oldOwn, count(*) FROM (\(last)) GROUP BY oldOwn")
    }
    for statement in statements { _ = try values.execute(statement) }
    var linkCounts: [Int64: Int] = [:]
    for query in counts {
      let rows = try manager.destination.store.prepare(query)
      while try rows.next() { linkCounts[rows.value(0), default: 0] += Int(rows.value(1)) }
    }
    return linkCounts
  }

  /// Whether setting a relationship changes only what belongs to its own end: a to-one inverse is set by its own
  /// objects, and rows of a join table have one direction.
  private func isSetFromOwnEnd(
    _ relationship: Declared<Relationship>, _ origin: RelationshipOrigin, of mapping: EntityMapping
  ) -> Bool {
    let property = relationship.property
    guard !property.isToMany else {
      return !destination.isOwnInverse(property, declaredBy: relationship.declaringEntity)
    }
    return destination.inverse(of: property)?.property.isToMany ?? true
      || manager.otherEndSetsSameLinks(relationship, origin, of: mapping)
  }

  /// Whether the other end sets links that both have: the end with the foreign key or the name of the join table
  /// sets them for both. An ordered end sets its order.
  private func isLeftToOtherEnd(_ relationship: Declared<Relationship>) -> Bool {
    let property = relationship.property
    return property.isToMany && !property.isOrdered
      && !destination.isOwnInverse(property, declaredBy: relationship.declaringEntity)
      && after.joinTable(of: property.name, declaredBy: relationship.declaringEntity)?.isOwner
        != true
  }

  /// Writes links, given by destination keys, to the storage of the relationship. A to-one end that is set is
  /// not changed.
  private func write(
    _ relationship: Declared<Relationship>, _ links: String, setsInverse: Bool
  ) -> [String]? {
    let property = relationship.property
    let list = "(\(links)) AS p"
    if !property.isToMany {
      if setsInverse, let inverse = destination.inverse(of: property), !inverse.property.isToMany {
        return bothKeys(relationship, inverse, links)
      }
      guard let (table, column) = keyColumn(of: relationship) else { return nil }
      return [
        "UPDATE main.\(table) SET \(column) = p.other FROM \(list) "
          + "WHERE p.own = \(table).Z_PK AND \(table).\(column) IS NULL"
      ]
    }
    let orderKey = NewStore.orderKey(by: "own", then: "place, oldOther")
    if let join = after.joinTable(of: property.name, declaredBy: relationship.declaringEntity) {
      let (name, own, other) = (
        join.name.plainOrQuoted, join.ownColumn.plainOrQuoted, join.otherColumn.plainOrQuoted
      )
      let into = "INSERT OR IGNORE INTO main.\(name) (\(own), \(other)) SELECT"
      guard !join.isOwnInverse else {
        return ["\(into) own, other FROM \(list)", "\(into) other, own FROM \(list)"]
      }
      // In the order of its primary key, if the new keys are in the order of the old.
      let insert = "\(into) own, other FROM \(list) ORDER BY oldOwn"
      guard let order = join.orderColumn?.plainOrQuoted else { return [insert] }
      return [
        insert,
        "UPDATE main.\(name) SET \(order) = p.key FROM (SELECT own, other, \(orderKey) AS key "
          + "FROM \(list)) AS p WHERE p.own = \(name).\(own) AND p.other = \(name).\(other)",
      ]
    }
    guard let (table, column) = after.ownerColumn(of: relationship, in: destination) else {
      return nil
    }
    let (name, key) = (table.name.plainOrQuoted, column.name.plainOrQuoted)
    let order = column.orderColumn.map { ", \($0.plainOrQuoted) = p.key" } ?? ""
    return [
      "UPDATE main.\(name) SET \(key) = p.own\(order) FROM (SELECT own, other"
        + (order.isEmpty ? "" : ", \(orderKey) AS key")
        + " FROM \(list)) AS p WHERE p.other = \(name).Z_PK "
        + "AND (\(name).\(key) IS NULL OR \(name).\(key) = p.own)"
    ]
  }

  /// The table and column of a to-one relationship.
  private func keyColumn(of end: Declared<Relationship>) -> (table: String, column: String)? {
    after.ownColumn(of: end).map { ($0.table.name.plainOrQuoted, $0.column.name.plainOrQuoted) }
  }

  /// Sets both keys of a one-to-one relationship, as object by object: an end whose other end has another object, as in
  /// a store whose ends disagree, stays as it is.
  private func bothKeys(
    _ relationship: Declared<Relationship>, _ inverse: Declared<Relationship>, _ links: String
  ) -> [String]? {
    guard let (table, column) = keyColumn(of: relationship),
      let (other, back) = keyColumn(of: inverse)
    else { return nil }
    // Of several objects that have one, the first.
    let pairs =
      "(SELECT min(own) AS own, other FROM (SELECT own, min(other) AS other FROM (\(links)) "
      + "GROUP BY own) GROUP BY other) AS p"
    return [
      "UPDATE main.\(table) SET \(column) = p.other FROM \(pairs) WHERE p.own = \(table).Z_PK "
        + "AND \(table).\(column) IS NULL AND NOT EXISTS (SELECT 1 FROM main.\(other) AS o "
        + "WHERE o.Z_PK = p.other AND o.\(back) <> p.own)",
      "UPDATE main.\(other) SET \(back) = p.own FROM \(pairs) WHERE p.other = \(other).Z_PK "
        + "AND \(other).\(back) IS NULL AND EXISTS (SELECT 1 FROM main.\(table) AS o "
        + "WHERE o.Z_PK = p.own AND o.\(column) = p.other)",
    ]
  }

  /// A query for the pairs of a source relationship, from the perspective of its own end.
  ///
  /// - Parameter keys: The keys of the own objects; `nil` for all.
  private func pairs(
    of relationship: Declared<Relationship>, from keys: ClosedRange<Int64>?
  ) throws -> String? {
    try manager.source.reader.storage(of: relationship).map { storage in
      let (own, other) = (storage.own.plainOrQuoted, storage.other.plainOrQuoted)
      return "SELECT \(own) AS own, \(other) AS other, "
        + "\(storage.order?.plainOrQuoted ?? "NULL") AS place, "
        + "\(storage.inverseOrder?.plainOrQuoted ?? "NULL") AS inverse "
        + "FROM source.\(storage.table.plainOrQuoted) "
        + "WHERE \(own) IS NOT NULL AND \(other) IS NOT NULL"
        + (keys.map { " AND \(own) BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? "")
    }
  }
}
