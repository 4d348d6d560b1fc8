internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Plans the links of relationships: they are read from the source's storage, kept links are written to the
/// destination's storage, and the others are removed.
extension InPlacePlanner {
  /// A foreign key column in the table of a destination entity.
  private struct KeyColumn {
    /// The relationship from the perspective of the column's table: `own` are the keys of its rows. For a
    /// to-many relationship without an inverse, this is the unnamed other end.
    var end: Declared<Relationship>
    var isReversed: Bool
    /// The entity of the column.
    var entity: String
    var table: StoreTable
    var column: StoreColumn
    /// Table and column.
    var name: String { "\(table.name).\(column.name)" }
  }

  mutating func planRelationships() {
    for entity in after.entityOrder {
      for relationship in destination[entity]?.relationships ?? [] where !relationship.isTransient {
        let end = Declared(property: relationship, declaringEntity: entity)
        if let column = keyColumn(of: end) { plan(column) }
        if let join = after.joinTable(of: relationship.name, declaredBy: entity), join.isOwner {
          removeLostLinks(in: keptJoins[join.name] ?? join, of: end)
        }
      }
    }
    for name in newOrders.sorted() { giveOrder(name) }
  }

  private func keyColumn(of end: Declared<Relationship>) -> KeyColumn? {
    let property = end.property
    guard let column = after.column(of: property.name, declaredBy: end.declaringEntity) else {
      return nil
    }
    let isReversed = property.isToMany
    let entity = isReversed ? property.destinationName : end.declaringEntity
    return after.table(of: entity).map {
      KeyColumn(end: end, isReversed: isReversed, entity: entity, table: $0, column: column)
    }
  }

  private mutating func plan(_ key: KeyColumn) {
    guard let links = links(of: key.end) else { return }
    // Entities whose rows were copied with their keys, and the others.
    var (carried, filled): ([Int64], [Int64]) = ([], [])
    for lineage in lineages(below: key.entity) {
      guard lineage.source != nil, let number = after.entityNumbers[lineage.destination] else {
        continue
      }
      let isCarried = origins(of: lineage).contains {
        $0.column == key.column && $0.source != nil
      }
      if isCarried { carried.append(number) } else { filled.append(number) }
    }
    if !carried.isEmpty, links.mayLose || links.usesOtherEnd {
      changedKeys.insert(key.name)
    }
    if !carried.isEmpty, links.isCrossed, let order = key.column.orderColumn {
      // The copied order belongs to another relationship.
      add(
        .relate,
        "UPDATE \(key.table.name.plainOrQuoted) SET \(order.plainOrQuoted) = NULL"
          + sparingStrays(in: key.table, " WHERE "),
        on: key.table.name, "clears the order of \(links.purpose), which has a new inverse")
      newOrders.insert(key.name)
    }
    if !carried.isEmpty, links.usesOtherEnd {
      clear(key, but: links)
      filled += carried
      carried = []
    } else if !carried.isEmpty, links.isSelective {
      assign(key, links)
    } else if !carried.isEmpty, links.mayLose {
      clear(key, but: links)
    }
    guard !filled.isEmpty else { return }
    fill(key, from: links, among: filled.sorted())
    if carried.isEmpty { newOrders.remove(key.name) }
  }

  // MARK: Kept links

  /// The kept links of a destination relationship, from the perspective of its own end.
  struct SurvivingLinks {
    /// A query for `own`, `other`, `place` and `inverse`.
    var query: String
    /// The description for messages.
    var purpose: String
    /// Whether some links of the source can be lost.
    var mayLose: Bool
    /// Whether a rule chooses the links, because an end has fewer objects than before.
    var isSelective: Bool
    /// Whether the ends are crossed: see ``ContinuedEnds``.
    var isCrossed: Bool
    /// Whether they come from the other end, which continues other links.
    var usesOtherEnd: Bool
  }

