internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// What the links of a destination relationship must be.
struct ForetoldLinks {
  var end: Declared<Relationship>
  var count: Int
  /// Of who is linked to whom, and in which order; `nil` where only the number is compared.
  var sum: UInt64?
}

extension Witness {
  /// What a relationship of the destination continues.
  private enum Origin {
    case nothing
    case links(of: Declared<Relationship>, owners: [EntityMapping], takers: [EntityMapping])
    case unknown(String)
  }

  mutating func foretellLinks(
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) {
    var done: Set<Declared<Relationship>> = []
    for entity in to.entityNames {
      for property in (to[entity]?.relationships ?? []).sorted(by: { $0.name < $1.name })
      where !property.isTransient {
        var end = Declared(property: property, declaringEntity: entity)
        guard done.insert(end).inserted else { continue }
        let key = "\(entity).\(property.name)"
        var origin = origin(of: end)
        if let inverse = to.inverse(of: property) {
          done.insert(inverse)
          if case .nothing = origin { (end, origin) = (inverse, self.origin(of: inverse)) }
        }
        switch origin {
        case .nothing: links[key] = ForetoldLinks(end: end, count: 0, sum: nil)
        case .unknown(let reason): receipt.notForetold[key] = reason
        case .links(let old, let owners, let takers):
          links[key] = try foretell(end, from: old, owners, takers, connection, names)
          if links[key] == nil { receipt.notForetold[key] = "what the source has is not clear" }
        }
      }
    }
  }

  // MARK: What continues what

  private func origin(of new: Declared<Relationship>) -> Origin {
    let (own, other) = (
      makers(below: new.declaringEntity), makers(below: new.property.destinationName)
    )
    guard
      own + other
        == (own + other).filter({
          $0.policyName == nil && $0.filter == nil
            && $0.customSource == nil
        })
    else { return .unknown("a policy or a filter decides") }
    guard let olds = olds(new, own), olds.count < 2 else {
      return .unknown("it continues more than one relationship")
    }
    guard let old = olds.first else { return .nothing }
    let sources = (family(old.declaringEntity), family(old.property.destinationName))
    let owners = own.filter { sources.0.contains($0.sourceName ?? "") }
    let takers = other.filter { sources.1.contains($0.sourceName ?? "") }
    if let inverse = to.inverse(of: new.property), inverse != new {
      let back = from.inverse(of: old.property)
      guard let found = self.olds(inverse, other), found == Set(back.map { [$0] } ?? []) else {
        return .unknown("its ends say different things")
      }
    }
    let isOnce = [owners, takers].allSatisfy { Set($0.map(\.sourceName)).count == $0.count }
    let isWhole = owners.allSatisfy { self.old(new, $0) == old }
    let isOnePart = parts.contains { part in
      (owners + takers).allSatisfy { part.entityMappings.contains($0) }
    }
    let isNamed =
      means.isInferred
      || owners.allSatisfy {
        name(new, $0).map { name in
          takers.allSatisfy { $0.name == name }
        } ?? true
      }
    return isOnce && isWhole && isOnePart && isNamed
      ? .links(of: old, owners: owners, takers: takers)
      : .unknown("not all objects take it along in the same way")
  }

  private func family(_ entity: String) -> Set<String> {
    Set([entity] + from.descendantNames(of: entity))
  }

  /// The entity mappings that make objects of an entity and of those below it.
  private func makers(below entity: String) -> [EntityMapping] {
    let family = Set([entity] + to.descendantNames(of: entity))
    return entityMappings.filter {
      $0.sourceName != nil && $0.destinationName.map(family.contains) == true
    }
  }

  /// - Returns: `nil` where an entity mapping says something of its own.
  private func olds(
    _ new: Declared<Relationship>, _ mappings: [EntityMapping]
  ) -> Set<Declared<Relationship>>? {
    let said = mappings.filter { expression(new, $0) != nil }
    let found = said.compactMap { old(new, $0) }
    return found.count == said.count ? Set(found) : nil
  }

  private func expression(
    _ new: Declared<Relationship>, _ mapping: EntityMapping
  ) -> Expression? {
    mapping.relationshipMappings.last { $0.name == new.property.name }?.expression
  }

  private func old(
    _ new: Declared<Relationship>, _ mapping: EntityMapping
  ) -> Declared<Relationship>? {
    let expression: Expression
    switch self.expression(new, mapping).flatMap({ RelationshipSource($0) }) {
    case .mapping(_, of: let sources), .relationship(_, of: let sources): expression = sources
    case nil: return nil
    }
    guard case .keyPath(of: .variable("source"), let keys) = expression, keys.count == 1,
      let found = from.relationship(keys[0], of: mapping.sourceName ?? "")
    else { return nil }
    return found.property.isTransient ? nil : found
  }

  private func name(_ new: Declared<Relationship>, _ mapping: EntityMapping) -> String? {
    if case .mapping(let name, _) = expression(new, mapping).flatMap({ RelationshipSource($0) }) {
      return name
    }
    return nil
  }

  // MARK: Which links survive

  private func foretell(
    _ new: Declared<Relationship>, from old: Declared<Relationship>, _ owners: [EntityMapping],
    _ takers: [EntityMapping], _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) -> ForetoldLinks? {
    guard
      let surviving = names.surviving(
        old, owners.compactMap(\.sourceName), takers.compactMap(\.sourceName)),
      try names.disagreements(connection, old) == 0
    else { return nil }
    let kept = kept(surviving, new, old)
    let entities = (owners + takers).compactMap(\.destinationName)
    var made: [Int64: String] = [:]
    for mapping in owners + takers {
      if let number = names.numbers[mapping.sourceName ?? ""] {
        made[number] = mapping.destinationName
      }
    }
    let isKnown = means.isInPlace || entities.allSatisfy { sources(of: $0)?.count == 1 }
    return try found(
      new, kept, from: (old.declaringEntity, old.property.destinationName),
      isKnown ? made : nil, connection, names)
  }

