internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Relationships that are stored in another way than before: pairs of the source are read, whatever holds
/// them, and put where the destination keeps them.
extension InPlacePlanner {
  mutating func planRelationships() {
    for table in after.tables {
      for entity in after.entityOrder where destination.rootName(of: entity) == table.rootEntity {
        for relationship in destination[entity]?.relationships ?? []
        where !relationship.isToMany && !relationship.isTransient {
          moveToOne(Declared(property: relationship, declaringEntity: entity), in: table)
        }
      }
    }
    for entity in after.entityOrder {
      for relationship in destination[entity]?.relationships ?? []
      where relationship.isToMany && !relationship.isTransient
        && destination.inverse(of: relationship) == nil
      {
        moveStranger(Declared(property: relationship, declaringEntity: entity))
      }
    }
    for name in newOrders.sorted() { giveOrder(name) }
  }

  /// The pairs of a source relationship: `own`, `other`, the place of the other among the own one's and of
  /// the own one among the other's.
  func pairs(of relationship: Declared<Relationship>, reversed: Bool = false) -> String? {
    guard
      let storage = before.storage(
        of: relationship, in: source, join: found.join(of: relationship))
    else { return nil }
    func present(_ column: String?) -> String {
      column.map { presentColumn($0, of: storage.table).plainOrQuoted } ?? "NULL"
    }
    let columns = [storage.own, storage.other, storage.order, storage.inverseOrder].map(present)
    let names =
      reversed ? ["other", "own", "inverse", "place"] : ["own", "other", "place", "inverse"]
    let list = zip(columns, names).map { "\($0) AS \($1)" }
    return "SELECT \(list.joined(separator: ", ")) FROM \(presentName(storage.table).quoted) "
      + "WHERE \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL"
  }

  /// The pairs that a relationship continues, from its own end or, where that is new, from its inverse.
  func allPairs(of end: Declared<Relationship>) -> [String] {
    let own = sourceRelationships(of: end).compactMap { pairs(of: $0) }
    guard own.isEmpty, let inverse = destination.inverse(of: end.property) else { return own }
    return sourceRelationships(of: inverse).compactMap { pairs(of: $0, reversed: true) }
  }

  private mutating func moveToOne(_ end: Declared<Relationship>, in table: StoreTable) {
    guard let column = after.column(of: end.property.name, declaredBy: end.declaringEntity) else {
      return
    }
    var numbersByPairs: [String: [Int64]] = [:]
    for lineage in lineages(below: end.declaringEntity) {
      guard let entity = lineage.source, source[entity]?.isAbstract == false,
        let number = after.entityNumbers[lineage.destination]
      else { continue }
      let own = lineage.sourceRelationship(of: end.property.name, in: source)
      let found: String?
      if let own, !own.property.isTransient {
        found = own.property.isToMany ? pairs(of: own) : nil
      } else {
        found = destination.inverse(of: end.property).flatMap { inverse in
          sourceRelationships(of: inverse).compactMap { pairs(of: $0, reversed: true) }.first
        }
      }
      if let found { numbersByPairs[found, default: []].append(number) }
    }
    for (pairs, numbers) in numbersByPairs.sorted(by: { $0.key < $1.key }) {
      fill(
        column, of: table, from: pairs, among: numbers.sorted(),
        "\(end.declaringEntity).\(end.property.name), as its objects were related before")
    }
  }

  private mutating func moveStranger(_ end: Declared<Relationship>) {
    guard let column = after.column(of: end.property.name, declaredBy: end.declaringEntity),
      let table = after.table(of: end.property.destinationName)
    else { return }
    let isCarried = lineages(below: end.property.destinationName).contains { lineage in
      origins(of: lineage).contains { $0.column == column && $0.source != nil }
    }
    guard !isCarried else { return }
    let numbers = lineages(below: end.property.destinationName).compactMap {
      after.entityNumbers[$0.destination]
    }.sorted()
    for old in sourceRelationships(of: end) {
      guard let pairs = pairs(of: old, reversed: true) else { continue }
      fill(
        column, of: table, from: pairs, among: numbers,
        "\(end.declaringEntity).\(end.property.name), as its objects were related before")
    }
  }

  /// Of several objects the first counts, in the order of the relationship.
  private mutating func fill(
    _ column: StoreColumn, of table: StoreTable, from pairs: String, among numbers: [Int64],
    _ purpose: String
  ) {
    let name = table.name.plainOrQuoted
    var assignments = "\(column.name.plainOrQuoted) = p.other"
    var place = ""
    if let order = column.orderColumn {
      assignments += ", \(order.plainOrQuoted) = p.place"
      place = ", \(NewStore.orderKey(by: "other", then: "inverse, own")) AS place"
      newOrders.remove("\(table.name).\(column.name)")
    }
    add(
      .relate,
      "UPDATE \(name) SET \(assignments) FROM (SELECT own, other\(place) FROM (SELECT own, other, "
        + "inverse, row_number() OVER (PARTITION BY own ORDER BY place, other) AS n FROM (\(pairs))) "
        + "WHERE n = 1) AS p WHERE p.own = \(name).Z_PK AND \(name).Z_ENT IN (\(Self.list(numbers)))",
      on: table.name, purpose)
  }

