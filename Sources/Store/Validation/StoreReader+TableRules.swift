public import StrataObjectModel
public import StrataSQLite
internal import StrataValues

/// Rows of a table that no entity of the model owns.
public struct UnknownEntityRows: Sendable, Hashable {
  public var table: String
  /// Their `Z_ENT`; `nil` where it is no number.
  public var number: Int64?
  public var count: Int
}

/// The rules for tables as a whole.
extension StoreReader {
  /// Calls `body` for each rule that a table breaks.
  ///
  /// Source: facts on the SQLite schema, sections 2.3, 3, 6 and 9.
  public func forEachTableProblem(_ body: (ValidationProblem) throws -> Void) throws {
    for rows in try unknownEntityRows() {
      try body(
        ValidationProblem(
          entity: rows.table, key: nil, property: "Z_ENT",
          .unknownEntity(number: rows.number, rows: rows.count)))
    }
    for rows in try keysOutOfRange() {
      try body(
        ValidationProblem(
          entity: rows.table, key: nil, property: "Z_PK",
          .keysOutOfRange(rows.keys, rows: rows.count)))
    }
    try highestKeyProblems().forEach(body)
    try entityRowProblems().forEach(body)
    try joinRowProblems().forEach(body)
    try historyProblems().forEach(body)
  }

  /// Rows whose `Z_ENT` the model does not have in that table, by table and number.
  public func unknownEntityRows() throws(StoreError) -> [UnknownEntityRows] {
    var found: [UnknownEntityRows] = []
    for table in layout.tables {
      let known = Set(
        layout.entityOrder.filter { layout.table(of: $0)?.name == table.name }
          .compactMap { layout.entityNumbers[$0] })
      found += try rowsByNumber(table.name, "Z_ENT").filter { row in
        row.number.map { !known.contains($0) } ?? true
      }
    }
    return found
  }

  private func rowsByNumber(
    _ table: String, _ column: String
  ) throws(StoreError) -> [UnknownEntityRows] {
    try store.connection.rows(
      "SELECT \(column), count(*) FROM \(table.quoted) GROUP BY 1 ORDER BY 1"
    ).compactMap { row in
      guard case .integer(let count) = row[1] else { return nil }
      var number: Int64?
      if case .integer(let found) = row[0] { number = found }
      return UnknownEntityRows(table: table, number: number, count: Int(count))
    }
  }

  /// Core Data counts the keys of a table at its root entity, those of the history at entities of its own.
  private static var historyTables: [(table: String, number: Int64)] {
    [("ACHANGE", 16001), ("ATRANSACTION", 16002), ("ATRANSACTIONSTRING", 16003)]
  }

  private func highestKeyProblems() throws(StoreError) -> [ValidationProblem] {
    // A store in memory hands out no keys.
    guard !store.path.isEmpty, try !store.columns(of: "Z_PRIMARYKEY").isEmpty else { return [] }
    var counted = layout.tables.compactMap { table in
      layout.entityNumbers[table.rootEntity].map { (table.rootEntity, table.name, $0) }
    }
    for (table, number) in Self.historyTables where try !store.columns(of: table).isEmpty {
      counted.append((table, table, number))
    }
    var problems: [ValidationProblem] = []
    for (entity, table, number) in counted {
      let rows = try store.connection.rows(
        "SELECT (SELECT max(Z_PK) FROM \(table.quoted)), "
          + "(SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?)", [.integer(number)])
      guard let row = rows.first, case .integer(let actual) = row[0] else { continue }
      var recorded: Int64?
      if case .integer(let found) = row[1] { recorded = found }
      guard recorded.map({ $0 < actual }) ?? true else { continue }
      problems.append(
        ValidationProblem(
          entity: entity, key: nil, property: "Z_MAX",
          .highestKey(recorded: recorded, actual: actual)))
    }
    return problems
  }

