internal import StrataBase
internal import StrataObjectModel

/// Assigns entity numbers and columns of a model in Core Data's order; ``JoinTableNames`` follows.
///
/// Kept names take precedence over those that Core Data would assign.
struct LayoutWalk {
  private let model: ObjectModel
  private let kept: StoredNames
  /// Every entity, each root followed by its subentities.
  private(set) var order: [String] = []
  private(set) var numbers: [String: Int64] = [:]
  private(set) var tables: [StoreTable] = []
  private(set) var tablesByEntity: [String: Int] = [:]
  /// By the declaring entity and the key path.
  private(set) var columns: [PropertyID: StoreColumn] = [:]
  /// The column name without a suffix for name clashes.
  private(set) var baseNames: [PropertyID: String] = [:]
  /// The index of the table that has the column.
  private(set) var tablesByColumn: [PropertyID: Int] = [:]
  private(set) var ownersByDestination: [String: [PropertyID]] = [:]

  init(_ model: ObjectModel, keeping kept: StoredNames) {
    self.model = model
    self.kept = kept
  }

  /// Root entities by name, case-insensitive, each followed by its subentities, counted from 1.
  mutating func numberEntities() {
    order = model.entities.filter { $0.superentityName == nil }.map(\.name)
      .sorted(by: Self.precedes).flatMap { hierarchy(below: $0) }
    for (index, name) in order.enumerated() { numbers[name] = Int64(index + 1) }
  }

  private func hierarchy(below name: String) -> [String] {
    [name]
      + model.subentityNames(of: name).sorted(by: Self.precedes).flatMap { hierarchy(below: $0) }
  }

  static func precedes(_ a: String, _ b: String) -> Bool {
    let (lowerA, lowerB) = (a.lowercased(), b.lowercased())
    return lowerA == lowerB ? a.precedesInBytes(b) : lowerA.precedesInBytes(lowerB)
  }

  // MARK: Columns

  /// A property that gets a column.
  private struct Candidate {
    /// An attribute's key path, or a relationship.
    var property: String
    var declaringEntity: String
    var column: StoreColumn
    /// The blocks of a table: integers, then reals and dates, decimals, texts, URIs, bytes.
    var block: Int
    /// Inside the block and the entity: attributes before relationships, UUIDs before other bytes.
    var run: Int
    /// The sort key: its name, or the name of the composite attribute for an element.
    var sortName: String

    var key: PropertyID { PropertyID(entity: declaringEntity, name: property) }
  }

  /// Attributes and to-one relationships share the names of a table. Of several, the first column has the plain
  /// name, the next ones a number appended.
  mutating func assignColumns() {
    let owners = relationshipsWithoutInverse()
    ownersByDestination = owners.mapValues { $0.map(\.key) }
    var usedNames: [Set<String>] = []
    var assigned: [[(index: (Int, Int, Int, Int), column: StoreColumn)]] = []
    for (entityIndex, name) in order.enumerated() {
      guard let entity = model[name] else { continue }
      let table: Int
      if entity.superentityName == nil {
        table = tables.count
        tables.append(StoreTable(name: "Z" + name.uppercased(), rootEntity: name, columns: []))
        usedNames.append(Set(["Z_PK", "Z_ENT", "Z_OPT"]).union(keptNames(inTableOf: name)))
        assigned.append([])
      } else {
        table = tablesByEntity[model.rootName(of: name)] ?? 0
      }
      tablesByEntity[name] = table
      for (index, candidate) in (candidates(of: entity) + (owners[name] ?? [])).enumerated() {
        let column = kept.columns[candidate.key] ?? named(candidate.column, &usedNames[table])
        columns[candidate.key] = column
        baseNames[candidate.key] = candidate.column.name
        tablesByColumn[candidate.key] = table
        // Dates and reals, decimals and texts run through each entity; so do the three runs of bytes.
        assigned[table].append(((candidate.block, entityIndex, candidate.run, index), column))
      }
    }
    for table in tables.indices {
      tables[table].columns = assigned[table].sorted { $0.index < $1.index }.map(\.column)
    }
  }

  /// The kept names of the properties of a hierarchy, which no other column gets.
  private func keptNames(inTableOf root: String) -> [String] {
    kept.columns.isEmpty
      ? []
      : hierarchy(below: root).flatMap { name in
        (model[name].map { candidates(of: $0) } ?? []).compactMap { kept.columns[$0.key]?.name }
      }
  }

