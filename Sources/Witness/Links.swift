internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// What the links of a destination relationship must be.
struct ForetoldLinks {
  var end: Declared<Relationship>
  var count = 0
  /// Of who is linked to whom, and in which order; `nil` where only the number is compared.
  var sum: UInt64?
}

extension Witness {
  private typealias End = Declared<Relationship>

  /// What a relationship of the destination continues.
  private enum Origin {
    case nothing
    case links(of: End, owners: [EntityMapping], takers: [EntityMapping])
    case unknown(String)
  }

  mutating func foretellLinks(
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) {
    var done: Set<End> = []
    for entity in to.entities {
      for property in entity.relationships where !property.isTransient {
        let first = End(property: property, declaringEntity: entity.name)
        guard done.insert(first).inserted else { continue }
        var foretold = ForetoldLinks(end: first)
        var origin = origin(of: first)
        if let inverse = to.inverse(of: property) {
          done.insert(inverse)
          if case .nothing = origin { (foretold.end, origin) = (inverse, self.origin(of: inverse)) }
        }
        let key = "\(entity.name).\(property.name)"
        switch origin {
        case .nothing: links[key] = foretold
        case .unknown(let reason): receipt.notForetold[key] = reason
        case .links(let old, let owners, let takers):
          let lonely = try names.disagreements(connection, old)
          guard lonely == 0,
            let links = try surviving(
              old, owners.map(\.sourceName), takers.map(\.sourceName), names, connection)
          else {
            receipt.notForetold[key] = "the source is not clear"
            if !means.isInPlace, lonely > 0 { try foretellLonely(old, connection, names) }
            continue
          }
          try count(
            &foretold, kept(links, foretold.end, old), old, owners + takers, connection, names)
          self.links[key] = foretold
        }
      }
    }
  }

  /// What the source leaves one-sided may be so in the destination.
  private mutating func foretellLonely(
    _ end: End, _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) {
    for end in Set([end, from.inverse(of: end.property)].compactMap { $0 }) {
      faults["objects are not led back to", default: 0] += try names.disagreements(connection, end)
    }
  }

  // MARK: What continues what

  private func origin(of new: End) -> Origin {
    let (own, other) = (makers(of: new.declaringEntity), makers(of: new.property.destinationName))
    guard (own + other).allSatisfy(\.isPlain), !(own + other).isEmpty || !hasPolicies else {
      return .unknown("a policy or a filter decides")
    }
    let said = own.compactMap { self.said(of: new.property.name, $0) }
    guard let old = said.first?.old else {
      return said.isEmpty ? .nothing : .unknown("it copies no relationship")
    }
    func taking(_ entity: String, _ mappings: [EntityMapping]) -> [EntityMapping] {
      let family = [entity] + from.descendantNames(of: entity)
      return mappings.filter { family.contains($0.sourceName ?? "") }
    }
    let owners = taking(old.declaringEntity, own)
    let takers = taking(old.property.destinationName, other)
    var isTold = owners.count == said.count && said.allSatisfy { $0.old == old }
    if let inverse = to.inverse(of: new.property), inverse != new {
      // The other end must say the same, or nothing where there was none.
      let (olds, back) = (
        other.compactMap { self.said(of: inverse.property.name, $0) },
        from.inverse(of: old.property)
      )
      isTold =
        isTold && olds.count == (back == nil ? 0 : takers.count)
        && olds.allSatisfy { $0.old == back }
    }
    let isNamed = said.allSatisfy { said in
      means.isInferred || said.name == nil || takers.allSatisfy { $0.name == said.name }
    }
    let isOnce = [owners, takers].allSatisfy { Set($0.map(\.sourceName)).count == $0.count }
    let isOnePart = parts.contains { part in
      (owners + takers).allSatisfy(part.entityMappings.contains)
    }
    return isTold && isNamed && isOnce && isOnePart
      ? .links(of: old, owners: owners, takers: takers)
      : .unknown("entity mappings say different things of it")
  }

