internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Plans the changes of each table, and creates the statements by phase.
struct InPlacePlanner {
  let source: ObjectModel
  let destination: ObjectModel
  let before: StoreLayout
  /// The schema of the source model, with the names in the store.
  let oldSchema: StoreSchema
  let schema: StoreSchema
  let version: FrameworkVersion
  let found: FoundSchema
  let continuedEnds: ContinuedEnds
  private let hasCrossedEnds: Bool
  /// The number of temporary tables for links.
  private var keptLinks = 0
  /// The lineages, by destination entity.
  let lineages: [String: EntityLineage]
  /// The lineages, by source entity.
  let successors: [String: [EntityLineage]]
  /// The entities of each hierarchy, the root first, by its name.
  let sourceFamilies: [String: [String]]
  let destinationFamilies: [String: [String]]
  /// The tables of the destination and the source, by name.
  let newTables: [String: StoreTable]
  let oldTables: [String: StoreTable]
  /// The indexes of the store, by table.
  private let foundIndexes: [String: [String]]
  /// Source entity number to destination entity number, for kept entities.
  let numbers: [(old: Int64, new: Int64)]
  /// The changed numbers, by the new number.
  let movedNumbers: [Int64: (old: Int64, new: Int64)]
  /// The source entities that are removed or become abstract, by table.
  let removedEntities: [String: [String]]
  /// The root entities of removed entities.
  let removedRoots: Set<String>
  /// The removed source entities.
  let removed: [String]
  private(set) var statements: [InPlaceStatement.Phase: [InPlaceStatement]] = [:]
  private(set) var touchedTables: Set<String> = []
  /// The created tables.
  private(set) var createdTables: Set<String> = []
  /// The change of each destination table.
  var changes: [String: TableChange] = [:]
  /// The current table name of a source table's rows during the migration.
  var presentNames: [String: String] = [:]
  /// The current column names during the migration, by source table.
  var presentColumns: [String: [String: String]] = [:]
  /// Join tables that keep their actual names, by the name in the new schema.
  var keptJoins: [String: JoinTable] = [:]
  /// Dropped indexes, including those of dropped tables.
  var droppedIndexes: Set<String> = []
  /// Source attributes, as `Entity.keyPath`, with numbers out of range for their new types.
  var numbersOutside: Set<String> = []
  /// Order keys that are assigned again: column by table.
  var newOrders: Set<String> = []
  /// Keys that change: column by table.
  var changedKeys: Set<String> = []
  /// The app's own tables, columns, views, indexes and triggers that are lost.
  var lostExtras: [LostExtra] = []
  /// The columns, as `ZTABLE.ZCOLUMN`, that get a default value in all rows, regardless of their entity.
  var filledColumns: Set<String> = []
  /// Whether `Z_PRIMARYKEY` is recreated.
  var isKeyTableRecreated = false

  var after: StoreLayout { schema.layout }

  /// The change of a table.
  enum TableChange: Hashable {
    case created
    /// The table is kept, possibly with more columns.
    case kept
    /// The rows of the old tables are copied to a new table.
    case recreated
  }

  init(
    source: ObjectModel, destination: ObjectModel, mapping: MappingModel, found: FoundSchema,
    version: FrameworkVersion
  ) {
    self.source = source
    self.destination = destination
    self.version = version
    self.found = found
    before = found.layout
    continuedEnds = ContinuedEnds(
      entityMappings: mapping.entityMappings, named: [], source: source, destination: destination)
    hasCrossedEnds = destination.storedRelationships.contains(where: continuedEnds.isOverruled)
    oldSchema = StoreSchema(source, version: version, keeping: found.names)
    lineages = Dictionary(
      first: mapping.entityMappings.compactMap { EntityLineage($0) }.map { ($0.destination, $0) })
    schema = StoreSchema(
      destination, version: version,
      keeping: KeptNames(source, destination, found.layout, lineages).names)
    removed = mapping.entityMappings.filter { $0.destinationName == nil }.compactMap(\.sourceName)
    successors = Dictionary(grouping: lineages.values.filter { $0.source != nil }) {
      $0.source ?? ""
    }
    sourceFamilies = Dictionary(grouping: before.entityOrder) { source.rootName(of: $0) }
    destinationFamilies = Dictionary(grouping: schema.layout.entityOrder) {
      destination.rootName(of: $0)
    }
    func byName(_ tables: [StoreTable]) -> [String: StoreTable] {
      Dictionary(first: tables.map { ($0.name, $0) })
    }
    (newTables, oldTables) = (byName(schema.layout.tables), byName(before.tables))
    foundIndexes = Dictionary(grouping: found.statements.filter { $0.kind == .index }, by: \.table)
      .mapValues { $0.map(\.name) }
    let (old, new) = (before.entityNumbers, schema.layout.entityNumbers)
    numbers = lineages.values.compactMap { lineage in
      guard let from = lineage.source.flatMap({ old[$0] }), let to = new[lineage.destination] else {
        return nil
      }
      return (from, to)
    }.sorted { $0.old < $1.old }
    movedNumbers = Dictionary(
      numbers.filter { $0.old != $0.new }.map { ($0.new, $0) }, uniquingKeysWith: { $1 })
    removedRoots = Set(removed.map { source.rootName(of: $0) })
    let abstract = lineages.values.compactMap { lineage -> String? in
      guard let entity = lineage.source, source[entity]?.isAbstract == false,
        destination[lineage.destination]?.isAbstract == true
      else { return nil }
      return entity
    }
    let tables = before
    removedEntities = Dictionary(grouping: removed + abstract) { tables.table(of: $0)?.name ?? "" }
  }

