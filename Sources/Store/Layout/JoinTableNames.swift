internal import StrataBase
internal import StrataObjectModel

/// Names the join tables of many-to-many relationships and their columns, in Core Data's order.
///
/// Kept names take precedence over those that Core Data would assign.
struct JoinTableNames {
  private let model: ObjectModel
  private let numbers: [String: Int64]
  /// For each relationship, seen from its end.
  private(set) var tables: [PropertyID: JoinTable] = [:]
  private(set) var unproven: [UnprovenName] = []

  /// A many-to-many relationship, from the end that owns its table.
  private struct Pair {
    var owner: Declared<Relationship>
    var inverse: Declared<Relationship>
    var isOwnInverse: Bool
  }

  /// Entities are visited by name, independent of their hierarchy, each with its inherited relationships: the end
  /// that is visited first owns the table. The column names of an entity are unique over all its join tables: the
  /// first keeps the plain name.
  ///
  /// Source: `Docs/Facts/sqlite-schema.md`, section 6 (47 pairs); archived models of Photos, in which
  /// GenericAlbum owns its tables with AlbumList and Asset because it is visited as Album.
  init(
    _ model: ObjectModel, entities: [String], numbers: [String: Int64],
    keeping kept: [PropertyID: JoinTable]
  ) {
    (self.model, self.numbers) = (model, numbers)
    var usedNames: [String: Set<String>] = [:]
    for name in entities.sorted(by: isVisitedBefore) {
      let pairs = ownedPairs(of: name)
      let inverses = Dictionary(grouping: pairs) { $0.inverse.property.name.uppercased() }
      for pair in pairs {
        let key = PropertyID(entity: name, name: pair.owner.property.name)
        let computed = joinTable(pair, &usedNames)
        let table = kept[key] ?? computed
        tables[key] = table
        if !pair.isOwnInverse {
          tables[pair.inverse.id] = kept[pair.inverse.id] ?? table.reversed
        }
        let twins = inverses[pair.inverse.property.name.uppercased()] ?? []
        noteUnproven(pair, computed, kept: kept[key], hasTwin: twins.count > 1)
      }
    }
  }

  /// Whether the properties of an entity are visited before those of another one.
  private func isVisitedBefore(_ a: String, _ b: String) -> Bool {
    func first(_ name: String) -> String {
      model.familyNames(of: name).min(by: LayoutWalk.precedes) ?? name
    }
    let (firstOfA, firstOfB) = (first(a), first(b))
    return firstOfA == firstOfB
      ? LayoutWalk.precedes(a, b) : LayoutWalk.precedes(firstOfA, firstOfB)
  }

  private func ownedPairs(of name: String) -> [Pair] {
    (model[name]?.relationships ?? []).sorted { $0.name.precedesInBytes($1.name) }
      .compactMap { relationship in
        guard relationship.isToMany, !relationship.isTransient,
          let inverse = model.inverse(of: relationship), inverse.property.isToMany
        else { return nil }
        let isOwnInverse = model.isOwnInverse(relationship, declaredBy: name)
        // For a relationship within one entity, no rule is known for the owning end.
        let isOwner =
          isOwnInverse
          || (inverse.declaringEntity == name
            ? relationship.name.precedesInBytes(inverse.property.name)
            : isVisitedBefore(name, inverse.declaringEntity))
        return isOwner
          ? Pair(
            owner: Declared(property: relationship, declaringEntity: name), inverse: inverse,
            isOwnInverse: isOwnInverse) : nil
      }
  }

  private func joinTable(_ pair: Pair, _ usedNames: inout [String: Set<String>]) -> JoinTable {
    let (name, other) = (pair.owner.declaringEntity, pair.inverse.declaringEntity)
    let (number, otherNumber) = (numbers[name] ?? 0, numbers[other] ?? 0)
    let upper = pair.owner.property.name.uppercased()
    let table = "Z_\(number)\(upper)"
    if pair.isOwnInverse {
      return JoinTable(name: table, ownColumn: table, otherColumn: "REFLEXIVE", isOwner: true)
    }
    let own = LayoutWalk.unused(
      "Z_\(number)\(pair.inverse.property.name.uppercased())", in: &usedNames[name, default: []])
    let theirs = LayoutWalk.unused("Z_\(otherNumber)\(upper)", in: &usedNames[other, default: []])
    return JoinTable(
      name: table, ownColumn: own, otherColumn: theirs,
      orderColumn: pair.owner.property.isOrdered ? "Z_FOK_" + theirs.dropFirst(2) : nil,
      inverseOrderColumn: pair.inverse.property.isOrdered ? "Z_FOK_" + own.dropFirst(2) : nil,
      isOwner: true)
  }

  private mutating func noteUnproven(
    _ pair: Pair, _ table: JoinTable, kept: JoinTable?, hasTwin: Bool
  ) {
    guard kept == nil, !pair.isOwnInverse else { return }
    let (owner, inverse) = (pair.owner, pair.inverse)
    func note(_ reason: UnprovenName.Reason) {
      unproven.append(
        UnprovenName(
          entity: owner.declaringEntity, relationship: owner.property.name, table: table.name,
          reason: reason))
    }
    if owner.declaringEntity == inverse.declaringEntity { note(.relationWithinEntity) }
    // For two tables of one owner whose columns clash, no rule is known for the plain name.
    if hasTwin { note(.clashWithinOwner) }
  }
}
