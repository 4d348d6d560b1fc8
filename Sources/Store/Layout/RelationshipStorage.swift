package import StrataObjectModel
internal import StrataSQLite

/// The storage of the links of a relationship, seen from its end: a column of its own table, a column of the
/// destination table, or a join table.
package struct RelationshipStorage: Sendable, Hashable {
  package var table: String
  /// The column with the keys of this end's objects.
  package var own: String
  /// The column with the keys of the objects at the other end; `NULL` if there is none.
  package var other: String
  /// The order column of the other object among this one's.
  package var order: String?
  /// The order column of this object among the other one's.
  package var inverseOrder: String?

  enum End {
    case own, other
  }

  /// Whether the rows are those of a join table.
  var isJoin: Bool { own != "Z_PK" && other != "Z_PK" }

  /// SQL that is true where a row has the key of an end. SQLite then reads the rows of a join table in the order of
  /// the index that begins with this end: its objects are looked up in one direction, and the pages of a large table
  /// are not read many times.
  func isSet(_ end: End) -> String {
    let column = (end == .own ? own : other).plainOrQuoted
    // Every value is at least minus infinity, which is a range of the index.
    return isJoin ? "\(column) >= -9e999" : "\(column) IS NOT NULL"
  }

  /// SQL that is true where a row is a link, read in the order of an end: see ``isSet(_:)``.
  func isLink(inOrderOf end: End) -> String {
    let rest = (end == .own ? other : own).plainOrQuoted
    // The sign keeps SQLite from using the index of this end.
    return "\(isSet(end)) AND \(isJoin ? "+" : "")\(rest) IS NOT NULL"
  }

  /// The query for the destination keys of an object, in the order of the relationship if it is ordered, otherwise
  /// ascending; `?` is its key.
  var destinationsQuery: String {
    let key = other.quoted
    // A name that is given twice would be sorted for each object, although an index has the order.
    return "SELECT \(key) FROM \(table.quoted) WHERE \(own.quoted) = ? "
      + "ORDER BY \(order.map { "\($0.quoted), " } ?? "")\(key)"
  }
}

extension StoreLayout {
  /// - Parameter join: Its join table, with the names in the store.
  /// - Returns: `nil` for a relationship that is not stored.
  package func storage(
    of relationship: Declared<Relationship>, in model: ObjectModel, join: JoinTable?
  ) -> RelationshipStorage? {
    let property = relationship.property
    if !property.isToMany {
      guard let column = column(of: property.name, declaredBy: relationship.declaringEntity),
        let table = table(of: relationship.declaringEntity)
      else { return nil }
      return RelationshipStorage(
        table: table.name, own: "Z_PK", other: column.name, inverseOrder: column.orderColumn)
    }
    if let join {
      return RelationshipStorage(
        table: join.name, own: join.ownColumn, other: join.otherColumn, order: join.orderColumn,
        inverseOrder: join.inverseOrderColumn)
    }
    return ownerColumn(of: relationship, in: model).map { table, column in
      RelationshipStorage(
        table: table.name, own: column.name, other: "Z_PK", order: column.orderColumn)
    }
  }
}
