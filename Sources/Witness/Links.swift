internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite

/// The predicted links of a destination relationship.
struct PredictedLinks {
  var end: Declared<Relationship>
  /// The number of links, and the sum of the fingerprints of the links and their order.
  var answers: [Int64] = [0, 0]
  /// Whether only the number of links is compared.
  var isCounted = true
}

extension Witness {
  private typealias End = Declared<Relationship>

  /// The source of a destination relationship.
  private enum Origin {
    case nothing
    case links(of: End, owners: [EntityMapping], readers: [EntityMapping])
    case unknown(String)
  }

  /// - Parameter oneSided: The source relationships with inconsistent ends.
  mutating func predictLinks(_ names: StoreNames, oneSided: [String]) throws(StoreError) {
    var done: Set<End> = []
    for end in to.storedRelationships where done.insert(end).inserted {
      var predicted = PredictedLinks(end: end)
      var origin = origin(of: end)
      if let inverse = to.inverse(of: end.property) {
        done.insert(inverse)
        if case .nothing = origin { (predicted.end, origin) = (inverse, self.origin(of: inverse)) }
      }
      switch origin {
      case .nothing: links[end.qualifiedName] = predicted
      case .unknown(let reason): receipt.notPredicted[end.qualifiedName] = reason
      case .links(let old, let owners, let readers):
        let both = [old, from.inverse(of: old.property)].compactMap { $0?.qualifiedName }
        guard !oneSided.contains(where: both.contains),
          let surviving = try surviving(
            old, owners.compactMap(\.sourceName), readers.compactMap(\.sourceName), names)
        else {
          receipt.notPredicted[end.qualifiedName] = "the source is ambiguous"
          continue
        }
        let mappings = owners + readers
        let entityPairs = mappings.map { ($0.sourceName ?? "", $0.destinationName ?? "") }
        predicted.isCounted = try !isSummed(old, mappings, names)
        predicted.answers = try answers(
          kept(surviving, predicted.end, old), predicted, old, entityPairs, names)
        links[end.qualifiedName] = predicted
      }
    }
  }

  // MARK: Sources

  private func origin(of new: End) -> Origin {
    let (own, other) = (makers(of: new.declaringEntity), makers(of: new.property.destinationName))
    guard (own + other).allSatisfy(\.isPlain), !(own + other).isEmpty || !hasPolicies else {
      return .unknown("it depends on a policy or a filter")
    }
    let copied = own.compactMap { self.copied(of: new.property.name, $0) }
    guard let old = copied.first?.old else {
      return copied.isEmpty ? .nothing : .unknown("its mapping copies no relationship")
    }
    func reading(_ entity: String, _ mappings: [EntityMapping]) -> [EntityMapping] {
      let family = from.familyNames(of: entity)
      return mappings.filter { family.contains($0.sourceName ?? "") }
    }
    let owners = reading(old.declaringEntity, own)
    let readers = reading(old.property.destinationName, other)
    var isComplete = owners.count == copied.count && copied.allSatisfy { $0.old == old }
    if let inverse = to.inverse(of: new.property), inverse != new {
      // The other end must have the same source, or none if there was no inverse.
      let olds = other.compactMap { self.copied(of: inverse.property.name, $0) }
      let back = from.inverse(of: old.property)
      isComplete =
        isComplete && olds.count == (back == nil ? 0 : readers.count)
        && olds.allSatisfy { $0.old == back }
    }
    let isNamed = copied.allSatisfy { copied in
      means.isInferred || copied.name == nil || readers.allSatisfy { $0.name == copied.name }
    }
    let isOnce = [owners, readers].allSatisfy { Set($0.map(\.sourceName)).count == $0.count }
    let isOnePart =
      parts.count == 1
      || parts.contains { (owners + readers).allSatisfy($0.entityMappings.contains) }
    return isComplete && isNamed && isOnce && isOnePart
      ? .links(of: old, owners: owners, readers: readers)
      : .unknown("its entity mappings disagree")
  }

  /// The entity mappings that create objects of an entity and its subentities.
  private func makers(of entity: String) -> [EntityMapping] {
    to.familyNames(of: entity).filter { to[$0]?.isAbstract == false }
      .flatMap { makersByDestination[$0] ?? [] }.sorted().map { entityMappings[$0] }
  }

  /// The relationship mapping of an entity mapping: the single copied relationship, and the named entity
  /// mapping; `nil` if there is none.
  private func copied(of relationship: String, _ mapping: EntityMapping) -> (
    old: End?, name: String?
  )? {
    let relationshipMapping = mapping.relationshipMappings.last { $0.name == relationship }
    guard let expression = relationshipMapping?.expression else { return nil }
    guard let through = RelationshipSource(expression),
      case .keyPath(of: .variable("source"), let keys) = through.sources, keys.count == 1,
      let old = from.relationship(keys[0], of: mapping.sourceName ?? ""), !old.property.isTransient
    else { return (nil, nil) }
    return (old, through.mappingName)
  }

