internal import StrataBase
internal import StrataObjectModel

/// A rule for the objects of one entity, as the query that finds the objects that break it.
///
/// The same rule is asked of all objects, of some of them, and in the third pass of a migration.
struct ObjectRule {
  /// The property that a problem is reported for.
  var property: String
  /// What the query selects from; `t` is the object's row.
  var source: Source
  /// The condition on the source, in SQL.
  var condition: String
  /// SQL expressions of what the query gives beside the object's key.
  var values: [String] = []
  /// Whether the condition needs no other row than the object's: conditions of many rules are then tried in
  /// one pass over the table.
  var isOfOneRow = false
  /// The problem of an object that the query finds; `nil` if a closer look finds none.
  var problem: ([AttributeValue]) throws -> ValidationRule?

  /// The FROM clause; where it groups rows, it groups no more than it must.
  enum Source {
    case plain(String)
    /// Given the list of the only keys that are asked for.
    case grouped((_ keys: String?) -> String)
  }

  /// The query; its one parameter is the number of the entity.
  func sql(among keys: Set<Int64>?) -> String {
    let list = keys.map { $0.sorted().map(String.init).joined(separator: ", ") }
    let from =
      switch source {
      case .plain(let text): text
      case .grouped(let text): text(list)
      }
    return "SELECT \((["t.Z_PK"] + values).joined(separator: ", ")) FROM \(from) "
      + "WHERE t.Z_ENT = ? AND (\(condition))"
      + (list.map { " AND t.Z_PK IN (\($0))" } ?? "") + " ORDER BY 1"
  }
}
