internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

extension StoreLayout {
  /// - Throws: ``StoreError/sameTableName(_:_:)``.
  package func checkTableNames() throws(StoreError) {
    var roots: [String: String] = [:]
    for table in tables {
      if let other = roots.updateValue(table.rootEntity, forKey: table.name.lowercased()) {
        throw .sameTableName(other, table.rootEntity)
      }
    }
  }

  /// Checks the column limit of SQLite: each hierarchy of entities has one table with all columns.
  ///
  /// - Throws: ``StoreError/tooManyColumns(entity:count:limit:)``.
  func checkColumnCounts() throws(StoreError) {
    let limit = SQLiteConnection.schemaLimits.columns
    for table in tables where table.definitions.count > limit {
      throw .tooManyColumns(
        entity: table.rootEntity, count: table.definitions.count, limit: limit)
    }
  }

  /// The columns of the tables of entities and of the join tables, by table.
  package func columnNamesByTable(of model: ObjectModel) -> [String: [String]] {
    var names = Dictionary(first: tables.map { ($0.name, $0.definitions.map(\.name)) })
    for entity in model.entities {
      for relationship in entity.relationships {
        guard let join = joinTable(of: relationship.name, declaredBy: entity.name) else { continue }
        names[join.name] =
          [join.ownColumn, join.otherColumn]
          + [join.orderColumn, join.inverseOrderColumn].compactMap { $0 }
      }
    }
    return names
  }

  /// The column of a property that an entity has or inherits; `nil` for a to-many relationship.
  package func column(of property: String, in entity: String, of model: ObjectModel) -> StoreColumn?
  {
    for owner in model.lineageNames(of: entity) {
      if model[owner]?.relationship(named: property)?.isToMany == true { return nil }
      if let column = column(of: property, declaredBy: owner) { return column }
    }
    return nil
  }

  /// The columns of several properties; `nil` if one has none.
  package func columns(
    of properties: [String], in entity: String, of model: ObjectModel
  ) -> [StoreColumn]? {
    let columns = properties.compactMap { column(of: $0, in: entity, of: model) }
    return columns.count == properties.count ? columns : nil
  }

  /// The entity numbers of an entity and its subentities, as an SQL list: `2, 3`.
  package func numberList(below entity: String, of model: ObjectModel) -> String {
    numbers(below: entity, of: model).map(String.init).joined(separator: ", ")
  }

  /// SQL that is true for a row of a table unless its entity is unknown; `nil` for a table that the layout does not
  /// have.
  package func hasKnownEntity(in table: String, of model: ObjectModel) -> String? {
    tables.first { $0.name == table }.map {
      "Z_ENT IN (\(numberList(below: $0.rootEntity, of: model)))"
    }
  }

  /// The entity numbers of an entity and its subentities, ascending.
  func numbers(below entity: String, of model: ObjectModel) -> [Int64] {
    model.familyNames(of: entity).compactMap { entityNumbers[$0] }.sorted()
  }
}
