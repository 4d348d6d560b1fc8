internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Runs entity mappings without a policy as `INSERT … SELECT` from the old store into the new one.
///
/// The result equals that of migrating object by object, with keys in the same order. Expressions without an
/// SQL equivalent call Swift functions with the required columns; if that is not sufficient, the objects are
/// migrated one by one.
final class BulkExecutor {
  unowned let manager: PassManager
  let mappings: [EntityMapping]
  /// Whether each entity mapping creates all its objects at once.
  private let isWhole: Bool
  let before: StoreLayout
  let after: StoreLayout
  let values: ColumnSQL
  /// The effects of policies, by entity mapping; policies with unknown effects are not included.
  let policies: [String: BulkPolicy]
  /// The columns of each entity mapping; `nil` if its objects must be migrated one by one.
  private var columns: [String: [ColumnSQL.Column]?] = [:]
  var statements: [String: [String]] = [:]
  /// The expected destination keys, by entity mapping: known before pass 1 if all preceding objects are
  /// counted.
  private var foreseen: [String: (first: Int64, last: Int64, offset: Int64)] = [:]
  /// The entity mappings that have completed pass 1.
  private var finishedMappings: Set<String> = []
  /// The relationships that were set in pass 1: `mapping.relationship`.
  var filled: Set<String> = []

  var source: ObjectModel { manager.sourceModel.model }
  var destination: ObjectModel { manager.destinationModel.model }

  /// - Parameters:
  ///   - policies: The effects of policies, by entity mapping; objects of missing ones are migrated one by one.
  ///   - isWhole: Whether each entity mapping creates all its objects at once.
  init(
    _ manager: PassManager, _ mappings: [EntityMapping], policies: [String: BulkPolicy],
    isWhole: Bool = true
  ) throws {
    self.manager = manager
    self.mappings = mappings
    self.isWhole = isWhole
    self.policies = policies
    values = ColumnSQL(manager, by: .functions)
    before = manager.source.reader.layout
    after = manager.destination.store.layout
    if isWhole { foreseen = try foresee() }
  }

  // MARK: Pass 1

  /// Records that an entity mapping has completed pass 1.
  func endCreation(of mapping: EntityMapping) { finishedMappings.insert(mapping.name) }

  /// Whether SQL can create the objects of an entity mapping.
  func canCreate(_ mapping: EntityMapping) -> Bool {
    if let known = columns[mapping.name] { return known != nil }
    let found = policies[mapping.name].flatMap { values.columns(of: mapping, policy: $0) }
    columns[mapping.name] = .some(found)
    return found != nil
  }

  /// Creates objects of an entity mapping.
  ///
  /// - Parameter keys: The ascending keys of the source objects: those that match the filter, or the next ones;
  ///   `nil` for all objects of the entity.
  func create(_ mapping: EntityMapping, keys: [Int64]?) throws -> Int {
    guard canCreate(mapping), let entity = mapping.sourceName,
      let destinationName = mapping.destinationName,
      let table = before.table(of: entity)?.name.plainOrQuoted,
      let number = before.entityNumbers[entity],
      let newNumber = after.entityNumbers[destinationName],
      let target = after.table(of: destinationName)?.name.plainOrQuoted,
      let columns = columns[mapping.name] ?? nil
    else { return 0 }
    let range =
      keys.map {
        StoreReader.KeyRange(count: $0.count, first: $0.first ?? 0, last: $0.last ?? 0)
      } ?? manager.keyRange(of: entity)
    guard range.count > 0 else { return 0 }
    manager.destination.forgetIndexes(of: destinationName)
    let first = manager.destination.store.takeKeys(range.count, of: destinationName)
    let from: String
    let key: String
    if range.isDense {
      try manager.associations.associations(of: mapping.name).add(
        from: range.first, entity: entity, to: .init(entity: destinationName, key: first),
        count: range.count)
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
      let pairs = try manager.associations.associations(of: mapping.name).fill(
        by: select, count: range.count, entity: entity, with: destinationName,
        below: first + Int64(range.count))
      key = "a.d"
      from =
        "\(pairs.table) AS a CROSS JOIN source.\(table) AS s ON s.Z_PK = a.s "
        + "WHERE a.rowid > \(pairs.after) ORDER BY a.rowid"
    }
    if let known = foreseen[mapping.name], known.offset != first - range.first {
      throw MigrationError.notAsPlanned(["\(mapping.name) gets other keys than expected"])
    }
    let all =
      try columns.map { (name: $0.name, value: $0.value.sql) }
      + foreignKeys(of: mapping, destinationName)
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + all.map(\.name)
    let list = [key, String(newNumber), "1"] + all.map(\.value)
    try countLosses(
      columns, of: mapping, in: table, number, range: range, isFiltered: keys != nil,
      created: "SELECT \(key) AS key, s.* FROM \(from)")
    let count = try values.execute(
      "INSERT INTO main.\(target) (\(names.joined(separator: ", "))) "
        + "SELECT \(list.joined(separator: ", ")) FROM \(from)")
    if keys != nil, !range.isDense {
      try manager.destination.store.execute("DROP TABLE temp.strata_keys")
    }
    return count
  }

