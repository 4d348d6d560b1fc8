internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// What the rows of an entity hold, in sums that do not depend on the order of rows.
struct Tally {
  /// Rows, their keys, Z_OPT, and the values of each column.
  var counts: [Int] = []
  var prints: [UInt64] = []
  /// Of whole rows.
  var rows: UInt64 = 0

  /// - Parameters:
  ///   - stride: Every how many rows values are looked at; 0 for none.
  ///   - hasPlaces: Whether rows are known again by their place, and not only by what they hold.
  mutating func add(
    _ connection: SQLiteConnection, _ rows: String, _ columns: [String], stride: Int,
    hasPlaces: Bool
  ) throws(StoreError) {
    let sums = ["count(*)", "total(Z_PK)", "total(Z_OPT)"] + columns.map { "count(\($0))" }
    if counts.isEmpty { counts = sums.map { _ in 0 } }
    if prints.isEmpty { prints = columns.map { _ in 0 } }
    for (place, value) in try connection.rows(
      "SELECT \(sums.joined(separator: ", ")) FROM \(rows)"
    ).joined().enumerated() {
      // Sums of numbers from a file are only compared: one too large counts as its bits.
      if case .integer(let number) = value { counts[place] &+= Int(number) }
      if case .real(let number) = value {
        counts[place] &+= Int(exactly: number) ?? Int(truncatingIfNeeded: number.bitPattern)
      }
    }
    guard stride > 0, !columns.isEmpty else { return }
    let list = (["Z_PK"] + columns).joined(separator: ", ")
    let keys = try connection.prepare(
      "SELECT \(stride == 1 ? list : "Z_PK") FROM \(rows) ORDER BY Z_PK")
    let single = try connection.prepare("SELECT \(list) FROM \(rows) AND Z_PK = ?")
    var place = 0
    while try keys.step() {
      place += 1
      if stride == 1 {
        add(keys, hasPlaces ? place : 0)
      } else if place % stride == 0 {
        try single.bind([.integer(keys.plainInteger(0))])
        if try single.step() { add(single, hasPlaces ? place : 0) }
      }
    }
  }

  private mutating func add(_ row: borrowing SQLiteStatement, _ place: Int) {
    var whole = UInt64(place)
    for column in prints.indices {
      let print = row.fingerprint(of: column + 1)
      prints[column] &+= print
      whole = whole.mixed(with: print)
    }
    rows &+= whole
  }
}

extension UInt64 {
  func mixed(with other: UInt64) -> UInt64 {
    let first = (self ^ other ^ (self >> 31)) &* 0x9E37_79B9_7F4A_7C15
    return (first ^ (first >> 29)) &* 0xBF58_476D_1CE4_E5B9 ^ (first >> 32)
  }
}

/// What the objects of a destination entity must be like.
struct ForetoldObjects {
  /// Stored attributes, and whether it is only compared if there is a value.
  var columns: [(name: String, isCounted: Bool)] = []
  var tally = Tally()
  var (stride, hasPlaces) = (1, false)

  static func sql(_ value: String, _ isCounted: Bool) -> String {
    isCounted ? "CASE WHEN \(value) NOT NULL THEN 1 END" : value
  }
}

extension Witness {
  mutating func foretellObjects(
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) {
    for entity in to.entities.filter({ !$0.isAbstract }).map(\.name) {
      let mappings = entityMappings.filter { $0.destinationName == entity && $0.sourceName != nil }
      guard mappings.allSatisfy(\.isPlain), !mappings.isEmpty || !hasPolicies else {
        receipt.notForetold[entity] = "a policy or a filter decides"
        continue
      }
      let rows = mappings.map { mapping in
        let source = mapping.sourceName ?? ""
        return "\(names.table(of: source) ?? "") WHERE Z_ENT = \(names.list([source]))"
      }
      var count = 0
      for rows in rows { count += try connection.number("SELECT count(*) FROM \(rows)") }
      var foretold = ForetoldObjects()
      foretold.hasPlaces = mappings.count == 1
      if count > Self.limit, !means.isComplete {
        foretold.stride = mappings.count == 1 ? count / Self.sampleSize : 0
        receipt.sampled[entity] = count
      }
      var sql: [[String]] = mappings.map { _ in [] }
      for leaf in StoreNames.leaves(of: entity, in: to) {
        let values = mappings.compactMap { value(of: leaf, in: $0, names) }
        guard values.count == mappings.count else {
          receipt.notForetold["\(entity).\(leaf.name)"] = "it copies no known column"
          continue
        }
        let isCounted = values.contains(where: \.isCounted)
        foretold.columns.append((leaf.name, isCounted))
        for index in sql.indices {
          sql[index].append(ForetoldObjects.sql(values[index].sql, isCounted))
        }
      }
      for (rows, sql) in zip(rows, sql) {
        try foretold.tally.add(
          connection, rows, sql, stride: foretold.stride, hasPlaces: foretold.hasPlaces)
      }
      objects[entity] = foretold
    }
  }

