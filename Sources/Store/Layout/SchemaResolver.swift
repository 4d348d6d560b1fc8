internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// Finds the columns and join tables of a model in a store.
///
/// A column with the name that Core Data assigns in a new store is used. If it does not exist, or several
/// properties share a name and their types differ, a single remaining candidate is used; several are an error,
/// never a guess.
///
/// Source: `Docs/Facts/sqlite-schema.md`, sections 5 and 6: suffixes of clashing names follow no rule within
/// one owner, and migrations in place leave old names behind.
struct SchemaResolver {
  /// Declared types by column.
  typealias Columns = [String: String]

  private let model: ObjectModel
  private let computed: StoreLayout
  private(set) var names = StoredNames()
  /// Errors of join tables that were not found, by relationship; thrown on access.
  private(set) var failures: [PropertyID: StoreError] = [:]

  init(_ model: ObjectModel, computed: StoreLayout) {
    self.model = model
    self.computed = computed
  }

  // MARK: Columns

  /// - Parameter found: The columns of the table.
  /// - Throws: ``StoreError/missingColumn(_:table:)``, ``StoreError/ambiguousColumn(_:candidates:table:)``.
  mutating func resolve(_ table: StoreTable, _ found: Columns) throws(StoreError) {
    let keys = computed.columnKeys(of: table)
    var wanted: [WantedColumn<PropertyID>] = []
    for key in keys {
      guard let column = computed.column(forKey: key) else { continue }
      wanted.append(WantedColumn(key: key, column: column, base: computed.baseName(forKey: key)))
    }
    let claimed = try claim(wanted, found, table: table.name)
    for want in wanted {
      guard var column = computed.column(forKey: want.key), let name = claimed[want.key] else {
        continue
      }
      column.name = name
      let rest = name.dropFirst()
      if column.orderColumn != nil {
        column.orderColumn = try companion(
          "Z_FOK_\(rest)", pattern: .init(before: "Z_FOK_", base: String(rest)), found, table.name)
      }
      if let entityColumn = column.entityColumn {
        let matches = found.keys.filter { Pattern(before: "Z", base: "_\(rest)").fits($0, 0) }
        column.entityColumn =
          found[entityColumn] != nil && entityColumn.hasSuffix("_\(rest)")
          ? entityColumn : matches.count == 1 ? matches[0] : nil
      }
      names.columns[want.key] = column
    }
  }

  /// A companion column: the one with the expected name, or a single similar one.
  private func companion(
    _ name: String, pattern: Pattern, _ found: Columns, _ table: String
  ) throws(StoreError) -> String {
    if found[name] != nil { return name }
    let matches = found.keys.filter { pattern.fits($0, nil) }.sorted()
    guard matches.count < 2 else {
      throw .ambiguousColumn(name, candidates: matches, table: table)
    }
    guard let match = matches.first else { throw .missingColumn(name, table: table) }
    return match
  }

  private struct WantedColumn<Key: Hashable> {
    var key: Key
    /// The name in a new store.
    var column: StoreColumn
    /// The name without a clash.
    var base: String
  }

  /// - Returns: The name of each wanted column, by its key.
  private func claim<Key: Hashable>(
    _ wanted: [WantedColumn<Key>], _ found: Columns, table: String
  ) throws(StoreError) -> [Key: String] {
    var claimed: [Key: String] = [:]
    var free = found
    // Properties with the same name are distinguished by type, if the types differ.
    let differing = Set(
      Dictionary(grouping: wanted, by: \.base)
        .filter { Set($0.value.map(\.column.type)).count > 1 }.keys)
    for want in wanted {
      guard let type = free[want.column.name] else { continue }
      guard !differing.contains(want.base) || type == want.column.type else { continue }
      claimed[want.key] = want.column.name
      free[want.column.name] = nil
    }
    var open = wanted.filter { claimed[$0.key] == nil }
    while let want = open.first {
      open.removeFirst()
      let typesDiffer = differing.contains(want.base)
      let pattern = Pattern(want.base)
      let matches = free.filter { name, type in
        pattern.fits(name, nil) && (!typesDiffer || type == want.column.type)
      }.keys.sorted()
      guard let match = matches.first else {
        throw .missingColumn(want.column.name, table: table)
      }
      guard matches.count == 1 else {
        throw .ambiguousColumn("\(want.key)", candidates: matches, table: table)
      }
      claimed[want.key] = match
      free[match] = nil
    }
    return claimed
  }

  // MARK: Join tables