  /// The entity mappings that make objects of an entity and of those below it.
  private func makers(of entity: String) -> [EntityMapping] {
    let family = [entity] + to.descendantNames(of: entity)
    return entityMappings.filter {
      $0.sourceName != nil && family.contains($0.destinationName ?? "")
    }
  }

  /// What an entity mapping says of a relationship: the one that it copies alone, and the entity mapping that
  /// it names; `nil` where it says nothing.
  private func said(of relationship: String, _ mapping: EntityMapping) -> (
    old: End?, name: String?
  )? {
    guard
      let expression = mapping.relationshipMappings.last(where: { $0.name == relationship })?
        .expression
    else { return nil }
    guard let through = RelationshipSource(expression),
      case .keyPath(of: .variable("source"), let keys) = through.sources, keys.count == 1,
      let old = from.relationship(keys[0], of: mapping.sourceName ?? ""), !old.property.isTransient
    else { return (nil, nil) }
    return (old, through.mappingName)
  }

  // MARK: Which links there are

  /// A query for the links both of whose objects are there, as ones of these entities.
  private func surviving(
    _ end: End, _ own: [String?], _ other: [String?], _ names: StoreNames,
    _ connection: SQLiteConnection
  ) throws(StoreError) -> String? {
    guard var links = names.links(of: end) else { return nil }
    var query = "SELECT l.* FROM (\(links.pairs)) AS l"
    var isWhole = true
    for (column, key, entity, entities) in [
      (links.own, "own", end.declaringEntity, own),
      (links.other, "other", end.property.destinationName, other),
    ] {
      guard let table = names.table(of: entity) else { return nil }
      let list = names.list(entities.compactMap { $0 })
      query +=
        " JOIN \(table) AS \(key)Row ON \(key)Row.Z_PK = l.\(key) AND \(key)Row.Z_ENT IN (\(list))"
      if column == "Z_PK".quoted {
        links.rows += " AND Z_ENT IN (\(list))"
      } else if try names.strays(connection, links.table, column, table, list) > 0 {
        isWhole = false
      }
    }
    // Where all keys lead somewhere, nothing needs to be joined.
    return isWhole ? links.pairs : query
  }

  /// An end that has become to-one keeps its first object; the end that comes first chooses first.
  private func kept(_ links: String, _ new: End, _ old: End) -> String {
    func isMany(_ end: End, _ model: ObjectModel) -> (own: Bool, other: Bool) {
      let isMany = end.property.isToMany
      return (isMany, model.inverse(of: end.property)?.property.isToMany ?? !isMany)
    }
    func first(_ links: String, of end: String, by order: String) -> String {
      "SELECT own, other, place, inverse FROM (SELECT *, row_number() OVER (PARTITION BY \(end) "
        + "ORDER BY \(order)) AS n FROM (\(links))) WHERE n = 1"
    }
    let (before, after) = (isMany(old, from), isMany(new, to))
    let inverse = to.inverse(of: new.property)
    if inverse == new, from.inverse(of: old.property) != old || !after.own && before.own {
      // Its own inverse: each link counts in both directions, and a to-one end must be chosen back.
      let both =
        "SELECT own, other, NULL AS place, NULL AS inverse FROM (\(links)) UNION "
        + "SELECT other, own, NULL, NULL FROM (\(links))"
      let chosen = first(both, of: "own", by: "other")
      return after.own
        ? both : "\(chosen) AND (other, own) IN (SELECT own, other FROM (\(chosen)))"
    }
    var steps: [(end: String, order: String)] = []
    if before.own, !after.own { steps.append(("own", "place, other")) }
    if before.other, !after.other { steps.append(("other", "inverse, own")) }
    let isSecond = inverse.map {
      (new.declaringEntity, new.property.name) > ($0.declaringEntity, $0.property.name)
    }
    return (isSecond == true ? steps.reversed() : steps).reduce(links) {
      first($0, of: $1.end, by: $1.order)
    }
  }

