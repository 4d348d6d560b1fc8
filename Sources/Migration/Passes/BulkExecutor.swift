internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Runs entity mappings without a policy as `INSERT … SELECT` from the old store into the new one.
///
/// What an entity mapping does is the same as object by object; keys are handed out in the same order.
/// What SQL cannot say is said by Swift functions over the columns that they need; where more than that
/// is needed, the objects go one by one.
final class BulkExecutor {
  unowned let manager: PassManager
  let mappings: [EntityMapping]
  let before: StoreLayout
  let after: StoreLayout
  let values: ColumnSQL
  /// What policies do, by entity mapping; entity mappings of which nothing is known are not here.
  let policies: [String: BulkPolicy]
  /// By entity mapping, what its objects get; `nil` where the objects must go one by one.
  private var columns: [String: [ColumnSQL.Column]?] = [:]
  var statements: [String: [String]] = [:]
  /// By entity mapping, the keys that its objects will have: known before pass 1 where all that come
  /// before it are counted.
  private var foreseen: [String: (first: Int64, last: Int64, offset: Int64)] = [:]
  /// Entity mappings that have been through pass 1.
  private var isMade: Set<String> = []
  /// Relationships that were set when their objects were made: `mapping.relationship`.
  var filled: Set<String> = []

  var source: ObjectModel { manager.sourceModel.model }
  var destination: ObjectModel { manager.destinationModel.model }

  /// - Parameter policies: What the policies do, by entity mapping: where nothing is said of one, its
  ///   objects go one by one.
  init(
    _ manager: PassManager, _ mappings: [EntityMapping], policies: [String: BulkPolicy]
  ) throws {
    self.manager = manager
    self.mappings = mappings
    self.policies = policies
    values = ColumnSQL(manager, by: .functions)
    before = manager.source.reader.layout
    after = manager.destination.store.layout
    foreseen = try foresee()
  }

  // MARK: Pass 1

  /// An entity mapping has been through pass 1, whoever did it.
  func endCreation(of mapping: EntityMapping) { isMade.insert(mapping.name) }

  /// Whether SQL can make the objects of an entity mapping.
  func canCreate(_ mapping: EntityMapping) -> Bool {
    if let known = columns[mapping.name] { return known != nil }
    let found = policies[mapping.name].flatMap { values.columns(of: mapping, policy: $0) }
    columns[mapping.name] = .some(found)
    return found != nil
  }

  /// Makes all objects of an entity mapping.
  ///
  /// - Parameter keys: Those of the source objects that fit the filter; `nil` for all of the entity.
  func create(_ mapping: EntityMapping, keys: [Int64]?) throws -> Int {
    guard canCreate(mapping), let entity = mapping.sourceName,
      let made = mapping.destinationName, let table = before.table(of: entity)?.name.plainOrQuoted,
      let number = before.entityNumbers[entity], let newNumber = after.entityNumbers[made],
      let target = after.table(of: made)?.name.plainOrQuoted,
      let columns = columns[mapping.name] ?? nil
    else { return 0 }
    var range = StoreReader.KeyRange()
    if let keys {
      range = .init(count: keys.count, first: keys.first ?? 0, last: keys.last ?? 0)
    } else {
      range = manager.keyRange(of: entity)
    }
    guard range.count > 0 else { return 0 }
    let first = manager.destination.store.takeKeys(range.count, of: made)
    let from: String
    let key: String
    if range.isDense {
      manager.associations.associateRun(
        from: range.first, entity: entity, to: .init(entity: made, key: first), count: range.count,
        in: mapping.name)
      key = Self.shifted("s.Z_PK", by: first - range.first)
      let bounds =
        keys == nil ? "" : " AND s.Z_PK BETWEEN \(range.first) AND \(range.last)"
      from = "source.\(table) AS s WHERE s.Z_ENT = \(number)\(bounds) ORDER BY s.Z_PK"
    } else {
      let select: String
      if let keys {
        try fill(keys)
        select = "SELECT k AS s, \(first - 1) + rowid AS d FROM temp.strata_keys ORDER BY rowid"
      } else {
        select =
          "SELECT Z_PK AS s, \(first - 1) + row_number() OVER (ORDER BY Z_PK) AS d "
          + "FROM source.\(table) WHERE Z_ENT = \(number) ORDER BY Z_PK"
      }
      let pairs = try manager.associations.associateAll(
        select, count: range.count, entity: entity, with: made, below: first + Int64(range.count),
        in: mapping.name)
      key = "a.d"
      from = "\(pairs) AS a CROSS JOIN source.\(table) AS s ON s.Z_PK = a.s ORDER BY a.rowid"
    }
    if let known = foreseen[mapping.name], known.offset != first - range.first {
      throw MigrationError.notAsPlanned(["\(mapping.name) gets other keys than were foreseen"])
    }
    let all =
      try columns.map { (name: $0.name, value: $0.value.sql) } + foreignKeys(of: mapping, made)
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + all.map(\.name)
    let list = [key, String(newNumber), "1"] + all.map(\.value)
    try countLosses(
      columns, of: mapping, in: table, number, range: range, isFiltered: keys != nil)
    return try values.execute(
      "INSERT INTO main.\(target) (\(names.joined(separator: ", "))) "
        + "SELECT \(list.joined(separator: ", ")) FROM \(from)")
  }