  mutating func objectionsToObjects(
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) -> [String] {
    var objections: [String] = []
    for (entity, foretold) in objects {
      guard let table = names.table(of: entity) else { continue }
      let columns = foretold.columns.map { names.column(of: $0.name, in: entity) }
      var (found, then) = (Tally(), foretold.tally)
      try found.add(
        connection, "\(table) WHERE Z_ENT = \(names.list([entity]))",
        zip(columns, foretold.columns).map { ForetoldObjects.sql($0 ?? "NULL", $1.isCounted) },
        stride: foretold.stride, hasPlaces: foretold.hasPlaces)
      if then.counts.isEmpty { (then.counts, then.prints) = (found.counts.map { _ in 0 }, []) }
      // A policy may make objects of any entity.
      if hasPolicies, found.counts[0] > then.counts[0] {
        receipt.notForetold[entity] = "a policy has made more of them"
        continue
      }
      func compare(_ place: Int, _ what: String) -> Bool {
        let (now, then) = (found.counts[place], then.counts[place])
        if now != then { objections.append("\(what): \(now), and \(then) were to come") }
        return now == then
      }
      guard compare(0, "objects of \(entity)") else { continue }
      if means.isInPlace { _ = compare(1, "keys of \(entity), added up") }
      if means.isInPlace, means.changedAttributes.isEmpty { _ = compare(2, "Z_OPT of \(entity)") }
      var isSame = !columns.contains(nil)
      for (place, column) in columns.enumerated() {
        let name = "\(entity).\(foretold.columns[place].name)"
        guard column != nil else {
          receipt.notForetold[name] = "more than one column may be meant"
          continue
        }
        receipt.compared.insert(name)
        guard compare(place + 3, "values of \(name)") else {
          isSame = false
          continue
        }
        guard found.counts[0] > 0, found.prints[place] != then.prints[place] else { continue }
        isSame = false
        objections.append("values of \(name): not those that were to come")
      }
      if isSame, found.rows != then.rows {
        objections.append("values of \(entity): not in the rows where they belong")
      }
    }
    return objections
  }

  /// What an attribute gets from a row of the source, in SQL, and whether only its presence is known; `nil`
  /// where that cannot be said.
  private func value(
    of leaf: Attribute, in mapping: EntityMapping, _ names: StoreNames
  ) -> (sql: String, isCounted: Bool)? {
    let owner = String(leaf.name.prefix { $0 != "." })
    let standard = leaf.storedDefault.sqlLiteral
    guard !leaf.isDerived, !means.changedAttributes.contains(owner), let source = mapping.sourceName
    else { return nil }
    guard let expression = mapping.attributeMappings.last(where: { $0.name == owner })?.expression
    else { return (standard, false) }
    guard case .keyPath(of: .variable("source"), let keys) = expression, let first = keys.first,
      !means.changedAttributes.contains(first)
    else { return nil }
    let path = keys.joined(separator: ".")
    let leaves = StoreNames.leaves(of: source, in: from)
    guard let old = leaves.first(where: { $0.name == path + leaf.name.dropFirst(owner.count) })
    else {
      // An element that the composite attribute did not have.
      return leaves.contains { $0.name.hasPrefix(path + ".") } ? (standard, false) : nil
    }
    guard let column = names.column(of: old.name, in: source),
      let value = Self.converted(column, from: old.type, to: leaf.type)
    else { return nil }
    let isFile = old.allowsExternalBinaryStorage || leaf.allowsExternalBinaryStorage
    guard !leaf.isOptional, leaf.storedDefault != .null else { return (value, isFile) }
    // Inference fills what was missing only where it was allowed to be.
    let isKept = means.isInferred && !old.isOptional
    let filled = "coalesce(\(value), \(standard))"
    return (isKept ? "CASE WHEN \(column) NOT NULL THEN \(filled) END" : filled, isFile)
  }

  /// A number as another type stores it: whole ones cut towards zero; what does not fit is missing.
  private static func converted(
    _ column: String, from old: AttributeType, to new: AttributeType
  ) -> String? {
    let numbers: [AttributeType] = [
      .integer16, .integer32, .integer64, .boolean, .decimal, .double, .float,
    ]
    guard old != new else { return column }
    guard numbers.contains(old), numbers.contains(new) else { return nil }
    var range = ">= -9223372036854775808.0 AND \(column) < 9223372036854775808.0"
    switch new {
    case .boolean: return "\(column) <> 0"
    case .decimal: return column
    case .double, .float: return "CAST(\(column) AS REAL)"
    case .integer16: range = "> -32769 AND \(column) < 32768"
    case .integer32: range = "> -2147483649 AND \(column) < 2147483648"
    default: break
    }
    return "CASE WHEN \(column) \(range) THEN CAST(\(column) AS INTEGER) END"
  }
}
