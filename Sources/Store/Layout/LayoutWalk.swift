internal import StrataObjectModel
internal import StrataValues

/// The walk over a model that hands out numbers, columns and join tables, in Core Data's order.
struct LayoutWalk {
  private let model: ObjectModel
  /// Every entity, each root followed by its subentities.
  private var order: [String] = []
  private(set) var numbers: [String: Int64] = [:]
  private(set) var tables: [StoreTable] = []
  private(set) var tablesByEntity: [String: Int] = [:]
  private(set) var columns: [String: StoreColumn] = [:]
  private(set) var joinTables: [String: JoinTable] = [:]

  init(_ model: ObjectModel) {
    self.model = model
  }

  /// Roots by name without regard to case, each at once followed by its subentities, counted from 1.
  mutating func numberEntities() {
    for root in model.entities where root.superentityName == nil {
      order.append(root.name)
    }
    order.sort(by: Self.precedes)
    order = order.flatMap { hierarchy(below: $0) }
    for (index, name) in order.enumerated() { numbers[name] = Int64(index + 1) }
  }

  private func hierarchy(below name: String) -> [String] {
    [name]
      + model.subentityNames(of: name).sorted(by: Self.precedes).flatMap { hierarchy(below: $0) }
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    let (lowerA, lowerB) = (a.lowercased(), b.lowercased())
    return lowerA == lowerB ? a.precedesInBytes(b) : lowerA.precedesInBytes(lowerB)
  }

  /// Attributes and to-one relationships share the names of a table; the first comer has the bare
  /// one, the next a number behind it.
  mutating func placeColumns() {
    var taken: [Set<String>] = []
    for name in order {
      guard let entity = model[name] else { continue }
      let table: Int
      if entity.superentityName == nil {
        table = tables.count
        tables.append(StoreTable(name: "Z" + name.uppercased(), rootEntity: name, columns: []))
        taken.append(["Z_PK", "Z_ENT", "Z_OPT"])
      } else {
        table = tablesByEntity[model.rootName(of: name)] ?? 0
      }
      tablesByEntity[name] = table
      for property in stored(in: entity) {
        var column = property.column
        column.name = Self.unused("Z" + property.name.uppercased(), in: &taken[table])
        if column.orderColumn != nil {
          column.orderColumn = "Z_FOK_" + column.name.dropFirst()
        }
        columns["\(name).\(property.name)"] = column
        tables[table].columns.append(column)
      }
    }
  }

  /// The properties of an entity that take a column, by name, with the column's type.
  private func stored(in entity: Entity) -> [(name: String, column: StoreColumn)] {
    var stored: [(name: String, column: StoreColumn)] = []
    for attribute in entity.attributes where !attribute.isTransient {
      for leaf in model.storedAttributes(of: attribute) {
        if let type = leaf.type.columnType {
          stored.append((leaf.name, StoreColumn(name: "", type: type, orderColumn: nil)))
        }
      }
    }
    for relationship in entity.relationships
    where !relationship.isTransient && !relationship.isToMany {
      let isOrdered = model.inverse(of: relationship)?.property.isOrdered ?? false
      stored.append(
        (
          relationship.name,
          StoreColumn(name: "", type: "INTEGER", orderColumn: isOrdered ? "" : nil)
        ))
    }
    return stored.sorted { $0.name.precedesInBytes($1.name) }
  }

  private static func unused(_ name: String, in taken: inout Set<String>) -> String {
    var candidate = name
    var number = 0
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)\(number)"
    }
    return candidate
  }

  mutating func placeJoinTables() {
    // The column that holds an entity's keys is named after the inverse, once for each entity.
    var keyColumns: [String: String] = [:]
    for name in order {
      guard let entity = model[name], let number = numbers[name] else { continue }
      var taken: Set<String> = []
      for relationship in entity.relationships.sorted(by: { $0.name.precedesInBytes($1.name) }) {
        guard let inverse = manyToManyInverse(of: relationship) else { continue }
        keyColumns["\(name).\(relationship.name)"] = Self.unused(
          "Z_\(number)\(inverse.property.name.uppercased())", in: &taken)
      }
    }
    for name in order {
      guard let entity = model[name] else { continue }
      for relationship in entity.relationships {
        guard let inverse = manyToManyInverse(of: relationship) else { continue }
        joinTables["\(name).\(relationship.name)"] = joinTable(
          of: Declared(property: relationship, declaringEntity: name), inverse: inverse,
          keyColumns: keyColumns)
      }
    }
  }

  private func manyToManyInverse(of relationship: Relationship) -> Declared<Relationship>? {
    guard relationship.isToMany, !relationship.isTransient,
      let inverse = model.inverse(of: relationship), inverse.property.isToMany
    else { return nil }
    return inverse
  }

  private func joinTable(
    of end: Declared<Relationship>, inverse: Declared<Relationship>, keyColumns: [String: String]
  ) -> JoinTable {
    let (name, other) = (end.declaringEntity, inverse.declaringEntity)
    let (number, otherNumber) = (numbers[name] ?? 0, numbers[other] ?? 0)
    let upper = end.property.name.uppercased()
    if model.isOwnInverse(end.property, declaredBy: end.declaringEntity) {
      return JoinTable(
        name: "Z_\(number)\(upper)", ownColumn: "Z_\(number)\(upper)", otherColumn: "REFLEXIVE",
        orderColumn: nil, isOwner: true)
    }
    // Which end of a relation within one entity owns the table, the model does not tell: a reader
    // looks for both spellings.
    let isOwner =
      number == otherNumber
      ? end.property.name.precedesInBytes(inverse.property.name) : number < otherNumber
    let table =
      isOwner ? "Z_\(number)\(upper)" : "Z_\(otherNumber)\(inverse.property.name.uppercased())"
    let own = keyColumns["\(name).\(end.property.name)"] ?? ""
    let theirs = keyColumns["\(other).\(inverse.property.name)"] ?? ""
    return JoinTable(
      name: table, ownColumn: own, otherColumn: theirs,
      orderColumn: end.property.isOrdered ? "Z_FOK_" + theirs.dropFirst(2) : nil,
      isOwner: isOwner)
  }
}

extension AttributeType {
  /// The declared type of an attribute's column; `nil` for types that have none.
  fileprivate var columnType: String? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .decimal: "DECIMAL"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .uuid, .transformable, .binary: "BLOB"
    case .undefined, .objectID, .composite: nil
    }
  }
}
