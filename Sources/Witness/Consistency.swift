internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// Consistency checks of a store that are independent of its source.
extension StoreNames {
  typealias Fault = (kind: String, location: String, count: Int64)

  private func count(
    _ kind: String, _ location: String, _ rows: String, in faults: inout [Fault]
  ) throws(StoreError) {
    let count = try numbers("SELECT count(*) FROM \(rows)")[0]
    if count > 0 { faults.append((kind, location, count)) }
  }

  /// The one-to-one links that are set at one end only.
  func oneSidedLinks() throws(StoreError) -> [Fault] {
    var faults: [Fault] = []
    for end in model.storedRelationships where !end.property.isToMany {
      guard let inverse = model.inverse(of: end.property), !inverse.property.isToMany,
        let links = links(of: end), let back = self.links(of: inverse)
      else { continue }
      try count(
        "one-sided links", end.qualifiedName,
        "\(links.table) AS l JOIN \(back.table) AS p ON p.Z_PK = l.\(links.other) "
          + "WHERE p.\(back.other) IS NOT l.Z_PK", in: &faults)
    }
    return faults
  }

  /// - Parameter isSource: Whether to ignore links to missing objects, which no migration keeps.
  func faults(isSource: Bool) throws(StoreError) -> [Fault] {
    var faults: [Fault] = []
    for end in model.storedRelationships {
      if isMissing(end) { faults.append(("columns or tables missing", end.qualifiedName, 1)) }
      let isOwner = end.property.isToMany && model.inverse(of: end.property) == nil
      // Of two ends, the one whose table has the key.
      guard let links = isOwner ? links(of: end)?.swapped : links(of: end),
        links.keeper == nil || links.own == "Z_PK".quoted,
        let other = table(of: isOwner ? end.declaringEntity : end.property.destinationName)
      else { continue }
      if !isSource {
        let allowed = family(isOwner ? end.declaringEntity : end.property.destinationName)
        let count = try strays(links, links.other, other, allowed)
        if count > 0 { faults.append(("keys of missing objects", end.qualifiedName, count)) }
      }
      for (order, owner) in [(links.order, links.own), (links.inverse, links.other)] {
        guard let order else { continue }
        let linked = "\(links.table) WHERE \(links.own) NOT NULL AND \(links.other) NOT NULL"
        try count(
          "order keys missing", end.qualifiedName, "\(linked) AND \(order) IS NULL", in: &faults)
        try count(
          "duplicate order keys", end.qualifiedName,
          "(SELECT 1 FROM \(linked) GROUP BY \(owner), \(order) HAVING count(*) > 1)", in: &faults)
      }
      let (target, back) = (end.property.destinationName, model.inverse(of: end.property))
      let orders = [end.property, back?.property].count { end in
        end?.isOrdered == true && end?.isToMany == true
      }
      if back != end, [links.order, links.inverse].compactMap(\.self).count < orders {
        faults.append(("order columns missing", end.qualifiedName, 1))
      }
      if !end.property.isToMany, !model.subentityNames(of: target).isEmpty,
        links.number?.hasPrefix("\"Z\(number(of: target))_") != true
      {
        faults.append(("entity columns missing", end.qualifiedName, 1))
      }
      guard let number = links.number else { continue }
      try count(
        "keys with a wrong entity number", end.qualifiedName,
        "\(links.table) AS o JOIN \(other) AS p ON p.Z_PK = o.\(links.other) "
          + "WHERE o.\(number) IS NOT p.Z_ENT", in: &faults)
    }
    for entity in model.entities {
      for leaf in Self.leaves(of: entity.name, in: model, isOwn: true)
      where candidates(for: leaf.name, in: entity.name).isEmpty {
        faults.append(("columns missing", "\(entity.name).\(leaf.name)", 1))
      }
      let parent = entity.superentityName.map { number(of: $0) } ?? 0
      try count(
        "rows of Z_PRIMARYKEY missing", entity.name,
        "(SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM Z_PRIMARYKEY "
          + "WHERE Z_ENT = \(number(of: entity.name)) AND Z_SUPER = \(parent)))", in: &faults)
      guard entity.superentityName == nil, let table = table(of: entity.name) else { continue }
      let found = try rowFaults(of: entity.name)
      for (kind, count) in [
        ("rows without Z_OPT", found.withoutCount), ("rows of unknown entities", found.strays),
      ] where count > 0 {
        faults.append((kind, entity.name, count))
      }
      try count(
        "keys above Z_MAX", entity.name,
        "\(table) WHERE Z_PK > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number(of: entity.name)))",
        in: &faults)
    }
    if let changes = table(named: "ACHANGE") {
      let all = list(model.entityNames)
      try count(
        "changes of unknown entities", "ACHANGE", "\(changes) WHERE ZENTITY NOT IN (\(all))",
        in: &faults)
    }
    return faults
  }

  /// The parts that an in-place migration must not change.
  func kept() throws(StoreError) -> [String: [[AttributeValue]]] {
    var kept = [
      "Z_PRIMARYKEY of the history": try connection.rows(
        "SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT >= 16001 ORDER BY Z_ENT")
    ]
    for table in strangers {
      kept[table] = try connection.rows("SELECT count(*) FROM \(table.quoted)")
    }
    return kept
  }

  /// The number of changes in the history, by entity.
  func changes() throws(StoreError) -> [String: Int64] {
    var changes: [String: Int64] = [:]
    guard let table = table(named: "ACHANGE") else { return changes }
    var counts: [Int64: Int64] = [:]
    for row in try connection.rows("SELECT ZENTITY, count(*) FROM \(table) GROUP BY ZENTITY") {
      if case .integer(let number) = row[0], case .integer(let count) = row[1] {
        counts[number] = count
      }
    }
    for name in model.entityNames { changes[name] = counts[Int64(number(of: name))] ?? 0 }
    return changes
  }

  /// The highest keys of the hierarchies, by root entity.
  func highest() throws(StoreError) -> [String: Int64] {
    var highest: [String: Int64] = [:]
    for entity in model.entities where entity.superentityName == nil {
      highest[entity.name] = try numbers(
        "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number(of: entity.name))")[0]
    }
    return highest
  }
}