  private func named(_ candidate: StoreColumn, _ usedNames: inout Set<String>) -> StoreColumn {
    var column = candidate
    column.name = Self.unused(candidate.name, in: &usedNames)
    if column.orderColumn != nil { column.orderColumn = "Z_FOK_" + column.name.dropFirst() }
    if let number = column.entityColumn {
      column.entityColumn = "Z\(number)_" + column.name.dropFirst()
    }
    return column
  }

  /// The properties of an entity that have a column, in column order: block by block, by name.
  private func candidates(of entity: Entity) -> [Candidate] {
    var found: [Candidate] = []
    for attribute in entity.attributes where !attribute.isTransient {
      for leaf in model.storedAttributes(of: attribute) {
        guard let (type, block, run) = leaf.type.column else { continue }
        // An element's column is named without its composite attribute.
        let name =
          attribute.type == .composite
          ? leaf.name.split(separator: ".").last.map(String.init) ?? leaf.name : leaf.name
        found.append(
          Candidate(
            property: leaf.name, declaringEntity: entity.name,
            column: StoreColumn(name: "Z" + name.uppercased(), type: type), block: block,
            run: run, sortName: attribute.name))
      }
    }
    for relationship in entity.relationships
    where !relationship.isTransient && !relationship.isToMany {
      let isOrdered = model.inverse(of: relationship)?.property.isOrdered ?? false
      let destination = relationship.destinationName
      found.append(
        Candidate(
          property: relationship.name, declaringEntity: entity.name,
          column: StoreColumn(
            name: "Z" + relationship.name.uppercased(), type: "INTEGER",
            orderColumn: isOrdered ? "" : nil,
            entityColumn: model.subentityNames(of: destination).isEmpty
              ? nil : numbers[destination].map { String($0) }),
          block: 0, run: 1, sortName: relationship.name))
    }
    // A stable sort keeps the elements of a composite in their order.
    return found.enumerated().sorted { a, b in
      let (first, second) = (a.element, b.element)
      if (first.block, first.run) != (second.block, second.run) {
        return (first.block, first.run) < (second.block, second.run)
      }
      return first.sortName == second.sortName
        ? a.offset < b.offset : first.sortName.precedesInBytes(second.sortName)
    }.map(\.element)
  }

  /// To-many relationships without an inverse: their destination keeps the owner's key in a column named
  /// after the owner's number and the relationship, `Z2MODIFIERS`.
  private func relationshipsWithoutInverse() -> [String: [Candidate]] {
    var found: [String: [Candidate]] = [:]
    for name in order {
      guard let number = numbers[name] else { continue }
      for relationship in model[name]?.relationships ?? []
      where relationship.isToMany && !relationship.isTransient
        && model.inverse(of: relationship) == nil
      {
        found[relationship.destinationName, default: []].append(
          Candidate(
            property: relationship.name, declaringEntity: name,
            column: StoreColumn(
              name: "Z\(number)\(relationship.name.uppercased())", type: "INTEGER",
              orderColumn: relationship.isOrdered ? "" : nil),
            block: 0, run: 2, sortName: relationship.name))
      }
    }
    return found
  }

  static func unused(_ name: String, in usedNames: inout Set<String>) -> String {
    var candidate = name
    var number = 0
    while !usedNames.insert(candidate).inserted {
      number += 1
      candidate = "\(name)\(number)"
    }
    return candidate
  }
}

extension AttributeType {
  /// The declared type of an attribute's column, its block in the table, and its position inside the block; `nil`
  /// for types that have no column.
  fileprivate var column: (type: String, block: Int, run: Int)? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: ("INTEGER", 0, 0)
    case .double, .float: ("FLOAT", 1, 0)
    case .date: ("TIMESTAMP", 1, 0)
    case .decimal: ("DECIMAL", 2, 0)
    case .string: ("VARCHAR", 3, 0)
    case .uri: ("VARCHAR", 4, 0)
    case .uuid: ("BLOB", 5, 0)
    case .transformable: ("BLOB", 5, 1)
    case .binary: ("BLOB", 5, 2)
    case .undefined, .objectID, .composite: nil
    }
  }
}