  /// Objects of a relationship that had no order until now stand in the order of their keys.
  private mutating func giveOrder(_ name: String) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2,
      let column = after.tables.first(where: { $0.name == parts[0] })?.columns
        .first(where: { $0.name == parts[1] }), let order = column.orderColumn
    else { return }
    let (table, key) = (parts[0].plainOrQuoted, column.name.plainOrQuoted)
    add(
      .relate,
      "UPDATE \(table) SET \(order.plainOrQuoted) = p.place FROM (SELECT Z_PK AS own, "
        + "\(NewStore.orderKey(by: key, then: "Z_PK")) AS place FROM \(table) WHERE \(key) IS NOT NULL) "
        + "AS p WHERE p.own = \(table).Z_PK AND \(table).\(order.plainOrQuoted) IS NULL",
      on: parts[0], "an order for what had none: that of the keys")
  }

  // MARK: What is no longer there

  /// Relationships to objects that are gone, or of an entity that has left the hierarchy, lead nowhere any
  /// more.
  mutating func planReleases() {
    for entity in after.entityOrder {
      for relationship in destination[entity]?.relationships ?? [] where !relationship.isTransient {
        let end = Declared(property: relationship, declaringEntity: entity)
        if mayLeadAstray(end) { release(end) }
      }
    }
  }

  /// Whether an object at either end may be none that the relationship can have.
  private func mayLeadAstray(_ end: Declared<Relationship>) -> Bool {
    func family(_ entity: String, in model: ObjectModel) -> Set<String> {
      Set([entity] + model.descendantNames(of: entity))
    }
    func leaves(_ old: String, _ new: String) -> Bool {
      let allowed = family(new, in: destination)
      return family(old, in: source).contains { entity in
        source[entity]?.isAbstract == false
          && !lineages.values.contains { $0.source == entity && allowed.contains($0.destination) }
      }
    }
    return sourceRelationships(of: end).contains { old in
      leaves(old.property.destinationName, end.property.destinationName)
        || end.property.isToMany && leaves(old.declaringEntity, end.declaringEntity)
    }
  }

  private mutating func release(_ end: Declared<Relationship>) {
    let property = end.property
    guard let other = after.table(of: property.destinationName) else { return }
    let purpose = "\(end.declaringEntity).\(property.name) lets go of objects that are gone"
    func isThere(_ key: String, _ entity: String, _ table: StoreTable) -> String {
      "EXISTS (SELECT 1 FROM \(table.name.plainOrQuoted) AS o WHERE o.Z_PK = \(key) "
        + "AND o.Z_ENT IN (\(after.numberList(below: entity, of: destination))))"
    }
    if !property.isToMany {
      guard let table = after.table(of: end.declaringEntity),
        let column = after.column(of: property.name, declaredBy: end.declaringEntity)
      else { return }
      let (name, key) = (table.name.plainOrQuoted, column.name.plainOrQuoted)
      let order = column.orderColumn.map { ", \($0.plainOrQuoted) = NULL" } ?? ""
      add(
        .release,
        "UPDATE \(name) SET \(key) = NULL\(order) WHERE \(key) IS NOT NULL AND NOT "
          + isThere("\(name).\(key)", property.destinationName, other), on: table.name, purpose)
      return
    }
    if destination.inverse(of: property) == nil {
      guard let column = after.column(of: property.name, declaredBy: end.declaringEntity),
        let owner = after.table(of: end.declaringEntity)
      else { return }
      let (name, key) = (other.name.plainOrQuoted, column.name.plainOrQuoted)
      add(
        .release,
        "UPDATE \(name) SET \(key) = NULL WHERE \(key) IS NOT NULL AND NOT "
          + isThere("\(name).\(key)", end.declaringEntity, owner), on: other.name, purpose)
      return
    }
    guard let join = after.joinTable(of: property.name, declaredBy: end.declaringEntity),
      join.isOwner, let owner = after.table(of: end.declaringEntity)
    else { return }
    let present = presentJoinName(join, of: end)
    add(
      .release,
      "DELETE FROM \(present) WHERE NOT "
        + isThere("\(present).\(join.ownColumn.plainOrQuoted)", end.declaringEntity, owner)
        + " OR NOT "
        + isThere(
          "\(present).\(join.otherColumn.plainOrQuoted)", property.destinationName, other),
      on: join.name, purpose)
  }

  /// The join table as it is called at the end.
  private func presentJoinName(_ join: JoinTable, of end: Declared<Relationship>) -> String {
    let created = (statements[.create] ?? []).contains {
      $0.sql.hasPrefix("CREATE TABLE \(join.name.plainOrQuoted) ")
    }
    if created { return join.name.plainOrQuoted }
    for old in sourceRelationships(of: end) {
      if let found = found.join(of: old) { return presentName(found.name).plainOrQuoted }
    }
    return join.name.plainOrQuoted
  }
}
