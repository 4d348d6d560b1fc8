internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// Something that no sound store has.
struct Fault {
  var kind: String
  var place: String
  var count: Int
}

extension SQLiteConnection {
  /// The number that a query gives; 0 where it gives none.
  func number(_ sql: String) throws(StoreError) -> Int {
    if case .integer(let number)?? = try rows(sql).first?.first { Int(number) } else { 0 }
  }
}

/// What holds in a store whatever it came from.
extension StoreNames {
  /// A query for the links both of whose objects are there, as ones of these entities.
  func surviving(
    _ end: Declared<Relationship>, _ own: some Sequence<String>, _ other: some Sequence<String>
  ) -> String? {
    guard let links = links(of: end), let owners = table(of: end.declaringEntity),
      let others = table(of: end.property.destinationName)
    else { return nil }
    return "SELECT l.own, l.other, l.place, l.inverse FROM (\(pairs(links))) AS l "
      + "JOIN \(owners) AS o ON o.Z_PK = l.own AND o.Z_ENT IN (\(list(own))) "
      + "JOIN \(others) AS p ON p.Z_PK = l.other AND p.Z_ENT IN (\(list(other)))"
  }

  /// How many objects of a one-to-one relationship lead to one that does not lead back.
  func disagreements(
    _ connection: SQLiteConnection, _ end: Declared<Relationship>
  ) throws(StoreError) -> Int {
    guard !end.property.isToMany, let inverse = model.inverse(of: end.property),
      !inverse.property.isToMany, let links = links(of: end), let back = self.links(of: inverse)
    else { return 0 }
    return try connection.number(
      "SELECT count(*) FROM (\(pairs(links))) AS l JOIN \(back.table) AS p ON p.Z_PK = l.other "
        + "WHERE p.\(back.other) IS NOT l.own")
  }

  func faults(_ connection: SQLiteConnection) throws(StoreError) -> [Fault] {
    var faults: [Fault] = []
    func note(_ kind: String, _ place: String, _ count: Int) {
      if count > 0 { faults.append(Fault(kind: kind, place: place, count: count)) }
    }
    for entity in model.entities {
      for leaf in leaves(of: entity.name, isOwn: true)
      where candidates(for: leaf.name, of: entity.name).isEmpty {
        note("columns are missing", "\(entity.name).\(leaf.name)", 1)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        let end = Declared(property: relationship, declaringEntity: entity.name)
        for (kind, count) in try self.faults(of: end, connection) {
          note(kind, "\(entity.name).\(relationship.name)", count)
        }
      }
    }
    for entity in model.entities where entity.superentityName == nil {
      guard let table = table(of: entity.name) else {
        note("tables are missing", entity.name, 1)
        continue
      }
      let all = list(family(entity.name))
      let keys = try connection.number("SELECT max(Z_PK) FROM \(table)")
      note(
        "keys above the highest", entity.name,
        keys - Int(try highestKey(connection, of: entity.name) ?? 0))
      note(
        "rows without Z_OPT", entity.name,
        try connection.number("SELECT count(*) FROM \(table) WHERE Z_OPT IS NULL"))
      note(
        "rows of no entity", entity.name,
        try connection.number(
          "SELECT count(*) FROM \(table) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(all))"))
    }
    if hasColumns("ACHANGE") {
      note(
        "changes of no entity", "history",
        try connection.number(
          "SELECT count(*) FROM \(schema).ACHANGE WHERE ZENTITY IS NULL OR ZENTITY NOT IN (\(list(model.entityNames)))"
        ))
    }
    return faults
  }

  private func faults(
    of end: Declared<Relationship>, _ connection: SQLiteConnection
  ) throws(StoreError) -> [(String, Int)] {
    guard let found = links(of: end) else { return [] }
    // The end that keeps the key, or of a join table, both.
    let keeps = found.keeper == nil || found.own == "Z_PK"
    let isStranger = end.property.isToMany && model.inverse(of: end.property) == nil
    guard keeps || isStranger else { return [] }
    let links = keeps ? found : found.swapped
    let leadsTo = keeps ? end.property.destinationName : end.declaringEntity
    guard let table = table(of: leadsTo) else { return [] }
    let pairs = pairs(links)
    var faults = [
      (
        "keys lead nowhere",
        try connection.number(
          "SELECT count(*) FROM (\(pairs)) AS l WHERE NOT EXISTS (SELECT 1 FROM \(table) AS p WHERE p.Z_PK = l.other AND p.Z_ENT IN (\(list(family(leadsTo)))))"
        )
      ),
      ("objects do not lead back", try disagreements(connection, end)),
    ]
    for (order, owner) in [(links.place, "own"), (links.inverse, "other")] {
      guard order != nil else { continue }
      let column = owner == "own" ? "place" : "inverse"
      faults.append(
        (
          "order keys are missing",
          try connection.number("SELECT count(*) FROM (\(pairs)) WHERE \(column) IS NULL")
        ))
      faults.append(
        (
          "order keys are doubled",
          try connection.number(
            "SELECT count(*) FROM (SELECT 1 FROM (\(pairs)) GROUP BY \(owner), \(column) HAVING count(*) > 1)"
          )
        ))
    }
    if let number = links.number {
      faults.append(
        (
          "numbers of another entity",
          try connection.number(
            "SELECT count(*) FROM \(links.table) AS o JOIN \(table) AS p ON p.Z_PK = o.\(links.other) WHERE o.\(number) IS NOT p.Z_ENT"
          )
        ))
    }
    return faults
  }

  /// The highest key handed out to an entity.
  func highestKey(
    _ connection: SQLiteConnection, of entity: String
  ) throws(StoreError) -> Int64? {
    Int64(
      try connection.number(
        "SELECT Z_MAX FROM \(schema).Z_PRIMARYKEY WHERE Z_ENT = \(numbers[entity] ?? 0)"))
  }

  /// What no migration in place may change: the numbers of the history, and tables of users' own.
  func keptRows(_ connection: SQLiteConnection) throws(StoreError) -> [String: [[AttributeValue]]] {
    var kept = [
      "the history's rows of Z_PRIMARYKEY": try connection.rows(
        "SELECT * FROM \(schema).Z_PRIMARYKEY WHERE Z_ENT >= 16001 ORDER BY Z_ENT")
    ]
    for (name, table) in strangers {
      kept[name] = try connection.rows("SELECT count(*) FROM \(table)")
    }
    return kept
  }
}