  // MARK: Predicted links

  /// A query for the links between existing objects of these entities.
  private func surviving(
    _ end: End, _ own: [String], _ other: [String], _ names: StoreNames
  ) throws(StoreError) -> String? {
    guard let links = names.links(of: end) else { return nil }
    var query = links.pairs
    for (column, entity, entities) in [
      (links.own, end.declaringEntity, own),
      (links.other, end.property.destinationName, other),
    ] {
      guard let table = names.table(of: entity) else { return nil }
      let list = names.list(entities)
      if column == "Z_PK".quoted {
        query += " AND Z_ENT IN (\(list))"
      } else if try names.strays(links, column, table, entities) > 0 {
        query += " AND \(column) IN (SELECT Z_PK FROM \(table) WHERE Z_ENT IN (\(list)))"
      }
    }
    return query
  }

  /// An end that becomes to-one keeps its first object; the end that comes first chooses first.
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
      // For its own inverse, each link counts in both directions, and to-one ends must choose each other.
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

  // MARK: Counts and fingerprints

  /// Whether more than the number of links can be compared, which requires known destination objects.
  private func isSummed(
    _ end: End, _ mappings: [EntityMapping], _ names: StoreNames
  ) throws(StoreError) -> Bool {
    let destinations = mappings.compactMap { objects[$0.destinationName ?? ""] }
    guard destinations.count == mappings.count,
      means.isInPlace || destinations.allSatisfy(\.isOrdered)
    else {
      return false
    }
    guard !means.isComplete, let links = names.links(of: end) else { return means.isComplete }
    let count = try names.numbers("SELECT count(\(links.other)) FROM \(links.table)")[0]
    let rows = destinations.reduce(count) { max($0, $1.answers[0]) }
    return rows <= Self.limit
  }

  /// - Parameters:
  ///   - end: The relationship end of the query.
  ///   - entityPairs: The entities of the store, with their destination entities.
  private func answers(
    _ links: String, _ predicted: PredictedLinks, _ end: End, _ entityPairs: [(String, String)],
    _ names: StoreNames
  ) throws(StoreError) -> [Int64] {
    guard !predicted.isCounted else {
      return try names.numbers("SELECT count(*), 0 FROM (\(links))")
    }
    let cases = entityPairs.map { old, new in
      "WHEN \(names.number(of: old)) THEN \(to.index(ofEntity: new) ?? 0)"
    }
    let rowNumber =
      means.isInPlace ? "Z_PK" : "row_number() OVER (PARTITION BY Z_ENT ORDER BY Z_PK)"
    func known(_ entity: String) -> String {
      "(SELECT Z_PK, CASE Z_ENT \(Set(cases).sorted().joined(separator: " ")) END AS e, \(rowNumber) AS n "
        + "FROM \(names.table(of: entity) ?? ""))"
    }
    let inverse = to.inverse(of: predicted.end.property)
    func rank(_ isOrdered: Bool?, _ end: String, _ order: String) -> String {
      isOrdered != true || inverse == predicted.end
        ? "0" : "row_number() OVER (PARTITION BY l.\(end) ORDER BY \(order))"
    }
    return try names.numbers(
      "SELECT count(*), sum(fingerprint(a, b, c, d, e, f)) FROM (SELECT o.n AS a, p.n AS b, "
        + "\(rank(predicted.end.property.isOrdered, "own", "l.place, l.other")) AS c, "
        + "\(rank(inverse?.property.isOrdered, "other", "l.inverse, l.own")) AS d, o.e, p.e AS f "
        + "FROM (\(links)) AS l JOIN \(known(end.declaringEntity)) AS o ON o.Z_PK = l.own "
        + "JOIN \(known(end.property.destinationName)) AS p ON p.Z_PK = l.other)")
  }

  mutating func objectionsToLinks(_ names: StoreNames) throws(StoreError) -> [String] {
    var objections: [String] = []
    for (name, predicted) in links.sorted(by: { $0.key < $1.key }) {
      guard let links = names.links(of: predicted.end) else {
        receipt.notPredicted[name] = "more than one column or table matches"
        continue
      }
      let family = [predicted.end.declaringEntity, predicted.end.property.destinationName]
        .flatMap(names.family)
      let found = try answers(
        links.pairs, predicted, predicted.end, Set(family).map { ($0, $0) }, names)
      receipt.compared.insert(name)
      // Without keys, objects are recognized by their number among those of their entity.
      let isNumbered = means.isInPlace || createdMore.isDisjoint(with: family)
      if found[0] != predicted.answers[0] {
        objections.append("\(name): \(found[0]) links instead of \(predicted.answers[0])")
      } else if isNumbered, found != predicted.answers {
        objections.append("\(name): the links or their order differ")
      }
    }
    return objections
  }
}
