package import StrataBase
internal import StrataObjectModel
package import StrataSQLite

extension StoreReader {
  /// Calls `body` for each rule that an object of an entity violates.
  ///
  /// Source: `Docs/Facts/inference.md`, section 6.
  ///
  /// - Parameters:
  ///   - keys: Only these objects of the root entity's table; `nil` for all.
  ///   - rules: The rules; by default those for saved objects.
  /// - Throws: ``StoreError``, and errors of `body`.
  package func forEachProblem(
    of entity: String, among keys: Set<Int64>? = nil, _ rules: ValidationRules = .saved,
    _ body: (Finding) throws -> Void
  ) throws {
    guard let number = layout.entityNumbers[entity] else { return }
    WorkProgress.report("validating \(entity)")
    let list = try objectRules(of: entity, rules)
    let broken = keys == nil ? try rulesBroken(of: list, entity) : Set(list.indices)
    for (index, rule) in list.enumerated() where broken.contains(index) {
      let statement = try store.connection.prepare(rule.sql(among: keys))
      try statement.bind([.integer(number)])
      while try statement.step() {
        guard let key = statement.integer(0) else { continue }
        let values = (0..<rule.values.count).map { statement.value($0 + 1) }
        guard let problem = try rule.problem(values) else { continue }
        try body(Finding(problem, entity: entity, key: key, property: rule.property))
      }
    }
  }

  /// The keys of objects in an entity's table whose values of some properties an earlier object has too, ascending;
  /// a `NULL` equals no value.
  package func duplicates(of constraint: [String], entity: String) throws(StoreError) -> [Int64] {
    guard let rule = uniquenessRule(of: constraint, declaredBy: entity) else { return [] }
    return try store.connection.keys(
      "SELECT t.Z_PK FROM \(rule.source(nil)) WHERE \(rule.condition) ORDER BY 1", [])
  }

  /// Whether objects of other entities have values in the columns of some properties.
  package func othersHave(
    _ properties: [String], of entity: String
  ) throws(StoreError) -> Bool {
    guard let table = layout.table(of: entity)?.name.quoted,
      let columns = layout.columns(of: properties, in: entity, of: model)?.map(\.name.quoted)
    else { return false }
    let known = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return try store.connection.number(
      "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(known) "
        + "AND Z_ENT NOT IN (\(layout.numberList(below: entity, of: model))))") != 0
  }

  /// The number of conditions evaluated in one pass over a table.
  private static var conditionsOfOnePass: Int { 200 }

  /// The indexes of the rules that some object may violate: those of one row are evaluated together, the others by
  /// their precheck.
  private func rulesBroken(of rules: [ObjectRule], _ entity: String) throws(StoreError) -> Set<Int>
  {
    guard let table = layout.table(of: entity)?.name, let number = layout.entityNumbers[entity]
    else { return [] }
    var broken: Set<Int> = []
    for (index, rule) in rules.enumerated() where !rule.isOfOneRow {
      if let precheck = rule.precheck, try store.connection.number(precheck) == 0 { continue }
      broken.insert(index)
    }
    var rest = rules.indices.filter { rules[$0].isOfOneRow }[...]
    while !rest.isEmpty {
      let indices = rest.prefix(Self.conditionsOfOnePass)
      rest = rest.dropFirst(indices.count)
      let list = indices.map { "max(coalesce(\(rules[$0].condition), 0))" }
      let rows = try store.connection.rows(
        "SELECT \(list.joined(separator: ", ")) FROM \(table.quoted) AS t WHERE t.Z_ENT = ?",
        [.integer(number)])
      for (index, value) in zip(indices, rows.first ?? []) where value == .integer(1) {
        broken.insert(index)
      }
    }
    return broken
  }
}
