internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Plans the join tables of many-to-many relationships.
extension InPlacePlanner {
  mutating func planJoinTables() {
    var continued:
      [(
        old: JoinTable, oldEnd: Declared<Relationship>, new: JoinTable, end: Declared<Relationship>
      )] = []
    var created: [(join: JoinTable, end: Declared<Relationship>)] = []
    var used: Set<String> = []
    for entity in after.entityOrder {
      for relationship in destination[entity]?.relationships ?? [] {
        let end = Declared(property: relationship, declaringEntity: entity)
        guard let join = after.joinTable(of: relationship.name, declaredBy: entity), join.isOwner
        else { continue }
        if let (old, oldEnd) = continuedJoin(of: end), used.insert(old.name).inserted {
          continued.append((old, oldEnd, join, end))
        } else {
          created.append((join, end))
        }
      }
    }
    // Dropped tables are renamed first: a new table can have the name and reads the links of the old one.
    dropJoinTables(but: used)
    for (old, oldEnd, join, end) in continued { change(old, oldEnd, to: join, of: end) }
    for (join, end) in created { make(join, of: end) }
  }

  private mutating func dropJoinTables(but used: Set<String>) {
    let wanted = after.joinTableNames(in: destination)
    var dropped: Set<String> = []
    for (name, join) in found.joins.sorted(by: { $0.key < $1.key })
    where !used.contains(join.name) && dropped.insert(join.name).inserted {
      if wanted.contains(join.name) {
        setAside(join.name, "renames the old table: that of another relationship gets its name")
      }
      droppedIndexes.formUnion(indexes(on: join.name))
      add(
        .drop, "DROP TABLE \(presentName(join.name).quoted)",
        "drops the join table: \(name) is no longer many-to-many")
    }
  }

  /// The join table of the source relationship, if both ends are kept in it, from the perspective of its own
  /// end.
  private func continuedJoin(
    of end: Declared<Relationship>
  ) -> (join: JoinTable, end: Declared<Relationship>)? {
    let olds = Set(sourceRelationships(of: end))
    guard olds.count == 1, let old = olds.first, let join = found.join(of: old),
      let inverse = destination.inverse(of: end.property),
      let oldInverse = source.inverse(of: old.property)
    else { return nil }
    let others = Set(sourceRelationships(of: inverse))
    guard others.allSatisfy({ $0 == oldInverse }) else { return nil }
    return (join, old)
  }

  /// The source relationships of a destination relationship, in its declaring entity or the subentities.
  func sourceRelationships(of end: Declared<Relationship>) -> [Declared<Relationship>] {
    var found: [Declared<Relationship>] = []
    for lineage in lineages(below: end.declaringEntity) {
      guard let old = lineage.sourceRelationship(of: end.property.name, in: source),
        !old.property.isTransient, !found.contains(old)
      else { continue }
      found.append(old)
    }
    return found
  }

  private mutating func change(
    _ old: JoinTable, _ oldEnd: Declared<Relationship>, to join: JoinTable,
    of end: Declared<Relationship>
  ) {
    let new = named(join, of: end, asBefore: old, oldEnd)
    keptJoins[join.name] = new
    let columns = Set(found.columns[old.name] ?? [])
    func columnsByRole(_ join: JoinTable) -> [String?] {
      [join.ownColumn, join.otherColumn, join.orderColumn, join.inverseOrderColumn]
    }
    if new.name == old.name, columnsByRole(new) == columnsByRole(old) { return }
    let losesOrder =
      (old.orderColumn != nil && new.orderColumn == nil)
      || (old.inverseOrderColumn != nil && new.inverseOrderColumn == nil)
    // Where entities trade numbers, and both ends have one name.
    let tradesColumns = new.ownColumn == old.otherColumn && new.otherColumn == old.ownColumn
    if losesOrder || tradesColumns || !version.altersTables {
      copy(old, into: new, end: end)
      return
    }
    if new.name != old.name {
      // Another renamed table may need the old name, so all get temporary names first; a table that is set aside may
      // have had the new name, and has the temporary name of that.
      let aside = setAside(old.name, "gives the join table a temporary name")
      presentNames[old.name] = new.name
      add(
        .alter, "ALTER TABLE \(aside.quoted) RENAME TO \(new.name.plainOrQuoted)", on: new.name,
        "renames the join table: an entity number or the relationship name has changed")
    }
    var renames: [String: String] = [:]
    for (from, to) in [
      (old.ownColumn, new.ownColumn), (old.otherColumn, new.otherColumn),
      (old.orderColumn, new.orderColumn), (old.inverseOrderColumn, new.inverseOrderColumn),
    ] {
      if let from, let to, from != to { renames[from] = to }
    }
    presentColumns[old.name] = renames
    for (from, to) in Self.inOrder(renames, used: columns) {
      add(
        .alter,
        "ALTER TABLE \(new.name.plainOrQuoted) RENAME COLUMN \(from.plainOrQuoted) TO \(to.plainOrQuoted)",
        on: new.name, "renames a column: an entity number has changed")
    }
    for (order, isOwn) in [(new.inverseOrderColumn, false), (new.orderColumn, true)] {
      guard let order, (isOwn ? old.orderColumn : old.inverseOrderColumn) == nil else { continue }
      add(
        .alter,
        "ALTER TABLE \(new.name.plainOrQuoted) ADD COLUMN \(order.plainOrQuoted) INTEGER",
        on: new.name, "adds the order: the relationship is now ordered")
      let (by, then) =
        isOwn ? (new.ownColumn, new.otherColumn) : (new.otherColumn, new.ownColumn)
      let (name, own, other) = (
        new.name.plainOrQuoted, new.ownColumn.plainOrQuoted, new.otherColumn.plainOrQuoted
      )
      add(
        .relate,
        "UPDATE \(name) SET \(order.plainOrQuoted) = p.place FROM (SELECT \(own) AS own, "
          + "\(other) AS other, \(NewStore.orderKey(by: by.plainOrQuoted, then: then.plainOrQuoted)) AS place "
          + "FROM \(name)) AS p WHERE p.own = \(name).\(own) AND p.other = \(name).\(other)",
        on: new.name, "orders the links of \(end.qualifiedName) by key")
    }
  }

