package import StrataObjectModel
internal import StrataSQLite

/// The questions that a store which is read and one which is made are asked alike; `?` is a key.
extension StoreLayout {
  /// The keys of all objects of an entity itself, ascending; `nil` for an entity without a table.
  func keysQuery(of entity: String) -> (sql: String, number: Int64)? {
    guard let table = table(of: entity), let number = entityNumbers[entity] else { return nil }
    return ("SELECT Z_PK FROM \(table.name.quoted) WHERE Z_ENT = ? ORDER BY Z_PK", number)
  }

  /// The number of the entity that the object of a key is of, in the table of an entity's root.
  func entityNumberQuery(in entity: String) -> String? {
    table(of: entity).map { "SELECT Z_ENT FROM \($0.name.quoted) WHERE Z_PK = ?" }
  }

  /// Writes the numbers of the entities that a to-one relationship leads to beside its keys; `nil` where no
  /// column keeps them.
  ///
  /// - Parameter condition: Which rows; all that have a key or a number by default.
  package func entityNumbersUpdate(
    of relationship: Declared<Relationship>, where condition: String? = nil
  ) -> String? {
    let property = relationship.property
    guard !property.isToMany,
      let column = column(of: property.name, declaredBy: relationship.declaringEntity),
      let numbers = column.entityColumn?.plainOrQuoted,
      let table = table(of: relationship.declaringEntity)?.name.plainOrQuoted,
      let other = self.table(of: property.destinationName)?.name.plainOrQuoted
    else { return nil }
    let key = column.name.plainOrQuoted
    return "UPDATE \(table) SET \(numbers) = (SELECT other.Z_ENT FROM \(other) AS other "
      + "WHERE other.Z_PK = \(table).\(key)) WHERE \(condition ?? "\(key) IS NOT NULL OR \(numbers) IS NOT NULL")"
  }

  /// The keys of the objects that a relationship of the object of a key leads to, in its order where it
  /// has one, else ascending; `nil` for a relationship that no store holds.
  ///
  /// - Parameter join: Its join table, as the store calls it.
  func destinationsQuery(
    of relationship: Declared<Relationship>, in model: ObjectModel, join: JoinTable?
  ) -> String? {
    storage(of: relationship, in: model, join: join).map { storage in
      let other = storage.other.quoted
      return "SELECT \(other) FROM \(storage.table.quoted) WHERE \(storage.own.quoted) = ? "
        + "ORDER BY \(storage.order?.quoted ?? other), \(other)"
    }
  }
}

extension StoreLayout {
  /// The root entity of each table, by the table's name.
  var entitiesOfTables: [String: String] {
    Dictionary(tables.map { ($0.name, $0.rootEntity) }, uniquingKeysWith: { first, _ in first })
  }
}