  /// Counts the numbers of the source objects that lose something.
  private func countLosses(
    _ columns: [ColumnSQL.Column], of mapping: EntityMapping, in table: String, _ number: Int64,
    range: StoreReader.KeyRange, isFiltered: Bool
  ) throws {
    guard let entity = mapping.sourceName else { return }
    let among =
      !isFiltered
      ? ""
      : range.isDense
        ? " AND s.Z_PK BETWEEN \(range.first) AND \(range.last)"
        : " AND s.Z_PK IN (SELECT k FROM temp.strata_keys)"
    for column in columns {
      for (kind, condition) in column.value.losses {
        let rows = "FROM source.\(table) AS s WHERE s.Z_ENT = \(number)\(among) AND (\(condition))"
        let count = try manager.destination.store.number("SELECT count(*) \(rows)")
        guard count > 0 else { continue }
        manager.report.noteNumbers(
          entity, column.property, kind, count: count,
          keys: try manager.destination.store.integers(
            "SELECT s.Z_PK \(rows) ORDER BY s.Z_PK LIMIT \(Loss.keyLimit)"))
      }
    }
  }

  private func fill(_ keys: [Int64]) throws {
    let store = manager.destination
    try store.store.execute("DROP TABLE IF EXISTS temp.strata_keys")
    try store.store.execute("CREATE TABLE temp.strata_keys (k INTEGER)")
    let insert = try store.store.prepare("INSERT INTO temp.strata_keys VALUES (?)")
    for key in keys {
      try insert.bind(key)
      try insert.run()
    }
  }

  private func foresee() throws -> [String: (first: Int64, last: Int64, offset: Int64)] {
    var foreseen: [String: (first: Int64, last: Int64, offset: Int64)] = [:]
    var next: [String: Int64] = [:]
    var unknown: Set<String> = []
    for mapping in mappings {
      guard let made = mapping.destinationName else { continue }
      let root = destination.rootName(of: made)
      // A policy may make objects of any entity.
      guard policies[mapping.name] != nil else { return foreseen }
      if mapping.sourceName == nil { continue }
      guard !unknown.contains(root), mapping.filter == nil, let entity = mapping.sourceName,
        canCreate(mapping)
      else {
        unknown.insert(root)
        continue
      }
      let range = manager.keyRange(of: entity)
      let first = next[root] ?? manager.destination.store.nextKey(of: made)
      next[root] = first + Int64(range.count)
      guard range.isDense else { continue }
      foreseen[mapping.name] = (range.first, range.last, first - range.first)
    }
    return foreseen
  }

  /// The to-one relationships whose keys are known already: they need no second visit to each row. What is
  /// stored in the end is the same.
  private func foreignKeys(
    of mapping: EntityMapping, _ made: String
  ) throws -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    guard policies[mapping.name]?.relatesByDefault == true else { return [] }
    for property in mapping.relationshipMappings {
      guard let relationship = destination.relationship(property.name, of: made),
        !relationship.property.isToMany,
        let origin = manager.origin(of: property.name, in: mapping),
        !origin.relationship.property.isToMany,
        canFill(relationship, origin, of: mapping),
        let own = before.column(
          of: origin.relationship.property.name, declaredBy: origin.relationship.declaringEntity),
        let column = after.column(
          of: relationship.property.name, declaredBy: relationship.declaringEntity),
        let value = try target(
          "s.\(own.name.plainOrQuoted)",
          through: manager.takers(
            of: origin.relationship, to: relationship.property.destinationName,
            named: origin.mappingName))
      else { continue }
      found.append((column.name.plainOrQuoted, value.valueOrNull))
      filled.insert("\(mapping.name).\(property.name)")
    }
    return found
  }

  private static func shifted(_ key: String, by offset: Int64) -> String {
    offset == 0 ? key : "\(key) + \(offset)"
  }

  /// A destination key over a source key.
  struct TargetKey {
    var value: String
    /// Whether there is one.
    var condition: String
    /// Whether there is a value where the condition does not hold.
    var isTotal = false

    var valueOrNull: String { isTotal ? "CASE WHEN \(condition) THEN \(value) END" : value }
  }

  /// A destination key by a source key, through the first entity mapping that has it; nothing where several
  /// may.
  func target(_ key: String, through names: [String]) throws -> TargetKey? {
    var cases: [TargetKey] = []
    var entities: Set<String> = []
    for name in names {
      guard let mapping = mappings.first(where: { $0.name == name }) else { continue }
      // Two of one entity could both have taken an object.
      guard entities.insert(mapping.sourceName ?? "").inserted, policies[name] != nil else {
        return nil
      }
      var form = try manager.associations.form(of: name)
      if case .none = form, !isMade.contains(name) {
        // Nothing is known of objects that are still to come but what was foreseen.
        guard let run = foreseen[name] else { return nil }
        form = .run(first: run.first, last: run.last, offset: run.offset)
      }
      switch form {
      case .none: continue
      case .run(let first, let last, let offset):
        cases.append(
          TargetKey(
            value: Self.shifted(key, by: offset),
            // No object has a key between two integers.
            condition: "\(key) BETWEEN \(first) AND \(last) AND typeof(\(key)) = 'integer'",
            isTotal: true))
      case .table(let table):
        let value = "(SELECT a.d FROM \(table) AS a WHERE a.s = \(key))"
        cases.append(TargetKey(value: value, condition: "\(value) IS NOT NULL"))
      }
    }
    guard cases.count != 1 else { return cases[0] }
    guard !cases.isEmpty else { return TargetKey(value: "NULL", condition: "FALSE") }
    let value = "coalesce(\(cases.map(\.valueOrNull).joined(separator: ", ")))"
    return TargetKey(value: value, condition: "\(value) IS NOT NULL")
  }
}