  /// An end that has become to-one keeps its first object; the end that comes first chooses first.
  private func kept(
    _ links: String, _ new: Declared<Relationship>, _ old: Declared<Relationship>
  ) -> String {
    func isMany(_ end: Declared<Relationship>, in model: ObjectModel) -> (own: Bool, other: Bool) {
      (
        end.property.isToMany,
        model.inverse(of: end.property)?.property.isToMany ?? !end.property.isToMany
      )
    }
    let (before, after) = (isMany(old, in: from), isMany(new, in: to))
    let inverse = to.inverse(of: new.property)
    func first(_ links: String, of end: String, by order: String) -> String {
      "SELECT own, other, place, inverse FROM (SELECT *, row_number() OVER (PARTITION BY \(end) "
        + "ORDER BY \(order)) AS n FROM (\(links))) WHERE n = 1"
    }
    let wasOwnInverse = from.inverse(of: old.property) == old
    if inverse == new, !wasOwnInverse || !after.own && before.own {
      let both =
        "SELECT own, other, NULL AS place, NULL AS inverse FROM (\(links)) UNION "
        + "SELECT other, own, NULL, NULL FROM (\(links))"
      guard !after.own else { return both }
      let chosen = first(both, of: "own", by: "other")
      return "SELECT * FROM (\(chosen)) WHERE (other, own) IN (SELECT own, other FROM (\(chosen)))"
    }
    var steps: [(String, String)] = []
    if before.own, !after.own { steps.append(("own", "place, other")) }
    if before.other, !after.other { steps.append(("other", "inverse, own")) }
    let isFirst = inverse.map {
      (new.declaringEntity, new.property.name) <= ($0.declaringEntity, $0.property.name)
    }
    return (isFirst ?? true ? steps : steps.reversed()).reduce(links) { links, step in
      first(links, of: step.0, by: step.1)
    }
  }

  /// Counts links, and adds up who is linked to whom: objects are known by their places among those of their
  /// entity, or in place by their keys.
  ///
  /// - Parameter made: By entity number, the destination entity; `nil` where no object is known again.
  private func found(
    _ new: Declared<Relationship>, _ links: String, from entities: (own: String, other: String),
    _ made: [Int64: String]?, _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) -> ForetoldLinks? {
    let count = try connection.number("SELECT count(*) FROM (\(links))")
    var result = ForetoldLinks(end: new, count: count, sum: nil)
    guard let made, let own = names.table(of: entities.own),
      let other = names.table(of: entities.other)
    else { return result }
    let rows = try connection.number(
      "SELECT max((SELECT count(*) FROM \(own)), (SELECT count(*) FROM \(other)))")
    guard means.isComplete || max(count, rows) <= Self.limit else { return result }
    let place = means.isInPlace ? "Z_PK" : "row_number() OVER (PARTITION BY Z_ENT ORDER BY Z_PK)"
    func known(_ table: String) -> String { "(SELECT Z_PK, Z_ENT, \(place) AS n FROM \(table))" }
    func order(_ isOrdered: Bool, _ end: String, _ order: String) -> String {
      isOrdered ? "row_number() OVER (PARTITION BY l.\(end) ORDER BY \(order))" : "0"
    }
    let inverse = to.inverse(of: new.property)?.property
    let isSelf = inverse == new.property
    let statement = try connection.prepare(
      "SELECT o.n, p.n, \(order(new.property.isOrdered && !isSelf, "own", "l.place, l.other")), "
        + "\(order(inverse?.isOrdered == true && !isSelf, "other", "l.inverse, l.own")), o.Z_ENT, p.Z_ENT "
        + "FROM (\(links)) AS l JOIN \(known(own)) AS o ON o.Z_PK = l.own "
        + "JOIN \(known(other)) AS p ON p.Z_PK = l.other")
    var sum: UInt64 = 0
    while try statement.step() {
      var print: UInt64 = 0
      for column in 0..<4 {
        print = (print ^ UInt64(bitPattern: statement.plainInteger(column))).mixed
      }
      for column in 4..<6 {
        let name = made[statement.plainInteger(column)]
        print = (print ^ UInt64(bitPattern: Int64(name.hashValue))).mixed
      }
      sum &+= print
    }
    result.sum = sum
    return result
  }

  mutating func objectionsToLinks(
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) -> [String] {
    var objections: [String] = []
    for (key, foretold) in links {
      let (new, leadsTo) = (foretold.end, foretold.end.property.destinationName)
      let (own, other) = (names.family(new.declaringEntity), names.family(leadsTo))
      let made = Dictionary(
        own.union(other).compactMap { name in names.numbers[name].map { ($0, name) } },
        uniquingKeysWith: { first, _ in first })
      guard let surviving = names.surviving(new, own, other),
        let found = try found(
          new, surviving, from: (new.declaringEntity, leadsTo),
          foretold.sum == nil ? nil : made, connection, names)
      else {
        receipt.notForetold[key] = "more than one column or table may be meant"
        continue
      }
      receipt.compared.insert(key)
      if found.count != foretold.count {
        objections.append("\(key) has \(found.count) links, and \(foretold.count) were to come")
      } else if let sum = foretold.sum, sum != found.sum {
        objections.append("links of \(key) lead elsewhere, or stand in another order")
      }
    }
    return objections
  }
}
