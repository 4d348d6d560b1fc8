internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite

/// The predicted objects of a destination entity.
struct PredictedObjects {
  /// The stored attributes, and whether only the presence of a value is known.
  var columns: [(name: String, isCounted: Bool)] = []
  /// The number of objects, then for each column the number of values and the sum of their fingerprints.
  var answers: [Int64] = []
  /// The stride of compared rows.
  var stride: Int64 = 1
  /// Whether the objects have the same key order in both stores.
  var isOrdered: Bool
}

extension Witness {
  private static let attributesOfRows = ["Z_PK", "Z_OPT"]

  mutating func predictObjects(_ names: StoreNames) throws(StoreError) {
    for entity in to.entities.filter({ !$0.isAbstract }).map(\.name) {
      let mappings = (makersByDestination[entity] ?? []).map { entityMappings[$0] }
      guard mappings.allSatisfy(\.isPlain), !mappings.isEmpty || !hasPolicies else {
        receipt.notPredicted[entity] = "it depends on a policy or a filter"
        continue
      }
      var sources = mappings.map { (entity: $0.sourceName ?? "", values: [String]()) }
      var predicted = PredictedObjects(isOrdered: mappings.count == 1)
      func add(_ name: String, _ isCounted: Bool, _ values: [String]) {
        predicted.columns.append((name, isCounted))
        for (index, value) in values.enumerated() {
          sources[index].values.append(isCounted ? "CASE WHEN \(value) NOT NULL THEN 1 END" : value)
        }
      }
      if means.isInPlace {
        for name in Self.attributesOfRows where name == "Z_PK" || means.changedAttributes.isEmpty {
          add(name, false, mappings.map { _ in name })
        }
      }
      let copies = mappings.map { CopiedValues($0, from: from) }
      for leaf in StoreNames.leaves(of: entity, in: to) {
        let values = copies.compactMap { value(of: leaf, in: $0, names) }
        if values.count == mappings.count {
          add(leaf.name, values.contains(where: \.isCounted), values.map(\.sql))
        } else {
          receipt.notPredicted["\(entity).\(leaf.name)"] = "its mapping copies no known column"
        }
      }
      var rows: [StoreNames.Rows] = []
      for source in sources { rows.append(try names.rows(of: [source.entity])) }
      let count = rows.reduce(0) { $0 + $1.count }
      if count > Self.limit, !means.isComplete {
        predicted.stride = count / Self.sampleSize
        receipt.sampled[entity] = count
      }
      predicted.answers = [0] + predicted.columns.flatMap { _ in [0, 0] }
      for (source, rows) in zip(sources, rows) {
        let answers = try answers(
          of: source.entity, source.values, predicted, rows.keys, names)
        predicted.answers = zip(predicted.answers, answers).map { $0 &+ $1 }
      }
      objects[entity] = predicted
    }
  }