  /// - Parameter columns: The columns of a table; empty if there is no such plain table.
  mutating func resolveJoins(
    tables: [String], _ columns: (String) throws(StoreError) -> Columns
  ) throws(StoreError) {
    for end in computed.joinedRelationships(of: model) {
      guard let join = computed.joinTable(of: end.property.name, declaredBy: end.declaringEntity),
        let inverse = model.inverse(of: end.property)
      else { continue }
      let (key, other) = (end.id, inverse.id)
      do throws(StoreError) {
        let found = try resolve(join, end, inverse, tables: tables, columns)
        names.joins[key] = found
        if other != key { names.joins[other] = found.reversed }
      } catch {
        failures[key] = error
        failures[other] = error
      }
    }
  }

  /// The table may be named after either end, with any entity number.
  private func resolve(
    _ join: JoinTable, _ end: Declared<Relationship>, _ inverse: Declared<Relationship>,
    tables: [String], _ columns: (String) throws(StoreError) -> Columns
  ) throws(StoreError) -> JoinTable {
    func name(_ end: Declared<Relationship>) -> String {
      "Z_\(computed.entityNumbers[end.declaringEntity] ?? 0)\(end.property.name.uppercased())"
    }
    var candidates: [(name: String, isOwner: Bool)] = []
    for (end, isOwner) in [(end, true), (inverse, false)] where isOwner || name(end) != join.name {
      if try !columns(name(end)).isEmpty { candidates.append((name(end), isOwner)) }
    }
    if candidates.isEmpty {
      // A number that was not changed by a migration in place.
      for (end, isOwner) in [(end, true), (inverse, false)] {
        let pattern = Pattern(before: "Z_", base: end.property.name.uppercased())
        for table in tables where pattern.fits(table, 0) {
          if (try? columnNames(join, end: end, in: columns(table), table)) != nil {
            candidates.append((table, isOwner))
          }
        }
      }
    }
    guard let table = candidates.first else { throw .missingTable(join.name) }
    guard candidates.count == 1 else {
      throw .ambiguousTable(
        end.qualifiedName, candidates: candidates.map(\.name))
    }
    var found = try columnNames(join, end: end, in: columns(table.name), table.name)
    found.name = table.name
    found.isOwner = table.isOwner
    return found
  }

  private func columnNames(
    _ join: JoinTable, end: Declared<Relationship>, in found: Columns, _ table: String
  ) throws(StoreError) -> JoinTable {
    var keys: Columns = [:]
    var orders: Columns = [:]
    for (name, type) in found {
      if name.hasPrefix("Z_FOK_") { orders[name] = type } else { keys[name] = type }
    }
    let inverse = model.inverse(of: end.property)
    let claimed = try claim(
      [
        WantedColumn(
          key: "own", column: StoreColumn(name: join.ownColumn, type: ""),
          base: "Z_*"
            + (join.isOwnInverse ? end.property.name : inverse?.property.name ?? "").uppercased()),
        WantedColumn(
          key: "other", column: StoreColumn(name: join.otherColumn, type: ""),
          base: join.isOwnInverse ? "REFLEXIVE" : "Z_*" + end.property.name.uppercased()),
      ], keys, table: table)
    var resolved = join
    resolved.ownColumn = claimed["own"] ?? join.ownColumn
    resolved.otherColumn = claimed["other"] ?? join.otherColumn
    func order(_ computed: String?, beside column: String) throws(StoreError) -> String? {
      guard computed != nil else { return nil }
      let name = "Z_FOK_" + column.dropFirst(2)
      if orders[name] != nil { return name }
      let isOnlyOne = (join.orderColumn == nil) != (join.inverseOrderColumn == nil)
      guard isOnlyOne, orders.count == 1, let only = orders.keys.first else {
        throw .missingColumn(name, table: table)
      }
      return only
    }
    resolved.orderColumn = try order(join.orderColumn, beside: resolved.otherColumn)
    resolved.inverseOrderColumn = try order(join.inverseOrderColumn, beside: resolved.ownColumn)
    return resolved
  }
}

/// A pattern of column names: a prefix, an optional entity number, a name, and an optional clash number.
private struct Pattern {
  private let before: String
  private let base: String

  /// - Parameter base: `Z_*` at its beginning stands for `Z_` and an entity number.
  init(_ base: String) {
    let isNumbered = base.hasPrefix("Z_*")
    before = isNumbered ? "Z_" : ""
    self.base = isNumbered ? String(base.dropFirst(3)) : base
    hasNumber = isNumbered
  }

  init(before: String, base: String) {
    self.before = before
    self.base = base
    hasNumber = before != "Z_FOK_"
  }

  private let hasNumber: Bool

  /// - Parameter suffix: How many digits may follow; `nil` for any number of them.
  func fits(_ name: String, _ suffix: Int?) -> Bool {
    guard name.hasPrefix(before) else { return false }
    var rest = name.dropFirst(before.count)
    if hasNumber {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(digits.count)
    }
    guard rest.hasPrefix(base) else { return false }
    let end = rest.dropFirst(base.count)
    return end.count <= suffix ?? .max && end.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
