internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// The tables and columns of a model in a store, by independent rules of the witness: a `Z` and the upper-case
/// name or, if names collide, the existing columns. Source: `Docs/Facts/sqlite-schema.md`, sections 3 to 6.
struct StoreNames {
  let connection: SQLiteConnection
  let model: ObjectModel
  /// The columns of each table, sorted by their bytes.
  private var columns: [String: [String]] = [:]
  private var entityNumbers: [String: Int] = [:]
  /// The number of properties for a column, by `ZTABLE.ZCOLUMN`.
  private var claims: [String: Int] = [:]
  /// The results of ``rows(of:)``: many relationships ask for the same.
  private let knownRows = KnownRows()
  /// For a migration in place, the rows of each hierarchy that are at fault, by root entity.
  private var rowFaults: [String: RowFaults] = [:]

  /// The number of rows, and their first and last key if no key between is missing.
  typealias Rows = (count: Int64, keys: ClosedRange<Int64>?)

  private final class KnownRows {
    var byEntities: [[String]: Rows] = [:]
  }

  /// The numbers of rows without a change count, and of unknown entities.
  struct RowFaults {
    var withoutCount: Int64 = 0
    var strays: Int64 = 0
  }

  /// - Parameter isInPlace: Whether rows of unknown entities stay: they and their links are no objects.
  init(
    _ connection: SQLiteConnection, _ model: ObjectModel, isInPlace: Bool
  ) throws(StoreError) {
    (self.connection, self.model) = (connection, model)
    connection.addFingerprint()
    for case .text(let table) in try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRT%'"
    ).joined() {
      columns[table] = try connection.rows("PRAGMA table_info(\(table.quoted))")
        .compactMap { $0[1].text }.sorted { $0.precedesInBytes($1) }
    }
    func number(_ names: [String]) {
      for name in names.sorted(by: { ($0.lowercased(), $0) < ($1.lowercased(), $1) }) {
        entityNumbers[name] = entityNumbers.count + 1
        number(model.subentityNames(of: name))
      }
    }
    number(model.entities.filter { $0.superentityName == nil }.map(\.name))
    for entity in model.entities {
      for leaf in Self.leaves(of: entity.name, in: model, isOwn: true) {
        claims["\(tableName(entity.name)).\(Self.plain(leaf.name))", default: 0] += 1
      }
    }
    for end in model.storedRelationships {
      if let key = key(of: end) { claims["\(tableName(key.entity)).\(key.name)", default: 0] += 1 }
    }
    guard isInPlace else { return }
    for entity in model.entities where entity.superentityName == nil {
      rowFaults[entity.name] = try rowFaults(of: entity.name)
    }
  }

  func rowFaults(of root: String) throws(StoreError) -> RowFaults {
    if let known = rowFaults[root] { return known }
    guard let table = table(of: root) else { return RowFaults() }
    let found = try numbers(
      "SELECT count(*) FILTER (WHERE coalesce(Z_OPT, 0) < 1), count(*) FILTER (WHERE "
        + "(Z_ENT IN (\(list(family(root))))) IS NOT 1) FROM \(table)")
    return RowFaults(withoutCount: found[0], strays: found[1])
  }

  /// The rows of a table that belong to objects.
  private func objectRows(of entity: String) -> String? {
    let root = model.rootName(of: entity)
    let table = table(of: root)
    guard let table, (rowFaults[root]?.strays ?? 0) > 0 else { return table }
    return "(SELECT * FROM \(table) WHERE Z_ENT IN (\(list(family(root)))))"
  }

  /// The integers of a query's first row; 0 if there is none.
  func numbers(_ sql: String) throws(StoreError) -> [Int64] {
    let found = try connection.numbers(sql)
    return found.isEmpty ? [0] : found
  }

  /// The rows of entities of one table.
  func rows(of entities: [String]) throws(StoreError) -> Rows {
    if let known = knownRows.byEntities[entities] { return known }
    guard let table = entities.first.flatMap(table(of:)) else { return (0, nil) }
    let list = list(entities)
    let hasOthers = try numbers(
      "SELECT EXISTS (SELECT 1 FROM \(table) WHERE (Z_ENT IN (\(list))) IS NOT 1)")
    // For a whole table, SQLite computes these without reading the rows.
    let from = "FROM \(table)" + (hasOthers[0] > 0 ? " WHERE Z_ENT IN (\(list))" : "")
    let found = try numbers(
      "SELECT (SELECT count(*) \(from)), (SELECT min(Z_PK) \(from)), (SELECT max(Z_PK) \(from))")
    let (length, isLong) = found[2].subtractingReportingOverflow(found[1])
    let isWhole = found[0] > 0 && !isLong && length == found[0] - 1
    let rows = (count: found[0], keys: isWhole ? found[1]...found[2] : nil)
    knownRows.byEntities[entities] = rows
    return rows
  }

  /// The number of different keys of a column without a row of these entities; an index is sufficient.
  func strays(_ links: Links, _ column: String, _ other: String, _ entities: [String])
    throws(StoreError)
    -> Int64
  {
    // Comparing with the first and the last key takes a tenth of looking each key up.
    let isStray =
      if let keys = try rows(of: entities).keys {
        "k NOT BETWEEN \(keys.lowerBound) AND \(keys.upperBound) OR CAST(k AS INTEGER) <> k"
      } else {
        "NOT EXISTS (SELECT 1 FROM \(other) AS p WHERE p.Z_PK = l.k "
          + "AND p.Z_ENT IN (\(list(entities))))"
      }
    return try numbers(
      "SELECT count(*) FROM (SELECT DISTINCT \(column) AS k FROM \(links.table) "
        + "WHERE \(links.own) NOT NULL AND \(links.other) NOT NULL) AS l WHERE \(isStray)")[0]
  }

  /// The stored attributes of an entity.
  static func leaves(of entity: String, in model: ObjectModel, isOwn: Bool = false) -> [Attribute] {
    let all = isOwn ? model[entity]?.attributes : model.allAttributes(of: entity).map(\.property)
    return (all ?? []).filter { !$0.isTransient && $0.type != .undefined }
      .flatMap { model.storedAttributes(of: $0) }
  }

  // MARK: Entities and columns

  private static func plain(_ path: String) -> String {
    "Z" + (path.split(separator: ".").last.map(String.init) ?? path).uppercased()
  }

  func number(of entity: String) -> Int { entityNumbers[entity] ?? 0 }

  func family(_ entity: String) -> [String] { model.familyNames(of: entity) }

  /// A list of entity numbers for SQL.
  func list(_ entities: [String]) -> String {
    entities.compactMap { entityNumbers[$0] }.map(String.init).joined(separator: ", ")
  }

  private func tableName(_ entity: String) -> String {
    "Z" + model.rootName(of: entity).uppercased()
  }

  func table(of entity: String) -> String? { table(named: tableName(entity)) }

  func table(named name: String) -> String? { columns[name] == nil ? nil : name.quoted }

  /// Tables that were created neither by Core Data nor by SQLite.
  var strangers: [String] {
    let known = ["Z", "sqlite_", "ACHANGE", "ATRANSACTION", "ANSCK"]
    return columns.keys.filter { name in !known.contains { name.hasPrefix($0) } }.sorted()
  }

  /// The possible columns; one if it is unambiguous.
  private func candidates(_ name: String, in entity: String) -> [String] {
    let table = tableName(entity)
    let all = columns[table] ?? []
    let first = all.partitioningIndex { !$0.precedesInBytes(name) }
    // Columns with the same prefix are adjacent.
    let found = all[first...].prefix { $0.utf8.starts(with: name.utf8) }.filter {
      $0 == name || $0.hasDigits(between: name, "") && claims["\(table).\($0)"] == nil
    }
    return found.isEmpty || claims["\(table).\(name)"] == 1 ? found : found + [name]
  }

  func candidates(for attribute: String, in entity: String) -> [String] {
    candidates(Self.plain(attribute), in: entity)
  }

  func column(of attribute: String, in entity: String) -> String? {
    let found = candidates(for: attribute, in: entity)
    return found.count == 1 ? found[0].quoted : nil
  }

  // MARK: Links

  /// The storage of links, from the perspective of one end.
  struct Links {
    var (table, own, other): (String, String, String)
    /// The columns for the order of the other objects, and of the own objects.
    var (order, inverse): (String?, String?)
    /// The column for the entity number of a key.
    var number: String?
    /// The entity of the rows with the key; `nil` for a join table.
    var keeper: String?

    init(_ table: String, _ own: String, _ other: String, _ order: String?, _ inverse: String?) {
      (self.table, self.own, self.other) = (table, own.quoted, other.quoted)
      (self.order, self.inverse) = (order?.quoted, inverse?.quoted)
    }

    /// A query for `own`, `other`, `place` and `inverse`, including links to missing objects.
    var pairs: String {
      "SELECT \(own) AS own, \(other) AS other, \(order ?? "NULL") AS place, "
        + "\(inverse ?? "NULL") AS inverse FROM \(table) WHERE \(own) NOT NULL AND \(other) NOT NULL"
    }

    var swapped: Links {
      var copy = self
      (copy.own, copy.other, copy.order, copy.inverse) = (other, own, inverse, order)
      return copy
    }
  }

  func links(of end: Declared<Relationship>) -> Links? {
    let inverse = model.inverse(of: end.property)
    if let key = key(of: end) {
      let isOrdered = end.property.isToMany ? end.property.isOrdered : inverse?.property.isOrdered
      let (found, all) = (
        candidates(key.name, in: key.entity), columns[tableName(key.entity)] ?? []
      )
      guard let table = objectRows(of: key.entity), found.count == 1 else { return nil }
      let (number, order) = ("_\(found[0].dropFirst())", "Z_FOK_\(found[0].dropFirst())")
      var links = Links(
        table, "Z_PK", found[0], nil, isOrdered == true && all.contains(order) ? order : nil)
      links.number = all.first { $0.hasDigits(between: "Z", number) }?.quoted
      links.keeper = key.entity
      return end.property.isToMany ? links.swapped : links
    }
    guard let inverse else { return nil }
    return inverse.property.isToMany ? joined(end, inverse) : links(of: inverse)?.swapped
  }

  /// Whether a relationship has no column or join table.
  func isMissing(_ end: Declared<Relationship>) -> Bool {
    if let key = key(of: end) { return candidates(key.name, in: key.entity).isEmpty }
    guard let back = model.inverse(of: end.property), back.property.isToMany else { return false }
    return joinNames(end, back).isEmpty
  }

  private func joinNames(
    _ end: Declared<Relationship>, _ back: Declared<Relationship>
  ) -> Set<String> {
    Set([end, back].map { "Z_\(number(of: $0.declaringEntity))\($0.property.name.uppercased())" })
      .filter { columns[$0] != nil }
  }

  /// The foreign key column, and the entity of its rows; for a to-many relationship without an inverse, the
  /// destination entity.
  private func key(of end: Declared<Relationship>) -> (name: String, entity: String)? {
    let property = end.property
    guard property.isToMany else { return (Self.plain(property.name), end.declaringEntity) }
    guard model.inverse(of: property) == nil else { return nil }
    return (
      "Z\(number(of: end.declaringEntity))\(property.name.uppercased())", property.destinationName
    )
  }

  private func joined(_ end: Declared<Relationship>, _ back: Declared<Relationship>) -> Links? {
    let names = joinNames(end, back)
    guard names.count == 1, let name = names.first, let all = columns[name] else { return nil }
    /// The column of the destination objects of a relationship.
    func leading(_ end: Declared<Relationship>) -> String? {
      let found = all.filter { name in
        name.hasPrefix("Z_")
          && String(name.dropFirst(2).drop(while: \.isNumber))
            .hasDigits(between: end.property.name.uppercased(), "")
      }
      return found.count == 1 ? found[0] : nil
    }
    guard let own = leading(back), let other = end == back ? "REFLEXIVE" : leading(end),
      own != other
    else { return nil }
    let orders = [(other, end), (own, back)].map { column, end in
      end.property.isOrdered ? all.first { $0 == "Z_FOK_\(column.dropFirst(2))" } : nil
    }
    return Links(name.quoted, own, other, orders[0], orders[1])
  }
}

extension String {
  /// Whether only digits are between a prefix and a suffix.
  fileprivate func hasDigits(between head: String, _ tail: String) -> Bool {
    count >= head.count + tail.count && hasPrefix(head) && hasSuffix(tail)
      && dropFirst(head.count).dropLast(tail.count).allSatisfy(\.isNumber)
  }
}