  /// Core Data keeps a row for each entity, abstract ones too, with the number of its parent. Names are not
  /// compared: a migration in place that renames an entity leaves the old one.
  ///
  /// Source: facts on the SQLite schema, sections 2.3 and 3.4.
  func entityRowProblems() throws(StoreError) -> [ValidationProblem] {
    // A store in memory hands out no keys.
    guard !store.path.isEmpty, try store.columns(of: "Z_PRIMARYKEY").contains("Z_SUPER") else {
      return []
    }
    var parents: [Int64: Int64?] = [:]
    var unknown: [ValidationProblem] = []
    for row in try store.connection.rows(
      "SELECT Z_ENT, Z_SUPER, Z_NAME FROM Z_PRIMARYKEY ORDER BY 1")
    {
      guard case .integer(let number) = row[0] else { continue }
      if case .integer(let parent) = row[1] {
        parents[number] = parent
      } else {
        parents[number] = .some(nil)
      }
      guard layout.entityName(numbered: number) == nil, number < Self.firstHistoryNumber else {
        continue
      }
      var name: String?
      if case .text(let text) = row[2] { name = text }
      unknown.append(
        ValidationProblem(
          entity: "Z_PRIMARYKEY", key: nil, property: "Z_ENT",
          .rowOfNoEntity(number: number, name: name)))
    }
    let missing = try Set(highestKeyProblems().map(\.entity))
    let problems = layout.entityOrder.enumerated().compactMap {
      index, entity -> ValidationProblem? in
      guard let recorded = parents[Int64(index + 1)] else {
        return missing.contains(entity)
          ? nil : ValidationProblem(entity: entity, key: nil, property: "Z_ENT", .noEntityRow)
      }
      let parent = model[entity]?.superentityName.flatMap { layout.entityNumbers[$0] } ?? 0
      return recorded == parent
        ? nil
        : ValidationProblem(
          entity: entity, key: nil, property: "Z_SUPER",
          .wrongParent(recorded: recorded, actual: parent))
    }
    return problems + unknown
  }

  /// The entities for which `Z_PRIMARYKEY` has no row or a wrong parent.
  func keyTableFaults() throws(StoreError) -> [ValidationProblem] {
    let missing = try highestKeyProblems().filter {
      if case .highestKey(nil, _) = $0.problem { true } else { false }
    }
    return try missing + entityRowProblems().filter { $0.severity == .error }
  }

  /// Rows from here on are not of the model's entities, but of Core Data's own: CHANGE, TRANSACTION,
  /// TRANSACTIONSTRING.
  private static var firstHistoryNumber: Int64 { 16001 }

  /// A row with one end that exists is a problem of that object.
  private func joinRowProblems() throws(StoreError) -> [ValidationProblem] {
    var problems: [ValidationProblem] = []
    for relationship in joinedRelationships {
      guard let storage = try storage(of: relationship),
        let own = layout.table(of: relationship.declaringEntity)?.name.quoted,
        let other = layout.table(of: relationship.property.destinationName)?.name.quoted
      else { continue }
      func isMissing(_ table: String, _ column: String, _ entity: String) -> String {
        "NOT EXISTS (SELECT 1 FROM \(table) AS o WHERE o.Z_PK = l.\(column.quoted) "
          + "AND o.Z_ENT IN (\(layout.numberList(below: entity, of: model))))"
      }
      let count = try store.connection.number(
        "SELECT count(*) FROM \(storage.table.quoted) AS l WHERE "
          + isMissing(own, storage.own, relationship.declaringEntity) + " AND "
          + isMissing(other, storage.other, relationship.property.destinationName))
      guard count > 0 else { continue }
      problems.append(
        ValidationProblem(
          entity: relationship.declaringEntity, key: nil, property: relationship.property.name,
          .joinRowsWithoutObjects(count: count)))
    }
    return problems
  }

  private func historyProblems() throws(StoreError) -> [ValidationProblem] {
    guard try store.columns(of: "ACHANGE").contains("ZENTITY") else { return [] }
    let known = Set(layout.entityNumbers.values)
    return try rowsByNumber("ACHANGE", "ZENTITY").filter { row in
      row.number.map { !known.contains($0) } ?? true
    }.map {
      ValidationProblem(
        entity: "ACHANGE", key: nil, property: "ZENTITY",
        .unknownEntity(number: $0.number, rows: $0.count))
    }
  }
}
