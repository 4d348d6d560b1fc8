package import StrataBase
package import StrataObjectModel

/// The layout of a model's objects in a SQLite store: entity numbers, tables, columns.
///
/// ```swift
/// let layout = StoreLayout(model2)
/// layout.table(of: "Topic")?.name                            // "ZTOPIC"
/// layout.column(of: "timeBudget", declaredBy: "Topic")?.name // "ZTIMEBUDGET"
/// ```
///
/// Source: `Docs/Facts/sqlite-schema.md`, sections 3 to 6; relationships without an inverse: two stores of the
/// corpus (`cartkit`).
package struct StoreLayout: Sendable {
  /// The `Z_ENT` of every entity, including abstract ones.
  package let entityNumbers: [String: Int64]
  /// Every entity by number: each root followed by its subentities.
  package let entityOrder: [String]
  /// Root entities with their tables, by number.
  package let tables: [StoreTable]
  private let tablesByEntity: [String: Int]
  /// By the declaring entity and the key path.
  private let columns: [PropertyID: StoreColumn]
  private let baseNames: [PropertyID: String]
  /// Sorted, by the name of the table that has the columns.
  private let columnKeysByTable: [String: [PropertyID]]
  private let joinTables: [PropertyID: JoinTable]
  /// Relationships without an inverse, by destination.
  private let ownersByDestination: [String: [PropertyID]]
  /// Names of join tables and their columns without a proven rule.
  package let unproven: [UnprovenName]

  /// - Parameter kept: The names that take precedence over those that Core Data assigns in a new store, which are
  ///   computed once for a model.
  package init(_ model: ObjectModel, keeping kept: StoredNames = StoredNames()) {
    self =
      kept.columns.isEmpty && kept.joins.isEmpty
      ? model.memory.value { StoreLayout(computing: model, kept) }
      : StoreLayout(computing: model, kept)
  }

  private init(computing model: ObjectModel, _ kept: StoredNames) {
    var walk = LayoutWalk(model, keeping: kept)
    walk.numberEntities()
    walk.assignColumns()
    let joins = JoinTableNames(
      model, entities: walk.order, numbers: walk.numbers, keeping: kept.joins)
    entityNumbers = walk.numbers
    entityOrder = walk.order
    tables = walk.tables
    tablesByEntity = walk.tablesByEntity
    columns = walk.columns
    baseNames = walk.baseNames
    columnKeysByTable = Dictionary(grouping: walk.tablesByColumn) { walk.tables[$0.value].name }
      .mapValues { $0.map(\.key).sorted() }
    joinTables = joins.tables
    ownersByDestination = walk.ownersByDestination
    unproven = joins.unproven
  }

  /// The table of an entity, which is that of its root.
  package func table(of entity: String) -> StoreTable? {
    tablesByEntity[entity].map { tables[$0] }
  }

  /// The column of an attribute (by its key path) or relationship, by the entity that declares it; `nil` for
  /// a property that is not stored in one.
  ///
  /// The column of a to-many relationship without an inverse is in the table of its destination.
  package func column(of property: String, declaredBy entity: String) -> StoreColumn? {
    columns[PropertyID(entity: entity, name: property)]
  }

  /// The join table of a many-to-many relationship, by the entity that declares it.
  package func joinTable(of relationship: String, declaredBy entity: String) -> JoinTable? {
    joinTables[PropertyID(entity: entity, name: relationship)]
  }

  /// The column of a to-one relationship in the table of its own entity; `nil` for one that has none.
  package func ownColumn(
    of relationship: Declared<Relationship>
  ) -> (table: StoreTable, column: StoreColumn)? {
    guard let table = table(of: relationship.declaringEntity),
      let column = column(of: relationship.property.name, declaredBy: relationship.declaringEntity)
    else { return nil }
    return (table, column)
  }

  /// The column of the owner in the destination table of a to-many relationship; `nil` for other relationships.
  package func ownerColumn(
    of relationship: Declared<Relationship>, in model: ObjectModel
  ) -> (table: StoreTable, column: StoreColumn)? {
    let property = relationship.property
    guard property.isToMany, !property.isTransient else { return nil }
    if let inverse = model.inverse(of: property) {
      return inverse.property.isToMany ? nil : ownColumn(of: inverse)
    }
    guard let column = column(of: property.name, declaredBy: relationship.declaringEntity),
      let table = table(of: property.destinationName)
    else { return nil }
    return (table, column)
  }

  /// The columns of to-many relationships without an inverse that point to one of these entities.
  package func ownerColumns(
    of entities: [String]
  ) -> [(relationship: PropertyID, column: StoreColumn)] {
    entities.flatMap { ownersByDestination[$0] ?? [] }.compactMap { relationship in
      columns[relationship].map { (relationship, $0) }
    }
  }

  // MARK: Keys of columns

  /// The properties that have a column in a table.
  package func columnKeys(of table: StoreTable) -> [PropertyID] {
    columnKeysByTable[table.name] ?? []
  }

  package func column(forKey key: PropertyID) -> StoreColumn? { columns[key] }

  /// The column name without a suffix for name clashes.
  package func baseName(forKey key: PropertyID) -> String { baseNames[key] ?? "" }

  /// The number's entity.
  package func entityName(numbered number: Int64) -> String? {
    guard number > 0, number <= entityOrder.count else { return nil }
    return entityOrder[Int(number) - 1]
  }
}

/// A table of a root entity.
package struct StoreTable: Sendable, Hashable {
  package var name: String
  package var rootEntity: String
  /// The columns of properties, in the order of Core Data.
  package var columns: [StoreColumn]

  /// Every column with its type, in the order in which Core Data writes them: integers, order keys,
  /// then the others.
  package var definitions: [(name: String, type: String)] {
    var keys = [
      (name: "Z_PK", type: "INTEGER PRIMARY KEY"), (name: "Z_ENT", type: "INTEGER"),
      (name: "Z_OPT", type: "INTEGER"),
    ]
    var others: [(name: String, type: String)] = []
    for column in columns {
      if column.type == "INTEGER" {
        keys.append((column.name, column.type))
        if let name = column.entityColumn { keys.append((name, "INTEGER")) }
      } else {
        others.append((column.name, column.type))
      }
    }
    keys += columns.compactMap(\.orderColumn).map { ($0, "INTEGER") }
    return keys + others
  }
}

/// A column of one property.
package struct StoreColumn: Sendable, Hashable {
  package var name: String
  /// `INTEGER`, `VARCHAR` …
  package var type: String
  /// `Z_FOK_…`: keeps the position of an object in its owner's ordered relationship.
  package var orderColumn: String?
  /// `Z<n>_…`: the entity number of the destination of a to-one relationship, if it may be a subentity.
  package var entityColumn: String?
}

/// The table of a many-to-many relationship, seen from one of its ends.
package struct JoinTable: Sendable, Hashable {
  package var name: String
  /// The column with the keys of this end's objects.
  package var ownColumn: String
  /// The column with the keys of the other end's objects.
  package var otherColumn: String
  /// The order column of this end, if the relationship is ordered.
  package var orderColumn: String?
  /// The order column of the other end, if the inverse is ordered.
  package var inverseOrderColumn: String?
  /// Whether the table is named after this end.
  package var isOwner: Bool

  /// The table seen from the other end.
  package var reversed: JoinTable {
    JoinTable(
      name: name, ownColumn: otherColumn, otherColumn: ownColumn, orderColumn: inverseOrderColumn,
      inverseOrderColumn: orderColumn, isOwner: !isOwner)
  }
}
