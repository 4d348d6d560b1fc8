internal import StrataBase
package import StrataSQLite

/// A to-one link of an object in its table: the table, the column and the key.
struct LinkPlace: Hashable {
  var table: String
  var column: String
  var key: Int64
}

/// The to-one links of a new store that were set and cleared again: of an object that stands for one of another store, the
/// link of that one is cleared too.
extension NewStore {
  private static let table = "strata_releases"

  /// Notes the links that are cleared from now on.
  package func noteReleases() throws(StoreError) {
    var sql = ["CREATE TEMP TABLE \(Self.table) (place TEXT, name TEXT, pk INTEGER)"]
    var known: Set<[String]> = []
    for entity in layout.entityOrder {
      guard let shape = shape(of: entity) else { continue }
      for (column, content) in zip(shape.columns, shape.contents)
      where content.destination != nil && known.insert([shape.table, column.name]).inserted {
        let (table, name) = (shape.table, column.name)
        sql.append(
          "CREATE TEMP TRIGGER \("strata_\(table)_\(name)".quoted) AFTER UPDATE OF \(name.quoted) "
            + "ON main.\(table.quoted) WHEN OLD.\(name.quoted) NOT NULL AND NEW.\(name.quoted) IS NULL "
            + "BEGIN INSERT INTO \(Self.table) VALUES (\(table.sqlText), \(name.sqlText), NEW.Z_PK); END"
        )
      }
    }
    for statement in sql { try connection.execute(statement) }
  }

  /// The noted links.
  func releases() throws(StoreError) -> Set<LinkPlace> {
    Set(
      try connection.rows("SELECT DISTINCT place, name, pk FROM temp.\(Self.table)").compactMap {
        guard case .text(let table) = $0[0], case .text(let column) = $0[1],
          case .integer(let key) = $0[2]
        else { return nil }
        return LinkPlace(table: table, column: column, key: key)
      })
  }
}