  /// Counts the numbers of the source objects that lose data.
  ///
  /// - Parameter created: A query for the keys of the new objects and the columns of the source objects.
  private func countLosses(
    _ columns: [ColumnSQL.Column], of mapping: EntityMapping, in table: String, _ number: Int64,
    range: StoreReader.KeyRange, isFiltered: Bool, created: String
  ) throws {
    guard let entity = mapping.sourceName, let destination = mapping.destinationName else { return }
    let among =
      !isFiltered
      ? ""
      : range.isDense
        ? " AND s.Z_PK BETWEEN \(range.first) AND \(range.last)"
        : " AND s.Z_PK IN (SELECT k FROM temp.strata_keys)"
    let rows = "FROM source.\(table) AS s WHERE s.Z_ENT = \(number)\(among)"
    var losses = columns.flatMap { column in
      column.value.losses.map { (property: column.property, loss: $0) }
    }[...]
    // The rows are read once for many conditions.
    while !losses.isEmpty {
      let some = losses.prefix(Self.conditionLimit)
      losses = losses.dropFirst(some.count)
      let columns = some.map { "count(CASE WHEN \($0.loss.condition) THEN 1 END)" }
      let counts = try manager.destination.store.integers(
        inRow: "SELECT \(columns.joined(separator: ", ")) \(rows)")
      for ((property, loss), count) in zip(some, counts) where count > 0 {
        let keys = try manager.destination.store.integers(
          "SELECT s.Z_PK \(rows) AND (\(loss.condition)) ORDER BY s.Z_PK LIMIT \(Loss.keyLimit)")
        let attribute = PropertyID(entity: destination, name: property)
        manager.report.note(
          NumberLoss(
            attribute: attribute, rule: loss.kind, sourceEntity: entity,
            affected: Receipt.Affected(count: Int(count), keys: keys)))
        guard policies[mapping.name]?.laterAttributes.contains(property) == true else { continue }
        let objects = try manager.destination.store.integers(
          "SELECT key FROM (\(created)) AS s WHERE \(loss.condition)")
        for object in objects {
          manager.destination.remember(.init(attribute: attribute, rule: loss.kind), in: object)
        }
      }
    }
  }

  /// The number of conditions in one query.
  private static let conditionLimit = 100

  private func fill(_ keys: [Int64]) throws {
    let store = manager.destination
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
      guard let destinationName = mapping.destinationName else { continue }
      let root = destination.rootName(of: destinationName)
      // A policy can create objects of any entity.
      guard policies[mapping.name] != nil else { return foreseen }
      if mapping.sourceName == nil { continue }
      guard !unknown.contains(root), mapping.filter == nil, let entity = mapping.sourceName,
        canCreate(mapping)
      else {
        unknown.insert(root)
        continue
      }
      let range = manager.keyRange(of: entity)
      let first = next[root] ?? manager.destination.store.nextKey(of: destinationName)
      next[root] = first + Int64(range.count)
      guard range.isDense else { continue }
      foreseen[mapping.name] = (range.first, range.last, first - range.first)
    }
    return foreseen
  }

  /// The to-one relationships whose keys are already known, which saves a second update of each row. The result
  /// is the same.
  private func foreignKeys(
    of mapping: EntityMapping, _ destinationName: String
  ) throws -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    guard isWhole, policies[mapping.name]?.relatesByDefault == true else { return [] }
    for property in mapping.relationshipMappings {
      guard let relationship = destination.relationship(property.name, of: destinationName),
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
          through: manager.readers(
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

  /// The SQL of a destination key, from a source key.
  struct TargetKey {
    var value: String
    /// The SQL condition that it exists.
    var condition: String
    /// Whether the value is not NULL if the condition is false.
    var isTotal = false

    var valueOrNull: String { isTotal ? "CASE WHEN \(condition) THEN \(value) END" : value }
  }

  /// The destination key of a source key, through the first entity mapping with an association; `nil` if
  /// several are possible.
  func target(_ key: String, through names: [String]) throws -> TargetKey? {
    var cases: [TargetKey] = []
    var entities: Set<String> = []
    for name in names {
      guard let mapping = mappings.first(where: { $0.name == name }) else { continue }
      // Two entity mappings of one entity can both have an association.
      guard entities.insert(mapping.sourceName ?? "").inserted, policies[name] != nil else {
        return nil
      }
      var form = try manager.associations[name]?.form() ?? AssociationTable.Form.none
      if case .none = form, isWhole, !finishedMappings.contains(name) {
        // For objects that are not created yet, only the expected keys are known.
        guard let run = foreseen[name] else { return nil }
        form = .run(first: run.first, last: run.last, offset: run.offset)
      }
      switch form {
      case .none: continue
      case .run(let first, let last, let offset):
        cases.append(
          TargetKey(
            value: Self.shifted(key, by: offset),
            // Keys are integers.
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
