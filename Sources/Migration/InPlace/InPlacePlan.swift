internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
package import StrataStore

/// The SQL statements of an in-place migration from one model to another.
///
/// Keys, change counts, the UUID, external files and persistent history are kept; entity numbers are updated
/// everywhere.
///
/// Source: `Docs/Facts/migration-process.md`, section 2, which follow 64 real migrations to the number of their
/// schema statements. The temporary names that Core Data uses are unknown, since they do not exist after the
/// transaction.
package struct InPlacePlan: Sendable {
  package let statements: [InPlaceStatement]
  /// For statements that are one step, the index after the last, by the index of the first.
  let endsOfRuns: [Int: Int]
  /// The indexes of such statements, except the first of each step.
  let indicesInRuns: Set<Int>
  /// The schema of the store after the migration.
  let schema: StoreSchema
  /// The layout of the store before and after the migration.
  package let layoutBefore: StoreLayout
  package var layoutAfter: StoreLayout { schema.layout }
  /// Numbers of the store that are out of range for their new types or lose their fractions; none where a stage changes
  /// the store first.
  let numbers: [NumberLoss]
  /// The conversions that can lose numbers.
  let conversions: [LossyConversion]
  /// The columns, as `ZTABLE.ZCOLUMN`, that get a default value in all rows, regardless of their entity.
  private let filledColumns: Set<String>
  /// Tables whose rows or columns change.
  let touchedTables: Set<String>
  /// The numbers of rows of unknown entities in tables that are kept and in tables that are dropped.
  let (keptStrayRows, lostStrayRows): (Int, Int)
  /// The app's own tables, columns, views, indexes and triggers that are lost.
  let lostExtras: [LostExtra]

  /// - Parameters:
  ///   - mapping: The inferred mapping model.
  ///   - store: The store, read with the model `source`.
  ///   - counts: What is known of the store.
  ///   - isChangedBefore: Whether a stage changes the store before the migration, and so its numbers.
  ///   - version: The Core Data version whose behavior is used.
  /// - Throws: ``StoreError`` if the store cannot be read.
  init(
    from source: ObjectModel, to destination: ObjectModel, mapping: MappingModel,
    store: borrowing StoreReader, _ counts: inout StoreCounts, isChangedBefore: Bool,
    version: FrameworkVersion
  ) throws {
    try store.checkKeys()
    var planner = InPlacePlanner(
      source: source, destination: destination, mapping: mapping,
      found: try FoundSchema(store, &counts), version: version)
    try planner.schema.check()
    conversions = planner.lossyConversions()
    numbers = isChangedBefore ? [] : try conversions.numbers(in: store)
    let unfit = Set(numbers.map(\.attribute))
    for conversion in conversions where isChangedBefore || unfit.contains(conversion.attribute) {
      planner.numbersOutside.insert("\(conversion.entity).\(conversion.sourcePath)")
    }
    planner.plan()
    planner.planSystemTables(store.store.metadata)
    try planner.planExtras()
    statements = InPlaceStatement.Phase.allCases.flatMap { planner.statements[$0] ?? [] }
    endsOfRuns = Self.runs(of: statements)
    indicesInRuns = Set(endsOfRuns.flatMap { ($0.key..<$0.value).dropFirst() })
    schema = planner.schema
    layoutBefore = planner.before
    filledColumns = planner.filledColumns
    touchedTables = planner.touchedTables
    lostExtras = planner.lostExtras
    var (kept, lost) = (0, 0)
    for (table, count) in planner.found.strayRows {
      if planner.changes[table] == .kept { kept += count } else { lost += count }
    }
    (keptStrayRows, lostStrayRows) = (kept, lost)
  }
}

extension InPlacePlan {
  /// Whether some properties of an entity get their defaults in all rows, regardless of their entity.
  func fills(_ properties: [String], of entity: String, in model: ObjectModel) -> Bool {
    guard let table = layoutAfter.table(of: entity)?.name,
      let columns = layoutAfter.columns(of: properties, in: entity, of: model)
    else { return false }
    return columns.allSatisfy { filledColumns.contains("\(table).\($0.name)") }
  }
}

/// The actual tables and indexes of a store, including old names and leftovers.
struct FoundSchema {
  /// The layout of the source model, with the names in the store.
  let layout: StoreLayout
  let names: StoredNames
  let statements: [StoreSchema.Statement]
  /// The column names, by table.
  let columns: [String: [String]]
  /// The join tables by `Entity.relationship`, with their actual names.
  let joins: [String: JoinTable]
  /// The number of links, by `Entity.relationship`.
  let links: [String: LinkCount]
  let extras: StoreExtras
  let numberedTables: [NumberedTable]
  /// The tables with rows of unknown entities.
  let strayRows: [(table: String, count: Int)]
  let strayTables: [NumberedTable]
  /// The numbers and names in `Z_PRIMARYKEY`.
  let keyCounters: [(number: Int64, name: String)]

  init(_ store: borrowing StoreReader, _ counts: inout StoreCounts) throws(StoreError) {
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
        links[name] = try counts.links(of: declared, in: store)
        if relationship.isToMany { joins[name] = try store.joinTable(of: declared) }
      }
    }
    self.joins = joins
    self.links = links
    extras = try StoreExtras(store)
    numberedTables = try NumberedTable.all(in: store)
    strayRows = try store.strayRows(&counts)
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
