internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// Where a store keeps what a model describes, by rules of the witness's own: capitals behind a `Z`, and
/// where names clash, what is there. Source: facts on the SQLite schema, sections 3 to 6.
struct StoreNames {
  let model: ObjectModel
  let schema: String
  private var columns: [String: [String]] = [:]
  private(set) var numbers: [String: Int64] = [:]
  /// How many properties ask for a column: by `ZTABLE.ZCOLUMN`.
  private var claims: [String: Int] = [:]

  init(_ connection: SQLiteConnection, _ schema: String, _ model: ObjectModel) throws(StoreError) {
    (self.model, self.schema) = (model, schema)
    for case .text(let table) in try connection.rows(
      "SELECT name FROM \(schema).sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRT%'"
    ).joined() {
      let found = try connection.rows("PRAGMA \(schema).table_info(\(table.quoted))")
      columns[table] = found.compactMap { if case .text(let name) = $0[1] { name } else { nil } }
    }
    func number(_ names: [String]) {
      for name in names.sorted(by: { ($0.lowercased(), $0) < ($1.lowercased(), $1) }) {
        numbers[name] = Int64(numbers.count + 1)
        number(model.subentityNames(of: name))
      }
    }
    number(model.entities.filter { $0.superentityName == nil }.map(\.name))
    // The store's own names may be stale: they are believed where all are there.
    var said: [String: Int64] = [:]
    for row in try connection.rows("SELECT Z_NAME, Z_ENT FROM \(schema).Z_PRIMARYKEY") {
      guard case .text(let name) = row[0], model[name] != nil else { continue }
      // Of a name that is there twice, the number that Core Data would give is the entity's.
      guard case .integer(let number) = row[1], said[name] != numbers[name] else { continue }
      said[name] = number
    }
    if said.count == model.entities.count { numbers = said }
    for entity in model.entities {
      let toOnes = entity.relationships.filter { !$0.isTransient && !$0.isToMany }.map(\.name)
      for name in Self.leaves(of: entity.name, in: model, isOwn: true).map(\.name) + toOnes {
        claims["\(tableName(entity.name)).\(Self.plain(name))", default: 0] += 1
      }
      for one in entity.relationships where one.isToMany && model.inverse(of: one) == nil {
        claims["\(tableName(one.destinationName)).\(ownerColumn(one, entity.name))", default: 0] +=
          1
      }
    }
  }

  /// What a store holds for the attributes of an entity.
  static func leaves(of entity: String, in model: ObjectModel, isOwn: Bool = false) -> [Attribute] {
    let all = isOwn ? model[entity]?.attributes : model.allAttributes(of: entity).map(\.property)
    return (all ?? []).filter { !$0.isTransient && $0.type != .undefined }
      .flatMap { model.storedAttributes(of: $0) }
  }

  private static func plain(_ path: String) -> String {
    "Z" + (path.split(separator: ".").last.map(String.init) ?? path).uppercased()
  }

  /// What holds one end of a to-many relationship that nothing leads back from.
  private func ownerColumn(_ relationship: Relationship, _ entity: String) -> String {
    "Z\(numbers[entity] ?? 0)\(relationship.name.uppercased())"
  }

  private func tableName(_ entity: String) -> String {
    "Z" + model.rootName(of: entity).uppercased()
  }

  func table(of entity: String) -> String? { table(named: tableName(entity)) }

  func table(named name: String) -> String? {
    columns[name] == nil ? nil : "\(schema).\(name.quoted)"
  }

  /// Tables that neither Core Data nor SQLite has made.
  var strangers: [String] {
    let known = ["Z", "sqlite_", "ACHANGE", "ATRANSACTION", "ANSCK"]
    return columns.keys.filter { name in !known.contains { name.hasPrefix($0) } }
  }

  func family(_ entity: String) -> [String] { [entity] + model.descendantNames(of: entity) }

  func list(_ entities: [String]) -> String {
    entities.compactMap { numbers[$0] }.map(String.init).joined(separator: ", ")
  }

  /// The columns that may be meant: one, where that can be told.
  func candidates(_ name: String, in entity: String) -> [String] {
    let table = tableName(entity)
    let found = (columns[table] ?? []).filter {
      $0 == name || $0.hasDigits(between: name, "") && claims["\(table).\($0)"] == nil
    }
    return found.isEmpty || claims["\(table).\(name)"] == 1 ? found : found + [name]
  }

