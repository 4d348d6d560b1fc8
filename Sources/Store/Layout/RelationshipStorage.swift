package import StrataObjectModel

/// Where the pairs of a relationship stand, as its own end sees them: in a column of its objects, in one of
/// the objects at the other end, or in a join table.
package struct RelationshipStorage: Sendable, Hashable {
  package var table: String
  /// Holds the keys of this end's objects.
  package var own: String
  /// Holds the keys of the objects at the other end; `NULL` where there is none.
  package var other: String
  /// Keeps the place of the other object among this one's.
  package var order: String?
  /// Keeps the place of this object among the other one's.
  package var inverseOrder: String?
}

extension StoreLayout {
  /// - Parameter join: Its join table, as the store calls it.
  /// - Returns: `nil` for a relationship that no store holds.
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
