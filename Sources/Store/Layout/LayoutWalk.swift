internal import StrataObjectModel
internal import StrataValues

/// The walk over a model that hands out numbers, columns and join tables, in Core Data's order.
struct LayoutWalk {
  private let model: ObjectModel
  /// Every entity, each root followed by its subentities.
  private(set) var order: [String] = []
  private(set) var numbers: [String: Int64] = [:]
  private(set) var tables: [StoreTable] = []
  private(set) var tablesByEntity: [String: Int] = [:]
  private(set) var columns: [String: StoreColumn] = [:]
  private(set) var strangersByDestination: [String: [String]] = [:]
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

  // MARK: Columns

  /// A property on its way to its column.
  private struct Candidate {
    var property: String
    var declaringEntity: String
    var column: StoreColumn
    /// The blocks of a table: integers, then reals and dates, decimals, texts, URIs, bytes.
    var block: Int
    /// Inside the block and the entity: attributes before relationships, UUIDs before other bytes.
    var run: Int
    /// What it is sorted by: its own name, of an element of a composite the composite's.
    var sortName: String
  }

  /// Attributes and to-one relationships share the names of a table; the first comer has the bare
  /// one, the next a number behind it.
  mutating func placeColumns() {
    let strangers = relationshipsWithoutInverse()
    strangersByDestination = strangers.mapValues { candidates in
      candidates.map { "\($0.declaringEntity).\($0.property)" }
    }
    var taken: [Set<String>] = []
    var placed: [[(place: (Int, Int, Int, Int), column: StoreColumn)]] = []
    for (entityPlace, name) in order.enumerated() {
      guard let entity = model[name] else { continue }
      let table: Int
      if entity.superentityName == nil {
        table = tables.count
        tables.append(StoreTable(name: "Z" + name.uppercased(), rootEntity: name, columns: []))
        taken.append(["Z_PK", "Z_ENT", "Z_OPT"])
        placed.append([])
      } else {
        table = tablesByEntity[model.rootName(of: name)] ?? 0
      }
      tablesByEntity[name] = table
      for (index, candidate) in (candidates(of: entity) + (strangers[name] ?? [])).enumerated() {
        var column = candidate.column
        column.name = Self.unused(column.name, in: &taken[table])
        if column.orderColumn != nil { column.orderColumn = "Z_FOK_" + column.name.dropFirst() }
        if let number = column.entityColumn {
          column.entityColumn = "Z\(number)_" + column.name.dropFirst()
        }
        columns["\(candidate.declaringEntity).\(candidate.property)"] = column
        // Dates and reals, decimals and texts run through each entity; so do the three runs of bytes.
        placed[table].append(
          ((candidate.block, entityPlace, candidate.run, index), column))
      }
    }
    for table in tables.indices {
      tables[table].columns = placed[table].sorted { $0.place < $1.place }.map(\.column)
    }
  }

  /// The properties of an entity that take a column, by name.
  private func candidates(of entity: Entity) -> [Candidate] {
    var found: [Candidate] = []
    for attribute in entity.attributes where !attribute.isTransient {
      for leaf in model.storedAttributes(of: attribute) {
        guard let (type, block, run) = leaf.type.column else { continue }
        found.append(
          Candidate(
            property: leaf.name, declaringEntity: entity.name,
            column: StoreColumn(name: "Z" + leaf.name.uppercased(), type: type), block: block,
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
      a.element.sortName == b.element.sortName
        ? a.offset < b.offset : a.element.sortName.precedesInBytes(b.element.sortName)
    }.map(\.element)
  }

  /// To-many relationships that nothing leads back from: their destination keeps the owner's key in a
  /// column named after the owner's number and the relationship, `Z2MODIFIERS`.
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

  private static func unused(_ name: String, in taken: inout Set<String>) -> String {
    var candidate = name
    var number = 0
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)\(number)"
    }
    return candidate
  }

  // MARK: Join tables

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

  /// Whether an entity has a parent or subentities: such a one owns its join tables, whatever its number
  /// (shown by the archived models of the corpus).
  private func isInHierarchy(_ entity: String) -> Bool {
    model[entity]?.superentityName != nil || !model.subentityNames(of: entity).isEmpty
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
        isOwner: true)
    }
    let isOwner: Bool
    if number == otherNumber {
      // Which end of a relation within one entity owns the table, the model does not tell: a reader
      // looks for both spellings.
      isOwner = end.property.name.precedesInBytes(inverse.property.name)
    } else if isInHierarchy(name) != isInHierarchy(other) {
      isOwner = isInHierarchy(name)
    } else {
      isOwner = number < otherNumber
    }
    let table =
      isOwner ? "Z_\(number)\(upper)" : "Z_\(otherNumber)\(inverse.property.name.uppercased())"
    let own = keyColumns["\(name).\(end.property.name)"] ?? ""
    let theirs = keyColumns["\(other).\(inverse.property.name)"] ?? ""
    return JoinTable(
      name: table, ownColumn: own, otherColumn: theirs,
      orderColumn: end.property.isOrdered ? "Z_FOK_" + theirs.dropFirst(2) : nil,
      inverseOrderColumn: inverse.property.isOrdered ? "Z_FOK_" + own.dropFirst(2) : nil,
      isOwner: isOwner)
  }
}

extension AttributeType {
  /// The declared type of an attribute's column, the block of the table in which it stands, and its run
  /// inside the block; `nil` for types that have no column.
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