  /// Counts links, and adds up who is linked to whom: objects are known by their places among those of their
  /// entity, or in place by their keys.
  ///
  /// - Parameters:
  ///   - end: As whose links the query has them.
  ///   - mappings: What made the objects, for the source.
  private func count(
    _ links: inout ForetoldLinks, _ query: String, _ end: End, _ mappings: [EntityMapping]?,
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) {
    let entities = [end.declaringEntity, end.property.destinationName]
    let tables = entities.compactMap { names.table(of: $0) }
    links.count = try connection.number("SELECT count(*) FROM (\(query))")
    var rows = links.count
    for table in tables {
      rows = max(rows, try connection.number("SELECT max(Z_PK) FROM \(table)"))
    }
    guard let mappings else {
      if links.sum != nil {
        let made = names.model.entityNames.map { (names.numbers[$0] ?? 0, $0) }
        links.sum = try sum(query, links.end, tables, made, connection)
      }
      return
    }
    let isKnown =
      means.isInPlace
      || mappings.allSatisfy { objects[$0.destinationName ?? ""]?.hasPlaces == true }
    guard isKnown, means.isComplete || rows <= Self.limit else { return }
    let made = mappings.map { (names.numbers[$0.sourceName ?? ""] ?? 0, $0.destinationName ?? "") }
    links.sum = try sum(query, links.end, tables, made, connection)
  }

  private func sum(
    _ links: String, _ new: End, _ tables: [String], _ made: [(Int64, String)],
    _ connection: SQLiteConnection
  ) throws(StoreError) -> UInt64 {
    let place = means.isInPlace ? "Z_PK" : "row_number() OVER (PARTITION BY Z_ENT ORDER BY Z_PK)"
    let known = tables.map { "(SELECT Z_PK, Z_ENT, \(place) AS n FROM \($0))" }
    let inverse = to.inverse(of: new.property)
    func order(_ isOrdered: Bool?, _ end: String, _ order: String) -> String {
      isOrdered != true || inverse == new
        ? "0" : "row_number() OVER (PARTITION BY l.\(end) ORDER BY \(order))"
    }
    let statement = try connection.prepare(
      "SELECT o.n, p.n, \(order(new.property.isOrdered, "own", "l.place, l.other")), "
        + "\(order(inverse?.property.isOrdered, "other", "l.inverse, l.own")), o.Z_ENT, p.Z_ENT "
        + "FROM (\(links)) AS l JOIN \(known[0]) AS o ON o.Z_PK = l.own "
        + "JOIN \(known[known.count - 1]) AS p ON p.Z_PK = l.other")
    let prints = Dictionary(
      made.map { ($0.0, Int64($0.1.hashValue)) }, uniquingKeysWith: { first, _ in first })
    var sum: UInt64 = 0
    while try statement.step() {
      var print: UInt64 = 0
      for column in 0..<6 {
        let number = statement.plainInteger(column)
        print = print.mixed(
          with: UInt64(bitPattern: column < 4 ? number : prints[number] ?? 0))
      }
      sum &+= print
    }
    return sum
  }

  mutating func objectionsToLinks(
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) -> [String] {
    var objections: [String] = []
    for (key, foretold) in links {
      let end = foretold.end
      guard
        let links = try surviving(
          end, names.family(end.declaringEntity), names.family(end.property.destinationName), names,
          connection)
      else {
        receipt.notForetold[key] = "more than one column or table may be meant"
        continue
      }
      var found = foretold
      try count(&found, links, end, nil, connection, names)
      receipt.compared.insert(key)
      if found.count != foretold.count {
        objections.append("links of \(key): \(found.count), and \(foretold.count) were to come")
      } else if found.sum != foretold.sum {
        objections.append("links of \(key): not those, or not in the order, that were to come")
      }
    }
    return objections
  }
}
