package import StrataBase
internal import StrataObjectModel
package import StrataSQLite

/// Rows of a table that belong to no entity of the model.
package struct UnknownEntityRows: Sendable, Hashable {
  package var table: String
  /// Their `Z_ENT`; `nil` if it is not a number.
  package var number: Int64?
  package var count: Int
}

/// The rules for tables as a whole.
extension StoreReader {
  /// Calls `body` for each rule that a table violates.
  ///
  /// Source: `Docs/Facts/sqlite-schema.md`, sections 2.3, 3, 6 and 9.
  package func forEachTableProblem(_ body: (Finding) throws -> Void) throws {
    for rows in try unknownEntityRows() {
      try body(
        Finding(
          ValidationRule.unknownEntity(number: rows.number, rows: rows.count), entity: rows.table,
          key: nil, property: "Z_ENT"))
    }
    for rows in try keysOutOfRange() {
      try body(
        Finding(
          .keysOutOfRange(rows.keys, rows: rows.count), entity: rows.table, key: nil,
          property: "Z_PK"))
    }
    try highestKeyProblems().forEach(body)
    try entityRowProblems().forEach(body)
    try joinRowProblems().forEach(body)
    try historyProblems().forEach(body)
  }

  /// Rows whose `Z_ENT` no entity of the model with objects of its own has in that table, by table and number.
  package func unknownEntityRows() throws(StoreError) -> [UnknownEntityRows] {
    var known: [String: Set<Int64>] = [:]
    for (entity, number) in layout.entityNumbers where model[entity]?.isAbstract == false {
      if let table = layout.table(of: entity) { known[table.name, default: []].insert(number) }
    }
    var found: [UnknownEntityRows] = []
    for table in layout.tables {
      found += try rowsByNumber(table.name, "Z_ENT").filter { row in
        row.number.map { known[table.name]?.contains($0) != true } ?? true
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
      row[1].integer.map {
        UnknownEntityRows(table: table, number: row[0].integer, count: Int($0))
      }
    }
  }

  /// Core Data counts the keys of a table at its root entity, those of the history at entities of its own.
  private static var historyTables: [(table: String, number: Int64)] {
    [("ACHANGE", 16001), ("ATRANSACTION", 16002), ("ATRANSACTIONSTRING", 16003)]
  }

  private func highestKeyProblems() throws(StoreError) -> [Finding] {
    // A store in memory assigns no keys.
    guard !store.path.isEmpty, try !store.connection.plainColumns(of: "Z_PRIMARYKEY").isEmpty else {
      return []
    }
    var counted = layout.tables.compactMap { table in
      layout.entityNumbers[table.rootEntity].map { (table.rootEntity, table.name, $0) }
    }
    for (table, number) in Self.historyTables
    where try !store.connection.plainColumns(of: table).isEmpty {
      counted.append((table, table, number))
    }
    var problems: [Finding] = []
    for (entity, table, number) in counted {
      let rows = try store.connection.rows(
        "SELECT (SELECT max(Z_PK) FROM \(table.quoted)), "
          + "(SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?)", [.integer(number)])
      guard let row = rows.first, let actual = row[0].integer else { continue }
      let recorded = row[1].integer
      guard recorded.map({ $0 < actual }) ?? true else { continue }
      problems.append(
        Finding(
          .highestKey(recorded: recorded, actual: actual), entity: entity, key: nil,
          property: "Z_MAX"))
    }
    return problems
  }

  /// Core Data keeps a row for each entity, abstract ones too, with the number of its parent. Names are not
  /// compared: a migration in place that renames an entity leaves the old one. Without the table, all rows are missing.
  ///
  /// Source: `Docs/Facts/sqlite-schema.md`, section 2.3, and section 3, item 4.
  func entityRowProblems() throws(StoreError) -> [Finding] {
    // A store in memory assigns no keys.
    guard !store.path.isEmpty else { return [] }
    let columns = try store.connection.plainColumns(of: "Z_PRIMARYKEY")
    guard !columns.isEmpty else {
      return layout.entityOrder.map {
        Finding(.noEntityRow, entity: $0, key: nil, property: "Z_ENT")
      }
    }
    guard columns.contains("Z_SUPER") else { return [] }
    var parents: [Int64: Int64?] = [:]
    var unknown: [Finding] = []
    for row in try store.connection.rows(
      "SELECT Z_ENT, Z_SUPER, Z_NAME FROM Z_PRIMARYKEY ORDER BY 1")
    {
      guard case .integer(let number) = row[0] else { continue }
      parents.updateValue(row[1].integer, forKey: number)
      guard layout.entityName(numbered: number) == nil, number < Self.firstHistoryNumber else {
        continue
      }
      unknown.append(
        Finding(
          .rowOfNoEntity(number: number, name: row[2].text), entity: "Z_PRIMARYKEY", key: nil,
          property: "Z_ENT"))
    }
    let missing = try Set(highestKeyProblems().map(\.entity))
    let problems = layout.entityOrder.enumerated().compactMap {
      index, entity -> Finding? in
      guard let recorded = parents[Int64(index + 1)] else {
        return missing.contains(entity)
          ? nil : Finding(.noEntityRow, entity: entity, key: nil, property: "Z_ENT")
      }
      let parent = model[entity]?.superentityName.flatMap { layout.entityNumbers[$0] } ?? 0
      return recorded == parent
        ? nil
        : Finding(
          .wrongParent(recorded: recorded, actual: parent), entity: entity, key: nil,
          property: "Z_SUPER")
    }
    return problems + unknown
  }

  /// The entities for which `Z_PRIMARYKEY` has no row, a highest key that is too low, or a wrong parent.
  func keyTableFaults() throws(StoreError) -> [Finding] {
    try highestKeyProblems() + entityRowProblems().filter { $0.severity == .error }
  }

  /// Rows from here on are not of the model's entities, but of Core Data's own: CHANGE, TRANSACTION,
  /// TRANSACTIONSTRING.
  private static var firstHistoryNumber: Int64 { 16001 }

  /// A row with one end that exists is a problem of that object.
  private func joinRowProblems() throws(StoreError) -> [Finding] {
    var problems: [Finding] = []
    for relationship in joinedRelationships {
      guard let storage = try storage(of: relationship),
        let own = layout.table(of: relationship.declaringEntity)?.name.quoted,
        let other = layout.table(of: relationship.property.destinationName)?.name.quoted
      else { continue }
      func isMissing(_ table: String, _ column: String, _ entity: String) -> String {
        "NOT " + hasObject("l.\(column.quoted)", of: entity, in: table)
      }
      let link = storage.table.quoted
      let isLink = storage.isLink(inOrderOf: .own)
      func report(_ rule: (Int) -> ValidationRule, _ query: String) throws(StoreError) {
        let count = try store.connection.number(query)
        guard count > 0 else { return }
        problems.append(
          Finding(
            rule(count), entity: relationship.declaringEntity, key: nil,
            property: relationship.property.name))
      }
      try report(
        ValidationRule.joinRowsWithoutObjects,
        "SELECT count(*) FROM \(link) AS l WHERE \(isLink) AND "
          + isMissing(own, storage.own, relationship.declaringEntity) + " AND "
          + isMissing(other, storage.other, relationship.property.destinationName))
      try report(
        ValidationRule.joinRowsWithoutKeys,
        "SELECT count(*) FROM \(link) WHERE (\(isLink)) IS NOT TRUE")
      // Their primary key prevents these, unless another program has created the table again.
      try report(
        ValidationRule.repeatedJoinRows,
        "SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM \(link) WHERE \(isLink) "
          + "GROUP BY \(storage.own.quoted), \(storage.other.quoted) HAVING n > 1)")
    }
    return problems
  }

  private func historyProblems() throws(StoreError) -> [Finding] {
    guard try store.connection.plainColumns(of: "ACHANGE").contains("ZENTITY") else { return [] }
    let known = Set(layout.entityNumbers.values)
    return try rowsByNumber("ACHANGE", "ZENTITY").filter { row in
      row.number.map { !known.contains($0) } ?? true
    }.map {
      Finding(
        .unknownEntity(number: $0.number, rows: $0.count), entity: "ACHANGE", key: nil,
        property: "ZENTITY")
    }
  }
}