  func candidates(for property: String, in entity: String) -> [String] {
    candidates(Self.plain(property), in: entity)
  }

  func column(of property: String, in entity: String) -> String? {
    let found = candidates(for: property, in: entity)
    return found.count == 1 ? found[0].quoted : nil
  }

  /// Where links are, as one end sees them.
  struct Links {
    var (table, own, other): (String, String, String)
    /// Columns for the order of the other objects for the own one, and of the own ones for the other.
    var (place, inverse): (String?, String?)
    /// The column for the number of the entity that a key leads to.
    var number: String?
    /// The entity whose rows have the key; `nil` for a join table.
    var keeper: String?
    /// What rows must fulfil besides.
    var rows = ""

    init(_ table: String, _ own: String, _ other: String, _ place: String?, _ inverse: String?) {
      (self.table, self.own, self.other) = (table, own.quoted, other.quoted)
      (self.place, self.inverse) = (place?.quoted, inverse?.quoted)
    }

    /// A query for `own`, `other`, `place` and `inverse`, whether or not the objects are there.
    var pairs: String {
      "SELECT \(own) AS own, \(other) AS other, \(place ?? "NULL") AS place, "
        + "\(inverse ?? "NULL") AS inverse FROM \(table) "
        + "WHERE \(own) NOT NULL AND \(other) NOT NULL\(rows)"
    }

    var swapped: Links {
      var copy = self
      (copy.own, copy.other, copy.place, copy.inverse) = (other, own, inverse, place)
      return copy
    }
  }

  func links(of end: Declared<Relationship>) -> Links? {
    let (property, inverse) = (end.property, model.inverse(of: end.property))
    guard property.isToMany else {
      return keys(Self.plain(property.name), in: end.declaringEntity, inverse?.property.isOrdered)
    }
    guard let inverse else {
      let column = ownerColumn(property, end.declaringEntity)
      return keys(column, in: property.destinationName, property.isOrdered)?.swapped
    }
    return inverse.property.isToMany ? joined(end, inverse) : links(of: inverse)?.swapped
  }

  private func keys(_ name: String, in entity: String, _ isOrdered: Bool?) -> Links? {
    let (found, all) = (candidates(name, in: entity), columns[tableName(entity)] ?? [])
    guard let table = table(of: entity), found.count == 1 else { return nil }
    let (number, order) = ("_\(found[0].dropFirst())", "Z_FOK_\(found[0].dropFirst())")
    var links = Links(
      table, "Z_PK", found[0], nil, isOrdered == true && all.contains(order) ? order : nil)
    links.number = all.first { $0.hasDigits(between: "Z", number) }?.quoted
    (links.keeper, links.rows) = (entity, " AND Z_ENT IN (\(list(family(entity))))")
    return links
  }

  private func joined(_ end: Declared<Relationship>, _ back: Declared<Relationship>) -> Links? {
    let names = Set(
      [end, back].map { "Z_\(numbers[$0.declaringEntity] ?? 0)\($0.property.name.uppercased())" }
    ).filter { columns[$0] != nil }
    guard names.count == 1, let name = names.first, let all = columns[name],
      let table = table(named: name)
    else { return nil }
    /// The column of the objects that a relationship leads to.
    func leading(_ end: Declared<Relationship>) -> String? {
      let found = all.filter { name in
        name.hasPrefix("Z_")
          && String(name.dropFirst(2).drop(while: \.isNumber))
            .hasDigits(between: end.property.name.uppercased(), "")
      }
      return found.count == 1 ? found[0] : nil
    }
    guard let own = leading(back), let other = end == back ? "REFLEXIVE" : leading(end)
    else { return nil }
    let orders = [(other, end), (own, back)].map { column, end in
      end.property.isOrdered ? all.first { $0 == "Z_FOK_\(column.dropFirst(2))" } : nil
    }
    return own == other ? nil : Links(table, own, other, orders[0], orders[1])
  }
}

extension String {
  /// Whether nothing but digits stands between a head and a tail.
  fileprivate func hasDigits(between head: String, _ tail: String) -> Bool {
    count >= head.count + tail.count && hasPrefix(head) && hasSuffix(tail)
      && dropFirst(head.count).dropLast(tail.count).allSatisfy(\.isNumber)
  }
}
