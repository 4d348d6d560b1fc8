internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// Where a store keeps what a model describes, by the witness's own small rules: capitals behind a `Z`,
/// and for what clashes, what is there.
///
/// Source: facts on the SQLite schema, sections 3 to 6.
struct StoreNames {
  let model: ObjectModel
  let schema: String
  /// By table.
  private var columns: [String: [String]] = [:]
  private(set) var numbers: [String: Int64] = [:]
  /// How many properties of a hierarchy ask for a column of the same name: by root entity and name.
  private var claims: [String: [String: Int]] = [:]

  init(_ connection: SQLiteConnection, _ schema: String, _ model: ObjectModel) throws(StoreError) {
    (self.model, self.schema) = (model, schema)
    let master =
      "SELECT name FROM \(schema).sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRT%'"
    for case .text(let name) in try connection.rows(master).map({ $0[0] }) {
      let found = try connection.rows("PRAGMA \(schema).table_info(\(name.quoted))")
      columns[name] = found.compactMap { if case .text(let name) = $0[1] { name } else { nil } }
    }
    var next: Int64 = 1
    func walk(_ names: [String]) {
      for name in names.sorted(by: { ($0.lowercased(), $0) < ($1.lowercased(), $1) }) {
        numbers[name] = next
        next += 1
        walk(model.subentityNames(of: name))
      }
    }
    walk(model.entityNames.filter { model[$0]?.superentityName == nil })
    // Names may be stale, and are believed only where they are all there.
    var said: [String: Int64] = [:]
    for row in try connection.rows("SELECT Z_NAME, Z_ENT FROM \(schema).Z_PRIMARYKEY") {
      if case .text(let name) = row[0], case .integer(let number) = row[1] { said[name] = number }
    }
    if model.entityNames.allSatisfy({ said[$0] != nil }) {
      numbers = said.filter { model[$0.key] != nil }
    }
    for entity in model.entities {
      for name in ownNames(of: entity) {
        claims[model.rootName(of: entity.name), default: [:]][name, default: 0] += 1
      }
      for relationship in entity.relationships where isWithoutWayBack(relationship) {
        let root = model.rootName(of: relationship.destinationName)
        claims[root, default: [:]][strangerName(relationship, entity.name), default: 0] += 1
      }
    }
  }

  private func ownNames(of entity: Entity) -> [String] {
    leaves(of: entity.name, isOwn: true).map { Self.plainName($0.name) }
      + entity.relationships.filter { !$0.isToMany && !$0.isTransient }.map {
        Self.plainName($0.name)
      }
  }

  /// What a store holds for the attributes of an entity.
  func leaves(of entity: String, isOwn: Bool = false) -> [Attribute] {
    Self.leaves(of: entity, in: model, isOwn: isOwn)
  }

  static func leaves(
    of entity: String, in model: ObjectModel, isOwn: Bool = false
  ) -> [Attribute] {
    let all = isOwn ? model[entity]?.attributes : model.allAttributes(of: entity).map(\.property)
    return (all ?? []).filter { !$0.isTransient && $0.type != .undefined }
      .flatMap { model.storedAttributes(of: $0) }
  }

  private static func plainName(_ path: String) -> String {
    "Z" + (path.split(separator: ".").last.map(String.init) ?? path).uppercased()
  }

  private func isWithoutWayBack(_ relationship: Relationship) -> Bool {
    relationship.isToMany && !relationship.isTransient && model.inverse(of: relationship) == nil
  }

  private func strangerName(_ relationship: Relationship, _ owner: String) -> String {
    "Z\(numbers[owner] ?? 0)\(relationship.name.uppercased())"
  }

  func family(_ entity: String) -> Set<String> {
    Set([entity] + model.descendantNames(of: entity))
  }

  func list(_ entities: some Sequence<String>) -> String {
    entities.compactMap { numbers[$0] }.sorted().map(String.init).joined(separator: ", ")
  }

  // MARK: Tables and columns

  private func tableName(of entity: String) -> String {
    "Z" + model.rootName(of: entity).uppercased()
  }

  /// - Returns: `nil` where there is none.
  func table(of entity: String) -> String? {
    let name = tableName(of: entity)
    return columns[name] == nil ? nil : "\(schema).\(name.quoted)"
  }

  func hasColumns(_ table: String) -> Bool { columns[table] != nil }

  /// Tables that no name of Core Data's has, with how they are written.
  var strangers: [String: String] {
    let others = columns.keys.filter { name in
      !["Z", "sqlite_", "ACHANGE", "ATRANSACTION", "ANSCK", "_Strata_"].contains {
        name.hasPrefix($0)
      }
    }
    return Dictionary(uniqueKeysWithValues: others.map { ($0, "\(schema).\($0.quoted)") })
  }

  /// The columns that may be meant: one, where that can be told.
  func candidates(for property: String, of entity: String) -> [String] {
    candidates(named: Self.plainName(property), in: entity)
  }

