internal import StrataBase
internal import StrataObjectModel

/// A rule for the objects of one entity, as a query for the objects that violate it.
///
/// It is used for all objects, for some of them, and in the third pass of a migration.
struct ObjectRule {
  /// The property that a problem is reported for.
  var property: String
  /// The FROM clause, where `t` is the object's row; it is restricted to the list of keys, if any, if it groups rows.
  var source: (_ keys: String?) -> String
  /// The condition on the source, in SQL.
  var condition: String
  /// The SQL expressions that the query returns beside the object's key.
  var values: [String] = []
  /// Whether the condition only uses the object's row: then the conditions of many rules are evaluated in one pass
  /// over the table.
  var isOfOneRow = false
  /// A quicker query, whose result is 0 only if no object violates the rule.
  var precheck: String?
  /// The problem of an object that the query finds; `nil` if a further check finds none.
  var problem: ([AttributeValue]) throws -> ValidationRule?

  /// The query; its one parameter is the number of the entity.
  func sql(among keys: Set<Int64>?) -> String {
    let list = keys.map { $0.sorted().map(String.init).joined(separator: ", ") }
    return "SELECT \((["t.Z_PK"] + values).joined(separator: ", ")) FROM \(source(list)) "
      + "WHERE t.Z_ENT = ? AND (\(condition))"
      + (list.map { " AND t.Z_PK IN (\($0))" } ?? "") + " ORDER BY 1"
  }
}
