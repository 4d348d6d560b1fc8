package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// Conditions on the values of a column before they are converted or lost.
package enum ValueCondition: Sendable, Hashable {
  case present
  /// A condition over the columns of the table.
  case holds(String)

  fileprivate func sql(_ column: String) -> String {
    switch self {
    case .present: "\(column) IS NOT NULL"
    case .holds(let condition): "(\(condition))"
    }
  }
}

extension StoreReader {
  /// The objects of an entity itself whose value satisfies a condition: their number, and the first ones.
  ///
  /// - Parameter index: The index of the value in the shape of the entity.
  package func values(
    of entity: String, at index: Int, where condition: ValueCondition, limit: Int
  ) throws(StoreError) -> (count: Int, first: [(key: Int64, value: AttributeValue)]) {
    guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else {
      return (0, [])
    }
    let column = shape.columns[index].name.quoted
    let from =
      "FROM \(shape.table.quoted) WHERE Z_ENT = ? AND \(condition.sql(column))"
    let count = try store.connection.number("SELECT count(*) \(from)", [.integer(number)])
    guard count > 0 else { return (0, []) }
    let rows = try store.connection.rows(
      "SELECT Z_PK, \(column) \(from) ORDER BY Z_PK LIMIT \(limit)", [.integer(number)])
    return (
      count, rows.compactMap { row in row[0].integer.map { (key: $0, value: row[1]) } }
    )
  }

  /// The ascending keys of the objects of an entity itself whose value satisfies a condition.
  ///
  /// - Parameter index: The index of the value in the shape of the entity.
  package func keys(
    of entity: String, at index: Int, where condition: ValueCondition
  ) throws(StoreError) -> [Int64] {
    guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else {
      return []
    }
    let column = shape.columns[index].name.quoted
    return try store.connection.keys(
      "SELECT Z_PK FROM \(shape.table.quoted) WHERE Z_ENT = ? AND \(condition.sql(column)) ORDER BY Z_PK",
      [.integer(number)])
  }

  /// The keys of the objects of an entity itself that have no value of an attribute.
  package func keys(
    of entity: String, without attribute: String
  ) throws(StoreError) -> [Int64] {
    guard let shape = shape(of: entity), let index = shape.index(of: attribute),
      let number = layout.entityNumbers[entity]
    else { return [] }
    return try store.connection.keys(
      """
      SELECT Z_PK FROM \(shape.table.quoted) WHERE Z_ENT = ? AND \(shape.columns[index].name.quoted) IS NULL
      """, [.integer(number)])
  }

  /// The objects of an entity itself with several destinations of a relationship: their number, and the keys of the
  /// first ones.
  package func ownersOfSeveral(
    _ relationship: Declared<Relationship>, among entity: String, limit: Int
  ) throws(StoreError) -> (count: Int, first: [Int64]) {
    guard
      let storage = layout.storage(
        of: relationship, in: model, join: try joinTable(of: relationship)),
      let table = layout.table(of: entity), let number = layout.entityNumbers[entity]
    else { return (0, []) }
    let own = storage.own.quoted
    let owners =
      "SELECT \(own) FROM \(storage.table.quoted) WHERE \(own) IS NOT NULL "
      + "AND \(own) IN (SELECT Z_PK FROM \(table.name.quoted) WHERE Z_ENT = \(number)) GROUP BY \(own) HAVING count(*) > 1"
    let count = try store.connection.number("SELECT count(*) FROM (\(owners))")
    return (count, try store.connection.keys("\(owners) ORDER BY \(own) LIMIT \(limit)", []))
  }
}
