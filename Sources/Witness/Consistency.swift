internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

extension SQLiteConnection {
  /// The number that a query gives; 0 where it gives none.
  func number(_ sql: String) throws(StoreError) -> Int {
    if case .integer(let number)?? = try rows(sql).first?.first { Int(number) } else { 0 }
  }
}

/// What holds in a store whatever it came from.
extension StoreNames {
  typealias Fault = (kind: String, place: String, count: Int)

  /// How many objects of a one-to-one relationship lead to one that does not lead back.
  func disagreements(
    _ connection: SQLiteConnection, _ end: Declared<Relationship>
  ) throws(StoreError) -> Int {
    guard let inverse = model.inverse(of: end.property), !inverse.property.isToMany,
      !end.property.isToMany, let links = links(of: end), let back = self.links(of: inverse)
    else { return 0 }
    return try connection.number(
      "SELECT count(*) FROM (\(links.pairs)) AS l JOIN \(back.table) AS p ON p.Z_PK = l.other "
        + "WHERE p.\(back.other) IS NOT l.own")
  }

  /// How many different keys of a column lead to no row of these entities: an index alone can tell.
  func strays(
    _ connection: SQLiteConnection, _ table: String, _ column: String, _ other: String,
    _ entities: String
  ) throws(StoreError) -> Int {
    try connection.number(
      "SELECT count(*) FROM (SELECT DISTINCT \(column) AS k FROM \(table) WHERE \(column) NOT NULL) "
        + "AS l WHERE NOT EXISTS (SELECT 1 FROM \(other) AS p WHERE p.Z_PK = l.k "
        + "AND p.Z_ENT IN (\(entities)))")
  }

  func faults(_ connection: SQLiteConnection) throws(StoreError) -> [Fault] {
    var faults: [Fault] = []
    func count(_ kind: String, _ place: String, _ rows: String) throws(StoreError) {
      let count = try connection.number("SELECT count(*) FROM \(rows)")
      if count > 0 { faults.append((kind, place, count)) }
    }
    for entity in model.entities {
      for leaf in Self.leaves(of: entity.name, in: model, isOwn: true)
      where candidates(for: leaf.name, in: entity.name).isEmpty {
        faults.append(("columns are missing", "\(entity.name).\(leaf.name)", 1))
      }
      for relationship in entity.relationships where !relationship.isTransient {
        let end = Declared(property: relationship, declaringEntity: entity.name)
        let place = "\(entity.name).\(relationship.name)"
        guard var links = links(of: end) else { continue }
        var leadsTo = relationship.destinationName
        if relationship.isToMany, model.inverse(of: relationship) == nil {
          (links, leadsTo) = (links.swapped, entity.name)
        }
        // The other end has the key.
        guard links.keeper == nil || links.own == "Z_PK".quoted, let table = table(of: leadsTo)
        else { continue }
        let pairs = "(\(links.pairs))"
        let allowed = list(family(leadsTo))
        if try strays(connection, links.table, links.other, table, allowed) > 0 {
          try count(
            "keys lead nowhere", place,
            "\(pairs) AS l WHERE NOT EXISTS (SELECT 1 FROM \(table) AS p WHERE p.Z_PK = l.other "
              + "AND p.Z_ENT IN (\(allowed)))")
        }
        for (order, owner, column) in [
          (links.place, "own", "place"), (links.inverse, "other", "inverse"),
        ] where order != nil {
          try count("order keys are missing", place, "\(pairs) WHERE \(column) IS NULL")
          let groups = "(SELECT 1 FROM \(pairs) GROUP BY \(owner), \(column) HAVING count(*) > 1)"
          try count("order keys are doubled", place, groups)
        }
        if let number = links.number {
          try count(
            "numbers are of another entity", place,
            "\(links.table) AS o JOIN \(table) AS p ON p.Z_PK = o.\(links.other) "
              + "WHERE o.\(number) IS NOT p.Z_ENT")
        }
        let lonely = try disagreements(connection, end)
        if lonely > 0 { faults.append(("objects are not led back to", place, lonely)) }
      }
      guard entity.superentityName == nil else { continue }
      let (table, entities) = (table(of: entity.name), list(family(entity.name)))
      guard let table else { continue }
      try count("rows have no Z_OPT", entity.name, "\(table) WHERE Z_OPT IS NULL")
      try count("rows are of no entity", entity.name, "\(table) WHERE Z_ENT NOT IN (\(entities))")
      try count(
        "keys are above the highest", entity.name,
        "\(table) WHERE Z_PK > (SELECT Z_MAX FROM \(schema).Z_PRIMARYKEY "
          + "WHERE Z_ENT = \(numbers[entity.name] ?? 0))")
    }
    if let changes = self.table(named: "ACHANGE") {
      let all = list(model.entityNames)
      try count("changes are of no entity", "ACHANGE", "\(changes) WHERE ZENTITY NOT IN (\(all))")
    }
    return faults
  }

  /// What no migration in place may change, and the highest keys of the hierarchies.
  func kept(_ connection: SQLiteConnection) throws(StoreError) -> [String: [[AttributeValue]]] {
    let rows = "FROM \(schema).Z_PRIMARYKEY WHERE Z_ENT"
    var kept = [
      "what Z_PRIMARYKEY says of the history": try connection.rows(
        "SELECT Z_ENT, Z_NAME, Z_MAX \(rows) >= 16001 ORDER BY Z_ENT")
    ]
    for entity in model.entities where entity.superentityName == nil {
      kept["Z_MAX \(entity.name)"] = try connection.rows(
        "SELECT Z_MAX \(rows) = \(numbers[entity.name] ?? 0)")
    }
    for table in strangers {
      kept[table] = try connection.rows("SELECT count(*) FROM \(schema).\(table.quoted)")
    }
    return kept
  }
}