  /// - Returns: `nil` if the relationship has no source.
  mutating func links(of end: Declared<Relationship>) -> SurvivingLinks? {
    let inverse = destination.inverse(of: end.property).flatMap { inverse in
      destination.isOwnInverse(end.property, declaredBy: end.declaringEntity) ? nil : inverse
    }
    // Both ends use the links of the first end that has a source.
    var ends = [(end, false)] + (inverse.map { [($0, true)] } ?? [])
    if !continuedEnds.staysOneToOne(end) { ends.sort { $0.0.precedes($1.0) } }
    for (first, isReversed) in ends {
      let olds = sourceRelationships(of: first)
      guard !olds.isEmpty else { continue }
      var (queries, mayLose, isSelective): ([String], Bool, Bool) = ([], false, false)
      for old in olds {
        guard let pairs = pairs(of: old) else { continue }
        let rule = KeptLinkRule(from: old, in: source, to: first, in: destination)
        let surviving =
          "SELECT own, other, place, inverse, own AS oldOwn, other AS oldOther FROM (\(pairs)) "
          + "WHERE \(isThere("own", first.declaringEntity, from: old.declaringEntity)) "
          + "AND \(isThere("other", first.property.destinationName, from: old.property.destinationName))"
        queries.append(rule.isSelective ? rule.selecting(surviving) : surviving)
        isSelective = isSelective || rule.isSelective
        mayLose =
          mayLose || rule.isSelective || found.hasDanglingLinks(old)
          || mayHaveInvalidEnd(first, old)
      }
      // A transient one is not stored.
      guard !queries.isEmpty else { continue }
      let isCrossed = inverse.map { continuedEnds.areCrossed(end, $0) } ?? false
      let back = isCrossed ? "NULL" : "inverse"
      let columns =
        isReversed
        ? "other AS own, own AS other, \(back) AS place, place AS inverse"
        : "own, other, place, \(back) AS inverse"
      let query = keepLinks(
        "SELECT \(columns) FROM (\(queries.joined(separator: " UNION ")))", end.qualifiedName)
      return SurvivingLinks(
        query: query, purpose: end.qualifiedName, mayLose: mayLose,
        isSelective: isSelective, isCrossed: isCrossed, usesOtherEnd: isReversed && isCrossed)
    }
    return nil
  }

  /// A query for the pairs of a source relationship: `own`, `other`, the position of the other object among the
  /// own object's and of the own object among the other's.
  private func pairs(of relationship: Declared<Relationship>) -> String? {
    guard
      let storage = before.storage(
        of: relationship, in: source, join: found.join(of: relationship))
    else { return nil }
    func present(_ column: String?) -> String {
      column.map { presentColumn($0, of: storage.table).plainOrQuoted } ?? "NULL"
    }
    let columns = [storage.own, storage.other, storage.order, storage.inverseOrder].map(present)
    let list = zip(columns, ["own", "other", "place", "inverse"]).map { "\($0) AS \($1)" }
    return "SELECT \(list.joined(separator: ", ")) FROM \(presentName(storage.table).quoted) "
      + "WHERE \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL"
  }

  /// An SQL condition: a key of an old table belongs to an object that becomes one of an entity or its
  /// subentities.
  private func isThere(_ key: String, _ entity: String, from old: String) -> String {
    let numbers = survivors(entity, from: old)
    guard let table = after.table(of: entity), !numbers.isEmpty else { return "FALSE" }
    return "EXISTS (SELECT 1 FROM \(table.name.plainOrQuoted) AS o WHERE o.Z_PK = \(key) "
      + "AND o.Z_ENT IN (\(Self.list(numbers))))"
  }

  /// The numbers of a destination entity and its subentities whose objects come from the hierarchy of a source
  /// entity; an equal key in another table belongs to another object.
  private func survivors(_ entity: String, from old: String) -> [Int64] {
    let root = source.rootName(of: old)
    return lineages(below: entity).compactMap { lineage in
      guard let from = lineage.source, source.rootName(of: from) == root,
        destination[lineage.destination]?.isAbstract == false
      else { return nil }
      return after.entityNumbers[lineage.destination]
    }.sorted()
  }

  /// Whether an object at either end of a source relationship can be invalid in the destination relationship.
  private func mayHaveInvalidEnd(_ end: Declared<Relationship>, _ old: Declared<Relationship>)
    -> Bool
  {
    func leaves(_ oldEntity: String, _ newEntity: String) -> Bool {
      let allowed = Set(destination.familyNames(of: newEntity)).filter {
        destination[$0]?.isAbstract == false
      }
      return source.familyNames(of: oldEntity).contains { entity in
        source[entity]?.isAbstract == false
          && !(successors[entity] ?? []).contains { allowed.contains($0.destination) }
      }
    }
    return leaves(old.property.destinationName, end.property.destinationName)
      || leaves(old.declaringEntity, end.declaringEntity)
  }

  // MARK: Keys

