internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// What the objects of a destination entity must be like.
struct ForetoldObjects {
  /// Stored attributes, and whether only whether there is a value is compared.
  var columns: [(name: String, isCounted: Bool)]
  var tally: Tally
  /// Every how many rows values are compared; 0 for none.
  var stride: Int
}

/// What a scan has found: sums that do not depend on the order of rows.
struct Tally: Equatable {
  /// Of rows, of keys and of what counts the changes of an object; then of values by column.
  var counts: [Double] = []
  var values: [UInt64] = []
  /// Of whole rows, with their place.
  var rows: UInt64 = 0

  init() {}

  static func += (a: inout Tally, b: Tally) {
    a.counts = a.counts.isEmpty ? b.counts : zip(a.counts, b.counts).map { $0 + $1 }
    a.values = a.values.isEmpty ? b.values : zip(a.values, b.values).map { $0 &+ $1 }
    a.rows &+= b.rows
  }

  /// - Parameter hasPlaces: Whether rows are known by their place, and not only by what they hold.
  init(
    _ connection: SQLiteConnection, _ table: String, _ number: String, _ columns: [String],
    stride: Int, hasPlaces: Bool
  ) throws(StoreError) {
    let all = "FROM \(table) WHERE Z_ENT = \(number)"
    let counted = columns.map { "count(\($0))" }
    let sums = ["count(*)", "total(Z_PK)", "total(Z_OPT)"] + counted
    for value in try connection.rows("SELECT \(sums.joined(separator: ", ")) \(all)").joined() {
      if case .integer(let number) = value { counts.append(Double(number)) }
      if case .real(let number) = value { counts.append(number) }
    }
    values = Array(repeating: 0, count: columns.count)
    guard stride > 0, !columns.isEmpty else { return }
    let list = columns.joined(separator: ", ")
    let keys = try connection.prepare(
      "SELECT Z_PK\(stride == 1 ? ", " + list : "") \(all) ORDER BY Z_PK")
    let single = try connection.prepare("SELECT Z_PK, \(list) FROM \(table) WHERE Z_PK = ?")
    var place: UInt64 = 0
    while try keys.step() {
      place += 1
      guard stride > 1 else {
        add(keys, hasPlaces ? place : 0)
        continue
      }
      guard place % UInt64(stride) == 0 else { continue }
      try single.bind([.integer(keys.plainInteger(0))])
      if try single.step() { add(single, hasPlaces ? place : 0) }
    }
  }

  private mutating func add(_ row: borrowing SQLiteStatement, _ place: UInt64) {
    var whole = place
    for column in values.indices {
      let print = row.fingerprint(of: column + 1)
      values[column] &+= print
      whole = (whole ^ print).mixed
    }
    rows &+= whole
  }
}

extension UInt64 {
  /// The same number, its bits spread over all places.
  var mixed: UInt64 {
    let first = (self ^ (self >> 31)) &* 0x9E37_79B9_7F4A_7C15
    return (first ^ (first >> 29)) &* 0xBF58_476D_1CE4_E5B9 ^ (first >> 32)
  }
}

extension Witness {
  private var hasPolicies: Bool { entityMappings.contains { $0.policyName != nil } }

  /// The entity mappings that make objects of an entity; `nil` where one of them cannot be foretold.
  func sources(of entity: String) -> [EntityMapping]? {
    let found = entityMappings.filter { $0.destinationName == entity }
    let isPlain = found.allSatisfy {
      $0.policyName == nil && $0.filter == nil && $0.customSource == nil
    }
    return isPlain ? found.filter { $0.sourceName != nil } : nil
  }