  mutating func plan() {
    planTables()
    planJoinTables()
    planRelationships()
    planEntityNumbers()
    planIndexes()
    planTriggers()
  }

  mutating func add(
    _ phase: InPlaceStatement.Phase, _ sql: String, values: [AttributeValue] = [],
    on table: String? = nil, restoring item: SchemaItem? = nil, _ purpose: String
  ) {
    if phase == .create { createdTables.formUnion([table].compactMap(\.self)) }
    statements[phase, default: []].append(
      InPlaceStatement(phase, sql, values: values, restoring: item, purpose))
    if let table { touchedTables.insert(table) }
  }

  /// Copies links to a temporary table before any are written, since crossed ends overwrite links that are
  /// still to be read.
  ///
  /// - Parameter purpose: The relationship.
  /// - Returns: A query for the links.
  mutating func keepLinks(_ query: String, _ purpose: String) -> String {
    guard hasCrossedEnds else { return query }
    let name = "strata_links_\(keptLinks)"
    statements[.relate, default: []].insert(
      InPlaceStatement(
        .relate, "CREATE TEMP TABLE \(name) AS \(query)",
        "keeps the old links of \(purpose) until they are copied"),
      at: keptLinks)
    keptLinks += 1
    add(.drop, "DROP TABLE temp.\(name)", "drops the temporary table, whose links are copied")
    return "SELECT own, other, place, inverse FROM temp.\(name)"
  }

  // MARK: Lineage

  /// The lineages of the concrete and abstract entities of a destination table.
  func lineages(of table: StoreTable) -> [EntityLineage] {
    (destinationFamilies[table.rootEntity] ?? []).compactMap { lineages[$0] }
  }

  /// The lineages of an entity and its subentities.
  func lineages(below entity: String) -> [EntityLineage] {
    destination.familyNames(of: entity).compactMap { lineages[$0] }
  }

  /// The source tables of a destination table's rows.
  func sourceTables(of table: StoreTable) -> [String] {
    var names: [String] = []
    for lineage in lineages(of: table) {
      guard let name = lineage.source.flatMap({ before.table(of: $0)?.name }),
        !names.contains(name)
      else { continue }
      names.append(name)
    }
    return names
  }

  /// The names of the indexes of a table in the store.
  func indexes(on table: String) -> [String] { foundIndexes[table] ?? [] }

  static func list(_ numbers: [Int64]) -> String {
    numbers.map(String.init).joined(separator: ", ")
  }

  func presentName(_ table: String) -> String { presentNames[table] ?? table }

  func presentColumn(_ column: String, of table: String) -> String {
    presentColumns[table]?[column] ?? column
  }

  /// A temporary name that no table of Core Data has.
  static func aside(_ table: String) -> String { "_Strata_\(table)" }

  /// Gives a table a temporary name, which it returns.
  @discardableResult
  mutating func setAside(_ table: String, _ purpose: String) -> String {
    let aside = Self.aside(table)
    presentNames[table] = aside
    add(.setAside, "ALTER TABLE \(table.plainOrQuoted) RENAME TO \(aside.quoted)", purpose)
    return aside
  }
}