  /// The fingerprints of each column include an identification of the row: its key, its index, or its values.
  ///
  /// - Parameter keys: The keys, if they have no gaps.
  private func answers(
    of entity: String, _ values: [String], _ predicted: PredictedObjects,
    _ keys: ClosedRange<Int64>?, _ names: StoreNames
  ) throws(StoreError) -> [Int64] {
    var answers = [Int64](repeating: 0, count: 1 + 2 * values.count)
    guard let table = names.table(of: entity) else { return answers }
    let rank = keys.map { "Z_PK - \($0.lowerBound)" } ?? "row_number() OVER (ORDER BY Z_PK) - 1"
    let row =
      means.isInPlace
      ? "Z_PK"
      : predicted.isOrdered
        ? rank : "fingerprint(\(values.prefix(30).joined(separator: ", ")))"
    // SQLite allows at most 2,000 columns, here and in the subquery.
    for start in stride(from: 0, through: max(values.count - 1, 0), by: 900) {
      let some = Array(values[start..<min(start + 900, values.count)])
      let columns = some.enumerated().map { "\($1) AS \"#\($0)\"" } + ["\(row) AS \"#\""]
      func rows(where condition: String? = nil) -> String {
        "FROM (SELECT \(columns.joined(separator: ", ")) FROM \(table) "
          + "WHERE Z_ENT = \(names.number(of: entity))\(condition.map { " AND \($0)" } ?? ""))"
      }
      let counts = some.indices.map { "count(\"#\($0)\")" }
      let sums = some.indices.map { "sum(fingerprint(\"#\", \"#\($0)\"))" }
      // A sample is read on its own: a filter of each sum takes longer.
      let isSample = predicted.stride > 1 && !sums.isEmpty
      var found = try names.numbers(
        "SELECT \((["count(*)"] + counts + (isSample ? [] : sums)).joined(separator: ", ")) \(rows())"
      )
      if isSample {
        let series = means.isInPlace || predicted.isOrdered ? series(of: predicted, keys) : nil
        found += try names.numbers(
          "SELECT \(sums.joined(separator: ", ")) "
            + (series.map { rows(where: "Z_PK IN (\($0))") }
              ?? "\(rows()) WHERE \"#\" % \(predicted.stride) = 0"))
      }
      answers[0] = found[0]
      for index in some.indices {
        answers[1 + 2 * (start + index)] = found[1 + index]
        answers[2 + 2 * (start + index)] = found[1 + some.count + index]
      }
    }
    return answers
  }

  /// A query for the keys of a sample, which are then looked up; `nil` if all rows have to be read to find them.
  private func series(of predicted: PredictedObjects, _ keys: ClosedRange<Int64>?) -> String? {
    guard let keys else { return nil }
    var first = keys.lowerBound
    if means.isInPlace {
      let rest = first % predicted.stride
      let (start, overflows) = first.addingReportingOverflow(
        rest > 0 ? predicted.stride - rest : -rest)
      guard !overflows else { return nil }
      first = start
    }
    let next = "k + \(predicted.stride)"
    return "WITH RECURSIVE s (k) AS (SELECT \(first) UNION ALL SELECT \(next) FROM s "
      + "WHERE \(next) <= \(keys.upperBound)) SELECT k FROM s"
  }

  mutating func objectionsToObjects(_ names: StoreNames) throws(StoreError) -> [String] {
    var objections: [String] = []
    for (entity, predicted) in objects.sorted(by: { $0.key < $1.key }) {
      let columns = predicted.columns.map {
        Self.attributesOfRows.contains($0.name) ? $0.name : names.column(of: $0.name, in: entity)
      }
      let values = zip(columns, predicted.columns).map {
        $1.isCounted ? "CASE WHEN \($0 ?? "NULL") NOT NULL THEN 1 END" : $0 ?? "NULL"
      }
      // In place, only a sample needs them.
      let needsKeys = !means.isInPlace || predicted.stride > 1
      let keys = needsKeys ? try names.rows(of: [entity]).keys : nil
      let found = try answers(of: entity, values, predicted, keys, names)
      guard found[0] == predicted.answers[0] else {
        // A policy can create objects of any entity.
        if hasPolicies, found[0] > predicted.answers[0] {
          receipt.notPredicted[entity] = "a policy has created more objects"
          createdMore.insert(entity)
        } else {
          objections.append("\(entity): \(found[0]) objects instead of \(predicted.answers[0])")
        }
        continue
      }
      for (index, column) in columns.enumerated() {
        let name = "\(entity).\(predicted.columns[index].name)"
        guard column != nil else {
          receipt.notPredicted[name] = "more than one column matches"
          continue
        }
        if !Self.attributesOfRows.contains(predicted.columns[index].name) {
          receipt.compared.insert(name)
        }
        let (now, then) = (found[2 * index + 1], predicted.answers[2 * index + 1])
        if now != then {
          objections.append("\(name): \(now) values instead of \(then)")
        } else if found[2 * index + 2] != predicted.answers[2 * index + 2] {
          objections.append("\(name): the values differ")
        }
      }
    }
    return objections
  }