  mutating func foretellObjects(
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) {
    for entity in to.entityNames where to[entity]?.isAbstract == false {
      guard let mappings = sources(of: entity) else {
        receipt.notForetold[entity] = "a policy or a filter decides"
        continue
      }
      var rows = 0
      for case let source? in mappings.map(\.sourceName) {
        guard let table = names.table(of: source) else { continue }
        rows += try connection.number(
          "SELECT count(*) FROM \(table) WHERE Z_ENT = \(names.list([source]))")
      }
      var expected = ForetoldObjects(columns: [], tally: Tally(), stride: 0)
      if rows <= Self.limit || means.isComplete {
        expected.stride = 1
      } else if mappings.count == 1 {
        expected.stride = rows / Self.sampleSize
        receipt.sampled[entity] = rows
      }
      var sql: [[String]] = mappings.map { _ in [] }
      for leaf in StoreNames.leaves(of: entity, in: to) {
        let found = mappings.map { value(of: leaf, in: $0, names) }
        let all = found.compactMap { $0 }
        guard all.count == mappings.count else {
          receipt.notForetold["\(entity).\(leaf.name)"] = "its value is no copy of a known column"
          continue
        }
        let isCounted = all.contains { $0.isCounted }
        for (index, value) in all.enumerated() {
          sql[index].append(isCounted ? "CASE WHEN \(value.sql) NOT NULL THEN 1 END" : value.sql)
        }
        expected.columns.append((leaf.name, isCounted))
      }
      for (mapping, sql) in zip(mappings, sql) {
        guard let source = mapping.sourceName, let table = names.table(of: source) else { continue }
        expected.tally += try Tally(
          connection, table, names.list([source]), sql, stride: expected.stride,
          hasPlaces: mappings.count == 1)
      }
      objects[entity] = expected
    }
  }

  mutating func objectionsToObjects(
    _ connection: SQLiteConnection, _ names: StoreNames
  ) throws(StoreError) -> [String] {
    var objections: [String] = []
    for (entity, expected) in objects {
      guard let table = names.table(of: entity) else {
        objections.append("\(entity) has no table")
        continue
      }
      let columns = expected.columns.map { names.column(of: $0.name, in: entity) }
      let sql = zip(columns, expected.columns).map { column, foretold in
        guard let column else { return "NULL" }
        return foretold.isCounted ? "CASE WHEN \(column) NOT NULL THEN 1 END" : column
      }
      let found = try Tally(
        connection, table, names.list([entity]), sql, stride: expected.stride,
        hasPlaces: sources(of: entity)?.count == 1)
      func counts(_ tally: Tally, _ place: Int) -> Int {
        tally.counts.indices.contains(place) ? Int(tally.counts[place]) : 0
      }
      // A policy may make objects of any entity.
      if hasPolicies, counts(found, 0) > counts(expected.tally, 0) {
        receipt.notForetold[entity] = "a policy has made more of them"
        continue
      }
      if counts(found, 0) != counts(expected.tally, 0) {
        objections.append(
          "\(entity) has \(counts(found, 0)) objects, and \(counts(expected.tally, 0)) were to come"
        )
        continue
      }
      if means.isInPlace, counts(found, 1) != counts(expected.tally, 1) {
        objections.append("\(entity) has other keys")
      }
      if means.isInPlace, means.changedAttributes.isEmpty,
        counts(found, 2) != counts(expected.tally, 2)
      {
        objections.append("\(entity): Z_OPT has changed")
      }
      var isDifferent = columns.contains(nil)
      for (place, foretold) in expected.columns.enumerated() {
        let name = "\(entity).\(foretold.name)"
        guard columns[place] != nil else {
          receipt.notForetold[name] = "more than one column may be meant"
          continue
        }
        receipt.compared.insert(name)
        let (now, then) = (counts(found, place + 3), counts(expected.tally, place + 3))
        if now != then {
          objections.append("\(name) has \(now) values, and \(then) were to come")
        } else if expected.tally.values.indices.contains(place),
          found.values[place] != expected.tally.values[place]
        {
          objections.append("\(name) has other values")
        } else {
          continue
        }
        isDifferent = true
      }
      if !isDifferent, found.rows != expected.tally.rows {
        objections.append("\(entity): values stand in other rows")
      }
    }
    return objections
  }
}
