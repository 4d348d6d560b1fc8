internal import StrataBase
internal import StrataObjectModel
package import StrataSQLite

/// Deletion of objects of an unfinished store.
extension NewStore {
  /// Deletes an object and nullifies the links to it.
  ///
  /// - Parameter entity: The object's own entity.
  package func delete(_ key: Int64, of entity: String) throws(StoreError) {
    guard let table = layout.table(of: entity)?.name.quoted else { return }
    let family = model.lineageNames(of: entity)
    for owner in layout.entityOrder {
      for relationship in model[owner]?.relationships ?? [] where !relationship.isTransient {
        try unlink(
          Declared(property: relationship, declaringEntity: owner), key,
          isOwn: family.contains(owner),
          isDestination: family.contains(relationship.destinationName))
      }
    }
    try removeFiles(of: key, entity)
    try connection.execute("DELETE FROM \(table) WHERE Z_PK = ?", [.integer(key)])
  }

  /// Removes the links of an object in one relationship.
  private func unlink(
    _ relationship: Declared<Relationship>, _ key: Int64, isOwn: Bool, isDestination: Bool
  ) throws(StoreError) {
    let (name, owner) = (relationship.property.name, relationship.declaringEntity)
    if let join = layout.joinTable(of: name, declaredBy: owner) {
      for (column, applies) in [(join.ownColumn, isOwn), (join.otherColumn, isDestination)]
      where applies {
        try indexLinks(join.name, column)
        try connection.execute(
          "DELETE FROM \(join.name.quoted) WHERE \(column.quoted) = ?", [.integer(key)])
      }
    } else if isOwn, let (table, column) = layout.ownerColumn(of: relationship, in: model) {
      try clear(table.name, column, of: key)
    } else if isDestination, !relationship.property.isToMany, let table = layout.table(of: owner),
      let column = layout.column(of: name, declaredBy: owner)
    {
      try clear(table.name, column, of: key)
    }
  }

  private func clear(
    _ table: String, _ column: StoreColumn, of key: Int64
  ) throws(StoreError) {
    try indexLinks(table, column.name)
    let order = column.orderColumn.map { ", \($0.quoted) = NULL" } ?? ""
    try connection.execute(
      "UPDATE \(table.quoted) SET \(column.name.quoted) = NULL\(order) "
        + "WHERE \(column.name.quoted) = ?", [.integer(key)])
  }

  private func removeFiles(of key: Int64, _ entity: String) throws(StoreError) {
    guard let shape = shape(of: entity) else { return }
    try removeFiles(of: key, shape, shape.externalIndices.sorted())
  }

  /// Removes the files of some external attributes of an object.
  func removeFiles(
    of key: Int64, _ shape: StoreRowShape, _ indices: [Int]
  ) throws(StoreError) {
    guard !indices.isEmpty else { return }
    let columns = indices.map { shape.columns[$0].name.quoted }
    let rows = try connection.rows(
      "SELECT \(columns.joined(separator: ", ")) FROM \(shape.table.quoted) WHERE Z_PK = ?",
      [.integer(key)])
    for value in rows.first ?? [] { try ExternalData.fileName(in: value).map(external.discard) }
  }
}
