public import StrataObjectModel
internal import StrataValues

/// Where a model's objects stand in a SQLite store: entity numbers, tables, columns.
///
/// ```swift
/// let layout = StoreLayout(model)
/// layout.table(of: "Topic")                    // "ZTOPIC"
/// layout.column(of: "timeBudget", in: "Topic") // "ZTIMEBUDGET"
/// ```
///
/// Source: facts on the SQLite schema, sections 3 to 6.
public struct StoreLayout: Sendable {
  /// `Z_ENT` of every entity, abstract ones too.
  public let entityNumbers: [String: Int64]
  /// Root entities with their tables, by number.
  public let tables: [StoreTable]
  private let tablesByEntity: [String: Int]
  /// `Entity.property` of the declaring entity to column.
  private let columns: [String: StoreColumn]
  private let joinTables: [String: JoinTable]

  public init(_ model: ObjectModel) {
    var walk = LayoutWalk(model)
    walk.numberEntities()
    walk.placeColumns()
    walk.placeJoinTables()
    entityNumbers = walk.numbers
    tables = walk.tables
    tablesByEntity = walk.tablesByEntity
    columns = walk.columns
    joinTables = walk.joinTables
  }

  /// The table that holds the objects of an entity: that of its root.
  public func table(of entity: String) -> StoreTable? {
    tablesByEntity[entity].map { tables[$0] }
  }

  /// The column of an attribute or to-one relationship, by the entity that declares it; `nil` for a
  /// property that is not stored in one.
  public func column(of property: String, declaredBy entity: String) -> StoreColumn? {
    columns["\(entity).\(property)"]
  }

  /// The join table of a many-to-many relationship, by the entity that declares it.
  public func joinTable(of relationship: String, declaredBy entity: String) -> JoinTable? {
    joinTables["\(entity).\(relationship)"]
  }

  /// The number's entity.
  public func entityName(numbered number: Int64) -> String? {
    entityNumbers.first { $0.value == number }?.key
  }
}

/// A table of a root entity.
public struct StoreTable: Sendable, Hashable {
  public var name: String
  public var rootEntity: String
  public var columns: [StoreColumn]
}

/// A column of one property.
public struct StoreColumn: Sendable, Hashable {
  public var name: String
  /// `INTEGER`, `VARCHAR` …
  public var type: String
  /// `Z_FOK_…`: keeps the place of an object in its owner's ordered relationship.
  public var orderColumn: String?
}

/// The table of a many-to-many relationship, as one of its two ends sees it.
public struct JoinTable: Sendable, Hashable {
  public var name: String
  /// Holds the keys of this end's objects.
  public var ownColumn: String
  /// Holds the keys of the objects at the other end.
  public var otherColumn: String
  /// Keeps the place among this end's objects, where the relationship is ordered.
  public var orderColumn: String?
  /// Whether this end gave the table its name.
  public var isOwner: Bool
}
