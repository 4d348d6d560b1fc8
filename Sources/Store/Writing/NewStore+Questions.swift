internal import StrataObjectModel
internal import StrataValues

extension NewStore {
  /// Which of these attributes have no value in an object.
  func missing(
    _ attributes: [Declared<Attribute>], of key: Int64, entity: String
  ) throws(StoreError) -> [(name: String, isMissing: Bool)] {
    guard let table = layout.table(of: entity) else { return [] }
    let placed = attributes.compactMap { attribute in
      layout.column(of: attribute.property.name, declaredBy: attribute.declaringEntity)
        .map { (attribute.property.name, $0.name.quoted) }
    }
    guard !placed.isEmpty else { return [] }
    let list = placed.map(\.1).joined(separator: ", ")
    let rows = try connection.rows(
      "SELECT \(list) FROM \(table.name.quoted) WHERE Z_PK = ?", [.integer(key)])
    return zip(placed, rows.first ?? []).map { ($0.0, $1 == .null) }
  }

  /// The keys of objects whose values of these properties an earlier object has too; objects in which
  /// one of them is NULL are never equal.
  public func duplicates(of properties: [String], entity: String) throws(StoreError) -> [Int64] {
    guard let sql = layout.duplicatesQuery(of: properties, in: entity, of: model) else { return [] }
    return try connection.keys(sql, [])
  }

  /// How many objects a relationship of an object points at.
  func destinationCount(
    of relationship: Declared<Relationship>, from key: Int64
  ) throws(StoreError) -> Int {
    let property = relationship.property
    let (table, column): (String, String)
    if let join = layout.joinTable(
      of: property.name, declaredBy: relationship.declaringEntity)
    {
      (table, column) = (join.name, join.ownColumn)
    } else if let (owner, found) = layout.ownerColumn(of: relationship, in: model) {
      (table, column) = (owner.name, found.name)
    } else if let found = layout.column(
      of: property.name, declaredBy: relationship.declaringEntity),
      let owner = layout.table(of: relationship.declaringEntity)
    {
      return try connection.keys(
        "SELECT \(found.name.quoted) FROM \(owner.name.quoted) WHERE Z_PK = ?", [.integer(key)]
      ).count
    } else {
      return 0
    }
    return try connection.keys(
      "SELECT count(*) FROM \(table.quoted) WHERE \(column.quoted) = ?", [.integer(key)]
    ).first.map { Int($0) } ?? 0
  }
}
