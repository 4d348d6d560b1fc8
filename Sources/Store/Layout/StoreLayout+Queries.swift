internal import StrataBase
package import StrataObjectModel
internal import StrataSQLite

/// Queries used both for reading and for writing stores; `?` is a key.
extension StoreLayout {
  /// The keys of all objects of an entity itself, ascending; `nil` for an entity without a table.
  func keysQuery(of entity: String) -> (sql: String, number: Int64)? {
    guard let table = table(of: entity), let number = entityNumbers[entity] else { return nil }
    return ("SELECT Z_PK FROM \(table.name.quoted) WHERE Z_ENT = ? ORDER BY Z_PK", number)
  }

  /// The query for the entity number of an object by key.
  func entityNumberQuery(in entity: String) -> String? {
    table(of: entity).map { "SELECT Z_ENT FROM \($0.name.quoted) WHERE Z_PK = ?" }
  }

  /// The statement that writes the entity numbers of the destinations of a to-one relationship beside its keys;
  /// `nil` if there is no such column.
  ///
  /// - Parameters:
  ///   - condition: The rows; by default all that have a key or a number.
  ///   - cleared: Which of these rows lose a number whose key leads nowhere; by default all.
  package func entityNumbersUpdate(
    of relationship: Declared<Relationship>, where condition: String? = nil,
    clearing cleared: String? = nil
  ) -> String? {
    let property = relationship.property
    guard !property.isToMany,
      let column = column(of: property.name, declaredBy: relationship.declaringEntity),
      let numbers = column.entityColumn?.plainOrQuoted,
      let table = table(of: relationship.declaringEntity)?.name.plainOrQuoted,
      let other = self.table(of: property.destinationName)?.name.plainOrQuoted
    else { return nil }
    let key = column.name.plainOrQuoted
    let rows = condition ?? "\(key) IS NOT NULL OR \(numbers) IS NOT NULL"
    return "UPDATE \(table) SET \(numbers) = (SELECT other.Z_ENT FROM \(other) AS other "
      + "WHERE other.Z_PK = \(table).\(key)) WHERE "
      + (cleared.map { "(\(rows)) AND (\($0) OR \(key) IN (SELECT Z_PK FROM \(other)))" } ?? rows)
  }
}

extension StoreLayout {
  /// The root entity of each table, by the table's name.
  var entitiesOfTables: [String: String] {
    Dictionary(first: tables.map { ($0.name, $0.rootEntity) })
  }

  /// The many-to-many relationships that own a join table.
  func joinedRelationships(of model: ObjectModel) -> [Declared<Relationship>] {
    entityOrder.flatMap { entity in
      (model[entity]?.relationships ?? []).filter {
        joinTable(of: $0.name, declaredBy: entity)?.isOwner == true
      }.map { Declared(property: $0, declaringEntity: entity) }
    }
  }
}
