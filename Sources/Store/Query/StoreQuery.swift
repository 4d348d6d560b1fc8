package import StrataBase
package import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite

/// A query: the objects of an entity, filtered, sorted and limited.
///
/// SQLite evaluates as much of the predicate as possible; the rest is evaluated object by object, with the same
/// result.
package struct StoreQuery {
  package var entity: String
  /// As ``ObjectModel/resolved(_:for:in:)`` gives it; `nil` for all objects.
  package var predicate: Predicate?
  /// The sort key paths, by priority; equal objects are sorted by key.
  package var order: [(path: [String], isAscending: Bool)] = []
  /// The lowest key; `nil` for all objects.
  package var firstKey: Int64?
  /// `nil` for all.
  package var limit: Int?
  /// The value of `now()`.
  package var now: Double = Moment.current
  /// Whether SQLite evaluates nothing of the predicate, for tests.
  package var evaluatesEverything = false

  package init(entity: String, predicate: Predicate? = nil) {
    self.entity = entity
    self.predicate = predicate
  }
}

extension StoreObjects {
  /// The number of objects that a query finds, ignoring its limit.
  package func count(_ query: StoreQuery) throws -> Int {
    let plan = try StoreQueryPlan(query, self)
    guard plan.rest == nil else {
      var count = 0
      try run(plan, query) { _ in
        count += 1
        return true
      }
      return count
    }
    let connection = reader.store.connection
    return try connection.coreData {
      let statement = try connection.prepare(plan.countSQL, isLimited: true)
      try statement.bind(plan.parameters)
      return try statement.step() ? Int(statement.integer(0) ?? 0) : 0
    }
  }

  /// Calls `body` for each object that a query finds, until it returns `false`.
  package func forEach(_ query: StoreQuery, _ body: (BrowsedObject) throws -> Bool) throws {
    var left = query.limit ?? .max
    guard left > 0 else { return }
    try run(StoreQueryPlan(query, self), query) { object in
      guard try body(object) else { return false }
      left -= 1
      return left > 0
    }
  }

  private func run(
    _ plan: StoreQueryPlan, _ query: StoreQuery, _ body: (BrowsedObject) throws -> Bool
  ) throws {
    try reader.store.connection.coreData { try fetch(plan, query, body) }
  }

  private func fetch(
    _ plan: StoreQueryPlan, _ query: StoreQuery, _ body: (BrowsedObject) throws -> Bool
  ) throws {
    let statement = try reader.store.connection.prepare(plan.rowsSQL, isLimited: true)
    try statement.bind(plan.parameters)
    var context = EvaluationContext(now: query.now)
    let choice = ArithmeticChoice(object: .init(model: model, entity: query.entity))
    if let rest = plan.rest { choice.choose(for: rest, in: &context) }
    var count = 0
    while try statement.step() {
      try Interruption.check()
      WorkProgress.report("reading \(query.entity)", count)
      count += 1
      let row = statement.row
      guard case .integer(let key) = row[0] else { continue }
      let object = BrowsedObject(
        key: key, entity: query.entity, objects: self, row: (row[1].integer, Array(row[2...])))
      if let rest = plan.rest {
        context.object = object
        guard try context.holds(rest) else { continue }
      }
      guard try body(object) else { return }
    }
  }
}

/// The execution plan of a query.
struct StoreQueryPlan {
  /// The SQL after the list of columns.
  private let source: String
  private let ordering: String
  private let columns: String
  let parameters: [AttributeValue]
  /// The part that is evaluated object by object.
  let rest: Predicate?

  init(_ query: StoreQuery, _ objects: StoreObjects) throws {
    guard let shape = objects.shape(of: query.entity) else {
      throw ExpressionError(.notPossible("the store has no table for \(query.entity)"))
    }
    var sql = PredicateSQL(objects: objects)
    let scope = sql.scope(ofTableFor: query.entity)
    let parts: [Predicate] =
      switch query.predicate {
      case nil: []
      case .and(let parts)?: parts
      case let whole?: [whole]
      }
    var conditions: [String] = []
    var rest: [Predicate] = []
    for part in parts {
      if !query.evaluatesEverything, let condition = try sql.condition(part, scope) {
        conditions.append(condition)
      } else {
        rest.append(part)
      }
    }
    if let key = query.firstKey { conditions.append("\(scope.alias).Z_PK >= \(key)") }
    // Last: most rows of a table belong to the queried entity, so the other conditions are more selective.
    conditions.append(sql.entityCondition(query.entity, scope))
    sql.isOrder = true
    var order: [String] = []
    for (path, isAscending) in query.order {
      guard let column = try sql.value(.keyPath(of: nil, path), scope) else {
        throw ExpressionError(
          .notPossible("SQLite cannot sort by \(path.joined(separator: "."))"))
      }
      order.append(column + (isAscending ? "" : " DESC"))
    }
    self.rest = rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
    source =
      " FROM \(shape.table.quoted) AS \(scope.alias)\(sql.joins) WHERE "
      + PredicateSQL.balanced(conditions[...], " AND ")
    ordering = " ORDER BY " + (order + ["\(scope.alias).Z_PK"]).joined(separator: ", ")
    columns =
      (["\(scope.alias).Z_PK", "\(scope.alias).Z_ENT"]
      + (shape.columns.isEmpty ? [] : [shape.list(scope.alias)])).joined(separator: ", ")
    parameters = sql.parameters
  }

  var countSQL: String { "SELECT count(*)" + source }
  var rowsSQL: String { "SELECT " + columns + source + ordering }
}

extension StoreObjects {
  /// The SQL of a query, with `?1` … for the values, SQLite's plan, and the part that is evaluated for each resulting object.
  ///
  /// - Parameter isCount: Whether the objects are only counted.
  package func explanation(
    of query: StoreQuery, isCount: Bool
  ) throws -> (sql: String, parameters: [AttributeValue], plan: [String], evaluated: Predicate?) {
    let plan = try StoreQueryPlan(query, self)
    let sql = plan.rest == nil && isCount ? plan.countSQL : plan.rowsSQL
    let connection = reader.store.connection
    let steps = try connection.coreData {
      try connection.rows("EXPLAIN QUERY PLAN " + sql, plan.parameters)
    }
    return (sql, plan.parameters, steps.compactMap { $0.last?.text }, plan.rest)
  }
}
