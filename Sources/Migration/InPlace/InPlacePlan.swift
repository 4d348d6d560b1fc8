internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
package import StrataStore

/// The SQL that changes a store from one model to another in place, statement by statement.
///
/// Keys, change counts, the UUID, data in files and persistent history stay; entities get their new
/// numbers wherever a number stands.
///
/// Source: facts on the migration process, section 2, which follow 64 real migrations to the number of
/// their schema statements. Which temporary names Core Data uses is not known: nobody sees them after the
/// transaction.
package struct InPlacePlan: Sendable {
  package let statements: [InPlaceStatement]
  /// Of statements that are one step, the place behind the last by that of the first.
  let endsOfRuns: [Int: Int]
  /// The places of such statements but for the first of each step.
  let placesInRuns: Set<Int>
  /// What the store must have when all is done.
  let schema: StoreSchema
  /// Where the objects stand before it and after it.
  package let layoutBefore: StoreLayout
  package var layoutAfter: StoreLayout { schema.layout }
  /// Numbers of the store that have no room in their new types, or lose their fractions.
  let numbers: [Finding]
  /// Tables whose rows or columns change.
  let touchedTables: Set<String>
  /// How many rows that no entity would take stay, and how many are in tables that do not.
  let (keptStrayRows, lostStrayRows): (Int, Int)
  /// What an app keeps in the store besides and the migration cannot keep.
  let lostExtras: [LostExtra]

  /// - Parameters:
  ///   - mapping: As inference gives it.
  ///   - store: Read by the model `source`.
  ///   - version: Whose way of migrating is taken.
  /// - Throws: ``StoreError`` where the store cannot be asked.
  init(
    from source: ObjectModel, to destination: ObjectModel, mapping: MappingModel,
    store: borrowing StoreReader, version: FrameworkVersion = .newest
  ) throws {
    try store.checkKeys()
    var planner = InPlacePlanner(
      source: source, destination: destination, mapping: mapping,
      found: try FoundSchema(store), version: version)
    try planner.schema.check()
    var numbers: [Finding] = []
    for conversion in planner.lossyConversions() {
      for (kind, condition) in conversion.losses {
        let (count, first) = try store.values(
          of: conversion.entity, at: conversion.place, where: .holds(condition),
          limit: Loss.keyLimit)
        guard count > 0 else { continue }
        planner.numbersOutside.insert("\(conversion.entity).\(conversion.sourcePath)")
        numbers.append(
          Finding(
            kind, entity: conversion.entity, property: conversion.property, count: count,
            keys: first.map(\.key)))
      }
    }
    numbers.sort { $0.lossSortKey < $1.lossSortKey }
    self.numbers = numbers
    planner.plan()
    planner.planSystemTables(store.store.metadata)
    try planner.planExtras()
    statements = InPlaceStatement.Phase.allCases.flatMap { planner.statements[$0] ?? [] }
    endsOfRuns = Self.runs(of: statements)
    placesInRuns = Set(endsOfRuns.flatMap { ($0.key..<$0.value).dropFirst() })
    schema = planner.schema
    layoutBefore = planner.before
    touchedTables = planner.touchedTables
    lostExtras = planner.lostExtras
    var (kept, lost) = (0, 0)
    for (table, count) in planner.found.strayRows {
      if planner.changes[table] == .kept { kept += count } else { lost += count }
    }
    (keptStrayRows, lostStrayRows) = (kept, lost)
  }
}

/// The tables and indexes of a store as they are, old names and leftovers included.
struct FoundSchema {
  /// Where the source model's objects stand, under the names that the store has.
  let layout: StoreLayout
  let names: StoredNames
  let statements: [StoreSchema.Statement]
  /// By table.
  let columns: [String: [String]]
  /// The join tables by `Entity.relationship`, under the names that they really have.
  let joins: [String: JoinTable]
  /// How many links each relationship has, by `Entity.relationship`.
  let links: [String: LinkCount]
  let extras: StoreExtras
  let numberedTables: [NumberedTable]
  /// Rows that no entity would take.
  let strayRows: [(table: String, count: Int)]
  let strayTables: [NumberedTable]
  /// The numbers and names in `Z_PRIMARYKEY`.
  let keyCounters: [(number: Int64, name: String)]

  init(_ store: borrowing StoreReader) throws(StoreError) {
    layout = store.layout
    names = store.storedNames
    statements = try store.store.schema()
    var columns: [String: [String]] = [:]
    for statement in statements where statement.kind == .table {
      columns[statement.name] = try store.store.columnNames(of: statement.name)
    }
    self.columns = columns
    var joins: [String: JoinTable] = [:]
    var links: [String: LinkCount] = [:]
    for entity in store.model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let declared = Declared(property: relationship, declaringEntity: entity.name)
        let name = "\(entity.name).\(relationship.name)"
        links[name] = try store.linkCount(of: declared)
        if relationship.isToMany { joins[name] = try store.joinTable(of: declared) }
      }
    }
    self.joins = joins
    self.links = links
    extras = try StoreExtras(store)
    numberedTables = try NumberedTable.all(in: store)
    strayRows = try store.strayRows()
    strayTables = try NumberedTable.all(with: strayRows, in: store)
    keyCounters = try store.store.keyCounters()
  }

  func hasDanglingLinks(_ relationship: Declared<Relationship>) -> Bool {
    (links[relationship.qualifiedName]?.dangling ?? 0) > 0
  }

  func join(of relationship: Declared<Relationship>) -> JoinTable? {
    joins[relationship.qualifiedName]
  }
}