  /// For a relationship within one entity, the model does not determine which end names the table, so the
  /// existing name is kept.
  private func named(
    _ join: JoinTable, of end: Declared<Relationship>, asBefore old: JoinTable,
    _ oldEnd: Declared<Relationship>
  ) -> JoinTable {
    guard let inverse = destination.inverse(of: end.property),
      inverse.declaringEntity == end.declaringEntity, inverse.property.name != end.property.name,
      let oldInverse = source.inverse(of: oldEnd.property)
    else { return join }
    let number = before.entityNumbers[oldInverse.declaringEntity] ?? 0
    guard old.name == "Z_\(number)\(oldInverse.property.name.uppercased())" else { return join }
    var other = join
    other.name =
      "Z_\(after.entityNumbers[end.declaringEntity] ?? 0)\(inverse.property.name.uppercased())"
    return other
  }

  /// Recreates a join table with the rows of the old one.
  private mutating func copy(
    _ old: JoinTable, into new: JoinTable, end: Declared<Relationship>
  ) {
    let aside = setAside(old.name, "renames the old table: a new one gets its name")
    droppedIndexes.formUnion(indexes(on: old.name))
    add(
      .create, new.definition, on: new.name,
      "creates the join table of \(end.qualifiedName) for the new model")
    if let links = links(of: end) {
      fill(
        new, from: links.query, keepsOrder: (old.orderColumn != nil, old.inverseOrderColumn != nil),
        "copies the links of \(end.qualifiedName)")
    }
    add(.drop, "DROP TABLE \(aside.quoted)", "drops the old table, whose rows are copied")
  }

  private mutating func make(_ join: JoinTable, of end: Declared<Relationship>) {
    let name = end.qualifiedName
    add(.create, join.definition, on: join.name, "creates the join table of \(name)")
    guard let links = links(of: end) else { return }
    fill(
      join, from: links.query, keepsOrder: (false, false), "copies the existing links of \(name)")
  }

  private mutating func fill(
    _ join: JoinTable, from links: String, keepsOrder: (own: Bool, inverse: Bool),
    _ purpose: String
  ) {
    var columns = [join.ownColumn, join.otherColumn].map(\.plainOrQuoted)
    var values = ["own", "other"]
    if let order = join.orderColumn {
      columns.append(order.plainOrQuoted)
      values.append(keepsOrder.own ? "place" : NewStore.orderKey(by: "own", then: "place, other"))
    }
    if let order = join.inverseOrderColumn {
      columns.append(order.plainOrQuoted)
      values.append(
        keepsOrder.inverse ? "inverse" : NewStore.orderKey(by: "other", then: "inverse, own"))
    }
    add(
      .relate,
      "INSERT OR IGNORE INTO \(join.name.plainOrQuoted) (\(columns.joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM (\(links))",
      on: join.name, purpose)
  }
}

extension StoreLayout {
  /// The names of all join tables.
  func joinTableNames(in model: ObjectModel) -> Set<String> {
    Set(
      model.entities.flatMap { entity in
        entity.relationships.compactMap { joinTable(of: $0.name, declaredBy: entity.name)?.name }
      })
  }
}