  /// Clears copied keys of links that are not kept.
  private mutating func clear(_ key: KeyColumn, but links: SurvivingLinks) {
    let (name, column) = (key.table.name.plainOrQuoted, key.column.name.plainOrQuoted)
    let others = [key.column.orderColumn].compactMap { $0?.plainOrQuoted }
    let (own, other) = key.isReversed ? ("other", "own") : ("own", "other")
    add(
      .release,
      "UPDATE \(name) SET \(([column] + others).map { "\($0) = NULL" }.joined(separator: ", ")) "
        + "WHERE \(column) IS NOT NULL AND (Z_PK, \(column)) NOT IN (SELECT \(own), \(other) FROM (\(links.query)))"
        + sparingStrays(in: key.table, " AND "),
      on: key.table.name, "clears the links of \(links.purpose) that are not kept")
  }

  /// Sets copied keys to those of the links that a rule keeps; in one statement, since the kept links are read
  /// from the same column.
  private mutating func assign(_ key: KeyColumn, _ links: SurvivingLinks) {
    let (name, column) = (key.table.name.plainOrQuoted, key.column.name.plainOrQuoted)
    let (own, other) = key.isReversed ? ("other", "own") : ("own", "other")
    add(
      .release,
      "UPDATE \(name) SET \(column) = p.target FROM (SELECT o.Z_PK AS object, l.\(other) AS target "
        + "FROM \(name) AS o LEFT JOIN (\(links.query)) AS l ON l.\(own) = o.Z_PK "
        + "WHERE o.\(column) IS NOT l.\(other)) AS p WHERE p.object = \(name).Z_PK"
        + sparingStrays(in: key.table, " AND "),
      on: key.table.name, "keeps one link of \(links.purpose) per object")
  }

  /// An SQL condition that leaves the rows of unknown entities of a kept table as they are; `nil` if it has none.
  func conditionSparingStrays(in table: StoreTable) -> String? {
    guard changes[table.name] == .kept, found.strayRows.contains(where: { $0.table == table.name })
    else { return nil }
    return after.hasKnownEntity(in: table.name, of: destination)
  }

  private func sparingStrays(in table: StoreTable, _ conjunction: String) -> String {
    conditionSparingStrays(in: table).map { conjunction + $0 } ?? ""
  }

  private mutating func fill(_ key: KeyColumn, from links: SurvivingLinks, among numbers: [Int64]) {
    let (name, column) = (key.table.name.plainOrQuoted, key.column.name.plainOrQuoted)
    let (own, other, inverse) =
      key.isReversed ? ("other", "own", "place") : ("own", "other", "inverse")
    var assignments = "\(column) = p.target"
    var orderKey = ""
    if let order = key.column.orderColumn {
      assignments += ", \(order.plainOrQuoted) = p.k"
      orderKey = ", \(NewStore.orderKey(by: other, then: "\(inverse), \(own)")) AS k"
    }
    add(
      .relate,
      "UPDATE \(name) SET \(assignments) FROM (SELECT \(own) AS object, \(other) AS target\(orderKey) "
        + "FROM (\(links.query))) AS p WHERE p.object = \(name).Z_PK AND \(name).Z_ENT IN (\(Self.list(numbers)))",
      on: key.table.name, "copies the existing links of \(links.purpose)")
  }

  /// Orders the objects of a previously unordered relationship by key.
  private mutating func giveOrder(_ name: String) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2,
      let column = newTables[parts[0]]?.columns
        .first(where: { $0.name == parts[1] }), let order = column.orderColumn
    else { return }
    add(
      .relate,
      NewStore.numbering(
        parts[0].plainOrQuoted, order: order.plainOrQuoted, by: column.name.plainOrQuoted,
        then: "Z_PK"),
      on: parts[0], "orders the links by key: the relationship is now ordered")
  }

  // MARK: Join tables

  /// Deletes the links of a many-to-many relationship with a missing object.
  private mutating func removeLostLinks(in join: JoinTable, of end: Declared<Relationship>) {
    let olds = sourceRelationships(of: end)
    guard !olds.isEmpty, !createdTables.contains(join.name),
      olds.contains(where: { mayHaveInvalidEnd(end, $0) || found.hasDanglingLinks($0) })
    else { return }
    let conditions = olds.map { old in
      isThere(
        "\(join.name.plainOrQuoted).\(join.ownColumn.plainOrQuoted)", end.declaringEntity,
        from: old.declaringEntity)
        + " AND "
        + isThere(
          "\(join.name.plainOrQuoted).\(join.otherColumn.plainOrQuoted)",
          end.property.destinationName, from: old.property.destinationName)
    }
    add(
      .release,
      "DELETE FROM \(join.name.plainOrQuoted) WHERE NOT (\(conditions.joined(separator: " OR ")))",
      on: join.name,
      "deletes the links of \(end.declaringEntity).\(end.property.name) that are not kept")
  }
}