  /// SQL for an attribute's value from a row of the source, and whether only its presence is known; `nil` if it
  /// is unknown.
  private func value(
    of leaf: Attribute, in copies: CopiedValues, _ names: StoreNames
  ) -> (sql: String, isCounted: Bool)? {
    let owner = String(leaf.name.prefix { $0 != "." })
    let standard = leaf.storedDefault.sqlLiteral
    guard !leaf.isDerived, !means.changedAttributes.contains(owner), let source = copies.source
    else { return nil }
    guard let expression = copies.expressions[owner] else { return (standard, false) }
    guard case .keyPath(of: .variable("source"), let keys) = expression, let first = keys.first,
      !means.changedAttributes.contains(first)
    else { return nil }
    let path = keys.joined(separator: ".")
    guard let old = copies.leaves[path + leaf.name.dropFirst(owner.count)] else {
      // An element that the source's composite attribute does not have.
      return copies.composites.contains(path) ? (standard, false) : nil
    }
    guard let column = names.column(of: old.name, in: source),
      let value = Self.converted(column, from: old.type, to: leaf.type)
    else { return nil }
    let isFile = old.allowsExternalBinaryStorage || leaf.allowsExternalBinaryStorage
    guard !leaf.isOptional, leaf.storedDefault != .null else { return (value, isFile) }
    // Inference replaces missing values only if the attribute was optional.
    let isKept = means.isInferred && !old.isOptional
    let filled = "coalesce(\(value), \(standard))"
    return (isKept ? "CASE WHEN \(column) NOT NULL THEN \(filled) END" : filled, isFile)
  }

  /// The stored form of a number in another type: integers are truncated toward zero; numbers out of range are
  /// missing.
  private static func converted(
    _ column: String, from old: AttributeType, to new: AttributeType
  ) -> String? {
    let whole: [AttributeType] = [.integer16, .integer32, .integer64]
    let numbers = whole + [.boolean, .decimal, .double, .float]
    guard old != new, !(whole.contains(old) && new == .integer64) else { return column }
    guard numbers.contains(old), numbers.contains(new) else { return nil }
    // The largest Float, the largest Double, and the largest Decimal (38 digits and 127 zeros) in SQLite.
    let room: [AttributeType: String] = [
      .integer16: "> -32769 AND \(column) < 32768",
      .integer32: "> -2147483649 AND \(column) < 2147483648",
      .integer64: ">= -9223372036854775808 AND \(column) < 9223372036854775808.0",
      .float: "BETWEEN -3.4028234663852886e38 AND 3.4028234663852886e38",
      .double: "BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308",
      .decimal: "BETWEEN -3.4028236692093846e165 AND 3.4028236692093846e165",
    ]
    guard let room = room[new] else { return "\(column) <> 0" }
    let type = whole.contains(new) ? "INTEGER" : "REAL"
    let value = new == .decimal ? column : "CAST(\(column) AS \(type))"
    return "CASE WHEN \(column) \(room) THEN \(value) END"
  }
}

/// The copied properties of an entity mapping and the properties of its source, by name.
private struct CopiedValues {
  let source: String?
  let expressions: [String: Expression]
  let leaves: [String: Attribute]
  /// The names of the composite attributes.
  let composites: Set<String>

  init(_ mapping: EntityMapping, from model: ObjectModel) {
    source = mapping.sourceName
    // An attribute mapping without an expression overrides an earlier one.
    let last = Dictionary(
      mapping.attributeMappings.map { ($0.name, $0.expression) }, uniquingKeysWith: { $1 })
    expressions = last.compactMapValues { $0 }
    let found = source.map { StoreNames.leaves(of: $0, in: model) } ?? []
    leaves = Dictionary(first: found.map { ($0.name, $0) })
    composites = Set(
      found.flatMap { leaf in
        leaf.name.indices.filter { leaf.name[$0] == "." }.map { String(leaf.name[..<$0]) }
      })
  }
}