  private func candidates(named base: String, in entity: String) -> [String] {
    let claims = claims[model.rootName(of: entity)] ?? [:]
    let found = (columns[tableName(of: entity)] ?? []).filter { name in
      guard name != base else { return true }
      return name.hasPrefix(base) && name.dropFirst(base.count).allSatisfy(\.isNumber)
        && claims[name] == nil
    }
    return claims[base] == 1 || found.isEmpty ? found : found + [base]
  }

  private func column(named base: String, in entity: String) -> String? {
    let found = candidates(named: base, in: entity)
    return found.count == 1 ? found[0] : nil
  }

  func column(of property: String, in entity: String) -> String? {
    column(named: Self.plainName(property), in: entity)?.quoted
  }

  // MARK: Links

  /// Where links are, as one end sees them: columns of a table.
  struct Links {
    var table: String
    var own: String
    var other: String
    /// The order of the other objects for the own one, and of the own ones for the other.
    var place: String?
    var inverse: String?
    /// The number of the entity that a key leads to.
    var number: String?
    /// The entity whose rows have the key; `nil` for a join table.
    var keeper: String?

    var swapped: Links {
      var copy = self
      (copy.own, copy.other, copy.place, copy.inverse) = (other, own, inverse, place)
      return copy
    }
  }

  func links(of end: Declared<Relationship>) -> Links? {
    let property = end.property
    let inverse = model.inverse(of: property)
    if !property.isToMany {
      return keys(
        Self.plainName(property.name), in: end.declaringEntity,
        isOrdered: inverse?.property.isOrdered == true && inverse?.property.isToMany == true)
    }
    guard let inverse else {
      return keys(
        strangerName(property, end.declaringEntity), in: property.destinationName,
        isOrdered: property.isOrdered)?.swapped
    }
    return inverse.property.isToMany ? joined(end, inverse) : links(of: inverse)?.swapped
  }

  private func keys(_ base: String, in entity: String, isOrdered: Bool) -> Links? {
    guard let table = table(of: entity), let column = column(named: base, in: entity) else {
      return nil
    }
    let all = columns[tableName(of: entity)] ?? []
    let tail = column.dropFirst()
    let numbers = all.filter { name in
      name.hasPrefix("Z") && name.hasSuffix("_\(tail)")
        && !name.dropFirst().dropLast(tail.count + 1).isEmpty
        && name.dropFirst().dropLast(tail.count + 1).allSatisfy(\.isNumber)
    }
    let order = "Z_FOK_\(tail)"
    return Links(
      table: table, own: "Z_PK", other: column.quoted, place: nil,
      inverse: isOrdered && all.contains(order) ? order.quoted : nil,
      number: numbers.count == 1 ? numbers[0].quoted : nil, keeper: entity)
  }

  private func joined(
    _ end: Declared<Relationship>, _ inverse: Declared<Relationship>
  ) -> Links? {
    let isOwnInverse = end == inverse
    let names = Set(
      [end, inverse].map {
        "Z_\(numbers[$0.declaringEntity] ?? 0)\($0.property.name.uppercased())"
      }
    ).filter { columns[$0] != nil }
    guard names.count == 1, let name = names.first, let all = columns[name] else { return nil }
    /// The column of the objects that a relationship leads to.
    func leading(_ relationship: Declared<Relationship>) -> String? {
      let base = relationship.property.name.uppercased()
      let found = all.filter { name in
        guard name.hasPrefix("Z_") else { return false }
        let rest = name.dropFirst(2).drop(while: \.isNumber)
        return rest == base
          || rest.hasPrefix(base) && rest.dropFirst(base.count).allSatisfy(\.isNumber)
      }
      return found.count == 1 ? found[0] : nil
    }
    guard let own = leading(inverse), let other = isOwnInverse ? "REFLEXIVE" : leading(end),
      own != other
    else { return nil }
    func order(_ column: String, _ isOrdered: Bool) -> String? {
      let name = "Z_FOK_" + column.dropFirst(2)
      return isOrdered && all.contains(name) ? name.quoted : nil
    }
    return Links(
      table: "\(schema).\(name.quoted)", own: own.quoted, other: other.quoted,
      place: order(other, end.property.isOrdered), inverse: order(own, inverse.property.isOrdered))
  }

  /// A query for `own`, `other`, `place` and `inverse`, whether or not the objects are there.
  func pairs(_ links: Links) -> String {
    let rows = links.keeper.map { " AND Z_ENT IN (\(list(family($0))))" } ?? ""
    return
      "SELECT \(links.own) AS own, \(links.other) AS other, \(links.place ?? "NULL") AS place, "
      + "\(links.inverse ?? "NULL") AS inverse FROM \(links.table) "
      + "WHERE \(links.own) IS NOT NULL AND \(links.other) IS NOT NULL\(rows)"
  }
}
